"""Where the names of countries, states, cities and waters stand, and from which zoom on."""

import math
from collections.abc import Iterable
from dataclasses import dataclass

import shapely
from natural_earth import Area, project
from shapely import Geometry, Point, Polygon
from shapely.affinity import scale
from tables import City, Country, Water
from vector_tile import Attributes

# Labels are wider than high: their place is that of the largest ellipse of this shape in an area.
ELLIPSE_ASPECT = 2.0
# What the ellipse is found to, in worlds (2 km).
PLACE_TOLERANCE = 5e-5
# The sides of a tile in CSS pixels, and of an average capital letter with its spacing in ems.
TILE_SIDE = 512
LETTER_WIDTH = 0.72
# Lines are broken at about this many ems.
LINE_EMS = 7
# A label may be this much wider than the ellipse below it before it is shown later.
COUNTRY_OVERHANG = 2.5
# What countries' names leave free around each other, in CSS pixels: more important ones come first, so
# that no part of the world is full of names while another has none.
COUNTRY_GAP = (16, 12)
REGION_OVERHANG = 1.05
# Countries with less room than this for their name, and without any, in worlds (60 and 16 km).
SMALL_WIDTH, TINY_WIDTH = 1.5e-3, 4e-4
# Countries with more room than this have their capital on the edge of the name, if at all.
LARGE_WIDTH = 3e-2
# How far a name is from the capital, as a part of the room that there is for it, and at most in
# worlds (80 km).
CLEARANCE, LARGEST_CLEARANCE = 0.2, 2e-3
# How far from other countries one is alone, in worlds (80 km).
LONELY_DISTANCE = 2e-3
# Cities nearer to a more important one than this many CSS pixels are shown one zoom later.
CITY_SPACING = 62
# How many more people a capital would have to have to be as important without being one.
CAPITAL_WEIGHT = {"country": 6, "region": 1.7, "": 1}
# Cities may lie this far outside of the simplified shape of their country, in kilometres.
FARTHEST_OUTSIDE = 30
EQUATOR = 40075
# What Natural Earth calls countries of their own, or parts of other ones, by our table's codes.
OTHER_AREAS = {
    "CY": ("CYP", "CYN"),
    "EH": ("SAH", "MAR"),
    "GF": ("FRA",),
    "PS": ("PSX", "ISR"),
    "SO": ("SOM", "SOL"),
    "XK": ("KOS",),
}
# The source has native names; these have an English one of their own.
REGION_NAMES = {"Distrito Federal": "Federal District", "Québec": "Quebec"}
# Countries too small for the data set.
LEFT_OUT = {"TV"}
POPULATION_RANKS = (
    *(200, 1_000, 2_000, 5_000, 10_000, 20_000, 50_000, 100_000, 200_000, 500_000),
    *(1_000_000, 5_000_000, 10_000_000, 50_000_000, 100_000_000, 1_000_000_000),
)


@dataclass(frozen=True)
class Label:
    """A named point of a layer; the Mercator world is 0...1."""

    layer: str
    x: float
    y: float
    min_zoom: int
    attributes: Attributes


def country_labels(table: Iterable[Country], areas: list[Area], cities: list[City]) -> list[Label]:
    """Countries that the table has a name for, beside their capitals where they are small."""
    capitals = [Point(project(city.longitude, city.latitude)) for city in cities if city.capital == "country"]
    # A city that is a country is written once: Monaco, San Marino, Singapore, Vatican City.
    city_states = {city.names["name:en"] for city in cities if city.capital == "country"}
    area_of = {area.code: area for area in areas}
    labels = []
    shown: list[tuple[int, str, tuple[float, float]]] = []
    found = [country for country in table if country.code in area_of]
    found.sort(key=lambda country: _weight(area_of[country.code]), reverse=True)
    for country in found:
        area = area_of[country.code]
        place, width = _place(area)
        if width < SMALL_WIDTH and country.names["name:en"] in city_states:
            continue
        if width < LARGE_WIDTH:
            place, _ = _place(area, capitals, min(width * CLEARANCE, LARGEST_CLEARANCE))
        latest = _latest_zoom(area, width, areas)
        name = country.names["name:en"]
        zoom = _first_zoom(name, width * COUNTRY_OVERHANG, 10, 1.5, 0, latest)
        while zoom < latest and any(
            since <= zoom and _room(other, where, zoom).intersects(_room(name, place, zoom)) for since, other, where in shown
        ):
            zoom += 1
        shown.append((zoom, name, place))
        attributes = {"kind": "country", **_ranked(area.population), **country.names}
        labels.append(Label("places", *place, zoom, attributes))
    return labels


