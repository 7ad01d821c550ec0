// The best score over the years, where a board spans more than one.

function chart(board) {
  const points = board.rows.filter((row) => row.rank !== null && row.year && Number.isFinite(row.value));
  const years = [...new Set(points.map((row) => row.year))].sort((a, b) => a - b);
  if (years.length < 2) return '';
  const width = 760, height = 210, left = 48, right = 24, top = 16, bottom = 28;
  const values = points.map((row) => row.value);
  let low = Math.min(...values), high = Math.max(...values);
  const pad = (high - low || Math.abs(high) || 1) * 0.12;
  low -= pad; high += pad;
  const x = (year) => left + ((year - years[0]) / (years[years.length - 1] - years[0])) * (width - left - right - 90) + 20;
  const y = (value) => top + (1 - (value - low) / (high - low)) * (height - top - bottom);
  const svg = s('svg', { viewBox: `0 0 ${width} ${height}`, class: 'chart', role: 'img', 'aria-label': `Scores on ${boardTitle(board)} from ${years[0]} to ${years[years.length - 1]}; the table below holds the same numbers` });
  for (const tick of ticks(low, high, 4)) svg.append(s('path', { d: `M${left} ${y(tick)}H${width - right}`, class: 'grid' }), s('text', { x: left - 8, y: y(tick) + 4, class: 'axis', 'text-anchor': 'end' }, tick));
  for (const year of years) svg.append(s('text', { x: x(year), y: height - 8, class: 'axis', 'text-anchor': 'middle' }, year));
  const ahead = (a, b) => (board.lower ? a < b : a > b);
  let best = null;
  let line = '';
  const leaders = [];
  for (const year of years) {
    const top_ = points.filter((row) => row.year === year).reduce((a, b) => (ahead(b.value, a.value) ? b : a));
    if (best === null || ahead(top_.value, best.value)) {
      line += best === null ? `M${x(year)} ${y(top_.value)}` : `H${x(year)}V${y(top_.value)}`;
      best = top_;
      leaders.push(top_);
    }
  }
  svg.append(s('path', { d: `${line}H${width - right - 60}`, class: 'best' }));
  for (const row of points) {
    const dot = s('circle', { cx: x(row.year), cy: y(row.value), r: leaders.includes(row) ? 5 : 3.5, class: leaders.includes(row) ? 'lead' : 'dot' });
    dot.append(s('title', {}, `${row.method}: ${valueOf(row.result)} (${row.year})`));
    svg.append(dot);
  }
  for (const row of leaders) svg.append(s('text', { x: x(row.year) + 9, y: y(row.value) - 8, class: 'name' }, short(row.method, 26)));
  return h('figure', { class: 'trend' }, svg);
}

/** Round numbers inside a range. */
function ticks(low, high, count) {
  const raw = (high - low) / count;
  const unit = 10 ** Math.floor(Math.log10(raw));
  const step = [1, 2, 5, 10].map((k) => k * unit).find((k) => k >= raw);
  const found = [];
  for (let tick = Math.ceil(low / step) * step; tick <= high; tick += step) found.push(Number(tick.toPrecision(6)));
  return found;
}
