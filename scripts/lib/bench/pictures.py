"""`scripts/bench map` and `flat`: what it costs to make pictures; and who asks for them."""
import http.client
import os
import random
import sys
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


FORMATS = ("auto", "jpeg", "png", "webp", "gif")
FILTERS = ("", "", "&filter=blur:2", "&filter=grayscale,sharpen", "&rotate=17&background=white", "&fit=cover&height=90")


def flat(rounds=10, each=2000):
    folder = machine.samples()
    pictures = sorted(n for n in os.listdir(folder) if n.endswith((".jpg", ".png")))
    with servers.veduta(folder, cache_memory="8m") as ours:
        resident = []
        for r in range(rounds):
            rng = random.Random(r)
            paths = [f"/asset?id={rng.choice(pictures)}&width={rng.randint(16, 300)}&format={rng.choice(FORMATS)}"
                     f"{rng.choice(FILTERS)}" if rng.random() < 0.8 else
                     f"/map?latitude={rng.uniform(-80, 80):.3f}&longitude={rng.uniform(-180, 180):.3f}&zoom={rng.randint(0, 8)}&width=256&height=256"
                     for _ in range(each)]
            failures = parallel(ours, paths, 64)
            resident.append(machine.resident_mb(ours.pid))
        print(f"flat: {rounds * each} requests from 64 clients, no error; resident after each {each}: "
              + ", ".join(f"{m:.0f}" for m in resident) + " MB")
