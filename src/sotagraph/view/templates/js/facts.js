// Pieces that several views share: a node as a link, a fact with its sentences, a score with what it was measured on.

/** A button that selects the node. */
function nodeLink(node, text) {
  return h('button', { type: 'button', class: 'node', title: node.label.length > 60 ? short(node.label, 300) : null, onclick: () => openNode(node) }, glyph(node.kind), name(short(text || node.label, 110)));
}

/** Open a node without leaving the view, unless the view cannot show it. */
function openNode(node) {
  if (state.view === 'graph') {
    const hide = listOf(state.hide);
    const out = hide.delete(node.kind);
    const inPart = (state.around || state.only || state.to) && !placed.has(node.index);
    go({ node: node.id, to: '', ...(out ? { hide: [...hide].join(',') } : {}), ...(inPart ? { around: 0, only: 0 } : {}) });
    show(node);
  } else go({ node: node.id, to: '' });
  if (narrow()) $('panel').scrollTop = 0;
}

function quote(text, names, paper, meta) {
  return h('blockquote', null, h('p', null, name('“'), marked(text, names), '”'), paper || meta ? h('footer', null, paper ? nodeLink(paper) : '', meta ? h('span', { class: 'muted' }, meta) : '') : '');
}

/** The sentences of an edge, the first few open. */
function factList(edge, open, here) {
  const names = [...spellings(nodes[edge.from]), ...spellings(nodes[edge.to])];
  const facts = factsOf(edge).filter((fact) => fact.text);
  const blocks = facts.map((fact) => quote(fact.text, names, fact.paper === here ? null : fact.paper, fact.rule ? `${fact.rule.replace(/\+own$/, '')} · ${fact.confidence}%` : ''));
  const rest = blocks.slice(open);
  return [blocks.slice(0, open), rest.length ? h('details', { class: 'more' }, h('summary', null, open ? `${plural(rest.length, 'more sentence', 'more sentences')}` : plural(rest.length, 'sentence')), rest) : ''];
}

/** One fact in the panel: the other end, how many papers say so, the sentence. */
function factItem(edge, node) {
  const other = nodes[edge.from === node.index ? edge.to : edge.from];
  const papers = papersOf(edge).size;
  const facts = factsOf(edge).filter((fact) => fact.text);
  if (!facts.length) return h('li', { class: 'fact' }, nodeLink(other));
  // Made when first opened: a node of many papers has hundreds of sentences.
  const box = h('div', { hidden: !state.quotes });
  const open = () => { if (!box.firstChild) fill(box, [factList(edge, 2, node.kind === 'Paper' ? node : null)]); };
  const why = h('button', {
    type: 'button', class: 'why', 'aria-expanded': String(!!state.quotes), 'aria-label': `Sentence on ${short(other.label, 80)}`,
    onclick: () => { open(); box.hidden = !box.hidden; why.setAttribute('aria-expanded', String(!box.hidden)); },
  }, 'sentence', icon('down'));
  if (state.quotes) open();
  return h('li', { class: 'fact' }, h('div', { class: 'line' }, nodeLink(other), papers > 1 ? h('span', { class: 'count' }, plural(papers, 'paper')) : '', why), box);
}

/** The facts of a node in groups, one a relation and direction. */
function factGroups(node) {
  const groups = [];
  for (const p of P) {
    if (OF_RESULT.has(p)) continue;
    for (const side of ['out', 'in']) {
      const list = node[side].filter((edge) => edge.p === p && !(side === 'in' && p === 'differentFrom'));
      if (!list.length) continue;
      list.sort((a, b) => papersOf(b).size - papersOf(a).size || nodes[b.from === node.index ? b.to : b.from].degree - nodes[a.from === node.index ? a.to : a.from].degree || a.index - b.index);
      const items = list.map((edge) => factItem(edge, node));
      groups.push(h('section', { class: 'group' }, h('h3', null, stroke(p), RELATIONS[p][side], h('span', { class: 'count' }, list.length)),
        h('ul', null, items.slice(0, 12)),
        items.length > 12 ? h('details', { class: 'more' }, h('summary', null, `${items.length - 12} more`), h('ul', null, items.slice(12))) : ''));
    }
  }
  return groups;
}

/** All results that a node is an end of. */
function resultsOf(node) {
  if (node.kind === 'Result') return [node];
  const found = new Set();
  for (const edge of node.in) if (OF_RESULT.has(edge.p)) found.add(nodes[edge.from]);
  return [...found];
}

const better = (result) => (result.dir ? result.dir !== 'lower' : !(result.metric && result.metric.hib === false));
const byScore = (a, b) => {
  const absolute = (r) => (r.rk === 'absolute' || !r.rk ? 0 : 1);
  return absolute(a) - absolute(b) || (better(a) ? b.number - a.number : a.number - b.number) || a.index - b.index;
};

function scoreItem(result, node) {
  const line = [];
  if (result.method && result.method !== node) line.push(nodeLink(result.method));
  if (!result.method && result.paper && result.paper !== node) line.push(nodeLink(result.paper));
  if (result.dataset && result.dataset !== node) line.push(h('span', { class: 'muted' }, 'on '), nodeLink(result.dataset));
  if (result.metric && result.metric !== node) line.push(h('span', { class: 'muted' }, 'by '), nodeLink(result.metric));
  if (result.task && !result.dataset && result.task !== node) line.push(h('span', { class: 'muted' }, 'for '), nodeLink(result.task));
  const against = result.baseline || result.base ? h('div', { class: 'against' }, 'against ', result.baseline ? nodeLink(result.baseline) : 'before', result.base ? h('b', null, ` ${result.base}${result.unit === '%' ? '%' : ''}`) : '') : '';
  const said = sentence(result.s);
  const names = [result.method, result.dataset, result.metric, result.baseline].flatMap(spellings);
  return h('li', { class: 'score' },
    h('div', { class: 'figure' }, h('b', null, valueOf(result)), KIND_TEXT[result.rk] ? h('span', { class: 'tag' }, KIND_TEXT[result.rk]) : ''),
    h('div', { class: 'about' }, h('div', { class: 'line' }, line), result.cond ? h('div', { class: 'cond' }, name(result.cond)) : '', against,
      said && said.text ? h('details', { open: !!state.quotes }, h('summary', null, 'sentence', icon('down')), quote(said.text, [...names, result.text || ''], said.paper === node ? null : said.paper, result.rule ? `${result.rule} · ${result.conf}%` : '')) : ''));
}

function scores(node) {
  const list = resultsOf(node).sort(byScore);
  if (!list.length) return '';
  const items = list.map((result) => scoreItem(result, node));
  return h('section', { class: 'group scores' }, h('h3', null, 'Scores', h('span', { class: 'count' }, list.length)),
    h('ul', null, items.slice(0, 10)), items.length > 10 ? h('details', { class: 'more' }, h('summary', null, `${items.length - 10} more`), h('ul', null, items.slice(10))) : '');
}
