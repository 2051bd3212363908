"""Grounds that are drawn by hand: parks, woods, schools, hospitals, the port, the airport."""

import math
from dataclasses import dataclass

import shapely
from network import boulevard, wall
from plane import Place, Random, areas_of, blob, box_at, curve, lines_of, on_grid, rough
from quarters import OLD_TOWN_STREETS
from shapely import Geometry, LineString, Polygon
from terrain import Terrain


@dataclass
class Site:
    """A piece of ground with one use. Streets go around it if it is `closed`."""

    kind: str
    shape: Geometry
    name: str = ""
    closed: bool = True
    translations: dict[str, str] | None = None


def smooth(*points: Place) -> Polygon:
    return Polygon(curve(points, closed=True)).buffer(0)


def wild(seed: int, *points: Place) -> Polygon:
    """An area whose edge nobody planned."""
    chance = Random(seed)
    return Polygon(rough(curve(rough(points, chance, 200, 0.16), closed=True, step=60), chance, 30, 0.2)).buffer(0)


def sites(terrain: Terrain) -> list[Site]:
    """All of them, the lowest first; what is cut by roads and water is cut later."""
    found = [
        Site(
            "wood",
            wild(
                31,
                (-1980, 880),
                (-1700, 730),
                (-1320, 640),
                (-960, 830),
                (-720, 1000),
                (-620, 1330),
                (-900, 1620),
                (-1400, 1700),
                (-1850, 1480),
                (-2080, 1180),
            ),
            "Beacon Wood",
        ),
        Site(
            "wood", wild(32, (1720, 1820), (2080, 1640), (2420, 1560), (2580, 1420), (2380, 1290), (1990, 1420)), "North Copse"
        ),
        Site("wood", wild(33, (-2760, 260), (-2560, 220), (-2430, 480), (-2560, 800), (-2760, 660)), "West Wood"),
        Site(
            "golf_course",
            smooth(
                (-1480, -1440), (-1270, -1530), (-1240, -1760), (-1440, -1900), (-1700, -1860), (-1900, -1690), (-1830, -1500)
            ),
            "Cape Golf Links",
        ),
        Site(
            "park",
            smooth(
                (-270, 470), (-60, 440), (150, 450), (300, 560), (400, 700), (420, 800), (230, 800), (-210, 800), (-265, 650)
            ),
            "City Park",
        ),
        Site("park", box_at((905, 50), 330, 215, 0.17), "Grand Park"),
        Site("park", smooth((-1210, -640), (-1060, -610), (-1010, -760), (-1090, -900), (-1190, -860)), "West Garden"),
        Site("garden", smooth((330, -590), (460, -600), (520, -660), (420, -700), (340, -690)), "Harbour Garden"),
        Site("nature_reserve", wild(34, (1660, 1300), (1880, 1130), (2080, 1170), (2060, 1330), (1860, 1370)), "Fen Reserve"),
        Site("cemetery", box_at((-880, 480), 240, 170, 0.55), "West Cemetery"),
        Site("cemetery", box_at((1390, 930), 150, 200, -0.75), "Lake Road Cemetery"),
        Site("hospital", box_at((-1010, -30), 210, 230, 0.05), "Island Hospital"),
        Site("university", box_at((455, 210), 260, 170, 0.02), "University of Null Island"),
        Site("university", box_at((880, 350), 260, 130, 0.17)),
        Site("stadium", box_at((890, 645), 240, 190, -0.5), "Island Stadium"),
        Site("pitch", box_at((-1540, 160), 240, 170, 0.1), "Westfield Sports Ground"),
        Site("school", box_at((-640, -1080), 130, 110, 0.9), "Cape School"),
        Site("school", box_at((1010, -520), 150, 105, 0.17), "Eastgate School"),
        Site("school", box_at((-760, 1700), 150, 110, 0.5), "Northfield School"),
        Site("school", box_at((-1720, -280), 150, 120, -0.1), "Westfield School"),
        Site("allotments", box_at((-1450, 300), 260, 90, 0.22)),
        Site("allotments", box_at((1380, 620), 120, 200, -0.6)),
        Site("zoo", smooth((120, 1330), (300, 1280), (420, 1330), (410, 1480), (210, 1540), (90, 1450)), "Island Zoo"),
        Site(
            "aerodrome",
            Polygon(
                [
                    (2110, -560),
                    (2300, -780),
                    (2740, -640),
                    (2850, -330),
                    (2830, 420),
                    (2770, 960),
                    (2500, 1000),
                    (2370, 560),
                    (2120, 330),
                    (2090, 60),
                ]
            ),
            "Null Island Airport",
        ),
        Site("railway", LineString([(-760, 392), (-450, 338), (-140, 334)]).buffer(38, cap_style="flat"), ""),
        Site("railway", LineString([(1290, -860), (1120, -1050), (1070, -1260)]).buffer(52, cap_style="flat"), ""),
        Site(
            "industrial",
            Polygon(
                [
                    (880, -800),
                    (600, -860),
                    (600, -1030),
                    (780, -1080),
                    (780, -1160),
                    (600, -1210),
                    (600, -1470),
                    (1000, -1520),
                    (1180, -1450),
                    (1120, -1280),
                    (1060, -1080),
                    (1230, -900),
                    (1130, -850),
                ]
            ),
            "Container Port",
        ),
        Site("industrial", smooth((1640, -760), (1900, -700), (1980, -430), (1700, -330)), "", False),
    ]
    found.append(Site("beach", _shore(terrain, (-2160, -1540), 420, 34), "West Beach"))
    found.append(Site("beach", _shore(terrain, (0, 1960), 330, 26), "North Sands"))
    found.append(Site("beach", _shore(terrain, (2200, -1230), 260, 24), "South Sands"))
    belt = boulevard().buffer(-9).difference(wall().buffer(7)).difference(box_at((-180, -880), 560, 160, 0.42))
    found.append(Site("park", belt, "Wall Gardens"))
    return found


