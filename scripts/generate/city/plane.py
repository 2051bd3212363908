"""Geometry in metres around latitude 0, longitude 0: x to the east, y to the north."""

import math
from collections.abc import Iterable, Sequence

import shapely
from shapely import Geometry, LineString, MultiLineString, Point, Polygon
from shapely.ops import polygonize, substring

Place = tuple[float, float]

# Radius of the Earth in the projection, times 2π: the side of the whole map in metres at the equator.
WORLD_SIDE = 40_075_016.685578488


class Random:
    """Numbers that follow from a seed alone (SplitMix64), the same on every machine."""

    def __init__(self, seed: int) -> None:
        self._state = seed & 0xFFFF_FFFF_FFFF_FFFF

    def unit(self) -> float:
        """At least 0, less than 1."""
        self._state = self._state + 0x9E37_79B9_7F4A_7C15 & 0xFFFF_FFFF_FFFF_FFFF
        mixed = self._state
        mixed = (mixed ^ mixed >> 30) * 0xBF58_476D_1CE4_E5B9 & 0xFFFF_FFFF_FFFF_FFFF
        mixed = (mixed ^ mixed >> 27) * 0x94D0_49BB_1331_11EB & 0xFFFF_FFFF_FFFF_FFFF
        return ((mixed ^ mixed >> 31) >> 11) / (1 << 53)

    def between(self, low: float, high: float) -> float:
        return low + (high - low) * self.unit()

    def chance(self, share: float) -> bool:
        return self.unit() < share

    def pick(self, values: Sequence):
        return values[int(self.unit() * len(values))]


def rounded(place: Place) -> Place:
    """On a grid of a decimetre, so that the last bits of a machine's arithmetic have no effect."""
    return (round(place[0], 1), round(place[1], 1))


def curve(points: Sequence[Place], closed: bool = False, step: float = 25) -> list[Place]:
    """A smooth line through the points (Catmull-Rom), with a corner about every `step` metres."""
    count = len(points)
    at = (lambda i: points[i % count]) if closed else (lambda i: points[max(0, min(count - 1, i))])
    found = []
    for index in range(count if closed else count - 1):
        before, start, end, after = (at(index + offset) for offset in (-1, 0, 1, 2))
        parts = max(1, math.ceil(math.dist(start, end) / step))
        for part in range(parts):
            t = part / parts
            found.append(
                rounded(
                    tuple(
                        0.5 * (2 * b + (c - a) * t + (2 * a - 5 * b + 4 * c - d) * t * t + (3 * b - a - 3 * c + d) * t**3)
                        for a, b, c, d in zip(before, start, end, after, strict=True)
                    )
                )
            )
    if not closed:
        found.append(rounded(points[-1]))
    return found


def rough(ring: Sequence[Place], chance: Random, shortest: float, height: float) -> list[Place]:
    """A ring whose sides are broken in the middle until they are shorter than `shortest` metres."""
    found = list(ring)
    while True:
        following = [*found[1:], found[0]]
        if all(math.dist(a, b) <= shortest for a, b in zip(found, following, strict=True)):
            return found
        finer = []
        for a, b in zip(found, following, strict=True):
            finer.append(a)
            if math.dist(a, b) > shortest:
                shift = chance.between(-height, height)
                finer.append(rounded(((a[0] + b[0]) / 2 + (b[1] - a[1]) * shift, (a[1] + b[1]) / 2 - (b[0] - a[0]) * shift)))
        found = finer


def blob(centre: Place, radii: Place, chance: Random, corners: int = 11, unrest: float = 0.18) -> Polygon:
    """An area that is about an ellipse."""
    ring = []
    for corner in range(corners):
        angle = 2 * math.pi * corner / corners
        scale = chance.between(1 - unrest, 1 + unrest)
        ring.append((centre[0] + radii[0] * scale * math.cos(angle), centre[1] + radii[1] * scale * math.sin(angle)))
    return Polygon(curve(ring, closed=True, step=12)).buffer(0)


def box_at(centre: Place, width: float, depth: float, angle: float) -> Polygon:
    """A rectangle turned by `angle` in radians."""
    cos, sin = math.cos(angle), math.sin(angle)
    return Polygon(
        rounded((centre[0] + x * cos - y * sin, centre[1] + x * sin + y * cos))
        for x, y in ((-width / 2, -depth / 2), (width / 2, -depth / 2), (width / 2, depth / 2), (-width / 2, depth / 2))
    )


def lines_of(shape: Geometry) -> list[LineString]:
    """The lines of a shape that is one, several or none."""
    return [part for part in shapely.get_parts(shape) if isinstance(part, LineString) and part.length > 0]


def areas_of(shape: Geometry, smallest: float = 0) -> list[Polygon]:
    """The areas of a shape that are larger than `smallest` square metres."""
    return [part for part in shapely.get_parts(shape) if isinstance(part, Polygon) and part.area > smallest]


def merged(lines: Iterable[Geometry]) -> list[LineString]:
    """Lines that meet at their ends joined to longer ones."""
    parts = [part for line in lines for part in lines_of(line)]
    return lines_of(shapely.line_merge(MultiLineString(parts))) if parts else []


def on_grid(shape: Geometry, side: float = 0.1) -> Geometry:
    """Corners on a grid of decimetres."""
    return shapely.set_precision(shape, side)


def faces(lines: Iterable[Geometry]) -> list[Polygon]:
    """The areas between lines, in an order that does not depend on the order of the lines."""
    noded = shapely.union_all(list(lines), grid_size=0.1)
    return sorted(polygonize(lines_of(noded)), key=place_order)


def place_order(shape: Geometry) -> tuple:
    """From the south-west to the north-east."""
    return tuple(round(bound, 1) for bound in shape.bounds) + (round(shape.area, 1),)


def along(line: LineString, start: float, end: float) -> LineString:
    """The part of a line between two distances from its start, held to the line."""
    return substring(line, max(0, start), min(line.length, end))


def direction(line: LineString, distance: float) -> Place:
    """The unit vector along the line there."""
    a = line.interpolate(max(0, distance - 2))
    b = line.interpolate(min(line.length, distance + 2))
    length = math.dist((a.x, a.y), (b.x, b.y)) or 1
    return ((b.x - a.x) / length, (b.y - a.y) / length)


def beside(line: LineString, distance: float, offset: float) -> Place:
    """A point `offset` metres to the left of the line."""
    point: Point = line.interpolate(max(0, min(line.length, distance)))
    x, y = direction(line, distance)
    return rounded((point.x - y * offset, point.y + x * offset))


def split(area: Polygon, line: LineString) -> list[Polygon]:
    """The parts of an area on the sides of a line."""
    noded = shapely.union_all([area.boundary, line])
    return [part for part in polygonize(lines_of(noded)) if area.covers(part.representative_point())]
