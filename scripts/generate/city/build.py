"""Builds the archive of the sample city; run it by scripts/generate/city/run."""

import argparse
from pathlib import Path

import names
import tiles
from archive import Archive
from city import City
from features import Features
from plane import WORLD_SIDE

NAME_FIELDS = {"name": "String", "name:en": "String", "name:latin": "String"}
NAME_FIELDS |= {f"name:{language}": "String" for language in names.LANGUAGES}
FIELDS = {
    "earth": {"kind": "String"},
    "landuse": {"kind": "String", "min_zoom": "Number", **NAME_FIELDS},
    "water": {"kind": "String", "min_zoom": "Number", **NAME_FIELDS},
    "buildings": {"kind": "String", "height": "Number", "name": "String", "addr_housenumber": "String"},
    "roads": {
        "kind": "String",
        "kind_detail": "String",
        "is_bridge": "Boolean",
        "is_tunnel": "Boolean",
        "is_link": "Boolean",
        "oneway": "String",
        "ref": "String",
        "service": "String",
        **NAME_FIELDS,
    },
    "pois": {"kind": "String", "kind_detail": "String", "elevation": "Number", "min_zoom": "Number", **NAME_FIELDS},
    "places": {
        "kind": "String",
        "kind_detail": "String",
        "min_zoom": "Number",
        "population": "Number",
        "population_rank": "Number",
        **NAME_FIELDS,
    },
}
METADATA = {
    "name": "Veduta sample city",
    "description": "An invented city on an invented island at latitude 0, longitude 0",
    "attribution": "Null Island, an invented place",
    "type": "baselayer",
    "version": "1.0.0",
    "vector_layers": [
        {"id": layer, "fields": FIELDS[layer], "minzoom": tiles.MIN_ZOOM, "maxzoom": tiles.MAX_ZOOM} for layer in tiles.LAYERS
    ],
}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("output", type=Path, help="the archive to write")
    arguments = parser.parse_args()
    archive = Archive()
    tiles.fill(archive, Features(City()))
    # At the equator a metre is the same part of a degree in both directions to 1 in 10⁶ so near to it.
    edges = tuple(metres * 360 / WORLD_SIDE for metres in tiles.bounds())
    content, summary = archive.serialised(METADATA, tiles.MIN_ZOOM, tiles.MAX_ZOOM, edges)
    arguments.output.write_bytes(content)
    print(f"{arguments.output.name}: {len(content)} bytes, {summary}")


if __name__ == "__main__":
    main()
