// The graph view: which nodes are shown, the vis network that shows them, filters, focus, zoom and keys.

const OVERVIEW = { above: 2500, shows: 320 };
const MANY_LINES = 1500;
let network = null;
let shownNodes = null;
let shownEdges = null;
const placed = new Map();
let shown = [];
const counts = {};
for (const node of nodes) counts[node.kind] = (counts[node.kind] || 0) + 1;
const used = new Set(edges.map((edge) => edge.p));

function drawnNode(node, place) {
  const colour = palette[node.kind];
  const hollow = HOLLOW.has(node.kind);
  return {
    id: node.index, x: place.x, y: place.y, shape: DATA.shapes[node.kind], size: sizeOf(node), borderWidth: hollow ? 2 : SIZE.many ? 0 : 1.2,
    color: { background: hollow ? palette.bg : colour, border: hollow ? colour : palette.bg, highlight: { background: hollow ? palette.bg : colour, border: hollow ? colour : palette.bg } },
  };
}

function drawnEdge(edge) {
  const style = RELATIONS[edge.p];
  const colour = palette['line-' + style.line];
  return {
    id: edge.index, from: edge.from, to: edge.to, width: 1.1, dashes: style.dashes || false,
    color: { color: colour, highlight: colour, opacity: edge.p === 'measuredBy' || edge.p === 'mentions' ? 0.4 : 0.7 }, arrows: { to: { enabled: true, scaleFactor: 0.42 } },
  };
}

/** All nodes within `depth` steps, over every fact. */
function within(node, depth) {
  const found = new Set([node.index]);
  let rim = [node];
  for (let step = 0; step < depth; step++) {
    const next = [];
    for (const at of rim) {
      for (const edge of [...at.out, ...at.in]) {
        const other = nodes[edge.from === at.index ? edge.to : edge.from];
        if (found.has(other.index) || edge.p === 'publishedIn' || edge.p === 'writtenBy') continue;
        found.add(other.index);
        next.push(other);
      }
    }
    rim = next;
  }
  return found;
}

/** The nodes and edges that the state asks for, and whether it is a part with a place of its own. */
function wanted() {
  const hidden = listOf(state.hide);
  const off = listOf(state.off);
  const node = selected();
  const path = currentPath();
  let pool = null;
  let part = false;
  if (path) { pool = new Set(path.nodes); part = true; }
  else if (node && state.only && node.kind === 'Paper') {
    pool = new Set([node.index]);
    for (const edge of edges) if (saidBy(edge, node)) { pool.add(edge.from); pool.add(edge.to); }
    part = true;
  } else if (node && state.around) { pool = within(node, state.around); part = true; }
  const keep = (n) => !hidden.has(n.kind) || (node && n === node) || (path && pool.has(n.index));
  let list = (pool ? [...pool].map((i) => nodes[i]) : nodes).filter(keep);
  const total = list.length;
  overlay.beyond = new Map();
  if (!pool && !state.all && total > OVERVIEW.above) {
    list = [...list].sort((a, b) => b.degree - a.degree || a.index - b.index).slice(0, OVERVIEW.shows);
    if (node && !list.includes(node)) list.push(node);
    if (node) for (const edge of [...node.out, ...node.in]) {
      const other = nodes[edge.from === node.index ? edge.to : edge.from];
      if (keep(other) && list.length < OVERVIEW.shows + 400 && !list.includes(other)) list.push(other);
    }
  }
  const inside = new Set(list.map((n) => n.index));
  const paper = state.only && node && node.kind === 'Paper' ? node : null;
  const lines = edges.filter((e) => !e.own && inside.has(e.from) && inside.has(e.to) && !off.has(e.p) && (!paper || saidBy(e, paper)));
  if (!pool && list.length < total) {
    const seen = new Map();
    for (const e of lines) for (const end of [e.from, e.to]) seen.set(end, (seen.get(end) || 0) + 1);
    for (const n of list) { const rest = n.degree - (seen.get(n.index) || 0); if (rest > 0) overlay.beyond.set(n.index, rest); }
  }
  return { list, lines, part, total, node };
}

