// The shortest way between two nodes over any facts, and the sentences along it.

const paths = new Map();

/** The path that the state asks for, or null where it asks for none or there is none. */
function currentPath() {
  const from = selected();
  const to = byId.get(state.to);
  if (!from || !to || from === to) return null;
  const key = from.index + ' ' + to.index;
  if (!paths.has(key)) paths.set(key, shortest(from, to));
  return paths.get(key);
}

/** Ways through venues and authors say nothing about the work, and a note that two names differ is no way either. */
const CLOSED = new Set(['publishedIn', 'writtenBy', 'differentFrom']);

function shortest(from, to) {
  const came = new Map([[from.index, null]]);
  let rim = [from];
  while (rim.length && !came.has(to.index)) {
    const next = [];
    for (const node of rim) {
      for (const edge of [...node.out, ...node.in]) {
        const other = edge.from === node.index ? edge.to : edge.from;
        if (CLOSED.has(edge.p) || came.has(other)) continue;
        came.set(other, edge);
        next.push(nodes[other]);
      }
    }
    rim = next;
  }
  if (!came.has(to.index)) return null;
  const steps = { nodes: [to.index], edges: [] };
  for (let at = to.index; came.get(at); ) {
    const edge = came.get(at);
    at = edge.from === at ? edge.to : edge.from;
    steps.nodes.unshift(at);
    steps.edges.unshift(edge);
  }
  return steps;
}

/** The path as a list in the panel: each step a sentence. */
function pathList() {
  const from = selected();
  const to = byId.get(state.to);
  if (!from || !to) return null;
  const path = currentPath();
  const head = h('h3', null, 'Path to ', name(to.label));
  if (!path) return h('section', { class: 'path' }, head, h('p', { class: 'muted' }, 'No facts connect the two.'));
  const steps = path.edges.map((edge) => h('li', null,
    h('div', { class: 'step' }, nodeLink(nodes[edge.from]), h('span', { class: 'verb' }, ` ${verb(edge)} `), nodeLink(nodes[edge.to])),
    factList(edge, 1)));
  return h('section', { class: 'path' }, head, h('p', { class: 'muted' }, plural(path.edges.length, 'step')), h('ol', null, steps));
}

const VERBS = {
  evaluatedOn: 'is evaluated on', comparedWith: 'is compared with', variantOf: 'is a variant of', partOf: 'is part of', measuredBy: 'is measured by',
  hasCode: 'has code at', ofMethod: 'is a score of', onDataset: 'is a score on', byMetric: 'is measured by', forTask: 'is a score for',
  againstBaseline: 'is set against', reportedIn: 'is reported in',
};
const verb = (edge) => VERBS[edge.p] || RELATIONS[edge.p].out.toLowerCase();
