"""Where each node stands: a seeded force layout, components apart and packed, computed once when the page is made.

The forces are those of ForceAtlas2 (Jacomy et al. 2014, doi:10.1371/journal.pone.0098679): edges pull in proportion to
their length, nodes push each other apart in proportion to their degrees and inversely to their distance. Small
components sum every pair. Large ones put the degrees on a grid and convolve it with the push of one node by FFT, which
makes a step cost n + g² log g instead of n².

Up to `EXACT` nodes a component, only operations whose result IEEE 754 fixes are used (+ - × ÷ √, sums in a fixed
order; no sines, no BLAS), so that the same graph gives the same coordinates, and the page the same bytes, everywhere.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from itertools import islice

import numpy as np
import numpy.typing as npt
from numpy import fft
from scipy.sparse import coo_array, csgraph
from scipy.spatial import cKDTree

__all__ = ["EXACT", "layout", "satellites"]

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]

#: Components up to this size sum every pair of nodes.
EXACT = 900
#: Distance in canvas units that neighbours end up at, about twice the diameter of a large node.
SPACING = 64.0
_GRID = 96
#: A larger component is gathered until so few groups are left.
_COARSE = 400
#: Components up to this size are laid out once for all that are alike.
_SMALL = 24
#: A large component is looked through for neighbours anew every so many rounds, a little farther than they can be.
_ROUNDS = 5
_FARTHER = 1.2
#: From so many components on, small ones stand closer.
_MANY = 60


def layout(count: int, edges: Sequence[tuple[int, int]], *, seed: int = 0, aspect: float = 1.4) -> Ints:
    """Whole-number coordinates for nodes ``0..count-1``, one row a node; `aspect` is the wanted width over height.

    >>> layout(3, [(0, 1)]).shape
    (3, 2)
    >>> bool((layout(4, [(0, 1), (1, 2)]) == layout(4, [(0, 1), (1, 2)])).all())
    True
    """
    if count == 0:
        return np.zeros((0, 2), dtype=np.int64)
    pairs = _unique(np.asarray(edges, dtype=np.int64).reshape(-1, 2))
    links = coo_array((np.ones(len(pairs)), (pairs[:, 0], pairs[:, 1])), shape=(count, count))
    _, membership = csgraph.connected_components(links, directed=False)
    parts = _by_label(membership)
    local = np.zeros(count, dtype=np.int64)
    for part in parts:
        local[part] = np.arange(len(part))
    edges_of = (
        _by_label(membership[pairs[:, 0]], len(parts)) if len(pairs) else [np.zeros(0, dtype=np.int64)] * len(parts)
    )
    places = [
        _small(len(part), local[pairs[rows]].tobytes(), seed, aspect)
        if len(part) <= _SMALL
        else _component(len(part), local[pairs[rows]], seed, aspect)
        for part, rows in zip(parts, edges_of, strict=True)
    ]
    if len(parts) > _MANY:
        # Islands by the dozen must not push the mainland into a corner.
        places = [place * 0.7 if len(place) <= 12 else place for place in places]
    offsets = _pack([place.max(axis=0) for place in places], aspect)
    result = np.zeros((count, 2))
    for part, place, offset in zip(parts, places, offsets, strict=True):
        result[part] = place + offset
    return np.asarray(np.rint(result - np.rint(result.max(axis=0) / 2)), dtype=np.int64)


def satellites(hosts: Sequence[Sequence[int]], places: Ints, *, radius: float = 34.0) -> Ints:
    """Places for nodes that take no part in the layout: on rings around the middle of their hosts, or of nothing.

    Several satellites of one place fan out. Angles come from ``((1-t²)/(1+t²), 2t/(1+t²))``, which needs no sine.

    >>> satellites([[0], [0]], np.array([[10, 0]])).tolist()
    [[44, 0], [-12, -26]]
    """
    taken: dict[tuple[int, int], int] = {}
    known = [(int(x), int(y)) for x, y in places.tolist()]
    rows: list[tuple[int, int]] = []
    for around in hosts:
        x, y = (0, 0) if not around else known[around[0]]
        if len(around) > 1:
            x, y = (round(sum(known[host][axis] for host in around) / len(around)) for axis in (0, 1))
        step = taken.get((x, y), 0)
        taken[x, y] = step + 1
        # Steps of about 0.62 of a turn never line up; each ring of eight is farther out.
        right, down = _direction((step * 0.618034) % 1.0)
        reach = radius * (1 + 0.35 * (step // 8))
        rows.append((x + round(right * reach), y + round(down * reach)))
    return np.array(rows, dtype=np.int64).reshape(-1, 2)


def _direction(turn: float) -> tuple[float, float]:
    """A unit vector near ``turn`` of a full circle, by the rational parametrisation of its quarter."""
    quarter, rest = divmod(turn * 4, 1.0)
    x, y = (1 - rest * rest) / (1 + rest * rest), 2 * rest / (1 + rest * rest)
    return [(x, y), (-y, x), (-x, -y), (y, -x)][int(quarter)]


def _unique(pairs: Ints) -> Ints:
    """Undirected pairs without loops and repetitions, sorted."""
    pairs = np.sort(pairs, axis=1)
    return np.asarray(np.unique(pairs[pairs[:, 0] != pairs[:, 1]], axis=0), dtype=np.int64)


def _by_label(labels: npt.NDArray[np.signedinteger], count: int = 0) -> list[Ints]:
    """The positions of each label, in order of the labels."""
    order = np.argsort(labels, kind="stable")
    total = max(count, int(labels.max()) + 1)
    return np.split(order, np.searchsorted(labels[order], np.arange(1, total)))


@lru_cache(maxsize=1 << 12)
def _small(count: int, pairs: bytes, seed: int, aspect: float) -> Floats:
    """The same for a small component, of which there are many alike."""
    return _component(count, np.frombuffer(pairs, dtype=np.int64).reshape(-1, 2), seed, aspect)


def _component(count: int, pairs: Ints, seed: int, aspect: float) -> Floats:
    """Coordinates of one component, from (0, 0) to the right and down."""
    if count == 1:
        return np.zeros((1, 2))
    if count == 2:
        return np.array([[0.0, 0.0], [SPACING, 0.0]])
    degree = np.bincount(pairs.ravel(), minlength=count).astype(np.float64)
    random = np.random.default_rng(seed)
    place = _levels(count, pairs, degree + 1, random) if count > EXACT else _relaxed(count, pairs, degree, random)
    place = _level(place, aspect)
    place = _spread(_scale(place, pairs), degree)
    return np.asarray(place - place.min(axis=0), dtype=np.float64)


def _relaxed(count: int, pairs: Ints, degree: Floats, random: np.random.Generator) -> Floats:
    """A component that is laid out whole."""
    steps = 120 if count <= 24 else 320 if count <= 400 else 240
    side = _side(count)
    place = (random.random((count, 2)) * 2 - 1) * side
    return _relax(place, pairs, np.ones(len(pairs)), degree + 1, steps, side * 0.06)


def _side(count: int) -> float:
    return float(np.sqrt(float(count)) * 2.4)


def _levels(count: int, pairs: Ints, mass: Floats, random: np.random.Generator) -> Floats:
    """A large component, laid out from the coarse to the fine: nodes gather round hubs, and those again.

    The multilevel way of Walshaw (2003, doi:10.7155/jgaa.00070): the large shape is found where nodes are few and steps
    are cheap, and what is finer needs few steps, since it starts near to where it belongs.
    """
    weight = np.ones(len(pairs))
    finer: list[tuple[Ints, Floats, Floats, Ints]] = []
    size = count
    while size > _COARSE:
        group = _gather(size, pairs)
        finer.append((pairs, weight, mass, group))
        less = int(group.max()) + 1
        mass = np.bincount(group, mass, less).astype(np.float64)
        pairs, weight = _merged(np.asarray(group[pairs], dtype=np.int64), weight, less)
        size = less
    side = _side(count)
    place = (_pivots(size, pairs) + (random.random((size, 2)) * 2 - 1) * 0.02) * side
    place = _relax(place, pairs, weight, mass, 120, side * 0.06)
    for number, (ties, weights, masses, group) in enumerate(reversed(finer)):
        place = place[group] + (random.random((len(group), 2)) * 2 - 1) * side * 0.02
        last = number == len(finer) - 1
        place = _relax(place, ties, weights, masses, 10 if last else 24, side * 0.02)
    return place


def _gather(count: int, pairs: Ints) -> Ints:
    """Which group each node joins: that of a neighbour which is the middle of one, or may become it."""
    near = _by_label(np.concatenate([pairs[:, 0], pairs[:, 1]]), count)
    both = np.concatenate([pairs[:, 1], pairs[:, 0]])
    neighbours = [both[rows].tolist() for rows in near]
    degree = [len(some) for some in neighbours]
    middle = [-1] * count
    size = [0] * count
    for node in sorted(range(count), key=degree.__getitem__):
        if middle[node] < 0:
            free = [other for other in neighbours[node] if middle[other] in (-1, other)]
            chosen = min(free, key=lambda other: (size[other], -degree[other], other)) if free else node
            middle[node] = middle[chosen] = chosen
            size[chosen] += 1 if chosen == node else 2 - (size[chosen] > 0)
    return np.asarray(np.unique(np.array(middle), return_inverse=True)[1], dtype=np.int64)


def _merged(pairs: Ints, weight: Floats, count: int) -> tuple[Ints, Floats]:
    """Undirected pairs without loops, each once with the sum of its weights."""
    pairs = np.sort(pairs, axis=1)
    keep = pairs[:, 0] != pairs[:, 1]
    codes, place = np.unique(pairs[keep, 0] * count + pairs[keep, 1], return_inverse=True)
    merged = np.stack([codes // count, codes % count], axis=1)
    return np.asarray(merged, dtype=np.int64), np.bincount(place, weight[keep], len(codes)).astype(np.float64)


def _relax(place: Floats, pairs: Ints, weight: Floats, mass: Floats, steps: int, heat: float) -> Floats:
    """Move all nodes along their forces, in steps that shrink from `heat`."""
    count = len(place)
    push = _push_exact if count <= EXACT else _push_grid
    source, target = pairs[:, 0], pairs[:, 1]
    for step in range(steps):
        force = push(place, mass) * 2.0
        pull = (place[target] - place[source]) * weight[:, None]
        for axis in (0, 1):
            force[:, axis] += np.bincount(source, pull[:, axis], count) - np.bincount(target, pull[:, axis], count)
        force -= place * (mass * 0.06)[:, None]
        length = np.sqrt(force[:, 0] * force[:, 0] + force[:, 1] * force[:, 1]) + 1e-9
        # Nobody moves farther than the temperature, and hubs move as slowly as their weight says.
        limit = heat * (1 - step / steps) + 0.02
        place = place + force * (np.minimum(length / mass, limit) / length)[:, None]
    return place


def _push_exact(place: Floats, mass: Floats) -> Floats:
    """The push of every node on every other; sums run along the first axis, row by row, in a fixed order."""
    dx = place[None, :, 0] - place[:, 0, None]
    dy = place[None, :, 1] - place[:, 1, None]
    weight = mass[:, None] / (dx * dx + dy * dy + 0.05)
    return np.stack([(dx * weight).sum(axis=0) * mass, (dy * weight).sum(axis=0) * mass], axis=1)


def _kernel() -> npt.NDArray[np.complex128]:
    """The transformed push of a unit mass over a grid twice as wide, so that nothing wraps around."""
    line = fft.fftfreq(2 * _GRID) * 2 * _GRID
    distance = line[:, None] ** 2 + line[None, :] ** 2
    distance[0, 0] = 1.0
    return np.stack([fft.rfft2(line[:, None] / distance), fft.rfft2(line[None, :] / distance)])


_KERNEL: list[npt.NDArray[np.complex128]] = []


def _push_grid(place: Floats, mass: Floats) -> Floats:
    """The same push by way of a grid: masses shared out to four cells, convolved, read back from the same four."""
    if not _KERNEL:
        _KERNEL.append(_kernel())
    low = place.min(axis=0)
    cell = float((place.max(axis=0) - low).max()) / (_GRID - 2) + 1e-9
    at = (place - low) / cell
    base = at.astype(np.int64)
    part = at - base
    corners = []
    for i in (0, 1):
        for j in (0, 1):
            share = (part[:, 0] if i else 1 - part[:, 0]) * (part[:, 1] if j else 1 - part[:, 1])
            corners.append(((base[:, 0] + i) * 2 * _GRID + base[:, 1] + j, share))
    grid = np.zeros(4 * _GRID * _GRID)
    for index, share in corners:
        grid += np.bincount(index, share * mass, 4 * _GRID * _GRID)
    shape = (2 * _GRID, 2 * _GRID)
    spectrum = fft.rfft2(grid.reshape(shape))
    force = np.zeros_like(place)
    for axis in (0, 1):
        field = fft.irfft2(spectrum * _KERNEL[0][axis], shape).ravel()
        for index, share in corners:
            force[:, axis] += share * field[index]
    return force * (mass / cell)[:, None]


def _pivots(count: int, pairs: Ints, number: int = 24) -> Floats:
    """A first drawing that already has the large shape right: hop distances to far-apart pivots, in two dimensions."""
    both = np.concatenate([pairs, pairs[:, ::-1]])
    links = coo_array((np.ones(len(both)), (both[:, 0], both[:, 1])), shape=(count, count)).tocsr()
    nearest = np.full(count, np.inf)
    pivot = int(np.bincount(both[:, 0], minlength=count).argmax())
    columns = []
    for _ in range(number):
        hops = csgraph.dijkstra(links, unweighted=True, indices=pivot)
        columns.append(hops * hops)
        nearest = np.minimum(nearest, hops)
        pivot = int(nearest.argmax())
    table = np.stack(columns, axis=1)
    table = table - table.sum(axis=0) / count
    cross = np.stack([(table * table[:, [c]]).sum(axis=0) for c in range(number)])
    first = _leading(cross)
    size = float((first * (cross * first[None, :]).sum(axis=1)).sum())
    second = _leading(cross - size * first[:, None] * first[None, :])
    place = np.stack([(table * axis[None, :]).sum(axis=1) for axis in (first, second)], axis=1)
    return np.asarray(place / (np.abs(place).max(axis=0) + 1e-9), dtype=np.float64)


def _leading(matrix: Floats) -> Floats:
    """The leading eigenvector by power iteration, without LAPACK, whose last digits differ between machines."""
    vector = np.ones(len(matrix)) + np.arange(len(matrix)) / len(matrix)
    for _ in range(100):
        vector = (matrix * vector[None, :]).sum(axis=1)
        vector = vector / (np.sqrt((vector * vector).sum()) + 1e-300)
    return np.asarray(vector, dtype=np.float64)


def _level(place: Floats, aspect: float) -> Floats:
    """Turn the long axis to lie flat, then stretch gently towards the wanted aspect."""
    centred = place - place.sum(axis=0) / len(place)
    xx, yy = (centred * centred).sum(axis=0)
    xy = (centred[:, 0] * centred[:, 1]).sum()
    root = np.sqrt((xx - yy) * (xx - yy) + 4 * xy * xy) + 1e-12
    cosine = np.sqrt(np.maximum((1 + (xx - yy) / root) / 2, 0.0))
    sine = np.sqrt(np.maximum(1 - cosine * cosine, 0.0)) * (1.0 if xy >= 0 else -1.0)
    turned = np.stack(
        [centred[:, 0] * cosine + centred[:, 1] * sine, centred[:, 1] * cosine - centred[:, 0] * sine], axis=1
    )
    extent = turned.max(axis=0) - turned.min(axis=0) + 1e-9
    stretch = np.sqrt(np.minimum(np.maximum(aspect * extent[1] / extent[0], 0.4), 2.5))
    return np.asarray(turned * np.array([stretch, 1 / stretch]), dtype=np.float64)


def _scale(place: Floats, pairs: Ints) -> Floats:
    """Bring the drawing to canvas units: the median edge has the wanted length, and every node its share of room."""
    step = place[pairs[:, 0]] - place[pairs[:, 1]]
    length = np.sort(np.sqrt(step[:, 0] * step[:, 0] + step[:, 1] * step[:, 1]))
    extent = place.max(axis=0) - place.min(axis=0) + 1e-9
    # A chain has no area: count at least a sixth of the square; and a handful needs no more than its edges ask.
    area = np.maximum(extent[0] * extent[1], extent.max() * extent.max() / 6)
    room = np.sqrt(len(place) / area) * SPACING * 1.1 if len(place) > 30 else 0.0
    return np.asarray(place * np.maximum(SPACING * 1.3 / (length[len(length) // 2] + 1e-9), room), dtype=np.float64)


def _spread(place: Floats, degree: Floats) -> Floats:
    """Push overlapping nodes apart, pair by pair, until few are left.

    Large nodes ask for more room, and all for more to the sides than above and below, since labels are wide.
    """
    wide = np.array([1.5, 1.0])
    place = place / wide
    room = np.minimum(20.0 + 2.4 * np.sqrt(degree), 36.0)
    large = len(place) > EXACT
    every, reach = (_ROUNDS, float(room.max()) * 2 * _FARTHER) if large else (1, float(room.max()) * 2)
    found = np.zeros((0, 2), dtype=np.int64)
    for number in range(20 if large else 60):
        if number % every == 0:
            found = cKDTree(place).query_pairs(reach, output_type="ndarray")
            found = found[np.lexsort((found[:, 1], found[:, 0]))]
        first, second = found[:, 0], found[:, 1]
        gap = place[second] - place[first]
        distance = np.sqrt(gap[:, 0] * gap[:, 0] + gap[:, 1] * gap[:, 1])
        missing = room[first] + room[second] - distance
        close = missing > 0.5
        if not close.any():
            break
        first, second, gap, distance, missing = first[close], second[close], gap[close], distance[close], missing[close]
        # Two nodes on one spot part along a direction that depends on which they are.
        gap = np.where(distance[:, None] < 1e-6, np.stack([first % 7 - 3.5, second % 5 - 2.5], axis=1), gap)
        distance = np.sqrt(gap[:, 0] * gap[:, 0] + gap[:, 1] * gap[:, 1])
        shift = gap * (missing * 0.45 / distance)[:, None]
        for axis in (0, 1):
            place[:, axis] += np.bincount(second, shift[:, axis], len(place)) - np.bincount(
                first, shift[:, axis], len(place)
            )
    return np.asarray(place * wide, dtype=np.float64)


def _pack(sizes: Sequence[Floats], aspect: float) -> list[Floats]:
    """Where each rectangle goes, in the strip whose height lets everything be drawn largest."""
    # Labels stand out to the sides of the outermost nodes.
    wide, tall = (1.2, 1.1) if len(sizes) > _MANY else (2.5, 1.6)
    boxes = [(float(width) + SPACING * wide, float(height) + SPACING * tall) for width, height in sizes]
    least = max(max(box[1] for box in boxes), float(np.sqrt(sum(width * height for width, height in boxes) / aspect)))
    tries = [_strip(boxes, least * (1 + step / 20)) for step in range(12 if len(boxes) > 1 else 1)]
    return min(tries, key=lambda found: max(found[1] / aspect, found[2]))[0]


def _strip(boxes: Sequence[tuple[float, float]], height: float) -> tuple[list[Floats], float, float]:
    """Fill a strip from the left, the largest box first, each as far left as it goes; with the width and height."""
    order = sorted(range(len(boxes)), key=lambda i: (-boxes[i][0] * boxes[i][1], i))
    order, islands = (order[:_MANY], order[_MANY:]) if len(order) > _MANY else (order, [])
    skyline = [(0.0, height, 0.0)]  # (top, bottom, how far right it is taken)
    result: list[Floats] = [np.zeros(2)] * len(boxes)
    right = bottom = 0.0
    for index in order:
        wide, tall = boxes[index]
        x, y = min(
            (
                (_reach(skyline, index, top + tall), top)
                for index, (top, _, _) in enumerate(skyline)
                if top + tall <= height + 1e-6
            ),
            default=(0.0, 0.0),
        )
        result[index] = np.array([x, y])
        skyline = _raise(skyline, y, y + tall, x + wide)
        right, bottom = max(right, x + wide), max(bottom, y + tall)
    # The rest is small and much alike: columns hold it as well.
    x, y, widest = right, 0.0, 0.0
    for index in islands:
        wide, tall = boxes[index]
        if y + tall > height + 1e-6:
            x, y, widest = x + widest, 0.0, 0.0
        result[index] = np.array([x, y])
        y, widest = y + tall, max(widest, wide)
        right, bottom = max(right, x + wide), max(bottom, y)
    return result, right, bottom


def _reach(skyline: list[tuple[float, float, float]], first: int, bottom: float) -> float:
    """How far right anything reaches between the top of piece `first` and `bottom`; the pieces are sorted."""
    top, _, reach = skyline[first]
    for low, high, right in islice(skyline, first, None):
        if low >= bottom - 1e-9:
            break
        if right > reach and high > top + 1e-9:
            reach = right
    return reach


def _raise(
    skyline: list[tuple[float, float, float]], top: float, bottom: float, right: float
) -> list[tuple[float, float, float]]:
    """The skyline after ``top..bottom`` is taken up to `right`."""
    kept: list[tuple[float, float, float]] = [(top, bottom, right)]
    for low, high, reach in skyline:
        if low < top:
            kept.append((low, min(high, top), reach))
        if high > bottom:
            kept.append((max(low, bottom), high, reach))
    return sorted(kept)