/** Places for a part: a short force layout of its own, from where its nodes stand in the whole. */
function arrange(list, lines, centre) {
  const index = new Map(list.map((node, i) => [node.index, i]));
  const n = list.length;
  const mid = centre || list[0];
  const x = list.map((node, i) => (node.x - mid.x) * 0.5 + Math.cos(i * 2.4) * (30 + i));
  const y = list.map((node, i) => (node.y - mid.y) * 0.5 + Math.sin(i * 2.4) * (30 + i));
  const far = Math.max(...x.map(Math.abs), ...y.map(Math.abs), 1);
  const room = 95 * Math.sqrt(n);
  for (let i = 0; i < n; i++) { x[i] *= room / far; y[i] *= room / far; }
  const pairs = lines.map((edge) => [index.get(edge.from), index.get(edge.to)]);
  const steps = n > 250 ? 90 : 220;
  for (let step = 0; step < steps; step++) {
    const fx = new Float64Array(n), fy = new Float64Array(n);
    for (let i = 0; i < n; i++) for (let j = i + 1; j < n; j++) {
      const dx = x[i] - x[j], dy = (y[i] - y[j]) * 1.35, d = dx * dx + dy * dy + 20;
      const f = 11000 / d;
      fx[i] += dx * f; fy[i] += dy * f; fx[j] -= dx * f; fy[j] -= dy * f;
    }
    for (const [a, b] of pairs) {
      const dx = x[b] - x[a], dy = y[b] - y[a], d = Math.hypot(dx, dy) / 105;
      fx[a] += dx * d; fy[a] += dy * d; fx[b] -= dx * d; fy[b] -= dy * d;
    }
    const limit = room * 0.12 * (1 - step / steps) + 1;
    for (let i = 0; i < n; i++) {
      fx[i] -= x[i] * 0.12; fy[i] -= y[i] * 0.2;
      const f = Math.hypot(fx[i], fy[i]) || 1, move = Math.min(f * 0.06, limit) / f;
      x[i] += fx[i] * move; y[i] += fy[i] * move;
    }
  }
  return list.map((_, i) => ({ x: x[i], y: y[i] }));
}

/** A path reads from left to right, a little up and down so that labels have room. */
const inLine = (list, path) => list.map((node) => { const i = path.nodes.indexOf(node.index); return { x: i * 190, y: (i % 2) * 56 }; });

/** Bring the drawing to what the state asks, changing only what differs. */
function drawGraph(refit) {
  const { list, lines, part, total, node } = wanted();
  const factor = SIZE.factor;
  SIZE.factor = factorFor(list, part);
  // An outline a node doubles the work of a frame; from afar nobody sees it.
  SIZE.many = list.length > OVERVIEW.above;
  const path = currentPath();
  const own = path ? inLine(list, path) : part && list.length <= 500 ? arrange(list, lines, node) : null;
  const many = lines.length > MANY_LINES;
  const next = new Map(list.map((n, i) => [n.index, own ? own[i] : n]));
  const gone = shown.filter((n) => !next.has(n.index)).map((n) => n.index);
  const fresh = list.filter((n) => !placed.has(n.index));
  const moved = list.filter((n) => { const at = placed.get(n.index); const to = next.get(n.index); return at && (factor !== SIZE.factor || at.x !== to.x || at.y !== to.y); });
  shownEdges.clear();
  for (const index of gone) placed.delete(index);
  if (gone.length) shownNodes.remove(gone);
  if (fresh.length) shownNodes.add(fresh.map((n) => drawnNode(n, next.get(n.index))));
  if (moved.length) shownNodes.update(moved.map((n) => drawnNode(n, next.get(n.index))));
  for (const [index, place] of next) placed.set(index, place);
  overlay.lines = many ? P.map((p) => [p, lines.filter((edge) => edge.p === p)]).filter(([, list]) => list.length) : [];
  if (!many) shownEdges.add(lines.map(drawnEdge));
  shown = list;
  overlay.order = list.map((n) => n.index).sort((a, b) => rank(nodes[b]) - rank(nodes[a]) || a - b);
  const degrees = list.map((n) => n.degree).sort((a, b) => b - a);
  overlay.strong = Math.max(4, degrees[Math.min(degrees.length - 1, Math.floor(degrees.length * 0.06))] || 0);
  overlay.chosen = part && !path && list.length < 400 && state.around !== 2 && !state.only ? null : choose(node, null);
  if (part) overlay.chosen = path ? choose(node, path) : null;
  drawCrumb(total, part, node);
  drawBar();
  if (refit || gone.length || moved.length) fit(); else network.redraw();
}

