// What is shown, in one object that the address keeps: every view reads it, nothing else remembers.

const VIEWS = [
  { id: 'graph', title: 'Graph' },
  { id: 'leaderboards', title: 'Leaderboards' },
  { id: 'lineage', title: 'Lineage' },
  { id: 'papers', title: 'Papers' },
];
const DEFAULTS = {
  view: 'graph', node: '', around: 0, only: 0, hide: DATA.outside.join(','), off: '', all: 0, to: '',
  board: '', sort: '', text: '', root: '', depth: 2, venue: '', year: '', task: '', theme: '', quotes: 0,
};
const NUMBERS = new Set(['around', 'only', 'all', 'depth', 'quotes']);
const state = { ...DEFAULTS };
const listeners = [];

function readAddress() {
  const given = new URLSearchParams(location.hash.slice(1));
  Object.assign(state, DEFAULTS);
  for (const [key, value] of given) {
    if (!Object.hasOwn(DEFAULTS, key)) continue;
    state[key] = NUMBERS.has(key) ? Math.max(0, Math.min(6, Number(value) || 0)) : value;
  }
  if (!VIEWS.some((view) => view.id === state.view)) state.view = 'graph';
}

function writeAddress(push) {
  const kept = new URLSearchParams();
  for (const [key, value] of Object.entries(state)) if (String(value) !== String(DEFAULTS[key])) kept.set(key, value);
  const hash = kept.toString();
  if (hash === location.hash.slice(1)) return;
  try {
    history[push ? 'pushState' : 'replaceState'](null, '', hash ? '#' + hash : '#');
  } catch {
    // A page inside another one may not have an address of its own; it works without.
  }
}

/** Change the state, redraw what listens, and keep it in the address; `push` makes a step for the back button. */
function go(changes, push = true) {
  const before = { ...state };
  Object.assign(state, changes);
  writeAddress(push && (changes.view !== undefined || changes.node !== undefined || changes.around !== undefined));
  for (const listener of listeners) listener(before);
}

const onChange = (listener) => listeners.push(listener);
const selected = () => byId.get(state.node) || null;
const listOf = (text) => new Set(text.split(',').filter(Boolean));

/** Select a node, in the view that is open. */
const select = (node) => go({ node: node ? node.id : '', to: '' });

window.addEventListener('popstate', () => {
  const before = { ...state };
  readAddress();
  for (const listener of listeners) listener(before);
});
window.addEventListener('hashchange', () => {
  const before = { ...state };
  readAddress();
  if (JSON.stringify(before) !== JSON.stringify(state)) for (const listener of listeners) listener(before);
});

// The theme: the system's unless the reader has chosen; the choice travels in the address, not in storage.
const dark = matchMedia('(prefers-color-scheme: dark)');
const isDark = () => (state.theme ? state.theme === 'dark' : dark.matches);
let palette = {};
function applyTheme() {
  document.documentElement.dataset.theme = isDark() ? 'dark' : 'light';
  const style = getComputedStyle(document.documentElement);
  const read = (variable) => style.getPropertyValue(variable).trim();
  palette = { bg: read('--canvas'), ink: read('--ink'), ink2: read('--ink-2'), accent: read('--accent'), line: read('--line'), font: style.fontFamily };
  for (const kind of DATA.kinds) palette[kind] = read(`--k-${kind}`);
  for (const line of ['ink', 'task', 'method', 'dataset', 'better', 'family', 'metric', 'code', 'faint', 'result']) palette['line-' + line] = read(`--l-${line}`);
}
