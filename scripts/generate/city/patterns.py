"""Patterns of streets inside an area that main roads, water or parks enclose."""

import math
from dataclasses import dataclass

import shapely
from plane import Place, Random, areas_of, lines_of, on_grid, rounded, split
from shapely import LineString, Polygon


@dataclass(frozen=True)
class Pattern:
    """How a quarter is laid out; lengths are metres, the angle is in radians.

    `kind` is `lanes` (an old town), `blocks` (irregular, closed fronts), `grid`, `curves` (houses in gardens) or `yards`
    (halls and sheds). `row` and `column` are the sides of a block.
    """

    name: str
    centre: Place
    kind: str
    angle: float = 0
    row: float = 90
    column: float = 150
    #: How far streets swing, and about how far it is from one bend to the next.
    swing: float = 0
    wave: float = 700
    #: What distances from the centre are divided by when the nearest quarter is looked for.
    reach: float = 1.0
    #: Where rows and columns are counted from, if not from the centre: quarters with the same origin go on in each other.
    origin: Place | None = None


@dataclass
class Street:
    """A piece of a street; those with the same `key` have the same name."""

    line: LineString
    key: tuple


def streets(area: Polygon, pattern: Pattern, number: int) -> list[Street]:
    """The streets inside `area`, which end at its edge."""
    chance = Random(number * 7919 + 11)
    if pattern.kind in ("grid", "curves", "yards"):
        return _lattice(area, pattern)
    return _divided(area, pattern, chance, number)


def _lattice(area: Polygon, pattern: Pattern) -> list[Street]:
    """Rows and columns through all areas of a quarter, swinging if they are to."""
    cos, sin = math.cos(pattern.angle), math.sin(pattern.angle)
    origin = pattern.origin or pattern.centre

    def place(u: float, v: float) -> Place:
        swing, wave = pattern.swing, pattern.wave
        u2 = u + swing * math.sin(v / wave * 6.1 + 1.3) + swing * 0.45 * math.sin(v / wave * 12.7 + u / wave * 4)
        v2 = v + swing * math.sin(u / wave * 6.4) + swing * 0.5 * math.sin(u / wave * 11.3 + v / wave * 5.2 + 0.7)
        return rounded((origin[0] + u2 * cos - v2 * sin, origin[1] + u2 * sin + v2 * cos))

    corners = [(x - origin[0], y - origin[1]) for x, y in area.exterior.coords]
    us = [x * cos + y * sin for x, y in corners]
    vs = [-x * sin + y * cos for x, y in corners]
    margin = 1.6 * pattern.swing + 10
    left, right, bottom, top = min(us) - margin, max(us) + margin, min(vs) - margin, max(vs) + margin
    step = 22 if pattern.swing else max(right - left, top - bottom)
    found: list[Street] = []
    rows = range(math.floor(bottom / pattern.row), math.ceil(top / pattern.row) + 1)
    for row in rows:
        line = _sampled(lambda t, v=row * pattern.row: place(t, v), left, right, step)
        found += _inside(area, line, ("row", origin, row))
    if pattern.kind == "grid":
        columns = range(math.floor(left / pattern.column), math.ceil(right / pattern.column) + 1)
        for column in columns:
            line = _sampled(lambda t, u=column * pattern.column: place(u, t), bottom, top, step)
            found += _inside(area, line, ("column", origin, column))
        return found
    for row in rows:
        chance = Random(row * 65_537 + len(pattern.name) * 101 + round(pattern.centre[0]))
        offset = chance.between(0, pattern.column)
        first = math.floor((left - offset) / pattern.column)
        last = math.ceil((right - offset) / pattern.column)
        for column in range(first, last + 1):
            inner = Random(row * 65_537 + column * 257 + len(pattern.name))
            u = offset + (column + inner.between(-0.22, 0.22)) * pattern.column
            is_close = pattern.kind == "curves" and inner.chance(0.24)
            end = (row + (0.58 if is_close else 1)) * pattern.row
            if inner.chance(0.12) and not is_close:
                continue
            line = _sampled(lambda t, u=u: place(u, t), row * pattern.row, end, 14)
            key = ("close" if is_close else "cross", origin, row, column)
            found += _inside(area, line, key)
    return found


def _sampled(place, start: float, end: float, step: float) -> LineString:
    count = max(1, math.ceil((end - start) / step))
    return LineString([place(start + (end - start) * part / count) for part in range(count + 1)])


def _inside(area: Polygon, line: LineString, key: tuple) -> list[Street]:
    """The parts of a line in an area that do not only run along its edge."""
    core = area.buffer(-24)
    found = []
    for part in lines_of(line.intersection(area)):
        if part.length > 28 and part.intersection(core).length > 0.4 * part.length:
            found.append(Street(on_grid(part), key))
    return found


def _divided(area: Polygon, pattern: Pattern, chance: Random, number: int) -> list[Street]:
    """Streets that halve an area until blocks are small enough, each ending at older ones."""
    found: list[Street] = []
    open_areas = [area]
    largest = pattern.row * pattern.column
    while open_areas:
        part = open_areas.pop()
        if part.area < largest * chance.between(0.85, 1.5):
            continue
        cut = _cut(part, pattern, chance)
        pieces = areas_of(shapely.GeometryCollection(split(part, cut)), 40) if cut else []
        if len(pieces) < 2:
            continue
        for inside in lines_of(cut.intersection(part)):
            found.append(Street(on_grid(inside), ("cut", pattern.name, number, len(found))))
        open_areas += sorted(pieces, key=lambda piece: piece.area)
    return found


def _cut(part: Polygon, pattern: Pattern, chance: Random) -> LineString | None:
    """A line across the short side of an area, near its middle."""
    frame = part.minimum_rotated_rectangle
    if not isinstance(frame, Polygon):
        return None
    a, b, c, _ = list(frame.exterior.coords)[:4]
    if math.dist(a, b) < math.dist(b, c):
        a, b, c = b, c, (a[0] + c[0] - b[0], a[1] + c[1] - b[1])
    # a–b is the long side, b–c the short one.
    share = chance.between(0.38, 0.62)
    tilt = chance.between(-0.06, 0.06) if pattern.kind == "blocks" else chance.between(-0.14, 0.14)
    ends = []
    for side, lean in ((0.0, -tilt), (1.0, tilt)):
        x = a[0] + (b[0] - a[0]) * (share + lean) + (c[0] - b[0]) * side
        y = a[1] + (b[1] - a[1]) * (share + lean) + (c[1] - b[1]) * side
        ends.append((x, y))
    (x0, y0), (x1, y1) = ends
    length = math.dist(*ends)
    reach = 0.02
    points = [(x0 - (x1 - x0) * reach, y0 - (y1 - y0) * reach)]
    if pattern.swing:
        bends = max(1, round(length / 55))
        for bend in range(1, bends + 1):
            t = bend / (bends + 1)
            off = chance.between(-pattern.swing, pattern.swing) * min(1, length / 120)
            points.append((x0 + (x1 - x0) * t - (y1 - y0) / length * off, y0 + (y1 - y0) * t + (x1 - x0) / length * off))
    points.append((x1 + (x1 - x0) * reach, y1 + (y1 - y0) * reach))
    return on_grid(LineString([rounded(point) for point in points]))
