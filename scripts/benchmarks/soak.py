"""`scripts/bench soak [SECONDS]`: mixed requests without end, and what they leave in memory.

The server runs once with every allocator at hand, one after another, for the same time and the same requests: glibc as the
server sets it up, jemalloc and mimalloc by LD_PRELOAD. Every request is a new picture: other sizes,
formats and filters over all sources, some of them refused. Reports resident memory as it went, its highest, and requests
per second of CPU: an allocator that saves memory by giving every page back at once pays for it there."""

import glob
import json
import os
import random
import statistics
import time

from benchmarks import asset_peers, machine, pictures, servers

CLIENTS = 16
BATCH = 64
# How often memory is noted, in shares of a run.
NOTES = 24
FORMATS = ("jpeg", "webp", "png", "avif", "auto")
FILTERS = ("", "", "&filter=blur:3", "&filter=grayscale,sharpen", "&filter=saturation:30,contrast:10")
SOURCES = (
    "photo12_seeding.jpg",
    "photo12_sunset.jpg",
    "photo12_progressive.jpg",
    "photo12_orient6.jpg",
    "photo1_alpha.png",
    "photo1_palette.png",
    "photo1_interlaced.png",
    "photo1_cmyk.jpg",
    "photo1.avif",
    "photo1.heic",
    "anim12.gif",
    "anim12.webp",
    "photo1_16bit.tif",
    "lv_truncated.jpg",
)
LIBRARIES = {"jemalloc": "libjemalloc.so.2", "mimalloc": "libmimalloc.so*"}


def allocators():
    """Environments by name; what cannot be installed is left out."""
    machine.install("libjemalloc2", "libmimalloc2.0")
    found = {"glibc": {}}
    for name, pattern in LIBRARIES.items():
        paths = sorted(glob.glob(f"/usr/lib/*/{pattern}"))
        if paths:
            found[name] = {"LD_PRELOAD": paths[0]}
    if "jemalloc" in found:
        found["jemalloc, no decay"] = {**found["jemalloc"], "MALLOC_CONF": "dirty_decay_ms:0,muzzy_decay_ms:0"}
    return found


def paths(number):
    """A batch of requests; the same for every allocator."""
    dice = random.Random(number)
    for _ in range(BATCH):
        width = dice.choice((64, 200, 320, 800, 1200)) + dice.randrange(40)
        yield (
            f"/asset?id={dice.choice(SOURCES)}&width={width}&height={width * 3 // 4}"
            f"&fit={dice.choice(('inside', 'cover', 'contain'))}&format={dice.choice(FORMATS)}{dice.choice(FILTERS)}"
        )


def run(seconds, json_path):
    if not asset_peers.is_possible():
        print("soak: skipped, ../shared is not here")
        return
    figures = {}
    for name, environment in allocators().items():
        figures[name] = one(name, environment, seconds)
        notes = figures[name]["resident_mb"]
        print(
            f"soak {name}: {figures[name]['requests']} requests, {figures[name]['per_cpu_second']:.1f} a second of CPU,"
            f" highest {max(notes):.0f} MB, last quarter {statistics.mean(notes[-NOTES // 4 :]):.0f} MB, idle"
            f" {figures[name]['idle_mb']:.0f} MB; " + " ".join(f"{note:.0f}" for note in notes),
            flush=True,
        )
    if json_path:
        with open(json_path, "w") as f:
            json.dump({"machine": machine.context(), "seconds": seconds, "allocators": figures}, f, indent=1)


def one(name, environment, seconds):
    before = {key: os.environ.get(key) for key in environment}
    os.environ.update(environment)
    try:
        server = servers.veduta(
            os.path.join(machine.SHARED, "images"),
            cache_memory="8m",
            access_log="off",
            connections_per_address=servers.CONNECTIONS,
        )
    finally:
        for key, value in before.items():
            os.environ.pop(key) if value is None else os.environ.update({key: value})
    with server:
        notes, number, refused = [], 0, 0
        start, spent = time.monotonic(), server.cpu
        while (passed := time.monotonic() - start) < seconds:
            refused += len(pictures.parallel(server, list(paths(number)), CLIENTS, tolerate=True))
            number += 1
            if passed * NOTES >= len(notes) * seconds:
                notes.append(machine.resident_mb(server.pid))
        cpu = server.cpu - spent
        time.sleep(2)
        return {
            "requests": number * BATCH,
            "refused": refused,
            "per_cpu_second": number * BATCH / cpu,
            "resident_mb": notes or [machine.resident_mb(server.pid)],
            "idle_mb": machine.resident_mb(server.pid),
        }
