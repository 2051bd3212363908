"""The city as features of tiles: what is in which layer, with which attributes, from which zoom on."""

from dataclasses import dataclass, replace

import names
import network
import shapely
from byways import paths, service_ways
from city import City
from houses import numbered, pieces
from network import KIND_OF, Way
from places import labels
from plane import Random, areas_of, box_at, curve, lines_of, merged, on_grid
from quarters import FARMED, NUMBERED
from shapely import Geometry, LineString, Point, Polygon
from sites import SQUARES

#: The lowest zoom at which a way is in the tiles.
FIRST_ZOOMS = {
    "motorway": 8,
    "primary": 9,
    "secondary": 10,
    "tertiary": 11,
    "motorway_link": 12,
    "residential": 12,
    "living_street": 13,
    "pedestrian": 13,
    "service": 13,
    "footway": 15,
    "path": 15,
    "rail": 10,
    "ferry": 9,
    "runway": 10,
    "taxiway": 12,
}
#: Grounds with paths of their own.
WALKED = ("park", "wood", "cemetery", "golf_course", "nature_reserve", "zoo", "garden")
#: Sports grounds: middle, angle, length and width.
PITCHES = [
    (-1590, 160, 0.1, 100, 64),
    (-1480, 160, 0.1, 90, 60),
    (890, 645, -0.5, 105, 68),
    (-1720, -308, -0.1, 60, 34),
    (-612, -1100, 0.9, 46, 26),
    (1048, -512, 0.17, 52, 32),
    (-776, 1680, 0.5, 60, 32),
]
#: Streets that are named from near by only.
MINOR = ("residential", "living_street")


@dataclass
class Feature:
    """Something that is drawn, in metres; `order` sorts those of a layer."""

    layer: str
    shape: Geometry
    attributes: dict[str, str | int | bool]
    first_zoom: int
    last_zoom: int = 15
    order: int = 0


