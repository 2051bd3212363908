"""Names on the map that belong to a point: the city, its quarters, waters, parks and sights."""

import names
from network import STATIONS
from plane import Place
from quarters import LABELS

Named = tuple[str, Place, dict[str, str | int | bool], int]

WATERS = [
    ("bay", "Old Harbour", (40, -1120), 13),
    ("bay", "Port Null Bay", (250, -1600), 11),
    ("bay", "West Bay", (-2420, -1450), 12),
    ("bay", "Marina", (-330, -1430), 14),
    ("strait", "Lighthouse Sound", (150, -2150), 13),
    ("bay", "North Cove", (0, 2180), 12),
    ("lake", "Mill Lake", (1250, 1830), 12),
    ("lake", "Fen Pool", (1900, 1230), 13),
    ("lake", "Swan Pond", (130, 640), 15),
    ("lake", "Wood Mere", (-1010, 1470), 14),
    ("lake", "Long Water", (905, 55), 15),
]
GREENS = [
    ("park", "City Park", (60, 745), 13),
    ("park", "Grand Park", (905, 105), 14),
    ("park", "Wall Gardens", (-860, -330), 14),
    ("park", "West Garden", (-1120, -700), 15),
    ("park", "Harbour Garden", (430, -640), 15),
    ("park", "Beacon Wood", (-1560, 1330), 13),
    ("cemetery", "West Cemetery", (-880, 480), 14),
    ("golf_course", "Cape Golf Links", (-1560, -1700), 13),
    ("nature_reserve", "Fen Reserve", (1760, 1210), 13),
    ("zoo", "Island Zoo", (250, 1350), 14),
]
SIGHTS = [
    ("cathedral", "place_of_worship", "Cathedral", (-268, -297)),
    ("church", "place_of_worship", "St Brendan's Church", (-560, -560)),
    ("church", "place_of_worship", "St Mary's Church", (-160, -480)),
    ("castle", "castle", "Castle", (-668, -335)),
    ("townhall", "attraction", "Town Hall", (-425, -350)),
    ("museum", "museum", "Museum of the Sea", (720, -150)),
    ("theatre", "theatre", "Opera House", (790, 152)),
    ("university", "university", "University of Null Island", (410, 232)),
    ("hospital", "hospital", "Island Hospital", (-1010, -10)),
    ("stadium", "stadium", "Island Stadium", (890, 645)),
    ("lighthouse", "attraction", "Null Lighthouse", (425, -2325)),
    ("lighthouse", "attraction", "West Light", (50, -1770)),
    ("zoo", "zoo", "Island Zoo", (190, 1430)),
    ("monument", "monument", "Stone of the Origin", (0, 0)),
    ("gallery", "gallery", "Gallery at the Market", (-350, -500)),
    ("monument", "monument", "Admiral's Column", (990, -297)),
    ("ferry_terminal", "attraction", "Ferry Terminal", (-5, -785)),
    ("museum", "museum", "Railway Museum", (1180, -700)),
    ("church", "place_of_worship", "Grand Avenue Church", (980, -130)),
    ("theatre", "theatre", "Harbour Theatre", (-640, -940)),
    ("museum", "museum", "House of Maps", (-480, -600)),
    ("college", "college", "Nautical College", (430, -745)),
]
JAPANESE_GARDEN = {"name": "日本庭園", "name:en": "Japanese Garden", "name:ja": "日本庭園", "name:latin": "Nihon Teien"}


def labels() -> list[Named]:
    """Layer, place, attributes and first zoom of every name."""
    found: list[Named] = []
    city = {"kind": "locality", "kind_detail": "city", "population": 84_000, "population_rank": 9, "min_zoom": 6}
    found.append(("places", (-120, -300), city | names.attributes("Port Null"), 6))
    for name, place in LABELS.items():
        quarter = {"kind": "neighbourhood", "kind_detail": "suburb", "min_zoom": 12}
        found.append(("places", place, quarter | names.attributes(name), 12))
    for kind, name, place, first in WATERS:
        found.append(("water", place, {"kind": kind, "min_zoom": first} | names.attributes(name), first))
    for kind, name, place, first in GREENS:
        found.append(("landuse", place, {"kind": kind, "min_zoom": first} | names.attributes(name), first))
    found.append(("pois", (330, 770), {"kind": "attraction", "min_zoom": 14} | JAPANESE_GARDEN, 14))
    for detail, kind, name, place in SIGHTS:
        found.append(("pois", place, {"kind": kind, "kind_detail": detail, "min_zoom": 14} | names.attributes(name), 14))
    for name, place in STATIONS.items():
        found.append(("pois", place, {"kind": "station", "min_zoom": 13} | names.attributes(name), 13))
    found.append(("pois", (2190, -60), {"kind": "aerodrome", "min_zoom": 12} | names.attributes("Null Island Airport"), 12))
    found.append(("pois", (-1420, 1180), {"kind": "peak", "elevation": 214, "min_zoom": 11, "name": "Beacon Hill"}, 11))
    return found
