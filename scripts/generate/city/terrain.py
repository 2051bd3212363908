"""The island: its coast, harbour, river and lakes."""

from dataclasses import dataclass

import shapely
from plane import Random, areas_of, beside, blob, box_at, curve, on_grid, rough
from shapely import Geometry, LineString, Point, Polygon

COAST = [
    (-2350, 1500),
    (-2050, 1850),
    (-1500, 2080),
    (-1000, 2250),
    (-500, 2180),
    (-150, 1960),
    (150, 1930),
    (450, 2150),
    (900, 2300),
    (1450, 2200),
    (1900, 1900),
    (2300, 1750),
    (2700, 1500),
    (2900, 1000),
    (2850, 600),
    (2960, 150),
    (2980, -350),
    (2720, -780),
    (2350, -950),
    (2150, -1250),
    (2050, -1700),
    (1750, -2100),
    (1350, -2200),
    (1080, -2050),
    (1020, -1700),
    (1000, -1350),
    (930, -1050),
    (760, -840),
    (480, -720),
    (250, -690),
    (60, -760),
    (-180, -900),
    (-330, -1120),
    (-430, -1400),
    (-560, -1650),
    (-820, -1900),
    (-1150, -2180),
    (-1550, -2250),
    (-1950, -2020),
    (-2180, -1700),
    (-2080, -1330),
    (-2200, -950),
    (-2500, -650),
    (-2720, -250),
    (-2960, 100),
    (-2930, 520),
    (-2680, 850),
    (-2480, 1150),
]
RIVER = [
    (1120, 1700),
    (960, 1440),
    (700, 1250),
    (480, 1010),
    (490, 740),
    (340, 520),
    (170, 300),
    (190, 60),
    (300, -160),
    (300, -400),
    (235, -620),
    (240, -860),
]
STREAMS = {
    "Wood Brook": [(-1020, 1480), (-760, 1390), (-520, 1440), (-210, 1330), (60, 1090), (330, 1000), (484, 985)],
    "West Brook": [(-1500, 760), (-1760, 560), (-2080, 430), (-2300, 130), (-2480, -60), (-2790, -170)],
    "Fen Ditch": [(1820, 1180), (1600, 1080), (1330, 1210), (1150, 1330), (920, 1370)],
}
# Ground that was won from the sea: quays have straight edges.
QUAYS = [
    [(170, -600), (130, -800), (-60, -836), (-236, -966), (-336, -1186), (-480, -1160), (-400, -800), (0, -560)],
    [
        (920, -780),
        (640, -880),
        (640, -1010),
        (800, -1060),
        (800, -1170),
        (640, -1220),
        (640, -1440),
        (1000, -1500),
        (1180, -1400),
        (1180, -860),
    ],
    [(330, -600), (352, -748), (560, -800), (700, -790), (700, -600)],
]
# Moles and piers: corners and width in metres.
MOLES = [
    ([(-520, -1600), (-330, -1740), (-90, -1790), (60, -1770)], 15),
    ([(1050, -1590), (800, -1760), (540, -1850), (330, -1870)], 15),
    ([(-400, -1300), (-250, -1330), (-215, -1460), (-255, -1540)], 9),
]
PIERS = [
    ([(-10, -820), (36, -980)], 16),
    ([(-105, -862), (-60, -1006)], 16),
    ([(-285, -1070), (-150, -1130)], 14),
    ([(-392, -1345), (-268, -1378)], 4),
    ([(-402, -1395), (-265, -1432)], 4),
    ([(-420, -1445), (-278, -1486)], 4),
    ([(-450, -1500), (-292, -1532)], 4),
    ([(640, -930), (560, -930)], 22),
    ([(640, -1330), (585, -1330)], 18),
    ([(-2105, -1420), (-2290, -1450)], 7),
]
ISLETS = [((420, -2330), (95, 60)), ((-2780, 1690), (120, 80)), ((-2590, 1920), (60, 45)), ((3260, 930), (85, 60))]
LAKES = {"Mill Lake": ((1250, 1830), (230, 120)), "Fen Pool": ((1900, 1230), (90, 50))}


@dataclass(frozen=True)
class Terrain:
    """Land with quays and moles, and the fresh water on it."""

    land: Geometry
    natural: Polygon
    river: Polygon
    course: LineString
    lakes: dict[str, Geometry]
    streams: dict[str, LineString]

    @property
    def water(self) -> Geometry:
        return shapely.union_all([self.river, *self.lakes.values()])


def terrain() -> Terrain:
    chance = Random(1)
    bays = curve(rough(COAST, chance, 240, 0.13), closed=True, step=70)
    coast = Polygon(rough(bays, chance, 22, 0.17)).buffer(0)
    coast = max(areas_of(coast), key=lambda area: area.area)
    parts = [coast, *(Polygon(quay) for quay in QUAYS)]
    mainland = shapely.union_all(parts).difference(_mouth())
    for points, width in MOLES:
        parts.append(LineString(curve(points)).buffer(width / 2, cap_style="flat"))
        parts.append(Point(points[-1]).buffer(width * 0.8, quad_segs=3))
    parts += [LineString(points).buffer(width / 2, cap_style="flat") for points, width in PIERS]
    for centre, radii in ISLETS:
        ring = list(blob(centre, radii, chance, 9, 0.3).exterior.coords)[:-1]
        parts.append(Polygon(rough(ring, chance, 14, 0.2)).buffer(0))
    land = on_grid(shapely.union_all(parts).difference(_mouth()))
    course = LineString(curve(RIVER))
    lakes = {name: blob(centre, radii, chance, 11, 0.22) for name, (centre, radii) in LAKES.items()}
    streams = {name: LineString(curve(points, step=18)) for name, points in STREAMS.items()}
    return Terrain(land, on_grid(mainland), on_grid(_river(course)), course, lakes, streams)


def _river(course: LineString) -> Polygon:
    """The water between banks that are further apart towards the sea."""
    left, right = [], []
    distance = 0.0
    while distance < course.length:
        half = 17 + 23 * distance / course.length
        left.append(beside(course, distance, half))
        right.append(beside(course, distance, -half))
        distance += 24
    return Polygon(left + right[::-1]).buffer(0)


def _mouth() -> Polygon:
    """Where the river meets the harbour, between the quays."""
    return box_at((243, -730), 96, 320, 0.02)
