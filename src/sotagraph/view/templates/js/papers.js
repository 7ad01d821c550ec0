// Papers as cards: what each proposes, uses, is measured on and scores.

const papers = nodes.filter((node) => node.kind === 'Paper');
const PAGE = 60;
let pages = 1;

const targets = (paper, ...predicates) => [...new Set(paper.out.filter((edge) => predicates.includes(edge.p)).map((edge) => nodes[edge.to]))];

/** What a paper is found by: its title and every name that one of its facts holds; made when first asked for. */
let paperText = null;
function textOf(paper) {
  if (!paperText) {
    const named = new Map(papers.map((p) => [p.index, new Set([p.index])]));
    for (const edge of edges) {
      for (const p of [...papersOf(edge)].map((found) => found.index).concat(edge.from)) {
        if (named.has(p)) named.get(p).add(edge.from).add(edge.to);
      }
    }
    paperText = new Map([...named].map(([p, things]) => [p, fold([...things].flatMap((index) => namesOf(nodes[index])).join(' \n '))]));
  }
  return paperText.get(paper.index);
}

function matching() {
  const text = fold(state.text);
  return papers.filter((paper) => (!state.venue || paper.venue === state.venue) && (!state.year || String(paper.year) === state.year)
    && (!state.task || paper.out.some((edge) => edge.p === 'addresses' && nodes[edge.to].id === state.task)) && (!text || textOf(paper).includes(text)));
}

function card(paper) {
  const chips = (label, list, most) => (list.length ? h('div', { class: 'chips' }, h('span', { class: 'label' }, label), h('span', { class: 'list' }, list.slice(0, most).map((node) => nodeLink(node)), list.length > most ? h('span', { class: 'muted' }, `+${list.length - most}`) : '')) : '');
  const own = resultsOf(paper).sort(byScore);
  const about = placeOf(paper);
  const score = (result) => h('li', null, h('b', null, valueOf(result)), KIND_TEXT[result.rk] ? ` ${KIND_TEXT[result.rk]}` : '', h('span', { class: 'muted' }, ' ', name(short([result.metric && result.metric.label, result.dataset && `on ${result.dataset.label}`].filter(Boolean).join(' '), 48))));
  return h('article', { class: 'card' + (paper === selected() ? ' current' : '') },
    h('h3', null, h('button', { type: 'button', class: 'open', 'data-id': paper.id, 'data-key': 'card-' + paper.id, 'aria-current': paper === selected() ? 'true' : null, onclick: () => go({ node: paper.id }, true) }, name(short(paper.label, 150)))),
    about ? h('p', { class: 'muted about' }, name(about)) : '',
    chips('Proposes', targets(paper, 'proposes', 'introduces'), 6), chips('Uses', targets(paper, 'uses'), 6), chips('Measured on', targets(paper, 'evaluatedOn'), 6), chips('Works on', targets(paper, 'addresses'), 4),
    own.length ? h('ul', { class: 'figures' }, own.slice(0, 4).map(score), own.length > 4 ? h('li', { class: 'muted' }, `+${own.length - 4} more`) : '') : '');
}

function showPapers() {
  const view = $('view-papers');
  if (!papers.length) return replace(view, h('div', { class: 'empty' }, h('h2', null, 'No papers'), h('p', null, 'This graph holds no paper.')));
  const list = matching();
  const focus = keepFocus(view);
  const choice = (key, label, values) => (values.length > 1 || state[key] ? h('label', null, h('span', { class: 'hidden' }, label), h('select', { 'data-key': 'by-' + key, onchange: (event) => { pages = 1; go({ [key]: event.target.value }, false); } }, h('option', { value: '' }, label), values.map(([value, text]) => h('option', { value, selected: state[key] === value }, short(text, 60))))) : '');
  const tally = (get) => { const found = new Map(); for (const paper of papers) { const value = get(paper); if (value) found.set(String(value), (found.get(String(value)) || 0) + 1); } return [...found]; };
  const tasks = nodes.filter((node) => node.kind === 'Task').map((node) => [node, node.in.filter((e) => e.p === 'addresses').length]).filter(([, n]) => n).sort((a, b) => b[1] - a[1] || a[0].index - b[0].index);
  const filters = state.text || state.venue || state.year || state.task;
  replace(view,
    h('div', { class: 'controls' }, h('h2', null, 'Papers'), h('span', { class: 'muted', role: 'status' }, list.length === papers.length ? plural(papers.length, 'paper') : `${list.length} of ${plural(papers.length, 'paper')}`),
      h('label', { class: 'hidden', for: 'paper-find' }, 'Filter papers'), h('input', { id: 'paper-find', 'data-key': 'paper-find', type: 'search', placeholder: 'Filter by title, method, dataset…', value: state.text, oninput: (event) => { pages = 1; go({ text: event.target.value }, false); } }),
      choice('venue', 'All venues', tally((p) => p.venue).sort((a, b) => (a[0] < b[0] ? -1 : 1)).map(([v, n]) => [v, `${v} (${n})`])),
      choice('year', 'All years', tally((p) => p.year).sort((a, b) => b[0] - a[0]).map(([v, n]) => [v, `${v} (${n})`])),
      choice('task', 'All tasks', tasks.map(([node, n]) => [node.id, `${node.label} (${n})`])),
      filters ? h('button', { type: 'button', class: 'chip', onclick: () => go({ text: '', venue: '', year: '', task: '' }, false) }, 'Clear filters') : ''),
    list.length ? h('div', { class: 'cards' }, list.slice(0, pages * PAGE).map(card)) : h('p', { class: 'empty' }, 'No paper matches these filters.'),
    list.length > pages * PAGE ? h('button', { type: 'button', class: 'action wide', 'data-key': 'more', onclick: () => { pages++; showPapers(); } }, `Show more of the ${list.length.toLocaleString('en')} papers`) : '');
  focus();
}