class Features:
    """Everything that is drawn of a city."""

    def __init__(self, city: City) -> None:
        self.all: list[Feature] = []
        self.land = city.ground.land
        self._city = city
        self._collect()

    def _add(self, layer: str, shape: Geometry, attributes: dict, first: int, last: int = 15, order: int = 0) -> None:
        if not shape.is_empty:
            self.all.append(Feature(layer, shape, attributes, first, last, order))

    def _collect(self) -> None:
        self._collect_ground()
        self._collect_ways()
        self._collect_houses()
        for layer, place, attributes, first in labels():
            self._add(layer, Point(place), attributes, first)

    def _collect_ground(self) -> None:
        uses: dict[str, list[Geometry]] = {"industrial": [], "residential": []}
        for block, pattern in self._city.blocks:
            use = "industrial" if pattern.kind == "yards" else "residential"
            uses[use].append(block.buffer(12, quad_segs=2))
        for use, blocks in uses.items():
            shape = shapely.union_all(blocks).simplify(3).intersection(self.land)
            self._add("landuse", on_grid(shape, 1), {"kind": use}, 8)
        self._collect_country(shapely.union_all([block for blocks in uses.values() for block in blocks]))
        for site in self._city.sites:
            first = 9 if site.shape.area > 150_000 else 11 if site.shape.area > 40_000 else 12
            shape = on_grid(site.shape.intersection(self.land))
            self._add("landuse", shape, {"kind": site.kind}, first)
        for square in SQUARES.values():
            self._add("landuse", square, {"kind": "pedestrian"}, 13)
        self._collect_pitches()
        water = [("river", "River Null", self._city.ground.river, 8)]
        water += [("lake", name, shape, 9) for name, shape in self._city.ground.lakes.items()]
        water += [("water", name, shape, 12) for name, shape in self._city.ponds]
        for kind, _, shape, first in water:
            self._add("water", shape, {"kind": kind}, first)
        self._add("water", self._city.ground.course, {"kind": "river", **names.attributes("River Null")}, 11)
        for name, line in self._city.ground.streams.items():
            self._add("water", line, {"kind": "stream", "name": name}, 12)

    def _collect_country(self, city: Geometry) -> None:
        """Fields and heath around the city."""
        taken = [site.shape for site in self._city.sites] + [city.buffer(6), self._city.ground.water.buffer(6)]
        taken += [way.line.buffer(11) for way in self._city.main]
        taken += [way.line.buffer(30) for way in self._city.motorway if way.level == 0]
        free = self._city.ground.natural.buffer(-6).difference(shapely.union_all(taken))
        farmed = free.buffer(-14).buffer(8).intersection(Polygon(curve(FARMED, closed=True)))
        chance = Random(51)
        fields: dict[str, list[Geometry]] = {}
        for area in areas_of(farmed, 4000):
            for piece in pieces(area, 26_000, chance):
                kind = chance.pick(("farmland", "farmland", "farmland", "meadow", "orchard", "grass"))
                fields.setdefault(kind, []).append(piece.buffer(-3.5, join_style="mitre"))
        for kind, areas in sorted(fields.items()):
            self._add("landuse", on_grid(shapely.union_all(areas)), {"kind": kind}, 9)
        islets = [area.buffer(-7) for area in areas_of(self.land) if area.area < 60_000]
        heath = shapely.union_all([free.difference(farmed.buffer(9)).buffer(-5).buffer(5).simplify(3), *islets])
        self._add("landuse", on_grid(shapely.MultiPolygon(areas_of(heath, 2500))), {"kind": "heath"}, 9)

    def _collect_pitches(self) -> None:
        for x, y, angle, width, depth in PITCHES:
            self._add("landuse", box_at((x, y), width, depth, angle), {"kind": "pitch"}, 13)

    def _ways(self) -> list[Way]:
        """All ways, cut into what lies on the ground, on bridges and in tunnels."""
        city = self._city
        streams = [line.buffer(4) for line in city.ground.streams.values()]
        rivers = shapely.union_all([city.ground.river.buffer(4), *streams])
        tracks = shapely.union_all([way.line.buffer(5) for way in city.rails])
        roads = shapely.union_all([way.line.buffer(6) for way in city.main])
        shore = self.land.union(rivers).buffer(-3)
        found: list[Way] = []
        for way in city.main:
            for line in lines_of(way.line.intersection(shore)):
                found += network.raised(replace(way, line=line), rivers.union(tracks), 14)
        for way in city.motorway:
            below = shapely.union_all([rivers, roads, tracks]) if way.detail == "motorway" else rivers
            found += network.raised(way, below, 16)
        for way in city.rails:
            found += network.raised(way, rivers, 14)
        squares = shapely.union_all([square.buffer(1) for square in SQUARES.values()])
        for way in city.streets:
            found += [replace(way, line=part) for part in lines_of(way.line.difference(squares))]
        chance = Random(3)
        water = shapely.union_all([city.ground.water, *(pond for _, pond in city.ponds)])
        for site in city.sites:
            if site.kind in WALKED:
                found += paths(site, chance, water)
        return found + service_ways(city.ground.river) + network.ferries()

    def _collect_ways(self) -> None:
        grouped: dict[tuple, list[LineString]] = {}
        for way in self._ways():
            first = way.first_zoom or FIRST_ZOOMS[way.detail]
            zooms = [(first, way.last_zoom, way.name)]
            if way.detail in MINOR:
                # Far away they have no names, and short ones are left out.
                zooms = [(14, 15, way.name), (13, 13, "")]
                if way.line.length > 170 and first == 12:
                    zooms.append((12, 12, ""))
            for first, last, name in zooms:
                key = (first, last, way.detail, name, way.level, tuple(sorted(way.more.items())))
                grouped.setdefault(key, []).append(way.line)
        for (first, last, detail, name, level, more), lines in sorted(grouped.items()):
            attributes = {"kind": KIND_OF[detail], "kind_detail": detail, **dict(more)}
            if detail == "motorway_link":
                attributes["is_link"] = True
            if level:
                attributes["is_bridge" if level > 0 else "is_tunnel"] = True
            shape = shapely.MultiLineString(merged(lines))
            self._add("roads", shape, attributes | names.attributes(name), first, last)

    def _collect_houses(self) -> None:
        for house in self._city.built:
            attributes: dict[str, str | int | bool] = {"kind": "building", "height": house.height}
            if house.name:
                attributes["name"] = house.name
            self._add("buildings", house.shape, attributes, 15)
        # Far away, houses that touch are one shape, and nobody sees how high they are.
        large = [house.shape for house in self._city.built if house.shape.area > 75]
        together = shapely.union_all([shape.buffer(0.2, join_style="mitre") for shape in large])
        for area in sorted(areas_of(on_grid(together.simplify(0.8), 0.5), 40), key=lambda area: area.bounds):
            self._add("buildings", area, {"kind": "building"}, 14, 14)
        lines = [(way.line, way.name) for way in [*self._city.streets, *self._city.main]]
        plain = [house for house in self._city.built if not house.name and NUMBERED.contains(house.shape)]
        for house, number in numbered(plain, lines):
            attributes = {"kind": "address", "addr_housenumber": str(number)}
            self._add("buildings", house.shape.representative_point(), attributes, 15)