/** How much larger than life nodes must be to be seen when the whole stands in the window. */
function factorFor(list, part) {
  if (part || list.length < 200) return 1;
  const box = $('canvas');
  let wide = 1, tall = 1;
  for (const node of list) { wide = Math.max(wide, Math.abs(node.x) * 2); tall = Math.max(tall, Math.abs(node.y) * 2); }
  const scale = Math.min(box.clientWidth / wide, box.clientHeight / tall);
  return Math.max(1, Math.min(list.length > OVERVIEW.above ? 2 : 5, 0.42 / scale));
}

const rank = (node) => node.degree * (node.kind === 'Paper' ? 0.55 : 1);

function recolour() {
  if (!network) return;
  shownNodes.update(shown.map((node) => drawnNode(node, placed.get(node.index))));
  shownEdges.update(shownEdges.getIds().map((id) => drawnEdge(edges[id])));
}

function fit(animate) {
  if (!shown.length) return;
  const lively = animate && !calm() && shown.length < 1500;
  network.fit({ nodes: shown.map((node) => node.index), maxZoomLevel: 1.6 });
  // Labels stand out at the sides: leave them a margin.
  const scale = network.getScale() * (shown.length > 600 ? 1.03 : 0.92);
  network.moveTo({ scale, offset: { x: 0, y: $('crumb').firstChild ? 16 : -sheet() }, animation: lively ? { duration: 200 } : false });
}

/** On a small screen the panel covers the lower part: half its height, by which the middle has to move up. */
const sheet = () => (narrow() && state.node ? $('panel').offsetHeight / 2 : 0);

function zoomBy(factor) {
  network.moveTo({ scale: Math.max(0.02, Math.min(6, network.getScale() * factor)), animation: calm() ? false : { duration: 160 } });
}

/** Bring a node into sight without throwing the reader around. */
function show(node) {
  if (!network || !placed.has(node.index)) return;
  const at = network.canvasToDOM(placed.get(node.index));
  const box = $('canvas');
  const margin = 60;
  const visible = at.x > margin && at.y > margin && at.x < box.clientWidth - margin && at.y < box.clientHeight - margin - 2 * sheet();
  if (visible && network.getScale() > 0.45) return;
  network.moveTo({ position: placed.get(node.index), scale: Math.max(network.getScale(), 0.9), offset: { x: 0, y: -sheet() }, animation: calm() || shown.length > 1500 ? false : { duration: 300 } });
}

/** The line above the graph that says which part is shown, with the ways to widen or leave it. */
function drawCrumb(total, part, node) {
  const box = $('crumb');
  const button = (label, changes, pressed) => h('button', { type: 'button', class: 'chip', 'aria-pressed': pressed === undefined ? null : String(pressed), onclick: () => go(changes) }, label);
  if (state.to && node) {
    return replace(box, h('span', null, 'Path from ', name(short(node.label, 26), 'strong')), button('Whole graph', { to: '', around: 0, only: 0 }));
  }
  if (part && state.only) {
    return replace(box, h('span', null, 'Only what ', name(short(node.label, 30), 'strong'), ' says'), button('Whole graph', { only: 0, around: 0 }));
  }
  if (part) {
    return replace(box, h('span', null, 'Around ', name(short(node.label, 30), 'strong')), button('1 step', { around: 1 }, state.around === 1), button('2 steps', { around: 2 }, state.around === 2), button('Whole graph', { around: 0 }));
  }
  if (shown.length < total) {
    return replace(box, h('span', null, `The ${shown.length.toLocaleString('en')} most connected of ${plural(total, 'node')}; +n counts hidden neighbours`), button('Show all', { all: 1 }));
  }
  if (state.all && total > OVERVIEW.above) return replace(box, h('span', null, plural(total, 'node')), button('Overview', { all: 0 }));
  if (!shown.length) return replace(box, h('span', null, 'Nothing to show: every kind is switched off, or the graph is empty.'));
  return replace(box);
}

