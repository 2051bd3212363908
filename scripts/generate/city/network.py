"""The roads, rails and ferries that the city hangs on."""

from dataclasses import dataclass, field, replace

import shapely
from plane import along, beside, curve, lines_of, rounded
from shapely import Geometry, LineString, Point, Polygon

#: A wall of the Middle Ages around the old town.
WALL = [
    (-455, 5),
    (-180, -55),
    (-45, -190),
    (30, -350),
    (25, -520),
    (-50, -650),
    (-175, -745),
    (-330, -835),
    (-560, -805),
    (-700, -650),
    (-775, -480),
    (-860, -320),
    (-700, -110),
]
#: How far the boulevard lies outside of the wall, in metres.
BOULEVARD_DISTANCE = 62
ROADS = {
    ("Ring Avenue", "primary"): [
        (-500, -1612),
        (-720, -1440),
        (-970, -1190),
        (-1180, -900),
        (-1245, -640),
        (-1195, -250),
        (-1220, 60),
        (-1080, 340),
        (-760, 610),
        (-500, 800),
        (-200, 890),
        (400, 850),
        (800, 810),
        (1050, 620),
        (1170, 300),
        (1205, -60),
        (1300, -330),
        (1270, -600),
        (1130, -830),
    ],
    ("West Road", "primary"): [(-890, -470), (-1285, -440), (-1700, -520), (-2050, -640), (-2340, -640)],
    ("Cape Road", "secondary"): [
        (-640, -830),
        (-760, -1060),
        (-960, -1210),
        (-1180, -1500),
        (-1330, -1800),
        (-1620, -1960),
        (-1830, -1880),
    ],
    ("Beacon Road", "secondary"): [
        (-700, 0),
        (-960, 250),
        (-1160, 330),
        (-1560, 470),
        (-1980, 640),
        (-2240, 900),
        (-2330, 1180),
    ],
    ("North Road", "primary"): [(-410, 47), (-390, 330), (-330, 600), (-270, 870), (-170, 1180), (-110, 1500), (-122, 1860)],
    ("Grand Avenue", "primary"): [(95, -420), (290, -395), (700, -320), (1285, -215), (1640, -150), (2060, -40)],
    ("Lake Road", "secondary"): [
        (620, -335),
        (640, 40),
        (640, 380),
        (745, 770),
        (960, 1010),
        (1360, 1330),
        (1700, 1560),
        (1980, 1560),
    ],
    ("Port Road", "secondary"): [
        (322, -553),
        (350, -635),
        (560, -690),
        (860, -740),
        (1130, -830),
        (1420, -960),
        (1600, -1280),
        (1700, -1650),
        (1560, -1950),
    ],
    ("Mill Street", "secondary"): [(-30, -150), (190, 40), (420, 90), (640, 90), (1240, 190)],
    ("Old Bridge Street", "tertiary"): [(70, -590), (255, -560), (420, -540), (655, -490), (1000, -430), (1280, -385)],
    ("Station Street", "tertiary"): [(-850, 180), (-640, 235), (-390, 235), (-60, 232), (131, 208)],
    ("Bay Road", "tertiary"): [(-1700, -520), (-1960, -900), (-1960, -1320), (-2000, -1640), (-1830, -1880)],
    ("Northfield Road", "tertiary"): [
        (-130, 1420),
        (-460, 1560),
        (-760, 1830),
        (-1050, 1960),
        (-1500, 1860),
        (-1860, 1640),
        (-2080, 1320),
        (-2240, 900),
    ],
    ("Meadow Road", "tertiary"): [(-130, 1420), (250, 1560), (620, 1700), (900, 1980), (1420, 2080), (1700, 1560)],
    ("Airport Road", "tertiary"): [(1740, -130), (1860, 320), (1760, 760), (1620, 1080), (1560, 1450)],
    ("South Point Road", "tertiary"): [
        (1150, -1500),
        (1400, -1410),
        (1620, -1310),
        (1880, -1150),
        (2120, -820),
        (2060, -420),
        (2050, -40),
    ],
    ("Southwest Street", "tertiary"): [(-1250, -720), (-1480, -1050), (-1760, -1380), (-1970, -1480)],
    ("Westfield Street", "tertiary"): [(-1206, -60), (-1600, -40), (-2030, 110), (-2330, 160), (-2560, 60)],
}
#: The motorway's middle, from the port around the city to the south-west.
MOTORWAY = [
    (1300, -905),
    (1480, -850),
    (1590, -640),
    (1600, -300),
    (1690, 0),
    (1640, 330),
    (1440, 620),
    (1190, 900),
    (900, 1090),
    (560, 1150),
    (180, 1110),
    (-250, 1180),
    (-620, 1150),
    (-1000, 960),
    (-1420, 800),
    (-1650, 600),
    (-1790, 330),
    (-2000, 60),
    (-2060, -250),
    (-1930, -560),
    (-1760, -860),
    (-1480, -1150),
    (-1180, -1500),
]
#: Roads that ramps join to the motorway.
JUNCTIONS = ["West Road", "North Road", "Lake Road", "Grand Avenue"]
TUNNEL = ((-860, 1040), (-1560, 690))
RAIL = [
    (-2480, 330),
    (-2100, 300),
    (-1700, 350),
    (-1200, 420),
    (-760, 390),
    (-450, 330),
    (-100, 330),
    (220, 390),
    (620, 500),
    (930, 470),
    (1210, 270),
    (1420, -60),
    (1440, -450),
    (1320, -760),
    (1130, -1010),
    (1060, -1300),
]
RAIL_TO_AIRPORT = [(800, 495), (1080, 440), (1420, 330), (1780, 180), (2180, 120)]
RAIL_TO_PORT = [(1130, -1010), (1010, -1120), (900, -1180), (700, -1270)]
STATIONS = {"Central Station": (-450, 332), "West Halt": (-2050, 302), "Airport Station": (2150, 122), "Parkside": (620, 500)}
FERRIES = {
    "Mainland Ferry": [(600, -931), (420, -1080), (230, -1500), (180, -1850), (260, -2600), (420, -3700)],
    "Harbour Ferry": [(30, -985), (180, -1110), (430, -1020), (560, -931)],
    "Lighthouse Boat": [(-60, -1006), (60, -1400), (190, -1800), (330, -2220), (372, -2290)],
}
KIND_OF = {
    "motorway": "highway",
    "motorway_link": "highway",
    "trunk": "major_road",
    "primary": "major_road",
    "secondary": "major_road",
    "tertiary": "major_road",
    "residential": "minor_road",
    "service": "minor_road",
    "living_street": "minor_road",
    "pedestrian": "path",
    "footway": "path",
    "path": "path",
    "steps": "path",
    "cycleway": "path",
    "track": "path",
    "rail": "rail",
    "light_rail": "rail",
    "ferry": "ferry",
    "runway": "aeroway",
    "taxiway": "aeroway",
    "pier": "path",
}


