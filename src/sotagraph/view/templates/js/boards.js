// Leaderboards: one table a dataset and metric, to sort, filter and copy.

/** A board for each dataset and metric that some result has; results without a dataset go by their task. */
const boards = (() => {
  const found = new Map();
  for (const result of results) {
    const dataset = result.dataset || null;
    const under = dataset || result.task;
    if (!under && !result.metric) continue;
    const id = `${under ? under.id : ''}|${result.metric ? result.metric.id : ''}`;
    if (!found.has(id)) found.set(id, { id, dataset, under, metric: result.metric, results: [] });
    found.get(id).results.push(result);
  }
  return [...found.values()].map(finish).sort((a, b) => !!b.dataset - !!a.dataset || b.scored - a.scored || b.papers - a.papers || b.results.length - a.results.length || (a.id < b.id ? -1 : 1));
})();

function finish(board) {
  board.results.sort(byScore);
  board.papers = new Set(board.results.map((result) => result.paper)).size;
  board.lower = board.results.some((result) => !better(result));
  // Units are not compared with each other: the unit of most scores is the one that ranks.
  const absolute = board.results.filter((result) => result.rk === 'absolute' || !result.rk);
  let rank = 0;
  board.rows = board.results.map((result) => {
    const subject = subjectOf(result);
    const gain = result.base && Number.isFinite(Number(result.base)) && (result.rk === 'absolute' || !result.rk) ? round(result.number - Number(result.base)) : KIND_TEXT[result.rk] ? result.number : null;
    return {
      result, subject, rank: absolute.includes(result) ? ++rank : null, method: subject ? subject.label : '', value: result.number, condition: result.cond || '',
      baseline: result.baseline ? result.baseline.label : '', base: result.base || '', gain, paper: result.paper ? result.paper.label : '', year: result.paper ? result.paper.year : undefined,
    };
  });
  board.scored = rank;
  flagConflicts(board.rows);
  return board;
}

function round(number) { return Number(number.toFixed(4)); }

/** Two scores of one method under one condition that differ: both are shown, and both say so. */
function flagConflicts(rows) {
  const same = new Map();
  for (const row of rows) {
    if (row.rank === null || !row.result.method) continue;
    const key = [row.subject.index, fold(row.condition), row.result.unit || ''].join('|');
    if (!same.has(key)) same.set(key, []);
    same.get(key).push(row);
  }
  for (const group of same.values()) {
    const values = [...new Set(group.map((row) => valueOf(row.result)))];
    if (values.length > 1) for (const row of group) row.conflict = values.filter((value) => value !== valueOf(row.result)).join(', ');
  }
}

/** Whether a row says how far its score is from a printed baseline; a change itself stands under Score. */
const isLead = (row) => row.gain !== null && !KIND_TEXT[row.result.rk];

const COLUMNS = [
  { key: 'rank', label: '#', get: (row) => row.rank },
  { key: 'method', label: 'Method', get: (row) => row.method.toLowerCase() },
  { key: 'value', label: 'Score', get: (row) => row.value },
  { key: 'condition', label: 'Condition', get: (row) => row.condition.toLowerCase(), told: (row) => row.condition },
  { key: 'baseline', label: 'Baseline', get: (row) => row.baseline.toLowerCase(), told: (row) => row.baseline || row.base },
  { key: 'gain', label: 'Gain', get: (row) => row.gain, told: isLead },
  { key: 'paper', label: 'Paper', get: (row) => row.paper.toLowerCase() },
  { key: 'year', label: 'Year', get: (row) => row.year, told: (row) => row.year },
  { key: 'sentence', label: 'Sentence' },
];

/** The columns that say something of some row of a board, filtered or not. */
const columnsOf = (board) => COLUMNS.filter((column) => !column.told || board.rows.some(column.told));

const boardTitle = (board) => (board.under ? board.under.label : 'No dataset named');
const metricTitle = (board) => (board.metric ? board.metric.label : 'metric not named');

/** The rows as the reader has sorted and filtered them. */
function rowsOf(board) {
  const [key, way] = state.sort.split(':');
  const column = COLUMNS.find((c) => c.key === key && c.get);
  const text = fold(state.text);
  const rows = board.rows.filter((row) => !text || fold([row.method, row.condition, row.baseline, row.paper, row.year, valueOf(row.result)].join(' ')).includes(text));
  if (!column) return rows;
  const empty = (value) => value === null || value === undefined || value === '';
  return [...rows].sort((a, b) => {
    const x = column.get(a), y = column.get(b);
    if (empty(x) || empty(y)) return empty(x) - empty(y);
    return (x < y ? -1 : x > y ? 1 : 0) * (way === 'down' ? -1 : 1);
  });
}

