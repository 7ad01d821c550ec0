// The data block as nodes, edges and facts that know each other.

const P = DATA.predicates;
const PREDICATE = Object.fromEntries(P.map((predicate, index) => [predicate, index]));
const nodes = DATA.nodes.map((drawn, index) => ({
  index,
  id: DATA.ids[index],
  label: drawn.label.trim() || DATA.ids[index],
  kind: drawn.group,
  x: drawn.x,
  y: drawn.y,
  degree: drawn.value,
  out: [],
  in: [],
  ...DATA.more[index],
}));
const edges = DATA.edges.map((drawn, index) => ({ index, from: drawn.from, to: drawn.to, p: P[drawn.p], own: !!drawn.own, facts: DATA.facts[index] }));
const byId = new Map(nodes.map((node) => [node.id, node]));
for (const edge of edges) {
  nodes[edge.from].out.push(edge);
  nodes[edge.to].in.push(edge);
}

/** How a relation reads from its subject and from its object, and what its line looks like. */
const RELATIONS = {
  proposes: { out: 'Proposes', in: 'Proposed by', line: 'ink' },
  introduces: { out: 'Introduces', in: 'Introduced by', line: 'ink' },
  addresses: { out: 'Addresses', in: 'Addressed by', line: 'task' },
  uses: { out: 'Uses', in: 'Used by', line: 'method' },
  evaluatedOn: { out: 'Evaluated on', in: 'Evaluated here', line: 'dataset' },
  outperforms: { out: 'Outperforms', in: 'Outperformed by', line: 'better' },
  comparedWith: { out: 'Compared with', in: 'Compared with', line: 'better', dashes: [7, 5] },
  variantOf: { out: 'Variant of', in: 'Variants', line: 'family' },
  partOf: { out: 'Part of', in: 'Parts', line: 'family', dashes: [7, 5] },
  generalizes: { out: 'Generalizes', in: 'Generalized by', line: 'family', dashes: [2, 4] },
  measuredBy: { out: 'Measured by', in: 'Measures', line: 'metric', dashes: [2, 4] },
  hasCode: { out: 'Code', in: 'Code of', line: 'code' },
  mentions: { out: 'Also mentions', in: 'Also mentioned by', line: 'faint', dashes: [2, 4] },
  publishedIn: { out: 'Published in', in: 'Papers', line: 'faint' },
  writtenBy: { out: 'Authors', in: 'Papers', line: 'faint' },
  differentFrom: { out: 'Not the same as', in: 'Not the same as', line: 'better', dashes: [2, 4] },
  ofMethod: { out: 'Of method', in: 'Results', line: 'result' },
  onDataset: { out: 'On dataset', in: 'Results', line: 'result' },
  byMetric: { out: 'By metric', in: 'Results', line: 'result' },
  forTask: { out: 'For task', in: 'Results', line: 'result' },
  againstBaseline: { out: 'Against', in: 'Baseline of', line: 'result', dashes: [7, 5] },
  reportedIn: { out: 'Reported in', in: 'Results', line: 'result' },
};
const OF_RESULT = new Set(['ofMethod', 'onDataset', 'byMetric', 'forTask', 'againstBaseline', 'reportedIn']);

/** Where and when a paper appeared; a venue that names its year says it once. */
const placeOf = (paper) => [paper.venue, paper.venue && paper.year && paper.venue.includes(String(paper.year)) ? '' : paper.year].filter(Boolean).join(' · ');

/** Sentence number → its paper and its text. */
function sentence(number) {
  if (number < 0) return null;
  const paper = nodes[DATA.sentences[3 * number]];
  const text = DATA.texts[paper.index] || '';
  return { paper, text: text.slice(DATA.sentences[3 * number + 1], DATA.sentences[3 * number + 2]) };
}

/** The facts of an edge, one object each. */
function factsOf(edge) {
  const found = [];
  for (let i = 0; i < edge.facts.length; i += 3) {
    found.push({ ...(sentence(edge.facts[i]) || {}), rule: DATA.rules[edge.facts[i + 1]] || '', confidence: edge.facts[i + 2] });
  }
  return found;
}

const papersOf = (edge) => new Set(factsOf(edge).map((fact) => fact.paper).filter(Boolean));

/** Whether an edge rests on a sentence of the paper, or belongs to it without one. */
function saidBy(edge, paper) {
  if (edge.from === paper.index || edge.to === paper.index) return true;
  const source = nodes[edge.from];
  if (source.kind === 'Result') return source.p === paper.index;
  for (let i = 0; i < edge.facts.length; i += 3) {
    if (edge.facts[i] >= 0 && DATA.sentences[3 * edge.facts[i]] === paper.index) return true;
  }
  return false;
}

const KIND_TEXT = table({ absolute: '', gain: 'gain', speedup: 'speedup', reduction: 'reduction' });
const UNITS = table({ '%': '%', x: '×', points: ' points', s: ' s' });

/** The printed value of a result with its unit, as a reader expects it. */
function valueOf(result) {
  const unit = UNITS[result.unit] || '';
  const number = result.max ? `${result.value}–${result.max}` : result.value || result.text || result.label;
  return `${result.bound ? result.bound + ' ' : ''}${number}${unit}`;
}

/** Results with their ends at hand. */
const results = nodes.filter((node) => node.kind === 'Result');
for (const result of results) {
  const end = (predicate) => { const edge = result.out.find((e) => e.p === predicate); return edge ? nodes[edge.to] : null; };
  Object.assign(result, {
    method: end('ofMethod'), dataset: end('onDataset'), metric: end('byMetric'), task: end('forTask'), baseline: end('againstBaseline'),
    paper: nodes[result.p] || end('reportedIn'), number: Number(result.value),
  });
}

/** All names of a node, folded, for the search and for the highlighting. */
const namesOf = (node) => [node.label, node.name, node.long, ...(Array.isArray(node.aliases) ? node.aliases : [])].filter((text) => typeof text === 'string' && text);

/** Names as they stand in sentences: a label's note in brackets is ours, not the paper's. */
function spellings(node) {
  if (!node || node.kind === 'Result' || node.kind === 'Paper') return [];
  return namesOf(node).flatMap((text) => [text, text.replace(/\s*\([^()]*\)$/, '')]).filter((text) => text.length > 1);
}

/** A sentence with the names in it marked; the longest name wins where several begin at one place. */
function marked(text, names) {
  const wanted = [...new Set(names)].filter((n) => n.length < 300).sort((a, b) => b.length - a.length).slice(0, 60);
  if (!wanted.length) return [text];
  const pattern = new RegExp(`(?<![\\p{L}\\p{N}])(?:${wanted.map((n) => n.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&')).join('|')})(?![\\p{L}\\p{N}])`, 'giu');
  const parts = [];
  let last = 0;
  for (const match of text.matchAll(pattern)) {
    if (match.index > last) parts.push(text.slice(last, match.index));
    parts.push(h('mark', null, match[0]));
    last = match.index + match[0].length;
  }
  parts.push(text.slice(last));
  return parts;
}

/** The method of a result, or its paper where the method has no name. */
const subjectOf = (result) => result.method || result.paper;