/** The legend, which is the filter: kinds as switches, relations in a list that opens. */
function drawBar() {
  const hidden = listOf(state.hide);
  const off = listOf(state.off);
  const focus = document.activeElement && document.activeElement.dataset ? document.activeElement.dataset.key : null;
  const open = !!$('bar').querySelector('details[open]');
  const toggle = (set, item) => { set.has(item) ? set.delete(item) : set.add(item); return [...set].join(','); };
  const chips = DATA.kinds.filter((kind) => counts[kind]).map((kind) => h('button', {
    type: 'button', class: 'kind', 'data-key': 'kind-' + kind, 'aria-pressed': String(!hidden.has(kind)), title: hidden.has(kind) ? `Show ${kind} nodes` : `Hide ${kind} nodes`,
    onclick: () => go({ hide: toggle(hidden, kind) }, false),
  }, glyph(kind), h('span', null, kind), h('span', { class: 'count' }, counts[kind].toLocaleString('en'))));
  const lines = P.filter((p) => used.has(p)).map((p) => h('button', {
    type: 'button', class: 'relation', 'data-key': 'rel-' + p, 'aria-pressed': String(!off.has(p)), onclick: () => go({ off: toggle(off, p) }, false),
  }, stroke(p), h('span', null, RELATIONS[p].out)));
  const list = h('details', { class: 'relations', open }, h('summary', { 'data-key': 'rels' }, 'Relations', off.size ? h('span', { class: 'count' }, `${off.size} off`) : '', icon('down')), h('div', { class: 'popover' }, lines));
  replace($('bar'), h('div', { class: 'kinds', role: 'group', 'aria-label': 'Kinds shown' }, chips), list);
  if (focus) { const again = $('bar').querySelector(`[data-key="${focus}"]`); if (again) again.focus(); }
}

/** The line of a relation, as the canvas draws it. */
function stroke(p, plain) {
  const style = RELATIONS[p];
  const svg = s('svg', { viewBox: '0 0 26 10', class: `stroke l-${style.line}`, 'aria-hidden': 'true' });
  svg.append(s('path', { d: plain ? 'M1 5h24' : 'M1 5h18', 'stroke-dasharray': style.dashes ? style.dashes.map((d) => d * 0.6).join(' ') : undefined }), plain ? '' : s('path', { d: 'M18 1.5 25 5l-7 3.5z', class: 'head' }));
  return svg;
}

/** The nearest shown node in a direction, for the arrow keys. */
function neighbour(node, dx, dy) {
  const at = placed.get(node.index);
  let best = null;
  let least = Infinity;
  for (const other of shown) {
    if (other === node) continue;
    const place = placed.get(other.index);
    const x = place.x - at.x, y = place.y - at.y, along = x * dx + y * dy, across = Math.abs(x * dy - y * dx);
    if (along <= 0 || across > along * 1.5) continue;
    const cost = along + 2 * across;
    if (cost < least) { least = cost; best = other; }
  }
  return best;
}

function graphKeys(event) {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  const node = selected();
  const arrows = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
  if (arrows[event.key]) {
    const next = node && placed.has(node.index) ? neighbour(node, ...arrows[event.key]) : nodes[overlay.order[0]];
    if (next) { select(next); show(next); }
  } else if (event.key === '+' || event.key === '=') zoomBy(1.3);
  else if (event.key === '-') zoomBy(1 / 1.3);
  else if (event.key === '0') fit(true);
  else if (event.key === 'Enter' && node) go({ around: state.around ? 0 : 1 });
  else return;
  event.preventDefault();
}

