// Search as you type over names, aliases and titles: a combobox, by mouse and by keys.

const entries = nodes.filter((node) => node.kind !== 'Result').map((node) => ({ node, names: namesOf(node).map(fold), squeezed: namesOf(node).map((text) => fold(text).replace(/[\s_-]+/g, '')) }));

/** The best matches: whole names before beginnings before words before anything else, then the most connected. */
function lookUp(query, limit, accept) {
  const asked = fold(query.trim());
  if (!asked) return [];
  const tight = asked.replace(/[\s_-]+/g, '');
  const found = [];
  for (const { node, names, squeezed } of entries) {
    if (accept && !accept(node)) continue;
    let best = 9;
    let alias = '';
    for (let i = 0; i < names.length && best > 0; i++) {
      const text = names[i];
      const at = text.indexOf(asked);
      let score = 9;
      if (text === asked || squeezed[i] === tight) score = 0;
      else if (at === 0) score = 1;
      else if (at > 0) score = /[\p{L}\p{N}]/u.test(text[at - 1]) ? 3 : 2;
      else if (tight && squeezed[i].includes(tight)) score = 3;
      if (i > 0) score += 0.5;
      if (score < best) { best = score; alias = i > 0 ? namesOf(node)[i] : ''; }
    }
    if (best < 9) found.push({ node, alias, score: best });
  }
  return found.sort((a, b) => a.score - b.score || b.node.degree - a.node.degree || a.node.index - b.node.index).slice(0, limit);
}

/** What tells a node apart in a list: how it reads in full, the alias that matched, or where it comes from. */
function hint(node, alias) {
  if (alias && alias !== node.label && !node.label.includes(alias)) return alias;
  if (node.kind === 'Paper') return placeOf(node);
  return node.long && !node.label.includes(node.long) ? node.long : '';
}

/** A field with a list under it; `pick` gets the chosen node. */
function combobox({ id, label, placeholder, pick, accept, keep }) {
  let found = [];
  let at = -1;
  const list = h('ul', { id: id + '-list', role: 'listbox', class: 'matches', 'aria-label': label, hidden: true });
  const field = h('input', {
    id, type: 'search', placeholder, autocomplete: 'off', spellcheck: false, role: 'combobox', 'aria-label': label, 'aria-expanded': 'false', 'aria-controls': id + '-list', 'aria-autocomplete': 'list',
  });
  const close = () => { list.hidden = true; at = -1; field.setAttribute('aria-expanded', 'false'); field.removeAttribute('aria-activedescendant'); };
  const choose = (node) => { close(); field.value = keep ? node.label : ''; pick(node); };
  const mark = (next) => {
    at = next;
    [...list.children].forEach((item, index) => item.setAttribute('aria-selected', String(index === at)));
    const item = list.children[at];
    if (item && item.id) { field.setAttribute('aria-activedescendant', item.id); item.scrollIntoView({ block: 'nearest' }); }
  };
  const refresh = () => {
    found = lookUp(field.value, 12, accept);
    if (!field.value.trim()) return close();
    replace(list, found.length ? found.map(({ node, alias }, index) => h('li', {
      role: 'option', id: `${id}-${index}`, 'aria-selected': 'false', onmousedown: (event) => { event.preventDefault(); choose(node); },
    }, glyph(node.kind), h('span', { class: 'what' }, name(short(node.label, 90), 'title'), hint(node, alias) ? name(short(hint(node, alias), 80), 'hint') : ''), h('span', { class: 'kindname' }, node.kind)))
      : h('li', { class: 'none', role: 'option', 'aria-selected': 'false', 'aria-disabled': 'true' }, 'No name or alias matches'));
    list.hidden = false;
    field.setAttribute('aria-expanded', 'true');
    mark(found.length ? 0 : -1);
  };
  field.addEventListener('input', refresh);
  field.addEventListener('focus', () => { if (field.value) refresh(); });
  field.addEventListener('blur', close);
  field.addEventListener('keydown', (event) => {
    if (event.key === 'Escape') { if (!list.hidden) event.stopPropagation(); field.value = ''; close(); return; }
    if (list.hidden || !found.length) return;
    if (event.key === 'ArrowDown') mark((at + 1) % found.length);
    else if (event.key === 'ArrowUp') mark((at - 1 + found.length) % found.length);
    else if (event.key === 'Enter') choose(found[Math.max(at, 0)].node);
    else return;
    event.preventDefault();
  });
  return { box: h('div', { class: 'combo' }, icon('search'), field, list), field };
}

let searchField = null;
function startSearch() {
  const { box, field } = combobox({ id: 'search', label: 'Search names and aliases', placeholder: 'Search names and aliases', pick: openFound });
  searchField = field;
  replace($('find'), box, h('kbd', { 'aria-hidden': 'true' }, '/'));
}

/** A found node opens where the reader is: in the lineage as its root, else in the graph with its panel. */
function openFound(node) {
  if (state.view === 'lineage' && node.kind !== 'Paper') return go({ root: node.id, node: node.id, to: '' });
  const hide = listOf(state.hide);
  hide.delete(node.kind);
  const stays = state.view === 'papers' || state.view === 'leaderboards';
  go({ view: stays ? state.view : 'graph', node: node.id, around: 0, only: 0, to: '', hide: stays ? state.hide : [...hide].join(',') });
  if (!stays) show(node);
}
