"""The world as areas that share their edges, and what is drawn of it at one zoom."""

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, replace
from itertools import pairwise

import shapely
from natural_earth import Area
from shapely import Geometry, MultiLineString, MultiPolygon, Polygon, box
from shapely.affinity import scale, translate

# How far the world is repeated beyond its left and right edge, in worlds; tiles need 64/4096.
REPEATED_WIDTH = 0.06
# Vertices nearer than this are one vertex (20 m at the equator).
SNAP_DISTANCE = 5e-7
# Enclosed gaps narrower than this are the neighbours' disagreement, not water (400 m).
GAP_WIDTH = 1e-5
# Lakes smaller than this (in squared worlds) are left out of the coarse data set.
COARSE_LAKE_AREA = 1e-6
# How often the corners of the lakes that we drew by hand are cut off.
CORNER_CUTS = 2
UNSETTLED_KINDS = {"Indeterminate", "Disputed"}


@dataclass(frozen=True)
class Owner:
    """What an area of the coverage belongs to; `state` is empty where the states are not known."""

    country: str
    state: str
    is_lake: bool
    is_disputed: bool


@dataclass(frozen=True)
class Layers:
    """Everything drawn at one zoom, in units of a 4096th of a tile, on whole numbers."""

    land: Geometry
    lakes: Geometry
    lines: dict[tuple[str, bool], Geometry]


class Model:
    """A coverage: areas without overlaps, with the same vertices on both sides of common edges."""

    def __init__(self, areas: Iterable[tuple[Owner, Geometry]]) -> None:
        self._owners: list[Owner] = []
        shapes = []
        for owner, shape in areas:
            repeated = _polygonal(_repeat(shape))
            if not repeated.is_empty:
                self._owners.append(owner)
                shapes.append(repeated)
        self._shapes = shapely.coverage_clean(shapes, gap_width=GAP_WIDTH, snapping_distance=SNAP_DISTANCE)
        self.lakes = self._lakes()

    @staticmethod
    def fine(countries: list[Area], states: list[Area], lakes: Geometry) -> "Model":
        """Countries of which some are cut into states, which leave their lakes out; and the given lakes."""
        states_of = defaultdict(list)
        for state in states:
            states_of[state.group].append(state)
        covered = shapely.union_all([state.shape for state in states])
        areas = []
        for country in countries:
            parts = states_of.get(country.name, [])
            if parts:
                pieces = _cut_by_states(country, parts, covered)
            else:
                pieces = [(_owner(country), country.shape)]
            for owner, shape in pieces:
                if owner.is_lake or not shape.intersects(lakes):
                    areas.append((owner, shape))
                    continue
                areas.append((owner, shape.difference(lakes)))
                areas.append((replace(owner, is_lake=True), shape.intersection(lakes)))
        return Model(areas)

    @staticmethod
    def coarse(countries: list[Area], lakes: Geometry) -> "Model":
        """Countries only, with the large ones of the given lakes cut out."""
        large = [lake for lake in shapely.get_parts(lakes) if lake.area > COARSE_LAKE_AREA]
        water = shapely.union_all(large)
        areas = []
        for country in countries:
            areas.append((_owner(country), country.shape.difference(water)))
            areas.append((_owner(country, is_lake=True), country.shape.intersection(water)))
        return Model(areas)

    def layers(self, zoom: int, tolerance: float, smallest: float) -> Layers:
        """What is drawn at `zoom`: simplified, and without islands below `smallest` squared.

        The tolerance and the smallest side are in units of a 4096th of a tile.
        """
        units = 4096 * 2**zoom
        shapes = self._shapes
        if tolerance > 0:
            shapes = shapely.coverage_simplify(shapes, tolerance / units)
        dry = [shape for owner, shape in zip(self._owners, shapes, strict=True) if not owner.is_lake]
        land = _on_grid(_enlarged(shapely.union_all(dry), units))
        return Layers(
            _without_specks(land, smallest**2),
            _enlarged(self.lakes, units),
            {key: _merged(found, units) for key, found in self._borders(shapes).items()},
        )

    def _lakes(self) -> Geometry:
        """Water within the land, whether an area of its own or a hole such as the Caspian Sea."""
        wet = [shape for owner, shape in zip(self._owners, self._shapes, strict=True) if owner.is_lake]
        everything = shapely.union_all(self._shapes)
        holes = [Polygon(ring) for part in shapely.get_parts(everything) for ring in part.interiors]
        return shapely.union_all([*wet, *holes])

    def _borders(self, shapes: Iterable[Geometry]) -> dict[tuple[str, bool], list]:
        """The segments that two areas share, by kind and by whether they are disputed."""
        sides = defaultdict(list)
        for owner, shape in zip(self._owners, shapes, strict=True):
            for part in shapely.get_parts(shape):
                for ring in [part.exterior, *part.interiors]:
                    for start, end in pairwise(ring.coords):
                        sides[min(start, end), max(start, end)].append(owner)
        borders = defaultdict(list)
        for segment, owners in sides.items():
            if len(owners) != 2:
                continue
            one, other = owners
            if one.country != other.country:
                borders["country", one.is_disputed or other.is_disputed].append(segment)
            elif one.state != other.state and not (one.is_lake or other.is_lake):
                borders["region", False].append(segment)
        return borders


