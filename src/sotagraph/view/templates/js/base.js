// Small tools: elements, icons, text. Whatever comes from papers reaches the document through text nodes alone.
const DATA = JSON.parse(document.getElementById('data').textContent);

const $ = (id) => document.getElementById(id);
const SVG = 'http://www.w3.org/2000/svg';

/** Make an element; `props` are properties, `on…` listeners, or attributes where the name has a dash or is listed here. */
const ATTRIBUTES = new Set(['role', 'for', 'scope', 'colspan', 'list']);
function h(tag, props, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(props || {})) {
    if (value === undefined || value === null || value === false) continue;
    if (name.startsWith('on')) element.addEventListener(name.slice(2), value);
    else if (name.includes('-') || ATTRIBUTES.has(name)) element.setAttribute(name, value === true ? '' : value);
    else element[name === 'class' ? 'className' : name] = value;
  }
  fill(element, children);
  return element;
}

function fill(element, children) {
  for (const child of children.flat(4)) {
    if (child === undefined || child === null || child === false || child === '') continue;
    element.append(child.nodeType ? child : String(child));
  }
  return element;
}

function replace(element, ...children) {
  element.textContent = '';
  return fill(element, children);
}

function s(tag, attributes, ...children) {
  const element = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes || {})) if (value !== undefined && value !== false) element.setAttribute(name, value);
  return fill(element, children);
}

const ICONS = {
  search: 'M10.5 4a6.5 6.5 0 1 0 0 13 6.5 6.5 0 0 0 0-13zM15.5 15.5 20 20',
  sun: 'M12 8a4 4 0 1 0 0 8 4 4 0 0 0 0-8zM12 2.5v2M12 19.5v2M2.5 12h2M19.5 12h2M5.3 5.3l1.4 1.4M17.3 17.3l1.4 1.4M5.3 18.7l1.4-1.4M17.3 6.7l1.4-1.4',
  moon: 'M19.5 14.2A8 8 0 0 1 9.8 4.5a8 8 0 1 0 9.7 9.7z',
  close: 'M6 6l12 12M18 6 6 18',
  plus: 'M12 5v14M5 12h14',
  minus: 'M5 12h14',
  fit: 'M4 9V4h5M20 9V4h-5M4 15v5h5M20 15v5h-5',
  link: 'M10 14a4 4 0 0 0 6 .4l3-3a4 4 0 0 0-5.7-5.7l-1 1M14 10a4 4 0 0 0-6-.4l-3 3a4 4 0 0 0 5.7 5.7l1-1',
  out: 'M14 4h6v6M20 4l-9 9M18 14v5H5V6h5',
  path: 'M6 6a2 2 0 1 0 .01 0M18 18a2 2 0 1 0 .01 0M8 6h6a4 4 0 0 1 0 8h-4',
  around: 'M12 10a2 2 0 1 0 .01 4 2 2 0 0 0 0-4zM4 5l6 5M20 5l-6 5M4 19l6-5M20 19l-6-5',
  tree: 'M5 4v16M5 12h7M12 6v12M12 6h7M12 18h7',
  copy: 'M9 9h11v11H9zM5 15H4V4h11v1',
  down: 'M6 9l6 6 6-6',
  panel: 'M4 5h16v14H4zM15 5v14',
  quote: 'M5 6h14M5 10h14M5 14h9M5 18h6',
  page: 'M6 3h8l4 4v14H6zM14 3v4h4M9 12h6M9 16h6',
};

function icon(name) {
  const svg = s('svg', { viewBox: '0 0 24 24', class: 'icon', 'aria-hidden': 'true' });
  svg.append(s('path', { d: ICONS[name] }));
  return svg;
}

const GLYPHS = {
  dot: 'M8 2.2a5.8 5.8 0 1 0 .01 0z',
  square: 'M3 3h10v10H3z',
  diamond: 'M8 1.2 14.8 8 8 14.8 1.2 8z',
  triangle: 'M8 1.8 15 13.8H1z',
  triangleDown: 'M8 14.2 1 2.2h14z',
  hexagon: 'M4.6 2h6.8L15 8l-3.6 6H4.6L1 8z',
  star: 'M8 1l2.1 4.7 5 .5-3.8 3.4 1.1 5L8 12l-4.4 2.6 1.1-5L.9 6.2l5-.5z',
};
const HOLLOW = new Set(['Venue', 'Author']);

/** The shape of a kind, as the canvas draws it. */
function glyph(kind) {
  const svg = s('svg', { viewBox: '0 0 16 16', class: `glyph k-${kind}${HOLLOW.has(kind) ? ' hollow' : ''}`, 'aria-hidden': 'true' });
  svg.append(s('path', { d: GLYPHS[DATA.shapes[kind]] }));
  return svg;
}

/** A name from the input: kept apart from the direction of the text around it. */
const name = (text, className) => h('bdi', { class: className || '' }, text);

/** A table for keys that come from the input: it has nothing that was not put in (`constructor`, `__proto__`). */
const table = (entries) => Object.assign(Object.create(null), entries);
const short = (text, length) => (text.length > length ? text.slice(0, length - 1).trimEnd() + '…' : text);
const plural = (count, one, many) => `${count.toLocaleString('en')} ${count === 1 ? one : many || one + 's'}`;
const fold = (text) => text.normalize('NFKD').replace(/[\u0300-\u036f]/g, '').toLowerCase();

/** Only addresses of the web become links; everything else stays text. */
function web(address) {
  try {
    const url = new URL(address);
    return url.protocol === 'http:' || url.protocol === 'https:' ? url.href : null;
  } catch {
    return null;
  }
}

function outside(address, label) {
  const href = web(address);
  if (!href) return name(short(address, 80), 'address');
  return h('a', { href, target: '_blank', rel: 'noopener noreferrer', class: 'outside' }, name(short(label || address.replace(/^https?:\/\/(www\.)?/, ''), 60)), icon('out'));
}

let toasting = 0;
function toast(text) {
  const box = $('toast');
  box.textContent = text;
  box.classList.add('on');
  clearTimeout(toasting);
  toasting = setTimeout(() => box.classList.remove('on'), 2200);
}

/** Copy by the clipboard, and where the browser forbids it by a selected field. */
async function copy(text, done) {
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    const field = h('textarea', { value: text, class: 'hidden', 'aria-label': 'Text to copy' });
    document.body.append(field);
    field.select();
    document.execCommand('copy');
    field.remove();
  }
  toast(done);
}

const calm = () => matchMedia('(prefers-reduced-motion: reduce)').matches;
const narrow = () => matchMedia('(max-width: 860px)').matches;