function tip(index, pointer) {
  const box = $('tip');
  const node = nodes[index];
  if (!node) { box.hidden = true; return; }
  replace(box, glyph(node.kind), name(short(node.label, 90), 'strong'), h('span', { class: 'muted' }, ` ${node.kind.toLowerCase()} · ${plural(node.degree, 'link')}`));
  box.hidden = false;
  const stage = $('stage').getBoundingClientRect();
  box.style.left = Math.max(6, Math.min(pointer.x + 14, stage.width - box.offsetWidth - 8)) + 'px';
  box.style.top = Math.max(6, Math.min(pointer.y + 16, stage.height - box.offsetHeight - 8)) + 'px';
}

function startGraph() {
  const canvas = $('canvas');
  shownNodes = new vis.DataSet([], { queue: false });
  shownEdges = new vis.DataSet([], { queue: false });
  // The groups that pyvis carries only name the shapes; colours depend on the theme and come with each node.
  const { groups, ...options } = DATA.options;
  network = new vis.Network(canvas, { nodes: shownNodes, edges: shownEdges }, { ...options, interaction: { ...options.interaction, hover: nodes.length < 2500, zoomSpeed: 0.6 } });
  network.on('beforeDrawing', (ctx) => drawMany(ctx, network, canvas));
  network.on('afterDrawing', (ctx) => {
    drawVeil(ctx, network, canvas);
    drawLabels(ctx, network, canvas);
    const root = document.documentElement;
    if (shown.length && !root.dataset.drawn) root.dataset.drawn = Math.round(performance.now());
  });
  network.on('click', ({ nodes: hit }) => { canvas.querySelector('.vis-network').focus({ preventScroll: true }); if (hit.length) select(nodes[hit[0]]); else if (state.node && !state.around && !state.only && !state.to) select(null); });
  network.on('doubleClick', ({ nodes: hit }) => { if (hit.length) go({ node: nodes[hit[0]].id, around: 1, only: 0, to: '' }); });
  network.on('dragStart', () => { overlay.dragging = shown.length > 600; $('tip').hidden = true; });
  network.on('dragEnd', () => {
    overlay.dragging = false;
    for (const [id, at] of Object.entries(network.getPositions(network.getSelectedNodes()))) placed.set(Number(id), at);
    network.redraw();
  });
  network.on('hoverNode', ({ node, pointer }) => tip(node, pointer.DOM));
  network.on('blurNode', () => tip(-1));
  const frame = canvas.querySelector('.vis-network');
  frame.setAttribute('role', 'application');
  frame.setAttribute('aria-label', 'Graph. Arrow keys move between nodes, Enter shows the neighbourhood, plus and minus zoom, 0 fits all. Every node is also reached by the search.');
  frame.addEventListener('keydown', graphKeys);
  const tool = (label, picture, action) => h('button', { type: 'button', class: 'round', 'aria-label': label, title: label, onclick: action }, icon(picture));
  replace($('zoom'), tool('Zoom in', 'plus', () => zoomBy(1.35)), tool('Zoom out', 'minus', () => zoomBy(1 / 1.35)), tool('Fit to the window', 'fit', () => fit(true)));
  new ResizeObserver(() => { if (state.view === 'graph' && canvas.clientWidth) network.redraw(); }).observe(canvas);
}

/** Called when the state changes or the view is opened. */
function showGraph(before) {
  if (!network) {
    startGraph();
    drawGraph(true);
    const node = selected();
    if (node && !state.around && !state.only) show(node);
    return;
  }
  const redo = !before || ['around', 'only', 'hide', 'off', 'all', 'to', 'view'].some((key) => before[key] !== state[key]) || ((state.around || state.only || state.to) && before.node !== state.node);
  const thinned = nodes.length > OVERVIEW.above && !state.all;
  if (redo || thinned) drawGraph(before && ['around', 'only', 'to', 'all'].some((key) => before[key] !== state[key]));
  else { overlay.chosen = choose(selected(), null); network.redraw(); }
}
