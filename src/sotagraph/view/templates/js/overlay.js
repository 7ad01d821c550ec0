// What we draw over the network: a veil that lets the chosen part stand out, its lines, and labels that never overlap.

const SIZE = { base: 6, grow: 2.1, most: 24, factor: 1, many: false };
/** A node's radius; in a large graph seen from afar all grow by one factor, so that they stay visible. */
const sizeOf = (node) => SIZE.factor * Math.min(SIZE.most, SIZE.base + SIZE.grow * Math.sqrt(node.degree) * (node.kind === 'Paper' ? 0.7 : 1)) * (node.kind === 'Result' ? 0.8 : 1);

const overlay = {
  /** Nodes and edges that stand out; null where nothing does. */
  chosen: null,
  /** Nodes that may be labelled, the most important first. */
  order: [],
  /** Hidden neighbours by node, shown as +n in the overview. */
  beyond: new Map(),
  /** Lines drawn in bulk, by relation; empty where the network draws each of them. */
  lines: [],
  dragging: false,
};

const widths = new Map();
function textWidth(ctx, text, font) {
  const known = font + text;
  if (!widths.has(known)) widths.set(known, ctx.measureText(text).width);
  return widths.get(known);
}

/** The part around one node, or along a path. */
function choose(node, path) {
  if (path) return { nodes: new Set(path.nodes), edges: path.edges, centre: node };
  if (!node) return null;
  const around = new Set([node.index]);
  const lines = [];
  for (const edge of [...node.out, ...node.in]) {
    if (edge.own) continue;
    around.add(edge.from);
    around.add(edge.to);
    lines.push(edge);
  }
  return { nodes: around, edges: lines, centre: node };
}

/** Many lines at once, one stroke a relation: far quicker than an object a line, and enough from afar. */
function drawMany(ctx, network, canvas) {
  const corner = network.DOMtoCanvas({ x: 0, y: 0 });
  const far = network.DOMtoCanvas({ x: canvas.clientWidth, y: canvas.clientHeight });
  // An opaque ground: a veil over a transparent one would tint it.
  ctx.fillStyle = palette.bg;
  ctx.fillRect(corner.x, corner.y, far.x - corner.x, far.y - corner.y);
  if (overlay.dragging || !overlay.lines.length) return;
  const body = network.body.nodes;
  const scale = network.getScale();
  ctx.save();
  ctx.lineWidth = Math.max(0.7, 0.6 / scale);
  for (const [p, lines] of overlay.lines) {
    ctx.strokeStyle = palette['line-' + RELATIONS[p].line];
    ctx.globalAlpha = p === 'measuredBy' ? 0.08 : 0.3;
    ctx.beginPath();
    for (const edge of lines) {
      const from = body[edge.from], to = body[edge.to];
      ctx.moveTo(from.x, from.y);
      ctx.lineTo(to.x, to.y);
    }
    ctx.stroke();
  }
  ctx.restore();
}

function drawVeil(ctx, network, canvas) {
  const { chosen } = overlay;
  if (!chosen || overlay.dragging) return;
  const body = network.body.nodes;
  const scale = network.getScale();
  const corner = network.DOMtoCanvas({ x: 0, y: 0 });
  const far = network.DOMtoCanvas({ x: canvas.clientWidth, y: canvas.clientHeight });
  ctx.save();
  ctx.globalAlpha = 0.8;
  ctx.fillStyle = palette.bg;
  ctx.fillRect(corner.x, corner.y, far.x - corner.x, far.y - corner.y);
  ctx.globalAlpha = 0.9;
  for (const edge of chosen.edges) {
    const from = body[edge.from];
    const to = body[edge.to];
    if (!from || !to) continue;
    const style = RELATIONS[edge.p];
    const dx = to.x - from.x, dy = to.y - from.y, length = Math.hypot(dx, dy) || 1;
    const end = sizeOf(nodes[edge.to]) + 3;
    const x = to.x - (dx / length) * end, y = to.y - (dy / length) * end;
    ctx.strokeStyle = ctx.fillStyle = palette['line-' + style.line];
    ctx.lineWidth = Math.max(1.4, 1.3 / scale);
    ctx.setLineDash((style.dashes || []).map((d) => d / Math.max(scale, 0.4)));
    ctx.beginPath();
    ctx.moveTo(from.x, from.y);
    ctx.lineTo(x, y);
    ctx.stroke();
    ctx.setLineDash([]);
    const head = Math.max(7, 5 / scale);
    ctx.beginPath();
    ctx.moveTo(x, y);
    ctx.lineTo(x - (dx / length) * head + (dy / length) * head * 0.45, y - (dy / length) * head - (dx / length) * head * 0.45);
    ctx.lineTo(x - (dx / length) * head - (dy / length) * head * 0.45, y - (dy / length) * head + (dx / length) * head * 0.45);
    ctx.fill();
  }
  ctx.globalAlpha = 1;
  for (const index of chosen.nodes) if (body[index]) body[index].draw(ctx);
  const centre = chosen.centre && body[chosen.centre.index];
  if (centre) {
    ctx.strokeStyle = palette.accent;
    ctx.lineWidth = Math.max(2.5, 2 / scale);
    ctx.beginPath();
    ctx.arc(centre.x, centre.y, sizeOf(chosen.centre) + 5 + 1 / scale, 0, 2 * Math.PI);
    ctx.stroke();
  }
  ctx.restore();
}