def region_labels(areas: Iterable[Area]) -> list[Label]:
    """States and provinces by the names of the source."""
    labels = []
    for area in areas:
        place, width = _place(area)
        zoom = _first_zoom(area.name, width * REGION_OVERHANG, 10, 1, 3, 6)
        names = {"name": area.name, "name:en": REGION_NAMES.get(area.name, area.name)}
        labels.append(Label("places", *place, zoom, {"kind": "region", **names}))
    return labels


def city_labels(table: Iterable[City]) -> list[Label]:
    """Cities, the important ones and those far from more important ones first."""
    ranked = sorted(table, key=_importance, reverse=True)
    shown: list[tuple[float, float]] = []
    labels = []
    for city in ranked:
        x, y = project(city.longitude, city.latitude)
        nearest = min((math.hypot(x - other, y - row) for other, row in shown), default=1.0)
        shown.append((x, y))
        apart = math.ceil(math.log2(CITY_SPACING / TILE_SIDE / max(nearest, 1e-9)))
        earliest, latest = _city_zooms(city)
        zoom = max(earliest, min(latest, apart))
        is_city = city.population >= 100_000 or city.capital == "country"
        attributes: Attributes = {"kind": "locality", "kind_detail": "city" if is_city else "town"}
        if city.capital:
            attributes["capital"] = "yes" if city.capital == "country" else "4"
        labels.append(Label("places", x, y, zoom, {**attributes, **_ranked(city.population), **city.names}))
    return labels


def water_labels(table: Iterable[Water]) -> list[Label]:
    return [
        Label("water", *project(water.longitude, water.latitude), water.zoom, {"kind": water.kind, **water.names})
        for water in table
    ]


def check_cities(table: Iterable[City], areas: Iterable[Area], lakes: Geometry) -> None:
    """Raises ValueError for cities outside of their countries, in a lake or twice in the table."""
    by_code = {area.code: area for area in areas}
    by_iso = {area.iso: area for area in areas if area.iso}
    faults = []
    seen: dict[tuple[str, str], City] = {}
    for city in table:
        name = city.names["name:en"]
        x, y = project(city.longitude, city.latitude)
        found = [by_code[code] for code in OTHER_AREAS.get(city.country, ())]
        if not found and city.country in by_iso:
            found = [by_iso[city.country]]
        if not found and city.country not in LEFT_OUT:
            faults.append(f"{name}: no country {city.country}")
        distance = min((area.shape.distance(Point(x, y)) for area in found), default=0.0)
        kilometres = distance * EQUATOR * math.cos(math.radians(city.latitude))
        if kilometres > FARTHEST_OUTSIDE:
            faults.append(f"{name}: {kilometres:.0f} km outside of {city.country}")
        if lakes.contains(Point(x, y)):
            faults.append(f"{name}: in a lake")
        other = seen.setdefault((name, city.country), city)
        if other is not city and math.hypot(other.longitude - city.longitude, other.latitude - city.latitude) < 1:
            faults.append(f"{name}: twice in the table")
    if faults:
        raise ValueError("cities.tsv: " + "; ".join(faults))