const signed = (number, unit) => `${number > 0 ? '+' : ''}${number}${unit || ''}`;
function gainText(row) {
  if (row.gain === null) return '';
  if (KIND_TEXT[row.result.rk]) return `${valueOf(row.result)} ${KIND_TEXT[row.result.rk]}`;
  return signed(row.gain);
}

const PLAIN = ['Rank', 'Method', 'Score', 'Condition', 'Baseline', 'Baseline score', 'Gain', 'Paper', 'Year'];
const plainRow = (row) => [row.rank ?? '', row.method, valueOf(row.result), row.condition, row.baseline, row.base, gainText(row), row.paper, row.year ?? ''].map(String);

const FORMATS = {
  Markdown: (rows) => [PLAIN, PLAIN.map(() => '---'), ...rows.map((row) => plainRow(row).map((cell) => cell.replace(/[\\|]/g, '\\$&').replace(/\s+/g, ' ')))].map((cells) => `| ${cells.join(' | ')} |`).join('\n') + '\n',
  // A cell that begins like a formula is kept from being one.
  CSV: (rows) => [PLAIN, ...rows.map(plainRow)].map((cells) => cells.map((cell) => (/^[=@\t\r]|^[+-](?![\d.]+(?:$|\D*$))/.test(cell) ? "'" + cell : cell)).map((cell) => (/[",\n\r]/.test(cell) ? `"${cell.replace(/"/g, '""')}"` : cell)).join(',')).join('\r\n') + '\r\n',
  LaTeX: (rows) => {
    const escape = (cell) => cell.replace(/[\\{}$&#%_~^]/g, (c) => ({ '\\': '\\textbackslash{}', '~': '\\textasciitilde{}', '^': '\\textasciicircum{}' })[c] || '\\' + c).replace(/×/g, '$\\times$').replace(/\s+/g, ' ');
    const lines = [PLAIN, ...rows.map(plainRow)].map((cells) => `  ${cells.map(escape).join(' & ')} \\\\`);
    return ['\\begin{tabular}{rlrllrrlr}', '  \\hline', lines[0], '  \\hline', ...lines.slice(1), '  \\hline', '\\end{tabular}', ''].join('\n');
  },
};

function boardTable(board) {
  const rows = rowsOf(board);
  const [key, way] = state.sort.split(':');
  const columns = columnsOf(board);
  const head = columns.map((column) => h('th', { scope: 'col', class: column.key, 'aria-sort': column.get ? (key === column.key ? (way === 'down' ? 'descending' : 'ascending') : 'none') : null }, column.get
    ? h('button', { type: 'button', 'data-key': 'sort-' + column.key, onclick: () => go({ sort: key === column.key ? (way === 'down' ? '' : column.key + ':down') : column.key + ':up' }, false) }, column.label, h('span', { class: 'arrow', 'aria-hidden': 'true' }, key === column.key ? (way === 'down' ? '↓' : '↑') : ''))
    : column.label));
  const scale = Math.max(...board.rows.filter((row) => row.rank).map((row) => Math.abs(row.value)), 1e-9);
  return h('div', { class: 'scroll', tabIndex: 0, role: 'region', 'aria-label': `Scores on ${boardTitle(board)}` }, h('table', null,
    h('caption', { class: 'hidden' }, `Scores on ${boardTitle(board)} by ${metricTitle(board)}`),
    h('thead', null, h('tr', null, head)), h('tbody', null, rows.map((row) => boardRow(row, scale, columns)), rows.length ? '' : h('tr', null, h('td', { colspan: columns.length, class: 'none' }, 'No row matches the filter')))));
}

function boardRow(row, scale, columns) {
  const { result } = row;
  const said = sentence(result.s);
  const bar = h('span', { class: 'meter', 'aria-hidden': 'true' });
  if (row.rank) bar.style.setProperty('--part', Math.max(2, (100 * Math.abs(row.value)) / scale) + '%');
  const names = [result.method, result.dataset, result.metric, result.baseline].flatMap(spellings);
  const cells = {
    rank: () => h('td', { class: 'rank' }, row.rank ?? '–'),
    method: () => h('td', { class: 'method' }, row.subject ? nodeLink(row.subject) : h('span', { class: 'muted' }, 'not named')),
    value: () => h('td', { class: 'value' }, h('b', null, valueOf(result)), KIND_TEXT[result.rk] ? h('span', { class: 'tag' }, KIND_TEXT[result.rk]) : bar, row.conflict ? h('span', { class: 'conflict', title: `Also reported as ${row.conflict}` }, `also reported: ${row.conflict}`) : ''),
    condition: () => h('td', { class: 'condition' }, name(row.condition)),
    baseline: () => h('td', { class: 'baseline' }, result.baseline ? nodeLink(result.baseline) : '', row.base ? h('b', null, ` ${row.base}${result.unit === '%' ? '%' : ''}`) : ''),
    gain: () => h('td', { class: 'gain' + (isLead(row) ? ((row.gain > 0) === better(result) ? ' up' : ' down') : '') }, isLead(row) ? gainText(row) : ''),
    paper: () => h('td', { class: 'paper' }, result.paper ? nodeLink(result.paper, short(result.paper.label, 64)) : ''),
    year: () => h('td', { class: 'year' }, row.year ?? ''),
    sentence: () => h('td', { class: 'sentence' }, said && said.text ? h('details', null, h('summary', null, name(short(said.text, 74))), quote(said.text, [...names, result.text || ''])) : ''),
  };
  return h('tr', { class: row.rank === 1 ? 'best' : row.rank === null ? 'change' : '' }, columns.map((column) => cells[column.key]()));
}

/** Boards side by side under one dataset, and the list to choose from. */
function showBoards() {
  const view = $('view-leaderboards');
  if (!boards.length) return replace(view, h('div', { class: 'empty' }, h('h2', null, 'No leaderboards yet'), h('p', null, 'No paper of this graph reports a score with a dataset, task or metric.')));
  const board = boards.find((b) => b.id === state.board) || boards[0];
  const siblings = boards.filter((b) => b.under === board.under);
  const focus = keepFocus(view);
  const tops = [...new Map(boards.map((b) => [b.under, b])).values()];
  const total = (b) => boards.filter((x) => x.under === b.under).reduce((sum, x) => sum + x.results.length, 0);
  const entry = (b) => h('li', null, h('button', { type: 'button', class: 'pick', 'data-key': 'board-' + b.id, 'data-name': fold(boardTitle(b)), 'aria-current': b.under === board.under ? 'true' : null, onclick: () => go({ board: b.id, sort: '', text: '' }) }, b.under ? glyph(b.under.kind) : '', name(short(boardTitle(b), 60)), h('span', { class: 'count' }, total(b))));
  const list = h('ul', null, tops.map(entry));
  const narrowList = (event) => { const text = fold(event.target.value); for (const item of list.children) item.hidden = !item.firstChild.dataset.name.includes(text); };
  const format = (kind) => h('button', { type: 'button', class: 'chip', onclick: () => copy(FORMATS[kind](rowsOf(board)), `Copied as ${kind}`) }, icon('copy'), kind);
  const scroll = view.querySelector('.side ul') ? view.querySelector('.side').scrollTop : 0;
  replace(view,
    h('div', { class: 'side' }, h('label', { class: 'hidden', for: 'board-find' }, 'Find a leaderboard'), h('input', { id: 'board-find', type: 'search', placeholder: 'Find a leaderboard', oninput: narrowList }), list),
    h('div', { class: 'main' },
      h('div', { class: 'title' }, h('h2', null, board.under ? glyph(board.under.kind) : '', name(short(boardTitle(board), 160))), h('p', { class: 'muted' }, `${plural(board.results.length, 'score')} from ${plural(board.papers, 'paper')}`, board.metric && board.metric.hib !== undefined ? ` · ${board.metric.hib ? 'higher' : 'lower'} is better` : '')),
      siblings.length > 1 || board.metric ? h('div', { class: 'metrics', role: 'group', 'aria-label': 'Metric' }, siblings.map((b) => h('button', { type: 'button', class: 'chip', 'data-key': 'metric-' + b.id, 'aria-pressed': String(b === board), onclick: () => go({ board: b.id, sort: '' }) }, name(short(metricTitle(b), 40)), h('span', { class: 'count' }, b.results.length)))) : '',
      chart(board),
      h('div', { class: 'row' }, h('label', { class: 'hidden', for: 'row-find' }, 'Filter rows'), h('input', { id: 'row-find', 'data-key': 'row-find', type: 'search', placeholder: 'Filter rows', value: state.text, oninput: (event) => go({ text: event.target.value }, false) }), h('div', { class: 'copies', role: 'group', 'aria-label': 'Copy the table' }, h('span', { class: 'muted' }, 'Copy as'), Object.keys(FORMATS).map(format))),
      boardTable(board),
      h('p', { class: 'note muted' }, 'Scores as the papers print them. Gains are the score less the printed baseline. Scores under different conditions are not comparable by their rank alone.')));
  view.querySelector('.side').scrollTop = scroll;
  focus();
}

/** Redrawing a view must not lose the reader's place: remember which field or button had the focus. */
function keepFocus(view) {
  const active = document.activeElement;
  const key = view.contains(active) ? active.dataset.key : null;
  const caret = key && active.selectionStart !== undefined && active.type === 'search' ? active.selectionStart : null;
  return () => {
    if (!key) return;
    const again = [...view.querySelectorAll('[data-key]')].find((element) => element.dataset.key === key);
    if (!again) return;
    again.focus({ preventScroll: true });
    if (caret !== null) again.setSelectionRange(caret, caret);
  };
}