/** Labels at one size on the screen, placed in order of importance where they cover no other one. */
function drawLabels(ctx, network, canvas) {
  if (overlay.dragging && overlay.order.length > 1500) return;
  const body = network.body.nodes;
  const scale = network.getScale();
  const view = network.getViewPosition();
  const width = canvas.clientWidth, height = canvas.clientHeight;
  const ratio = canvas.querySelector('canvas').width / width;
  const { chosen } = overlay;
  ctx.save();
  ctx.setTransform(ratio, 0, 0, ratio, 0, 0);
  ctx.textAlign = 'center';
  ctx.textBaseline = 'top';
  ctx.lineJoin = 'round';
  const taken = [];
  const most = Math.round((width * height) / 6500);
  const screen = (spot) => [(spot.x - view.x) * scale + width / 2, (spot.y - view.y) * scale + height / 2];
  // Few nodes leave room to keep labels off the other nodes too.
  const solid = [];
  const pool = chosen ? [...chosen.nodes] : overlay.order;
  if (pool.length <= 500) for (const index of pool) {
    if (!body[index]) continue;
    const [x, y] = screen(body[index]);
    const r = sizeOf(nodes[index]) * scale + 1;
    solid.push([x - r, y - r, x + r, y + r, index]);
  }
  const clear = (box, boxes, own) => boxes.every((other) => other[4] === own || box[0] >= other[2] || box[2] <= other[0] || box[1] >= other[3] || box[3] <= other[1]);
  let looked = 0;
  const label = (index) => {
    const spot = body[index];
    if (!spot) return;
    const node = nodes[index];
    const [x, y] = screen(spot);
    if (x < -20 || x > width + 20 || y < -30 || y > height + 10) return;
    looked++;
    const strong = (node.degree >= overlay.strong && node.kind !== 'Paper') || (chosen && chosen.centre === node);
    const size = strong ? 12.5 : 11;
    const font = `${strong ? 600 : 450} ${size}px ${palette.font}`;
    ctx.font = font;
    const more = overlay.beyond.get(index);
    const text = short(node.kind === 'Result' ? valueOf(node) : node.label, node.kind === 'Paper' ? 30 : 34) + (more ? `  +${more}` : '');
    const half = textWidth(ctx, text, font) / 2 + 3;
    const away = sizeOf(node) * scale + 3;
    const at = (dx, dy) => [x + dx - half, y + dy, x + dx + half, y + dy + size + 3, -1];
    // Below, above, right, left.
    const spots = [at(0, away), at(0, -away - size - 3), at(away + half, -size / 2 - 2), at(-away - half, -size / 2 - 2)].filter((box) => clear(box, taken));
    const box = spots.find((free) => clear(free, solid, index)) || (strong || (chosen && pool.length < 40) ? spots[0] : null);
    if (!box) return;
    taken.push(box);
    ctx.strokeStyle = palette.bg;
    ctx.lineWidth = 3.5;
    ctx.strokeText(text, box[0] + half, box[1] + 1);
    ctx.fillStyle = node.kind === 'Paper' && !strong ? palette.ink2 : palette.ink;
    ctx.fillText(text, box[0] + half, box[1] + 1);
  };
  if (chosen) {
    const centre = chosen.centre ? chosen.centre.index : -1;
    label(centre);
    for (const index of overlay.order) if (index !== centre && chosen.nodes.has(index)) label(index);
  } else {
    for (const index of overlay.order) {
      if (taken.length >= most || looked > 700) break;
      label(index);
    }
  }
  ctx.restore();
}
