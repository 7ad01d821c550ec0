// Start: the bars at the top, keys for the whole page, and one function that redraws what a change touches.

function drawTabs() {
  const focus = keepFocus($('tabs'));
  replace($('tabs'), VIEWS.map((view) => h('button', { type: 'button', class: 'tab', 'data-key': 'tab-' + view.id, 'aria-current': state.view === view.id ? 'page' : null, onclick: () => go({ view: view.id, text: '', sort: '' }) }, view.title)));
  focus();
}

function drawTools() {
  const label = isDark() ? 'Light theme' : 'Dark theme';
  const had = $('tools').contains(document.activeElement);
  const button = h('button', { type: 'button', class: 'round', id: 'theme', 'aria-label': label, title: label, onclick: () => go({ theme: isDark() ? 'light' : 'dark' }, false) }, icon(isDark() ? 'sun' : 'moon'));
  const share = h('button', { type: 'button', class: 'round', 'aria-label': 'Copy the address of this view', title: 'Copy the address of this view', onclick: () => copy(location.href, 'Address of this view copied') }, icon('link'));
  replace($('tools'), share, button);
  if (had) button.focus();
}

function redraw(before) {
  if (before.theme !== state.theme) { applyTheme(); drawTools(); recolour(); }
  if (before.view !== state.view) drawTabs();
  document.body.dataset.view = state.view;
  for (const view of VIEWS) $('view-' + view.id).hidden = view.id !== state.view;
  $('heading').textContent = `${DATA.title || 'Knowledge graph'}: ${VIEWS.find((view) => view.id === state.view).title}`;
  if (before.node !== state.node) asking = false;
  if (before.node !== state.node || before.to !== state.to || before.view !== state.view || before.around !== state.around || before.only !== state.only) drawPanel();
  if (before.node !== state.node) $('panel').scrollTop = 0;
  if (state.view === 'graph') showGraph(before);
  else if (onlySelects(before)) markCurrent();
  else if (state.view === 'leaderboards') showBoards();
  else if (state.view === 'lineage') showLineage();
  else showPapers();
  if (before.view !== state.view) $('main').scrollTop = 0;
}

/** Whether nothing differs but the selected node, and the panel beside the view stays as wide as it was. */
function onlySelects(before) {
  const beside = new Set(['node', 'to', 'around', 'only', 'quotes', 'theme']);
  return Object.keys(DEFAULTS).every((key) => beside.has(key) || before[key] === state[key]) && (state.view === 'papers' || !before.node === !state.node);
}

/** Show which card or box is selected, without building the view again. */
function markCurrent() {
  for (const element of document.querySelectorAll('.view:not([hidden]) [data-id]')) {
    const current = element.dataset.id === state.node;
    current ? element.setAttribute('aria-current', 'true') : element.removeAttribute('aria-current');
    if (element.closest('.card')) element.closest('.card').classList.toggle('current', current);
  }
}

document.addEventListener('keydown', (event) => {
  const typing = /^(INPUT|TEXTAREA|SELECT)$/.test(event.target.tagName);
  if ((event.key === '/' && !typing) || (event.key === 'k' && (event.ctrlKey || event.metaKey))) {
    event.preventDefault();
    searchField.focus();
    searchField.select();
  } else if (event.key === 'Escape' && !typing) {
    const open = document.querySelector('.relations[open]');
    if (open) { open.open = false; open.querySelector('summary').focus(); }
    else if (state.to || state.around || state.only) go({ to: '', around: 0, only: 0 });
    else if (state.node) closePanel();
  }
});
document.addEventListener('click', (event) => {
  const open = document.querySelector('.relations[open]');
  if (open && !open.contains(event.target)) open.open = false;
});
dark.addEventListener('change', () => { if (!state.theme) { applyTheme(); drawTools(); recolour(); } });
let resizing = 0;
window.addEventListener('resize', () => { clearTimeout(resizing); resizing = setTimeout(() => { if (state.view === 'lineage') showLineage(); }, 120); });
$('skip').addEventListener('click', (event) => { event.preventDefault(); $('main').focus(); });

readAddress();
applyTheme();
const mark = s('svg', { viewBox: '0 0 32 32', class: 'logo', 'aria-hidden': 'true' }, s('path', { d: 'M9 22 16 9l8 8' }), s('circle', { cx: 9, cy: 22, r: 4.2 }), s('circle', { cx: 16, cy: 9, r: 4.2, class: 'two' }), s('circle', { cx: 24, cy: 18, r: 4.2, class: 'three' }));
replace($('brand'), mark, h('span', { class: 'product' }, 'sotagraph'), DATA.title ? name(short(DATA.title, 60), 'corpus') : '');
startSearch();
drawTools();
drawTabs();
onChange(redraw);
redraw({ ...state, view: '', node: null });

document.documentElement.dataset.ready = state.view;

// For tests and for the curious: where a node stands on the screen, and the state behind the address.
window.sotagraph = {
  state: () => ({ ...state }),
  where: (id) => { const at = placed.get(byId.get(id).index); return at && network.canvasToDOM(at); },
  shown: () => shown.map((node) => node.id),
  box: () => { const at = shown.map((node) => network.canvasToDOM(placed.get(node.index))); const ys = at.map((p) => p.y); return { top: Math.min(...ys), bottom: Math.max(...ys), height: $('canvas').clientHeight }; },
  network: () => network,
};