def _shore(terrain: Terrain, centre: Place, reach: float, depth: float) -> Geometry:
    """A strip of land by the sea."""
    disc = shapely.Point(centre).buffer(reach)
    coast = shapely.union_all([*lines_of(terrain.natural.boundary)])
    strip = coast.intersection(disc).buffer(depth)
    return strip.intersection(terrain.natural)


#: Squares: places where nothing is built.
SQUARES = {
    "Market Square": Polygon([(-475, -470), (-378, -482), (-365, -395), (-452, -378)]),
    "Cathedral Close": Polygon([(-330, -330), (-222, -345), (-208, -262), (-318, -250)]),
    "Fish Market": Polygon([(-255, -655), (-190, -660), (-180, -610), (-248, -600)]),
    "Castle Yard": Polygon([(-725, -370), (-640, -385), (-628, -300), (-700, -285)]),
    "Station Square": Polygon([(-510, 245), (-390, 243), (-390, 290), (-510, 292)]),
    "University Square": Polygon([(690, 120), (760, 130), (750, 185), (682, 175)]),
    "Ferry Square": Polygon([(-60, -822), (30, -800), (40, -765), (-50, -775)]),
    "Republic Square": Polygon([(945, -330), (1035, -315), (1027, -262), (937, -277)]),
}


