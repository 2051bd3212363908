"""The city in metres: ground, streets, blocks and buildings."""

import names
import network
import shapely
from houses import House, houses, without
from network import Way
from patterns import Pattern, Street, streets
from plane import Random, areas_of, box_at, curve, faces, merged, on_grid
from quarters import BUILT_UP, OLD_TOWN, OLD_TOWN_STREETS, QUARTERS
from shapely import Geometry, LineString, Point, Polygon
from sites import SQUARES, fortifications, landmarks, ponds, sites
from terrain import Terrain, terrain

#: Half the width of a street with its pavements by the kind of quarter, in metres.
HALF_WIDTHS = {"lanes": 2.6, "blocks": 7.5, "grid": 8.5, "curves": 6.5, "yards": 8}
#: Widths of ways that houses keep clear of.
CLEARANCES = {"motorway": 22, "motorway_link": 12, "primary": 12.5, "secondary": 11, "tertiary": 9.5, "rail": 9}


class City:
    """Builds everything in the order in which one thing depends on another."""

    def __init__(self) -> None:
        self.ground: Terrain = terrain()
        self._names = names.StreetNames()
        self.sites = sites(self.ground)
        roads = network.arterials()
        self.motorway = network.motorway(roads)
        self.rails = network.rails()
        self.ponds = self._park_ponds()
        self.main = roads
        self.streets: list[Way] = []
        self.blocks: list[tuple[Polygon, Pattern]] = []
        self._lay_old_town()
        self._lay_quarters()
        self.built = self._build_houses()

    def _park_ponds(self) -> list[tuple[str, Geometry]]:
        chance = Random(23)
        return [pond for site in self.sites for pond in ponds(site, chance)]

    def _lay_old_town(self) -> None:
        wall = network.wall()
        inner = on_grid(wall.buffer(-13, join_style="mitre"))
        lines = []
        for name, points in OLD_TOWN_STREETS.items():
            line = LineString(curve(points, step=18))
            detail = "pedestrian" if name in ("North Gate Street", "Harbour Street") else "residential"
            self.streets.append(Way(line, detail, name))
            lines.append(line)
        ring = LineString(inner.exterior.coords)
        self.streets.append(Way(ring, "living_street", "Under the Wall"))
        lines.append(ring)
        for number, sector in enumerate(faces(lines)):
            if inner.contains(sector.representative_point()):
                self._fill(sector, OLD_TOWN, number, "living_street")

    def _lay_quarters(self) -> None:
        edges = [way.line for way in self.main]
        free = self._free_ground()
        lines = [free.boundary, *edges]
        main = shapely.union_all(edges).buffer(1.5)
        borders: list[Geometry] = []
        for number, area in enumerate(faces(lines)):
            if area.area < 5000 or not free.contains(area.representative_point()):
                continue
            middle = area.representative_point()
            pattern = min(QUARTERS, key=lambda each: middle.distance(Point(each.centre)) / each.reach)
            self._fill(area, pattern, 100 + number, "residential")
            border = area.boundary.difference(main)
            borders += [part for part in merged([border]) if part.length > 70]
        for number, border in enumerate(merged([on_grid(shapely.union_all(borders))])):
            name = self._names.name(("edge", number), "curves") if border.length > 220 else ""
            self.streets.append(Way(border.simplify(1), "residential", name))

    def _free_ground(self) -> Geometry:
        """Where streets of quarters may be: dry, within the city, and on nobody's ground."""
        taken = [site.shape.buffer(9, quad_segs=3) for site in self.sites if site.closed]
        taken.append(network.boulevard())
        taken.append(self.ground.water.buffer(17, quad_segs=3))
        taken += [line.buffer(17, quad_segs=3) for line in self.ground.streams.values()]
        tunnel = [way.line for way in self.motorway if way.level < 0]
        taken += [way.line.buffer(26, quad_segs=3) for way in self.motorway if way.level == 0]
        taken += [line.buffer(12) for line in tunnel]
        taken += [way.line.buffer(19, quad_segs=3) for way in self.rails]
        built_up = shapely.union_all([Polygon(curve(ring, closed=True)).buffer(0) for ring in BUILT_UP])
        dry = shapely.union_all(
            [
                self.ground.natural.buffer(-34).buffer(-20).buffer(20),
                self.ground.natural.buffer(-22).intersection(box_at((120, -780), 1500, 900, 0.0)),
            ]
        )
        free = built_up.intersection(dry).difference(shapely.union_all(taken))
        return on_grid(free.buffer(-12).buffer(12).simplify(3))

    def _fill(self, area: Polygon, pattern: Pattern, number: int, detail: str) -> None:
        """Streets and blocks of one area."""
        found: list[Street] = streets(area, pattern, number)
        for street in found:
            name = self._names.name(street.key, pattern.kind)
            self.streets.append(Way(street.line, detail, name))
        plots = faces([area.boundary, *(street.line for street in found)])
        half = HALF_WIDTHS[pattern.kind]
        near = [street.line.buffer(half, cap_style="flat") for street in found]
        roads = shapely.union_all(near) if near else Polygon()
        for block in plots:
            if block.area > 200 and area.contains(block.representative_point()):
                for plot in areas_of(block.buffer(-half, join_style="mitre", mitre_limit=2).difference(roads), 60):
                    self.blocks.append((plot, pattern))

    def _build_houses(self) -> list[House]:
        chance = Random(77)
        kept_free = [site.shape for site in self.sites if site.closed]
        kept_free += [square.buffer(1) for square in SQUARES.values()]
        special = [*landmarks(), *fortifications()]
        kept_free += [shape.buffer(4) for shape, _, _ in special]
        kept_free += [pond.buffer(4) for _, pond in self.ponds]
        for way in [*self.main, *self.motorway, *self.rails]:
            if way.level >= 0:
                kept_free.append(way.line.buffer(CLEARANCES[way.detail], quad_segs=2))
        kept_free += [
            way.line.buffer(4.5 if way.detail == "pedestrian" else 3.2)
            for way in self.streets
            if way.detail in ("pedestrian", "living_street")
        ]
        taken = shapely.union_all(kept_free)
        built: list[House] = []
        for block, pattern in sorted(self.blocks, key=lambda each: each[0].bounds):
            for plot in areas_of(block.difference(taken), 90):
                built += houses(Polygon(plot.exterior), pattern, chance)
        built = without(built, taken.buffer(-1))
        for shape, height, name in special:
            built += [House(area, height, name) for area in areas_of(shape)]
        return built
