// Where a thing comes from and what came of it: ancestors to the left, descendants to the right, a column a step.

const DESCENT = new Set(['uses', 'variantOf', 'partOf', 'generalizes']);
const COLUMN_MOST = 14;

/** Ties of descent, without what a paper only repeats for its method. */
const descent = edges.filter((edge) => DESCENT.has(edge.p) && !edge.own);
const parents = new Map();
const children = new Map();
for (const edge of descent) {
  if (!parents.has(edge.from)) parents.set(edge.from, []);
  if (!children.has(edge.to)) children.set(edge.to, []);
  parents.get(edge.from).push(edge);
  children.get(edge.to).push(edge);
}
const hasLineage = (node) => parents.has(node.index) || children.has(node.index);
const roots = nodes.filter((node) => node.kind !== 'Paper' && hasLineage(node)).sort((a, b) => ties(b) - ties(a) || a.index - b.index);
function ties(node) { return (parents.get(node.index) || []).length + (children.get(node.index) || []).length; }

/** Columns of nodes on one side, each node at its least distance; `taken` spans both sides. */
function layers(root, map, end, depth, taken) {
  const columns = [];
  let rim = [root];
  for (let step = 0; step < depth; step++) {
    const next = [];
    for (const node of rim) {
      for (const edge of map.get(node.index) || []) {
        const other = nodes[edge[end]];
        if (taken.has(other.index)) continue;
        taken.add(other.index);
        next.push(other);
      }
    }
    if (!next.length) break;
    next.sort((a, b) => ties(b) - ties(a) || a.index - b.index);
    const kept = next.slice(0, COLUMN_MOST);
    columns.push({ list: kept, more: next.length - kept.length });
    rim = kept;
  }
  return columns;
}

/** Order each column by the middle of its neighbours in the column before it, so that few lines cross. */
function untangle(columns, root) {
  let before = new Map([[root.index, 0.5]]);
  for (const column of columns) {
    const weight = (node) => {
      const at = [...(parents.get(node.index) || []), ...(children.get(node.index) || [])].map((e) => before.get(e.from === node.index ? e.to : e.from)).filter((v) => v !== undefined);
      return at.length ? at.reduce((a, b) => a + b, 0) / at.length : 0.5;
    };
    column.list.sort((a, b) => weight(a) - weight(b) || a.label.localeCompare(b.label, 'en'));
    before = new Map(column.list.map((node, i) => [node.index, (i + 0.5) / column.list.length]));
  }
}