def landmarks() -> list[tuple[Polygon, int, str]]:
    """Buildings with a form of their own, with heights in metres and names."""

    def cross(centre: Place, length: float, angle: float) -> Geometry:
        cos, sin = math.cos(angle), math.sin(angle)
        nave = box_at(centre, length, length * 0.3, angle)
        arm = (centre[0] + cos * length * 0.18, centre[1] + sin * length * 0.18)
        apse = shapely.Point(centre[0] + cos * length / 2, centre[1] + sin * length / 2).buffer(length * 0.15, quad_segs=3)
        return shapely.union_all([nave, box_at(arm, length * 0.24, length * 0.62, angle), apse])

    def court(centre: Place, width: float, depth: float, angle: float, wing: float) -> Geometry:
        return box_at(centre, width, depth, angle).difference(box_at(centre, width - 2 * wing, depth - 2 * wing, angle))

    stadium = shapely.Point(0, 0).buffer(1, quad_segs=6)
    bowl = shapely.affinity.rotate(shapely.affinity.scale(stadium, 95, 72), -28, origin=(0, 0))
    hollow = shapely.affinity.rotate(shapely.affinity.scale(stadium, 62, 42), -28, origin=(0, 0))
    found = [
        (cross((-268, -297), 78, 0.12), 31, "Cathedral"),
        (cross((-560, -560), 40, 0.4), 18, "St Brendan's Church"),
        (cross((-160, -480), 36, -0.2), 17, "St Mary's Church"),
        (cross((980, -130), 44, 0.17), 20, "Grand Avenue Church"),
        (cross((-830, -980), 34, 0.6), 16, "Cape Church"),
        (court((-425, -350), 62, 36, -0.13, 11), 22, "Town Hall"),
        (court((-668, -335), 54, 52, -0.15, 10), 24, "Castle"),
        (box_at((-450, 302), 150, 20, -0.1), 16, "Central Station"),
        (court((410, 232), 96, 66, 0.02, 14), 19, "University"),
        (box_at((510, 175), 60, 36, 0.02), 22, "University Library"),
        (court((-1010, -10), 110, 80, 0.05, 16), 26, "Island Hospital"),
        (box_at((-1010, -105), 120, 24, 0.05), 20, "Island Hospital"),
        (shapely.affinity.translate(bowl.difference(hollow), 890, 645), 24, "Island Stadium"),
        (court((720, -150), 74, 50, 0.17, 13), 21, "Museum of the Sea"),
        (box_at((790, 152), 62, 46, 0.17), 23, "Opera House"),
        (box_at((-5, -785), 66, 18, 0.24), 11, "Ferry Terminal"),
        (box_at((2190, -60), 46, 260, 0.0), 17, "Airport Terminal"),
        (court((-652, -1062), 62, 36, 0.9, 11), 10, "Cape School"),
        (court((985, -535), 56, 44, 0.17, 12), 13, "Eastgate School"),
        (court((-745, 1722), 70, 34, 0.5, 11), 10, "Northfield School"),
        (court((-1725, -255), 64, 36, -0.1, 11), 10, "Westfield School"),
        (box_at((820, 345), 80, 50, 0.17), 16, "Faculty of Tides"),
        (court((935, 362), 80, 70, 0.17, 15), 19, "Faculty of Charts"),
        (box_at((745, -945), 76, 26, 0), 12, ""),
        (box_at((900, -1300), 130, 38, 0), 13, ""),
        (box_at((870, -1395), 150, 34, 0), 13, ""),
        (box_at((1040, -1405), 60, 44, 0), 10, ""),
        (box_at((2330, 330), 70, 60, 0.1), 16, ""),
        (box_at((2250, 250), 50, 46, 0.1), 14, ""),
        (shapely.Point(50, -1770).buffer(7, quad_segs=3), 19, "West Light"),
        (shapely.Point(425, -2325).buffer(9, quad_segs=3), 34, "Null Lighthouse"),
    ]
    return [(on_grid(shape), height, name) for shape, height, name in found]


def fortifications() -> list[tuple[Geometry, int, str]]:
    """The wall with gaps at the gates, and its towers."""
    ring = wall().exterior
    streets = [LineString(curve(points, step=18)) for points in OLD_TOWN_STREETS.values()]
    gates = shapely.union_all([street.intersection(ring).buffer(9) for street in streets])
    built: list[tuple[Geometry, int, str]] = []
    for part in areas_of(ring.buffer(2.2, cap_style="flat", join_style="mitre").difference(gates)):
        built.append((on_grid(part), 9, ""))
    distance = 40.0
    while distance < ring.length:
        spot = ring.interpolate(distance)
        if not gates.buffer(10).contains(spot):
            built.append((on_grid(spot.buffer(5.5, quad_segs=2)), 14, ""))
        distance += 118
    return built


def ponds(site: Site, chance: Random) -> list[tuple[str, Geometry]]:
    """Small waters in a park."""
    spots = {
        "City Park": [("Swan Pond", (130, 640), (75, 42)), ("", (-130, 610), (30, 22))],
        "Grand Park": [("Long Water", (905, 55), (85, 22))],
        "Wall Gardens": [
            ("", (-768, -580), (15, 34)),
            ("", (-600, -22), (46, 16)),
            ("", (-320, 8), (60, 11)),
            ("", (34, -260), (14, 40)),
        ],
        "Cape Golf Links": [("", (-1480, -1650), (45, 24)), ("", (-1650, -1720), (26, 34))],
        "Island Zoo": [("", (270, 1410), (40, 28))],
        "West Garden": [("", (-1110, -760), (30, 18))],
        "Beacon Wood": [("Wood Mere", (-1010, 1470), (62, 34))],
    }
    ground = site.shape.buffer(-5)
    return [
        (name, blob(centre, radii, chance, 9, 0.2).intersection(ground)) for name, centre, radii in spots.get(site.name, [])
    ]
