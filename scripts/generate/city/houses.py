"""Buildings on the blocks between streets."""

import math
from dataclasses import dataclass

import shapely
from patterns import Pattern
from plane import Random, areas_of, box_at, on_grid, rounded, split
from shapely import Geometry, LineString, Polygon, STRtree


@dataclass
class House:
    """A building with its height in metres."""

    shape: Polygon
    height: int
    name: str = ""


def houses(block: Polygon, pattern: Pattern, chance: Random) -> list[House]:
    """The buildings on a block from which streets and pavements are taken off already."""
    if pattern.kind == "lanes":
        return _rows(block, chance, depth=9, lot=12, floors=(3, 5), gaps=0.03)
    if pattern.kind == "blocks":
        return _rows(block, chance, depth=13, lot=21, floors=(4, 6), gaps=0.05)
    if pattern.kind == "grid":
        return _rows(block.buffer(-1), chance, depth=14, lot=25, floors=(4, 8), gaps=0.06)
    if pattern.kind == "yards":
        return _halls(block, chance)
    return _detached(block, chance)


def _rows(block: Polygon, chance: Random, depth: float, lot: float, floors: tuple[int, int], gaps: float) -> list[House]:
    """Houses wall to wall around a block, and some in its yard."""
    found: list[House] = []
    block = block.simplify(0.8)
    yard = block.buffer(-depth, join_style="mitre", mitre_limit=2.5)
    ring = block.difference(yard)
    cuts = []
    corners = list(block.exterior.coords)
    turn = 1 if block.exterior.is_ccw else -1
    for (x0, y0), (x1, y1) in zip(corners, corners[1:]):
        length = math.dist((x0, y0), (x1, y1))
        if length < 2 * depth:
            continue
        along_x, along_y = (x1 - x0) / length, (y1 - y0) / length
        inward = (-along_y * turn, along_x * turn)
        position = depth + chance.between(0, lot * 0.5)
        while position < length - depth * 0.9:
            x, y = x0 + along_x * position, y0 + along_y * position
            cuts.append(
                LineString(
                    [(x - inward[0] * 0.5, y - inward[1] * 0.5), (x + inward[0] * (depth + 0.5), y + inward[1] * (depth + 0.5))]
                )
            )
            position += lot * chance.between(0.75, 1.35)
    parts = shapely.get_parts(shapely.polygonize(shapely.get_parts(shapely.union_all([ring.boundary, *cuts]))))
    low, high = floors
    for part in sorted(parts, key=lambda part: part.bounds):
        middle = part.representative_point()
        if part.area < 18 or not ring.contains(middle) or chance.chance(gaps):
            continue
        found.append(House(on_grid(part), 3 * int(chance.between(low, high + 1)) + 3))
    for inner in areas_of(yard.buffer(-6), 260):
        for piece in pieces(inner, 420, chance):
            if chance.chance(0.34):
                shrunk = piece.buffer(-3.5, join_style="mitre").simplify(1)
                found += [House(on_grid(area), 3 * int(chance.between(1, 3)) + 1) for area in areas_of(shrunk, 45)]
    return found


def pieces(area: Polygon, largest: float, chance: Random) -> list[Polygon]:
    """An area cut across its longer side until every piece is small enough."""
    done, waiting = [], [area]
    while waiting:
        part = waiting.pop()
        if part.area <= largest:
            done.append(part)
            continue
        frame = part.minimum_rotated_rectangle
        a, b, c, d = list(frame.exterior.coords)[:4]
        if math.dist(a, b) < math.dist(b, c):
            a, b, c, d = b, c, d, a
        share = chance.between(0.4, 0.6)
        first = (a[0] + (b[0] - a[0]) * share, a[1] + (b[1] - a[1]) * share)
        second = (d[0] + (c[0] - d[0]) * share, d[1] + (c[1] - d[1]) * share)
        reach = 0.05
        line = LineString(
            [
                (first[0] - (second[0] - first[0]) * reach, first[1] - (second[1] - first[1]) * reach),
                (second[0] + (second[0] - first[0]) * reach, second[1] + (second[1] - first[1]) * reach),
            ]
        )
        pieces = split(part, line)
        if len(pieces) < 2:
            done.append(part)
        else:
            waiting += pieces
    return done


def _halls(block: Polygon, chance: Random) -> list[House]:
    """Sheds and halls."""
    found = []
    for piece in pieces(block.buffer(-5), chance.between(3000, 6500), chance):
        inner = piece.buffer(-chance.between(6, 11), join_style="mitre").simplify(3)
        for area in areas_of(inner, 250):
            if chance.chance(0.85):
                found.append(House(on_grid(area), 3 * int(chance.between(2, 5))))
    return found


def _detached(block: Polygon, chance: Random) -> list[House]:
    """Houses in gardens along the streets."""
    found: list[House] = []
    taken: list[Polygon] = []
    inner = block.simplify(1.5)
    corners = list(inner.exterior.coords)
    turn = 1 if inner.exterior.is_ccw else -1
    outline = LineString(corners)
    position = chance.between(8, 20)
    while position < outline.length - 8:
        spot = outline.interpolate(position)
        ahead = outline.interpolate(min(outline.length, position + 3))
        angle = math.atan2(ahead.y - spot.y, ahead.x - spot.x)
        width, depth = chance.between(10, 15), chance.between(8.5, 11.5)
        back = chance.between(4, 6.5) + depth / 2
        centre = (spot.x - math.sin(angle) * turn * back, spot.y + math.cos(angle) * turn * back)
        shape: Geometry = box_at(rounded(centre), width, depth, angle)
        if chance.chance(0.3):
            side = (
                centre[0] + math.cos(angle) * width * 0.28 - math.sin(angle) * turn * 4,
                centre[1] + math.sin(angle) * width * 0.28 + math.cos(angle) * turn * 4,
            )
            shape = shape.union(box_at(rounded(side), width * 0.44, depth, angle))
        free = inner.contains(shape) and not any(shape.distance(other) < 3 for other in taken[-60:] + taken[:4])
        if free and isinstance(shape, Polygon):
            taken.append(shape)
            if not chance.chance(0.05):
                found.append(House(on_grid(shape), chance.pick((6, 8))))
        position += width + chance.between(9, 15) if free else 6
    return found


def without(built: list[House], taken: Geometry) -> list[House]:
    """The buildings that touch nothing of what is taken."""
    shapely.prepare(taken)
    return [house for house in built if not taken.intersects(house.shape)]


def numbered(built: list[House], streets: list[tuple[LineString, str]]) -> list[tuple[House, int]]:
    """House numbers: odd ones on the left of the nearest street, counted from its start."""
    tree = STRtree([line for line, _ in streets])
    found = []
    for house in built:
        middle = house.shape.centroid
        nearest = tree.nearest(middle)
        line, name = streets[nearest]
        if not name or line.distance(middle) > 24:
            continue
        distance = line.project(middle)
        a, b = line.interpolate(max(0, distance - 1)), line.interpolate(min(line.length, distance + 1))
        is_left = (b.x - a.x) * (middle.y - a.y) - (b.y - a.y) * (middle.x - a.x) > 0
        found.append((house, 2 * (1 + int(distance / 12)) - (1 if is_left else 0)))
    return found