def _owner(country: Area, state: str = "", is_lake: bool = False) -> Owner:
    return Owner(country.name, state, is_lake, country.kind in UNSETTLED_KINDS)


def _cut_by_states(country: Area, states: list[Area], covered: Geometry) -> list[tuple[Owner, Geometry]]:
    """The states of a country and what they leave free; `covered` is where any state is, as the
    two data sets disagree about a few places on the border.
    """
    areas = [(_owner(country, state.name), state.shape) for state in states]
    for part in shapely.get_parts(country.shape):
        # A part that no state touches is an island that the states' data set lacks; what the
        # states leave free of any other part is a lake, or a sliver that the cleaning removes.
        free = part.difference(covered)
        is_island = free.area > 0.9 * part.area
        areas.append((_owner(country, is_lake=not is_island), _opened(free)))
    return areas


def _opened(shape: Geometry) -> Geometry:
    """`shape` without its parts that are narrower than a gap."""
    parts = shapely.get_parts(shape)
    return shapely.union_all([part for part in parts if not part.buffer(-GAP_WIDTH).is_empty])


def rounded(outlines: Iterable[list[tuple[float, float]]]) -> Geometry:
    """Areas within outlines of few corners in the unit square, with the corners cut off (Chaikin)."""
    areas = []
    for corners in outlines:
        for _ in range(CORNER_CUTS):
            following = [*corners[1:], corners[0]]
            corners = [
                (round(((4 - step) * x + step * next_x) / 4, 9), round(((4 - step) * y + step * next_y) / 4, 9))
                for (x, y), (next_x, next_y) in zip(corners, following, strict=True)
                for step in (1, 3)
            ]
        areas.append(Polygon(corners))
    return shapely.union_all(areas)


def _repeat(shape: Geometry) -> Geometry:
    """The shape, with what lies beyond the antimeridian attached on both sides."""
    window = box(-REPEATED_WIDTH, -0.1, 1 + REPEATED_WIDTH, 1.05)
    copies = [translate(shape, xoff=offset).intersection(window) for offset in (-1, 0, 1)]
    return shapely.union_all(copies)


def _polygonal(shape: Geometry) -> MultiPolygon:
    parts = shapely.get_parts(shape)
    return MultiPolygon([part for part in parts if isinstance(part, Polygon) and not part.is_empty])


def _enlarged(shape: Geometry, units: int) -> Geometry:
    return scale(shape, units, units, origin=(0, 0))


def _on_grid(shape: Geometry) -> Geometry:
    return _polygonal(shapely.set_precision(shape, 1))


def _without_specks(shape: Geometry, smallest_area: float) -> Geometry:
    """Without islands and holes below an area."""
    kept = []
    for part in shapely.get_parts(shape):
        if Polygon(part.exterior).area >= smallest_area:
            rings = [ring for ring in part.interiors if Polygon(ring).area >= smallest_area]
            kept.append(Polygon(part.exterior, rings))
    return MultiPolygon(kept)


def _merged(segments: list, units: int) -> Geometry:
    """Segments on the grid, joined to lines that are as long as possible."""
    rounded = set()
    for segment in segments:
        ends = sorted((round(x * units), round(y * units)) for x, y in segment)
        if ends[0] != ends[1]:
            rounded.add(tuple(ends))
    return shapely.normalize(shapely.line_merge(MultiLineString(sorted(rounded))))
