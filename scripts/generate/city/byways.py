"""Small ways that are drawn by hand or by chance: on piers, on the airport, in parks."""

import math

import network
from network import Way
from plane import Random, areas_of, curve, lines_of, on_grid
from shapely import Geometry, LineString
from sites import Site

#: Ways on the airport, in the port, on piers and moles.
STRAIGHT = {
    "runway": [[(2475, -640), (2690, 880)]],
    "taxiway": [[(2440, 0), (2330, 20)]],
    "service": [[(660, -1330), (1080, -1340)]],
    "footway": [[(-2060, -1415), (-2285, -1449)]],
}
CURVED = {
    "taxiway": [[(2490, -560), (2395, -540), (2380, -440), (2540, 760), (2580, 830), (2675, 800)]],
    "service": [
        [(2060, -40), (2150, -60), (2150, -200), (2110, -260)],
        [(2150, -60), (2150, 90), (2240, 280)],
        [(1130, -1000), (900, -900), (700, -930), (690, -990), (860, -1050)],
        [(1000, -1090), (860, -1230), (700, -1260), (690, -1410), (980, -1460), (1110, -1390)],
    ],
    "footway": [
        [(-560, -1560), (-520, -1600), (-330, -1740), (-90, -1790), (40, -1772)],
        [(-350, -1230), (-400, -1300), (-250, -1330), (-215, -1460), (-250, -1525)],
    ],
}
FOOTBRIDGE = [(240, 560), (330, 600), (415, 640), (560, 690)]


def service_ways(river: Geometry) -> list[Way]:
    """Roads on piers, on the airport and in the port, the walk around the wall, and a footbridge."""
    found = [Way(LineString(points), detail) for detail, lines in STRAIGHT.items() for points in lines]
    for detail, lines in CURVED.items():
        found += [Way(LineString(curve(points, step=22)), detail) for points in lines]
    walk = network.wall().buffer(30, quad_segs=3).exterior
    found.append(Way(LineString(walk.coords), "footway", "Wall Walk"))
    bridge = Way(LineString(curve(FOOTBRIDGE, step=22)), "footway", "Swan Bridge")
    return found + network.raised(bridge, river.buffer(5), 10)


def paths(site: Site, chance: Random, ponds: Geometry) -> list[Way]:
    """Walks around and across a park, a wood or a cemetery."""
    found: list[Way] = []
    apart = {"wood": 170, "golf_course": 150, "nature_reserve": 120, "cemetery": 45}.get(site.kind, 85)
    detail = "path" if site.kind in ("wood", "nature_reserve") else "footway"
    for area in areas_of(site.shape, 3000):
        inner = area.buffer(-min(16, apart / 5))
        for ring in areas_of(inner, 2500):
            if site.name != "Wall Gardens":
                found.append(Way(LineString(ring.simplify(4).exterior.coords), detail))
        left, bottom, right, top = inner.bounds if not inner.is_empty else area.bounds
        width, height = right - left, top - bottom
        count = max(1, round(math.sqrt(area.area) / apart))
        for step in range(count):
            share = (step + 0.5) / count + chance.between(-0.12, 0.12) / count
            swing = 0 if site.kind == "cemetery" else chance.between(0.06, 0.2)
            for turned, start in ((False, step), (True, step + 2)):
                waves = [share + swing * math.sin(start + part) for part in range(7)]
                points = [
                    (left + width * wave, bottom + height * part / 6)
                    if turned
                    else (left + width * part / 6, bottom + height * wave)
                    for part, wave in enumerate(waves)
                ]
                line = LineString(curve(points, step=22))
                for part in lines_of(line.intersection(inner).difference(ponds.buffer(9))):
                    if part.length > 35:
                        found.append(Way(on_grid(part), detail))
    return found
