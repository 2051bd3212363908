"""`scripts/bench zoom`: tiles of deep zoom in a JPEG of 108 megapixels, from its region copy, beside the same tiles without.

Tiles have 512 pixels and are asked for by IIIF, at random, each once. Processor time is that of the server and its decoding
processes for one tile, by the scheduler; whether a level reaches its goal is told below its median. What --gate looks at are
counts: every tile comes from the copy, those at 1/4 and 1/8 from its samples, no more is decoded than the tile and the segments
beside it, and the bytes are those that the whole original gives."""

import glob
import json
import os
import random
import statistics
import subprocess
import time

from benchmarks import isolation, machine, servers

SIDE = 512
LEVELS = (1, 2, 4, 8)
# Those whose tiles want samples that the decoder shrank.
SAMPLED = (4, 8)
TILE_COUNT = 200
# At the median, of each level.
GOAL_MILLISECONDS = 5
# Without the copy a tile takes a good part of a second.
DIRECT_COUNT = 24
CHECKED_COUNT = 4
# Pixels beyond a tile: a segment of eight units at each side, and at full size a margin.
SEGMENT = 8 * 16
MARGIN = 4
WAIT_SECONDS = 120


def check(gate):
    folder = servers.folder_for({})
    size = _make_original(folder)
    settings = {"workers": 2, "source_pixels": 120_000_000}
    cache = servers.folder_for({})
    with (
        servers.veduta(folder, cache_dir=cache, **settings) as zooming,
        servers.veduta(folder, masters="off", **settings) as direct,
    ):
        waited = _await_copy(zooming, size)
        print(f"{size[0]} × {size[1]} pixels; the copy and its samples were there after {waited:.1f} s")
        print(f"{_megabytes(folder):.0f} MB of original; {_megabytes(cache):.0f} MB in the cache")
        tiles = _tiles(size)
        drawn = {level: [tile for tile in tiles if tile[2] == level] for level in LEVELS}
        for level in LEVELS:
            times = [_milliseconds(zooming, tile) for tile in drawn[level]]
            others = [_milliseconds(direct, tile) for tile in drawn[level][: DIRECT_COUNT // len(LEVELS)]]
            verdict = "reached" if statistics.median(times) <= GOAL_MILLISECONDS else "MISSED"
            print(f"1/{level}: {_summary(times)}; from the whole original {_summary(others)}")
            print(f"  goal {verdict}: at most {GOAL_MILLISECONDS} ms at the median")
        checked = [tile for level in LEVELS for tile in drawn[level][:CHECKED_COUNT]]
        faults = [fault for tile in checked for fault in _faults(zooming, direct, tile)]
        print("\n".join(faults) or "tiles come from the copy, with the bytes of the original")
        return not faults if gate else None


def _make_original(folder):
    machine.install("libvips-tools")
    isolation.make_photo(folder)
    subprocess.run(
        ["vips", "replicate", os.path.join(folder, "photo.jpg"), os.path.join(folder, "large.jpg[Q=88]"), "3", "3"], check=True
    )
    return 3 * 4000, 3 * 3000


def _tiles(size):
    """As many of each level, at random, in whole tiles."""
    chance = random.Random(7)
    tiles = []
    for level in LEVELS:
        step = SIDE * level
        places = [(x, y, level) for x in range(0, size[0] - step + 1, step) for y in range(0, size[1] - step + 1, step)]
        places.append((size[0] - step, size[1] - step, level))
        tiles += chance.sample(places, min(len(places), TILE_COUNT // len(LEVELS)))
    return tiles


def _address(tile):
    x, y, level = tile
    return f"/iiif/3/large.jpg/{x},{y},{SIDE * level},{SIDE * level}/{SIDE},{SIDE}/0/default.jpg"


def _region(tile):
    x, y, level = tile
    return f"/asset?id=large.jpg&crop={x},{y},{SIDE * level},{SIDE * level}&width={SIDE}&format=jpeg"


def _copy(server, tile):
    return json.loads(server.get(_region(tile) + "&explain=1"))["regionCopy"]


def _await_copy(server, size):
    began = time.monotonic()
    for x in (3, 5):
        server.get(f"/asset?id=large.jpg&crop={x},0,100,100&format=jpeg")
    # The last rows of the last level that is measured are made after all others.
    while not _copy(server, (0, size[1] - SIDE * LEVELS[-1], LEVELS[-1]))["usesSamples"]:
        if time.monotonic() - began > WAIT_SECONDS:
            raise RuntimeError("no region copy, or no samples, were made")
        time.sleep(1)
    # From then on the files count as settled, and are not checked for each tile.
    waited = time.monotonic() - began
    time.sleep(3)
    server.get("/asset?id=large.jpg&crop=7,0,100,100&format=jpeg")
    for level in SAMPLED:
        side = SIDE * level
        for y in [*range(0, size[1] - side, side), size[1] - side]:
            server.get(f"/asset?id=large.jpg&crop=7,{y},{side},{side}&width={SIDE}&format=jpeg")
    return waited


def _megabytes(folder):
    paths = [os.path.join(root, name) for root, _, names in os.walk(folder) for name in names if name != "photo.jpg"]
    return sum(os.path.getsize(path) for path in paths) / 1e6


def _milliseconds(server, tile):
    before = _nanoseconds(server.pid)
    server.get(_address(tile))
    # A process that ended meanwhile took its time with it.
    return max(0, _nanoseconds(server.pid) - before) / 1e6


def _nanoseconds(pid):
    """Time on a processor of all threads of the server and its children."""
    total = 0
    for process in machine.family(pid):
        for path in glob.glob(f"/proc/{process}/task/*/schedstat"):
            try:
                with open(path) as file:
                    total += int(file.read().split()[0])
            except OSError:
                # The thread has ended meanwhile.
                continue
    return total


def _summary(times):
    ordered = sorted(times)
    p95 = ordered[max(0, len(ordered) * 95 // 100 - 1)]
    return f"median {statistics.median(ordered):6.1f} ms, p95 {p95:6.1f} ms of {len(ordered)} tiles"


def _faults(zooming, direct, tile):
    copy = _copy(zooming, tile)
    most = SIDE * tile[2] + 2 * (SEGMENT + (MARGIN if tile[2] == 1 else 0))
    if not copy["isUsed"]:
        yield f"{tile}: not from the copy"
    elif copy["usesSamples"] != (tile[2] in SAMPLED):
        yield f"{tile}: {'from' if copy['usesSamples'] else 'not from'} samples"
    elif max(copy["width"], copy["height"]) > most:
        yield f"{tile}: {copy['width']} × {copy['height']} pixels decoded, at most {most} a side"
    for address in (_region(tile), _address(tile)):
        if zooming.get(address) != direct.get(address):
            yield f"{address}: other bytes than without the copy"
