"""`scripts/bench asset`, `map` and `flat`: what it costs to make pictures."""
import http.client
import json
import os
import random
import subprocess
import sys
import tempfile
import threading
import time

from bench import machine, servers


def parallel(server, paths, connections, tolerate=False):
    """Asks for every path once over `connections` keep-alive connections; returns the failures."""
    todo, failures, lock = list(reversed(paths)), [], threading.Lock()

    def work():
        c = http.client.HTTPConnection("127.0.0.1", server.port, timeout=120)
        while True:
            with lock:
                if not todo:
                    return
                path = todo.pop()
            try:
                c.request("GET", path)
                r = c.getresponse()
                content = r.read()
                if r.status != 200:
                    failures.append((r.status, path, content[:120]))
            except OSError as error:
                failures.append((str(error), path, b""))
                c.close()

    threads = [threading.Thread(target=work) for _ in range(connections)]
    for t in threads:
        t.start()
    for t in threads:
        t.join()
    if failures and not tolerate:
        sys.exit(f"{len(failures)} failed, first {failures[0]}")
    return failures


JOBS = [
    ("a", "JPEG to 800 px JPEG", "width=800&quality=80&format=jpeg"),
    ("b", "JPEG to 200x200 cover", "width=200&height=200&fit=cover&quality=80&format=jpeg"),
    ("c", "JPEG to 800 px WebP", "width=800&quality=80&format=webp"),
    ("g", "JPEG to 800 px, rotate, grey, blur", "height=800&rotate=90&filter=grayscale,blur:2&quality=80&format=jpeg"),
]


def asset(count=40):
    source = os.path.join(machine.SHARED, "peers", "vips_limit.c")
    photos = [os.path.join(machine.SHARED, "images", n) for n in ("photo12_seeding.jpg", "photo12_sunset.jpg")]
    if not os.path.exists(source):
        print("asset: skipped, ../shared is not here")
        return
    with tempfile.TemporaryDirectory() as home, servers.veduta(os.path.join(machine.SHARED, "images"), cache_memory=0) as ours:
        limit = os.path.join(home, "limit")
        flags = machine.run("pkg-config", "--cflags", "--libs", "vips").split()
        machine.run("gcc", "-O2", source, "-o", limit, *flags, "-lpthread", "-lm", stderr=subprocess.DEVNULL)
        for job, title, query in JOBS:
            paths = [f"/asset?id={os.path.basename(photos[i % len(photos)])}&{query}" for i in range(count)]
            for p in paths[:2]:
                ours.get(p)
            ratios, mine, theirs = [], 0, 0
            for _ in range(3):
                before = ours.cpu
                parallel(ours, paths, 2)
                mine = (ours.cpu - before) / count
                theirs = json.loads(machine.run(limit, job, "-t", "2", "-n", str(count), *photos))["cpu_per_image_s"]
                ratios.append(mine / theirs)
            ratios.sort()
            print(f"asset {job} {title}: veduta {mine * 1e3:.1f} ms CPU, libvips loop {theirs * 1e3:.1f} ms; "
                  f"ratio {ratios[1]:.2f} (of three: {', '.join(f'{r:.2f}' for r in ratios)})")


def florence(rng, zoom):
    return f"/map?latitude={43.76 + rng.random() * 0.02:.6f}&longitude={11.24 + rng.random() * 0.03:.6f}&zoom={zoom}&format=png"


def map_pictures(count=120):
    rng = random.Random(7)
    archive = os.path.join(machine.SHARED, "maps", "firenze.pmtiles")
    with_archive = {"map_archive": archive} if os.path.exists(archive) else {}
    with servers.veduta(machine.samples(), cache_memory=0, **with_archive) as ours:
        for zoom in ((15, 17) if with_archive else (3, 5)):
            paths = [florence(rng, zoom) for _ in range(count)]
            parallel(ours, paths[:4], 2)
            before, start = ours.cpu, time.time()
            parallel(ours, paths, 2)
            took, spent = time.time() - start, ours.cpu - before
            print(f"map zoom {zoom}, 512x512 PNG, new centre each: {count / took:.0f} pictures/s, "
                  f"{spent / count * 1e3:.1f} ms CPU each, {machine.resident_mb(ours.pid):.0f} MB resident")


def flat(rounds=5, each=2000):
    folder = machine.samples()
    pictures = sorted(n for n in os.listdir(folder) if n.endswith((".jpg", ".png")))
    with servers.veduta(folder, cache_memory="8m") as ours:
        resident = []
        for r in range(rounds):
            rng = random.Random(r)
            paths = [f"/asset?id={rng.choice(pictures)}&width={rng.randint(16, 300)}" if rng.random() < 0.8 else
                     f"/map?latitude={rng.uniform(-80, 80):.3f}&longitude={rng.uniform(-180, 180):.3f}&zoom={rng.randint(0, 8)}&width=256&height=256"
                     for _ in range(each)]
            failures = parallel(ours, paths, 64)
            resident.append(machine.resident_mb(ours.pid))
        print(f"flat: {rounds * each} requests from 64 clients, no error; resident after each {each}: "
              + ", ".join(f"{m:.0f}" for m in resident) + " MB")