def _latest_zoom(area: Area, width: float, areas: list[Area]) -> int:
    """From which zoom on a country is named at the latest: small ones in the sea are in nobody's way."""
    if area.population > 5_000_000 and area.label_rank < 5:
        return 3
    if width > SMALL_WIDTH:
        return 4
    others = (other for other in areas if other.code != area.code)
    is_alone = all(area.shape.distance(other.shape) > LONELY_DISTANCE for other in others)
    return 4 if is_alone else 6 if width < TINY_WIDTH else 5


def _importance(city: City) -> tuple[float, str, str]:
    return city.population * CAPITAL_WEIGHT[city.capital], city.country, city.names["name:en"]


def _city_zooms(city: City) -> tuple[int, int]:
    """Not before and not after these zooms, wherever others are."""
    weight, _, _ = _importance(city)
    if city.capital == "country":
        if weight < 90_000:
            return 5, 6
        latest = 3 if city.population >= 5_000_000 else 4 if city.population >= 90_000 else 5
    else:
        least_at = ((3, 8_000_000), (4, 3_000_000), (5, 900_000))
        latest = next((zoom for zoom, least in least_at if city.population >= least), 6)
    for zoom, least in ((2, 8_000_000), (3, 450_000), (4, 90_000), (5, 15_000)):
        if weight >= least:
            return zoom, max(zoom, latest)
    return 6, 6


def _place(area: Area, avoided: Iterable[Point] = (), clearance: float = 0) -> tuple[tuple[float, float], float]:
    """The middle of the widest place in the largest part, at a distance from some points, and how
    wide that is, in worlds."""
    parts = [part for part in shapely.get_parts(area.shape) if isinstance(part, Polygon)]
    # Areas count as they are on the globe: Greenland's parts do not grow with the latitude.
    largest = max(parts, key=lambda part: (part.area * _shrinking(part.centroid.y), part.wkb))
    for point in avoided:
        if largest.contains(point):
            largest = largest.difference(point.buffer(clearance))
    squeezed = scale(largest, 1 / ELLIPSE_ASPECT, 1, origin=(0, 0))
    radius = shapely.maximum_inscribed_circle(squeezed, PLACE_TOLERANCE)
    x, y = radius.coords[0]
    return (x * ELLIPSE_ASPECT, y), 2 * ELLIPSE_ASPECT * radius.length


def _shrinking(y: float) -> float:
    """By how much an area in Mercator is larger than at the equator, inverted."""
    return math.cosh((0.5 - y) * 2 * math.pi) ** -2


def _weight(area: Area) -> tuple[float, str]:
    """How important a country is: people and land count alike."""
    parts = shapely.get_parts(area.shape)
    land = sum(part.area * _shrinking(part.centroid.y) for part in parts) * EQUATOR**2
    return math.log10(area.population + 1) + math.log10(land + 1), area.code


def _room(name: str, place: tuple[float, float], zoom: int) -> Polygon:
    """What a country's name covers at a zoom, with half of the gap to others, in worlds."""
    size = 10 + 1.5 * zoom
    letters = min(len(name), _letters(name))
    lines = math.ceil(len(name) / letters)
    world = TILE_SIDE * 2**zoom
    across = (letters * LETTER_WIDTH * size + COUNTRY_GAP[0]) / 2 / world
    down = (lines * 1.15 * size + COUNTRY_GAP[1]) / 2 / world
    return shapely.box(place[0] - across, place[1] - down, place[0] + across, place[1] + down)


def _letters(name: str) -> int:
    """Letters of the longest line of a name."""
    longest = max(len(word) for word in name.split())
    return max(longest, min(len(name), round(LINE_EMS / LETTER_WIDTH)))


def _first_zoom(name: str, width: float, size: float, growth: float, earliest: int, latest: int) -> int:
    """The first zoom at which a name, set in `size` pixels and more with each zoom, fits."""
    letters = _letters(name)
    for zoom in range(earliest, latest):
        if letters * LETTER_WIDTH * (size + growth * zoom) <= width * TILE_SIDE * 2**zoom:
            return zoom
    return latest


def _ranked(population: int) -> Attributes:
    rank = sum(population >= least for least in POPULATION_RANKS)
    return {"population": population, "population_rank": rank + 1}