@dataclass
class Way:
    """A road, path, rail or ferry; `level` is -1 in a tunnel and 1 on a bridge."""

    line: LineString
    detail: str
    name: str = ""
    level: int = 0
    more: dict[str, str | int | bool] = field(default_factory=dict)
    #: The zooms at which it is shown, where that does not follow from `detail`.
    first_zoom: int = 0
    last_zoom: int = 15

    def part(self, start: float, end: float, level: int) -> "Way":
        """A stretch of it on a level."""
        return replace(self, line=along(self.line, start, end), level=level)


def wall() -> Polygon:
    return Polygon(WALL)


def boulevard() -> Polygon:
    corners = list(wall().buffer(BOULEVARD_DISTANCE, quad_segs=4).simplify(12).exterior.coords)
    return Polygon(curve(corners[:-1], closed=True))


def arterials() -> list[Way]:
    """The main roads of the city without the motorway."""
    ways = [Way(LineString(boulevard().exterior.coords), "primary", "Wall Boulevard")]
    for (name, detail), points in ROADS.items():
        line = LineString(curve(points))
        ways.append(Way(_attached(line, [way.line for way in ways]), detail, name))
    # A road that was laid before the one that it ends at.
    for way in ways[1:]:
        way.line = _attached(way.line, [other.line for other in ways if other is not way])
    return ways


def _attached(line: LineString, others: list[LineString]) -> LineString:
    """The line with ends on another one that is near."""
    corners = list(line.coords)
    for end in (0, -1):
        tip = Point(corners[end])
        near = min(others, key=tip.distance)
        distance = tip.distance(near)
        if 0.05 < distance < 55:
            spot = near.interpolate(near.project(tip))
            if line.intersects(near):
                # It runs over the other one: what sticks out is cut off.
                meeting = min(shapely.get_parts(line.intersection(near)), key=tip.distance)
                if meeting.geom_type == "Point" and tip.distance(meeting) < 60:
                    at = line.project(meeting)
                    line = along(line, at, line.length) if end == 0 else along(line, 0, at)
                    corners = list(line.coords)
                    continue
            corners[end] = rounded((spot.x, spot.y))
            line = LineString(corners)
    return line


