"""Builds the built-in world basemap; run it by scripts/generate/world/run."""

import argparse
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

import shapely
import tables
from archive import Archive
from labels import Label, check_cities, city_labels, country_labels, region_labels, water_labels
from model import Layers, Model, rounded
from natural_earth import NaturalEarth, project
from shapely import Geometry, MultiPolygon, Point, Polygon, box
from shapely.affinity import translate
from vector_tile import EXTENT, Attributes, encode_tile

MAX_ZOOM = 6
# Zooms up to this one are drawn from the data for 1:110 million, the others from 1:50 million.
MAX_COARSE_ZOOM = 1
# States are drawn from this zoom on.
MIN_REGION_ZOOM = 3
# Tiles go this far beyond their edges, in tile units, so that outlines have no ends there.
BUFFER = 64
# One pixel of a 1024-pixel tile; the last level keeps every vertex, as it is enlarged further.
TOLERANCE = 4.0
# The side of the smallest island that is kept below the last level: one pixel of a 1024-pixel tile.
SMALLEST_SIDE = 4.0

NAME_FIELDS = {name: "String" for name in ("name", "name:en", "name:latin")}
NAME_FIELDS |= {f"name:{language}": "String" for language in tables.LANGUAGES}

METADATA = {
    "name": "Veduta world",
    "description": "Land, water, borders and names of the world for small scales, zooms 0 to 6",
    "attribution": "Made with Natural Earth",
    "type": "baselayer",
    "version": "2.0.0",
    "vector_layers": [
        {"id": "earth", "description": "Land", "fields": {"kind": "String"}, "minzoom": 0, "maxzoom": MAX_ZOOM},
        {
            "id": "water",
            "description": "Oceans and large lakes; points where their names stand",
            "fields": {"kind": "String", **NAME_FIELDS},
            "minzoom": 0,
            "maxzoom": MAX_ZOOM,
        },
        {
            "id": "boundaries",
            "description": "Borders on land, of countries and of some countries' states",
            "fields": {"disputed": "Boolean", "kind": "String", "kind_detail": "Number"},
            "minzoom": 0,
            "maxzoom": MAX_ZOOM,
        },
        {
            "id": "places",
            "description": "Countries, states of some, capitals and large cities",
            "fields": {
                "capital": "String",
                "kind": "String",
                "kind_detail": "String",
                "min_zoom": "Number",
                "population": "Number",
                "population_rank": "Number",
                **NAME_FIELDS,
            },
            "minzoom": 0,
            "maxzoom": MAX_ZOOM,
        },
    ],
}
ADMIN_LEVELS = {"country": 2, "region": 4}


def tiles(layers: Layers, zoom: int) -> Iterator[tuple[int, int, Layers]]:
    """All tiles of a zoom with what lies in them, clipped by quarters to stay fast."""

    def descend(part: Layers, level: int, x: int, y: int) -> Iterator[tuple[int, int, Layers]]:
        clipped = clip(part, zoom - level, x, y)
        if level == zoom:
            yield x, y, clipped
            return
        for child in range(4):
            yield from descend(clipped, level + 1, 2 * x + child % 2, 2 * y + child // 2)

    yield from descend(layers, 0, 0, 0)


def clip(layers: Layers, levels_above: int, x: int, y: int) -> Layers:
    side = EXTENT << levels_above
    west, north = x * side, y * side
    window = box(west - BUFFER, north - BUFFER, west + side + BUFFER, north + side + BUFFER)
    return Layers(
        layers.land.intersection(window),
        layers.lakes.intersection(window),
        {key: lines.intersection(window) for key, lines in layers.lines.items()},
    )


def encode(layers: Layers, named: list[Label], zoom: int, x: int, y: int) -> bytes:
    """One tile; land and water fill it together without gaps, as water is what land leaves."""
    window = box(-BUFFER, -BUFFER, EXTENT + BUFFER, EXTENT + BUFFER)
    land = shapely.set_precision(_moved(layers.land, x, y), 1)
    lakes = _moved(layers.lakes, x, y)
    dry = _polygons(land)
    fresh, salt = [], []
    for part in _polygons(window.difference(_collected(dry))):
        is_lake = part.intersection(lakes).area > part.area / 2
        (fresh if is_lake else salt).append(part)
    earth = [(_collected(dry), {"kind": "earth"})] if dry else []
    water = [(_collected(salt), {"kind": "ocean"})] if salt else []
    water += [(_collected(fresh), {"kind": "lake"})] if fresh else []
    boundaries = []
    for (kind, is_disputed), lines in sorted(layers.lines.items()):
        if lines.is_empty or (kind == "region" and zoom < MIN_REGION_ZOOM):
            continue
        attributes = {"kind": kind, "kind_detail": ADMIN_LEVELS[kind]}
        if is_disputed:
            attributes["disputed"] = True
        boundaries.append((_moved(lines, x, y), attributes))
    points: dict[str, list[tuple[Geometry, Attributes]]] = {"places": [], "water": []}
    for label in named:
        units = EXTENT << zoom
        point = _moved(Point(label.x * units, label.y * units), x, y)
        points[label.layer].append((point, {**label.attributes, "min_zoom": label.min_zoom}))
    water += points["water"]
    return encode_tile([("earth", earth), ("water", water), ("boundaries", boundaries), ("places", points["places"])])


def labels_by_tile(labels: list[Label], zoom: int) -> dict[tuple[int, int], list[Label]]:
    """The labels that are shown at a zoom, by column and row of the tile that they lie in."""
    found: dict[tuple[int, int], list[Label]] = defaultdict(list)
    for label in labels:
        if label.min_zoom <= zoom:
            found[int(label.x * 2**zoom), int(label.y * 2**zoom)].append(label)
    return found


def _moved(shape: Geometry, x: int, y: int) -> Geometry:
    return translate(shape, xoff=-x * EXTENT, yoff=-y * EXTENT)


def _polygons(shape: Geometry) -> list[Polygon]:
    parts = shapely.get_parts(shape)
    return [part for part in parts if isinstance(part, Polygon) and not part.is_empty]


def _collected(polygons: list[Polygon]) -> Geometry:
    return MultiPolygon(polygons)


def build(source: NaturalEarth) -> tuple[bytes, str]:
    countries, states = source.countries("50"), source.states()
    cities = tables.cities()
    lakes = rounded([project(*corner) for corner in outline] for outline in tables.lakes())
    check_cities(cities, countries, lakes)
    labels = country_labels(tables.countries(), countries, cities) + city_labels(cities)
    labels += region_labels(states) + water_labels(tables.waters())
    fine = Model.fine(countries, states, lakes)
    coarse = Model.coarse(source.countries("110"), fine.lakes)
    archive = Archive()
    for zoom in range(MAX_ZOOM + 1):
        model = coarse if zoom <= MAX_COARSE_ZOOM else fine
        is_last = zoom == MAX_ZOOM
        layers = model.layers(zoom, 0 if is_last else TOLERANCE, 0 if is_last else SMALLEST_SIDE)
        named = labels_by_tile(labels, zoom)
        for x, y, part in tiles(layers, zoom):
            archive.add(zoom, x, y, encode(part, named.get((x, y), []), zoom, x, y))
    return archive.serialised(METADATA, 0, MAX_ZOOM)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("unpacked", type=Path, help="folder with the unpacked Debian package")
    parser.add_argument("output", type=Path, help="the archive to write")
    arguments = parser.parse_args()
    content, summary = build(NaturalEarth(arguments.unpacked))
    arguments.output.write_bytes(content)
    print(f"{arguments.output.name}: {len(content)} bytes, {summary}")


if __name__ == "__main__":
    main()
