"""Asks two servers of one configuration for the same random maps, and one of them twice: each must be a picture of the size
asked for, none blank, and all three must be equal byte for byte.

usage: random_maps.py HOST:PORT HOST:PORT COUNT SEED [WEST,SOUTH,EAST,NORTH,MINZOOM,MAXZOOM]

Without a box the places are those around the cities of scripts/generate/world/cities.tsv, which are on land: an ocean far from any
name has one color, and rightly so. Exits 1 when something is wrong, after naming it.
"""

import http.client
import pathlib
import random
import struct
import sys
import zlib


def cities():
    table = pathlib.Path(__file__).parents[2] / "generate/world/cities.tsv"
    rows = [line.split("\t") for line in table.read_text().splitlines() if line and not line.startswith("#")]
    head, rows = rows[0], rows[1:]
    latitude, longitude = head.index("latitude"), head.index("longitude")
    return [(float(row[latitude]), float(row[longitude])) for row in rows]


def query(rng, places, box):
    if box:
        west, south, east, north, low, high = box
        latitude, longitude = rng.uniform(south, north), rng.uniform(west, east)
    else:
        low, high = 0, 9
        latitude, longitude = rng.choice(places)
        latitude += rng.uniform(-0.05, 0.05)
        longitude += rng.uniform(-0.05, 0.05)
    width, height = rng.randint(64, 900), rng.randint(64, 900)
    scale = rng.choice([1, 1, 2, 1.5])
    parts = [
        f"latitude={max(-90, min(90, latitude)):.5f}",
        f"longitude={(longitude + 180) % 360 - 180:.5f}",
        f"zoom={rng.uniform(low, high):.2f}" if rng.random() < 0.8 else f"zoom={rng.randint(int(low), int(high))}",
        f"width={width}",
        f"height={height}",
        f"scale={scale}",
        "format=png",
    ]
    if rng.random() < 0.5:
        parts.append(f"bearing={rng.uniform(0, 360):.1f}")
    if rng.random() < 0.3:
        parts.append(f"pitch={rng.uniform(0, 60):.1f}")
    if rng.random() < 0.3:
        parts.append("style=dark")
    if rng.random() < 0.2:
        parts.append("language=" + rng.choice(["it", "en", "ja", "ar,en"]))
    if rng.random() < 0.2:
        parts.append(f"marker={latitude:.4f},{longitude:.4f}")
    return "/map?" + "&".join(parts), int(width * scale), int(height * scale)


def ask(connection, path):
    connection.request("GET", path)
    response = connection.getresponse()
    return response.status, response.read()


def size_and_colors(png):
    """The size, and how many different byte triples the first rows hold at most 64."""
    assert png[:8] == b"\x89PNG\r\n\x1a\n"
    width, height, depth, kind = struct.unpack(">IIBB", png[16:26])
    data, at = b"", 8
    while at < len(png):
        (length,) = struct.unpack(">I", png[at : at + 4])
        if png[at + 4 : at + 8] == b"IDAT":
            data += png[at + 8 : at + 8 + length]
        at += 12 + length
    raw = zlib.decompress(data)
    bands = {0: 1, 2: 3, 3: 1, 6: 4}[kind]
    stride = width * bands + 1
    # Whatever the filters, a picture of one color has rows of filtered zeros but for its first pixel.
    marks = set()
    for row in range(height):
        line = raw[row * stride + 1 : (row + 1) * stride]
        marks.update(line[i : i + bands] for i in range(0, len(line), bands * 7))
        if len(marks) > 8:
            break
    return width, height, len(marks)


def main():
    first, second, count, seed = sys.argv[1], sys.argv[2], int(sys.argv[3]), int(sys.argv[4])
    box = [float(part) for part in sys.argv[5].split(",")] if len(sys.argv) > 5 else None
    places = None if box else cities()
    rng = random.Random(seed)
    one, two = (http.client.HTTPConnection(address, timeout=30) for address in (first, second))
    faults, byte_count = 0, 0

    def fault(path, words):
        nonlocal faults
        faults += 1
        print(f"FAILED: {path}: {words}")

    for _ in range(count):
        path, width, height = query(rng, places, box)
        answers = [ask(one, path), ask(two, path), ask(one, path)]
        statuses = [status for status, _ in answers]
        if statuses != [200] * 3:
            fault(path, f"{statuses} {answers[0][1][:200]!r}")
            continue
        if not answers[0][1] == answers[1][1] == answers[2][1]:
            fault(path, "the bytes differ")
        found = size_and_colors(answers[0][1])
        if found[:2] != (width, height):
            fault(path, f"{found[0]}x{found[1]} instead of {width}x{height}")
        if found[2] <= 2:
            fault(path, "it is blank")
        byte_count += len(answers[0][1])
        if faults > 20:
            break
    print(f"{count} maps, {byte_count} bytes, {faults} faults")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