def motorway(roads: list[Way]) -> list[Way]:
    """Two carriageways, and the ramps to the roads that have a junction."""
    middle = LineString(curve(MOTORWAY))
    ways = []
    start, end = (middle.project(Point(place)) for place in TUNNEL)
    number = {"ref": "M1"}
    for first, last, level in ((0, start, 0), (start, end, -1), (end, middle.length - 90, 0)):
        part = along(middle, first, last)
        ways.append(Way(part, "motorway", "Island Motorway", level, number, last_zoom=13))
        for side in (-8.5, 8.5):
            lane = part.offset_curve(side)
            ways.append(Way(lane, "motorway", "Island Motorway", level, number | {"oneway": "yes"}, first_zoom=14))
    closing = [beside(middle, middle.length - 90, 8.5), MOTORWAY[-1], beside(middle, middle.length - 90, -8.5)]
    ways.append(Way(LineString(closing), "motorway_link"))
    for road in roads:
        crossing = road.line.intersection(middle)
        if road.name in JUNCTIONS and not crossing.is_empty:
            ways += _ramps(middle, road.line, shapely.get_parts(crossing)[0])
    return ways


def _ramps(middle: LineString, road: LineString, crossing: Point) -> list[Way]:
    on_motorway, on_road = middle.project(crossing), road.project(crossing)
    ahead = _turn(middle, on_motorway, road, on_road)
    ways = []
    for forth in (-1, 1):
        for side in (-1, 1):
            points = [
                beside(middle, on_motorway + forth * 330, side * 11),
                beside(middle, on_motorway + forth * 200, side * 20),
                beside(middle, on_motorway + forth * 90, side * 42),
                beside(road, on_road + side * ahead * 62, 0),
            ]
            ways.append(Way(LineString(curve(points, step=15)), "motorway_link"))
    return ways


def _turn(one: LineString, at_one: float, other: LineString, at_other: float) -> int:
    """1 if the other line goes on to the left of the first, else -1."""
    a, b = one.interpolate(at_one - 5), one.interpolate(at_one + 5)
    c, d = other.interpolate(at_other), other.interpolate(at_other + 20)
    return 1 if (b.x - a.x) * (d.y - c.y) - (b.y - a.y) * (d.x - c.x) > 0 else -1


def rails() -> list[Way]:
    """The line across the island, its branches, and the tracks beside it at the stations."""
    main = LineString(curve(RAIL))
    ways = [Way(main, "rail", "Island Railway")]
    ways.append(Way(main.offset_curve(4.5), "rail", "Island Railway"))
    ways.append(Way(LineString(curve(RAIL_TO_AIRPORT)), "rail", "Airport Line"))
    ways.append(Way(LineString(curve(RAIL_TO_PORT)), "rail"))
    centre = main.project(Point(STATIONS["Central Station"]))
    yard = main.project(Point(1100, -1150))
    for middle, half, offsets in ((centre, 290, (-9, -18, 13, 22)), (yard, 200, (-8, -16, -24, 12, 20))):
        for offset in offsets:
            stretch = half - abs(offset) * 4
            points = [
                beside(main, middle - half, 0),
                beside(main, middle - stretch + 20, offset),
                *(beside(main, middle + step * stretch / 4, offset) for step in range(-2, 3)),
                beside(main, middle + stretch - 20, offset),
                beside(main, middle + half, 0),
            ]
            ways.append(Way(LineString(curve(points, step=40)), "rail", "", 0, {"service": "siding"}))
    return ways


def ferries() -> list[Way]:
    return [Way(LineString(curve(points, step=60)), "ferry", name) for name, points in FERRIES.items()]


def raised(way: Way, below: Geometry, reach: float) -> list[Way]:
    """The way cut into what lies on the ground and its bridges over `below`, `reach` metres longer on both sides."""
    if way.level != 0:
        return [way]
    spans = []
    for part in lines_of(way.line.intersection(below)):
        ends = sorted(way.line.project(Point(place)) for place in (part.coords[0], part.coords[-1]))
        spans.append((max(0, ends[0] - reach), min(way.line.length, ends[1] + reach)))
    spans.sort()
    found, done = [], 0.0
    for start, end in _joined(spans):
        if start > done:
            found.append(way.part(done, start, 0))
        found.append(way.part(start, end, 1))
        done = end
    if done < way.line.length - 0.1:
        found.append(way.part(done, way.line.length, 0))
    return found


def _joined(spans: list[tuple[float, float]]) -> list[tuple[float, float]]:
    found: list[tuple[float, float]] = []
    for start, end in spans:
        if end - start < 0.5:
            continue
        if found and start <= found[-1][1] + 5:
            found[-1] = (found[-1][0], max(found[-1][1], end))
        else:
            found.append((start, end))
    return found
