"""The source layers of an MBTiles archive of vector tiles (MVT 2.1) as shapefiles in metres (EPSG:3857), for Mapnik.

GDAL's driver shows only the layers and fields that the metadata names, and those of the benchmark archive lack some."""

import gzip
import json
import os
import sqlite3
import struct
import subprocess

from benchmarks import machine

HALF_WORLD_METRES = 20037508.342789244
GEOMETRIES = {1: "MultiPoint", 2: "MultiLineString", 3: "MultiPolygon"}


# What the benchmark style asks for. Names of columns hold no colon.
PROPERTIES = ("pmap:kind", "highway", "tourism", "name")


def write(archive, zoom, folder):
    """One shapefile with its index for each source layer, named after it, by way of GeoJSON."""
    layers = {}
    with sqlite3.connect(f"file:{archive}?immutable=1", uri=True) as database:
        query = "SELECT tile_column, tile_row, tile_data FROM tiles WHERE zoom_level = ?"
        for column, row, content in database.execute(query, (zoom,)):
            side = 2 * HALF_WORLD_METRES / (1 << zoom)
            # Rows of MBTiles count from the south.
            west, south = column * side - HALF_WORLD_METRES, row * side - HALF_WORLD_METRES
            for name, features in decoded(gzip.decompress(content), west, south, side):
                layers.setdefault(name, []).extend(features)
    for name, features in layers.items():
        base = os.path.join(folder, name)
        with open(base + ".json", "w") as file:
            json.dump({"type": "FeatureCollection", "features": features}, file)
        machine.run(
            "ogr2ogr",
            "-f",
            "ESRI Shapefile",
            "-lco",
            "ENCODING=UTF-8",
            "-a_srs",
            "EPSG:3857",
            "-skipfailures",
            base + ".shp",
            base + ".json",
            stderr=subprocess.DEVNULL,
        )
        os.remove(base + ".json")
        machine.run("shapeindex", base + ".shp")


def decoded(tile, west, south, side):
    """Name and features of every layer."""
    for number, layer in fields(tile):
        if number != 3:
            continue
        name, extent, keys, values, raw = "", 4096, [], [], []
        for number, value in fields(layer):
            if number == 1:
                name = value.decode()
            elif number == 2:
                raw.append(value)
            elif number == 3:
                keys.append(value.decode())
            elif number == 4:
                values.append(attribute(value))
            elif number == 5:
                extent = value
        place = Placement(west, south, side, extent)
        yield name, [feature(one, keys, values, place) for one in raw]


class Placement:
    """Where a tile lies, in metres."""

    def __init__(self, west, south, side, extent):
        self.west, self.north, self.scale = west, south + side, side / extent

    def point(self, x, y):
        return [round(self.west + x * self.scale, 2), round(self.north - y * self.scale, 2)]


def feature(data, keys, values, place):
    tags, kind, commands = b"", 0, b""
    for number, value in fields(data):
        if number == 2:
            tags = value
        elif number == 3:
            kind = value
        elif number == 4:
            commands = value
    tags = varints(tags)
    found = {keys[key]: values[value] for key, value in zip(tags[::2], tags[1::2])}
    properties = {key.replace(":", "_"): str(found.get(key, "")) for key in PROPERTIES}
    paths = geometry(varints(commands))
    lines = [[place.point(x, y) for x, y in path] for path in paths]
    if kind == 1:
        coordinates = [point for line in lines for point in line]
    elif kind == 2:
        coordinates = lines
    else:
        coordinates = []
        for path, ring in zip(paths, lines):
            if len(ring) < 3:
                continue
            ring.append(ring[0])
            # The winding decides: a ring that runs the other way is a hole of the one before.
            if area(path) > 0 or not coordinates:
                coordinates.append([ring])
            else:
                coordinates[-1].append(ring)
    return {
        "type": "Feature",
        "properties": properties,
        "geometry": {"type": GEOMETRIES.get(kind, "MultiPoint"), "coordinates": coordinates},
    }


def geometry(commands):
    """Paths in units of the tile (MVT 4.3)."""
    paths, x, y, at = [], 0, 0, 0
    while at < len(commands):
        command, count = commands[at] & 7, commands[at] >> 3
        at += 1
        if command == 7:
            continue
        for _ in range(count):
            x += (commands[at] >> 1) ^ -(commands[at] & 1)
            y += (commands[at + 1] >> 1) ^ -(commands[at + 1] & 1)
            at += 2
            if command == 1:
                paths.append([])
            paths[-1].append((x, y))
    return paths


def area(path):
    return sum(x0 * y1 - x1 * y0 for (x0, y0), (x1, y1) in zip(path, path[1:] + path[:1]))


def attribute(data):
    for number, value in fields(data):
        if number == 1:
            return value.decode()
        if number == 2:
            return struct.unpack("<f", value)[0]
        if number == 3:
            return struct.unpack("<d", value)[0]
        if number == 6:
            return (value >> 1) ^ -(value & 1)
        return bool(value) if number == 7 else value
    return None


def fields(data):
    """Numbers and values of the fields of a message of Protocol Buffers."""
    at = 0
    while at < len(data):
        key, at = varint(data, at)
        if key & 7 == 0:
            value, at = varint(data, at)
        else:
            if key & 7 == 2:
                count, at = varint(data, at)
            else:
                count = 8 if key & 7 == 1 else 4
            value = data[at : at + count]
            at += count
        yield key >> 3, value


def varint(data, at):
    value = shift = 0
    while True:
        byte = data[at]
        at += 1
        value |= (byte & 127) << shift
        if byte < 128:
            return value, at
        shift += 7


def varints(data):
    values, at = [], 0
    while at < len(data):
        value, at = varint(data, at)
        values.append(value)
    return values
