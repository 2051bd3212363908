"""`scripts/bench flat`: what many pictures leave in memory; and who asks for pictures."""

import http.client
import os
import random
import sys
import threading

from benchmarks import machine, servers


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


FORMATS = ("auto", "jpeg", "png", "webp", "gif")
FILTERS = ("", "", "&filter=blur:2", "&filter=grayscale,sharpen", "&rotate=17&background=white", "&fit=cover&height=90")


def flat(rounds=10, each=2000):
    folder = machine.samples()
    pictures = sorted(n for n in os.listdir(folder) if n.endswith((".jpg", ".png")))
    with servers.veduta(folder, cache_memory="8m") as ours:
        resident = []
        for r in range(rounds):
            rng = random.Random(r)
            paths = [
                f"/asset?id={rng.choice(pictures)}&width={rng.randint(16, 300)}&format={rng.choice(FORMATS)}"
                f"{rng.choice(FILTERS)}"
                if rng.random() < 0.8
                else f"/map?latitude={rng.uniform(-80, 80):.3f}&longitude={rng.uniform(-180, 180):.3f}&zoom={rng.randint(0, 8)}&width=256&height=256"
                for _ in range(each)
            ]
            parallel(ours, paths, 64)
            resident.append(machine.resident_mb(ours.pid))
        print(
            f"flat: {rounds * each} requests from 64 clients, no error; resident after each {each}: "
            + ", ".join(f"{m:.0f}" for m in resident)
            + " MB"
        )
