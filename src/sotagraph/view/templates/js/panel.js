// The side panel: what is known of the selected node, each fact with its sentence; without one, the graph at a glance.

let asking = false;

function heading(node) {
  const lines = [];
  if (node.kind === 'Paper') {
    const about = placeOf(node);
    if (about) lines.push(h('p', { class: 'muted' }, name(about)));
  }
  if (node.long && !node.label.includes(node.long)) lines.push(h('p', { class: 'long' }, name(short(node.long, 300))));
  const aliases = (Array.isArray(node.aliases) ? node.aliases : []).filter((alias) => typeof alias === 'string');
  const told = new Set([fold(node.label), fold(node.long || '')]);
  const distinct = aliases.filter((alias) => !told.has(fold(alias)) && told.add(fold(alias)));
  if (distinct.length) lines.push(h('p', { class: 'aliases' }, h('span', { class: 'muted' }, 'also '), distinct.slice(0, 8).map((alias) => name(short(alias, 80), 'alias')), distinct.length > 8 ? h('span', { class: 'muted' }, `and ${distinct.length - 8} more`) : ''));
  if (node.kind === 'Metric' && node.hib !== undefined) lines.push(h('p', { class: 'muted' }, node.hib ? 'Higher is better' : 'Lower is better'));
  const title = node.kind === 'Result' ? valueOf(node) : node.label;
  return h('div', { class: 'head' },
    h('p', { class: 'kindline' }, glyph(node.kind), node.kind, node.degree ? h('span', { class: 'muted' }, ` · ${plural(node.degree, 'link')}`) : ''),
    h('h2', { class: title.length > 60 ? 'longer' : '' }, name(short(title, 400))), lines);
}

const SCHEMES = table({ arxiv: (v) => `https://arxiv.org/abs/${v}`, doi: (v) => `https://doi.org/${v}`, openreview: (v) => `https://openreview.net/forum?id=${encodeURIComponent(v)}`, acl: (v) => `https://aclanthology.org/${v}` });

function links(node) {
  const list = [];
  if (node.url) list.push(outside(node.url));
  if (node.ids && typeof node.ids === 'object' && !Array.isArray(node.ids)) {
    for (const [scheme, value] of Object.entries(node.ids)) {
      const make = SCHEMES[scheme];
      list.push(make ? outside(make(String(value)), `${scheme}:${value}`) : name(short(`${scheme}:${value}`, 80), 'address'));
    }
  }
  for (const edge of node.out) if (edge.p === 'hasCode' && nodes[edge.to].url) list.push(outside(nodes[edge.to].url));
  if (Array.isArray(node.links)) for (const pair of node.links) if (Array.isArray(pair) && pair.length > 1) list.push(outside(String(pair[1])));
  return list.length ? h('p', { class: 'links' }, list) : '';
}

function actions(node) {
  const button = (label, picture, action, pressed) => h('button', { type: 'button', class: 'action', 'aria-pressed': pressed === undefined ? null : String(pressed), onclick: action }, icon(picture), label);
  const list = [button('Neighbourhood', 'around', () => go({ view: 'graph', around: state.view === 'graph' && state.around === 1 ? 0 : 1, only: 0, to: '' }), state.view === 'graph' && state.around > 0)];
  if (node.kind === 'Paper') list.push(button('Only this paper', 'page', () => go({ view: 'graph', only: state.only ? 0 : 1, around: 0, to: '' }), !!state.only));
  list.push(button('Path to…', 'path', () => { asking = !asking; drawPanel(); if (asking) $('path-to').focus(); }, asking));
  if (['Method', 'Dataset', 'Metric', 'Task'].includes(node.kind) && hasLineage(node)) list.push(button('Lineage', 'tree', () => go({ view: 'lineage', root: node.id })));
  if (boards.some((board) => board.dataset === node)) list.push(button('Leaderboard', 'tree', () => go({ view: 'leaderboards', board: boards.find((board) => board.dataset === node).id, text: '' })));
  list.push(button('Sentences', 'quote', () => { go({ quotes: state.quotes ? 0 : 1 }, false); drawPanel(); }, !!state.quotes));
  return h('div', { class: 'actions' }, list);
}

function abstract(node) {
  const text = node.kind === 'Paper' ? DATA.texts[node.index] : '';
  if (!text) return '';
  const names = [...node.out, ...node.in].flatMap((edge) => spellings(nodes[edge.from === node.index ? edge.to : edge.from]));
  return h('details', { class: 'group abstract' }, h('summary', null, h('h3', null, 'Abstract'), icon('down')), h('p', { class: 'text' }, marked(text, names)));
}

function reasons(node) {
  if (!node.why) return '';
  const say = ([action, rule, other, detail]) => [action, other, rule ? `(${rule})` : '', detail].filter(Boolean).join(' ');
  return h('details', { class: 'group reasons' }, h('summary', null, h('h3', null, 'Why this is one thing'), icon('down')), h('ul', null, node.why.map((reason) => h('li', null, name(short(say(reason), 300))))));
}

function glance() {
  const top = (kind, label) => {
    const list = nodes.filter((node) => node.kind === kind && node.degree).sort((a, b) => b.degree - a.degree || a.index - b.index).slice(0, 6);
    return list.length ? h('section', { class: 'group' }, h('h3', null, label), h('ul', { class: 'leaders' }, list.map((node) => h('li', null, nodeLink(node), h('span', { class: 'count' }, node.degree))))) : '';
  };
  const figure = (kind, one, many) => (counts[kind] ? h('div', null, h('dt', null, counts[kind] === 1 ? one : many), h('dd', null, counts[kind].toLocaleString('en'))) : '');
  return [
    h('div', { class: 'head' }, h('p', { class: 'kindline' }, 'The graph at a glance'), h('h2', null, name(DATA.title || 'Knowledge graph'))),
    h('dl', { class: 'figures' }, figure('Paper', 'paper', 'papers'), figure('Method', 'method', 'methods'), figure('Dataset', 'dataset', 'datasets'), figure('Task', 'task', 'tasks'), figure('Result', 'score', 'scores')),
    nodes.length ? h('p', { class: 'help' }, 'Select a node to read its facts, each with the sentence that says so. Double-click shows its neighbourhood; ', h('kbd', null, '/'), ' searches.') : h('p', { class: 'help' }, 'This graph is empty: no paper was read, or nothing was found in them.'),
    top('Method', 'Most connected methods'), top('Dataset', 'Most connected datasets'), top('Task', 'Most connected tasks'),
  ];
}

function drawPanel() {
  const panel = $('panel');
  const node = selected();
  document.body.classList.toggle('has-node', !!node);
  panel.hidden = !node && state.view !== 'graph';
  if (!node) { asking = false; return replace(panel, h('div', { class: 'inner' }, glance())); }
  const asked = asking ? combobox({ id: 'path-to', label: 'Path to', placeholder: 'Path to which node?', pick: (to) => { asking = false; go({ view: 'graph', to: to.id, around: 0, only: 0 }); } }).box : '';
  const stated = node.kind === 'Result' ? sentence(node.s) : null;
  replace(panel, h('button', { type: 'button', class: 'round close', 'aria-label': 'Close details', onclick: closePanel }, icon('close')),
    h('div', { class: 'inner' }, heading(node), links(node), actions(node), asked, state.view === 'graph' ? pathList() : '', scores(node), node.kind === 'Result' && stated && !stated.text ? '' : factGroups(node), abstract(node), reasons(node),
      h('p', { class: 'iri muted' }, name(short(node.id, 200)))));
}

function closePanel() {
  go({ node: '', around: 0, only: 0, to: '' });
}