function showLineage() {
  const view = $('view-lineage');
  if (!roots.length) return replace(view, h('div', { class: 'empty' }, h('h2', null, 'No lineage yet'), h('p', null, 'No paper of this graph says what a method is built on.')));
  const root = byId.get(state.root) || roots[0];
  const taken = new Set([root.index]);
  const depth = Math.max(1, state.depth);
  const left = layers(root, parents, 'to', depth, taken);
  const right = layers(root, children, 'from', depth, taken);
  untangle(left, root);
  untangle(right, root);
  const focus = keepFocus(view);
  const columns = [...[...left].reverse(), { list: [root], more: 0, root: true }, ...right];
  const heading = (i) => { const step = i - left.length; return step === 0 ? '' : step < 0 ? (step === -1 ? 'Comes from' : `${-step} steps back`) : step === 1 ? 'What came of it' : `${step} steps on`; };
  const box = (node) => h('button', { type: 'button', class: 'box' + (node === root ? ' root' : ''), 'data-index': node.index, 'data-id': node.id, 'data-key': 'box-' + node.id, 'aria-current': node === selected() ? 'true' : null, title: short(node.label, 200), onclick: () => go({ node: node.id }), ondblclick: () => go({ root: node.id, node: node.id }) },
    glyph(node.kind), h('span', null, name(short(node.label, 46)), h('span', { class: 'origin' }, [tie(node, root), origin(node)].filter(Boolean).join(' · '))));
  const flow = h('div', { class: 'flow' }, columns.map((column, i) => h('div', { class: 'column' }, h('h3', null, heading(i)), column.list.map(box), column.more ? h('p', { class: 'muted' }, `and ${column.more} more`) : '')));
  const svg = s('svg', { class: 'lines', 'aria-hidden': 'true' });
  flow.prepend(svg);
  const { box: picker } = combobox({ id: 'lineage-root', label: 'Lineage of', placeholder: 'Lineage of which method?', pick: (node) => go({ root: node.id, node: node.id }), accept: (node) => node.kind !== 'Paper' && hasLineage(node) });
  const depths = [1, 2, 3, 4].map((d) => h('button', { type: 'button', class: 'chip', 'data-key': 'depth-' + d, 'aria-pressed': String(d === depth), onclick: () => go({ depth: d }, false) }, d));
  const legend = [...DESCENT].filter((p) => used.has(p)).map((p) => h('span', { class: 'legend' }, stroke(p, true), RELATIONS[p].out.toLowerCase()));
  replace(view,
    h('div', { class: 'controls' }, h('h2', null, 'Lineage of ', name(short(root.label, 60))), picker, h('div', { class: 'steps', role: 'group', 'aria-label': 'Steps shown' }, h('span', { class: 'muted' }, 'Steps'), depths), h('div', { class: 'legends' }, legend)),
    h('div', { class: 'scroll', tabIndex: 0, role: 'region', 'aria-label': 'Ancestors and descendants' }, flow));
  if (!left.length && !right.length) view.append(h('p', { class: 'empty' }, 'Nothing is known of what it is built on, nor of what is built on it.'));
  drawLines(flow, svg, taken);
  const middle = flow.querySelector('.root');
  const scroll = view.querySelector('.scroll');
  scroll.scrollTop = middle.getBoundingClientRect().top - flow.getBoundingClientRect().top - scroll.clientHeight / 2 + middle.offsetHeight / 2;
  scroll.scrollLeft = middle.offsetLeft - scroll.clientWidth / 2 + middle.offsetWidth / 2;
  focus();
}

const TIES = { uses: ['uses it', 'used'], variantOf: ['variant of it', 'it is a variant'], partOf: ['part of it', 'it is a part'], generalizes: ['generalizes it', 'special case'] };

/** How a neighbour is tied to the root, in a word. */
function tie(node, root) {
  const on = (children.get(root.index) || []).find((edge) => edge.from === node.index);
  const back = (parents.get(root.index) || []).find((edge) => edge.to === node.index);
  return on ? TIES[on.p][0] : back ? TIES[back.p][1] : '';
}

/** Where it was put forward. */
function origin(node) {
  if (node.kind === 'Paper') return placeOf(node);
  const edge = node.in.find((e) => e.p === 'proposes' || e.p === 'introduces');
  return edge ? placeOf(nodes[edge.from]) : '';
}

function drawLines(flow, svg, taken) {
  const at = new Map([...flow.querySelectorAll('.box')].map((element) => [Number(element.dataset.index), element]));
  const frame = flow.getBoundingClientRect();
  svg.setAttribute('width', flow.scrollWidth);
  svg.setAttribute('height', flow.scrollHeight);
  for (const edge of descent) {
    const from = at.get(edge.from), to = at.get(edge.to);
    if (!from || !to || !taken.has(edge.from)) continue;
    const a = to.getBoundingClientRect(), b = from.getBoundingClientRect();
    const x1 = a.right - frame.left, y1 = a.top + a.height / 2 - frame.top, x2 = b.left - frame.left, y2 = b.top + b.height / 2 - frame.top;
    const style = RELATIONS[edge.p];
    // Within a column, or backwards, a line goes around by the right.
    const d = x2 > x1 ? `M${x1} ${y1}C${(x1 + x2) / 2} ${y1} ${(x1 + x2) / 2} ${y2} ${x2 - 6} ${y2}` : `M${x1} ${y1}C${x1 + 42} ${y1} ${b.right - frame.left + 42} ${y2} ${b.right - frame.left} ${y2}`;
    svg.append(s('path', { d, class: `l-${style.line}`, 'stroke-dasharray': style.dashes ? style.dashes.join(' ') : undefined }));
    if (x2 > x1) svg.append(s('path', { d: `M${x2 - 7} ${y2 - 4}L${x2} ${y2}L${x2 - 7} ${y2 + 4}z`, class: `head l-${style.line}` }));
  }
}
