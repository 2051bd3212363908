"""A long mixed load, errors included."""

import os
import random
import shutil
import socket
import threading
import time

import server as servers
import uploads


def soak(case):
    """A mixed load with errors: after a while resident memory and descriptors stay the same, and no count drifts."""
    seconds = case.times or 40
    folder = os.path.join(case.library.folder, "..", "soak")
    options = ("--cache-dir", os.path.join(folder, "cache"), "--cache-memory", "32m", "--cache-disk", "64m")
    archive = os.path.join(os.path.dirname(case.library.folder), "maps", "city.pmtiles")
    more = (*uploads.options(os.path.join(folder, "uploads")), "--map-archive", archive)
    os.makedirs(folder)
    with case.server(*options, *more, may_refuse=("uncached",)) as server:
        stopping, counts, lock = threading.Event(), {}, threading.Lock()
        clients = [threading.Thread(target=_ask, args=(server, n, stopping, counts, lock)) for n in range(6)]
        for client in clients:
            client.start()
        samples = []
        began = time.monotonic()
        while time.monotonic() - began < seconds:
            time.sleep(seconds / 80)
            samples.append((server.resident_mb(), server.descriptor_count()))
        stopping.set()
        for client in clients:
            client.join()
        late, early = samples[len(samples) * 3 // 4 :], samples[len(samples) // 4 : len(samples) // 2]
        memory = [_middle([sample[0] for sample in part]) for part in (early, late)]
        descriptors = [_middle([sample[1] for sample in part]) for part in (early, late)]
        # In minutes, caches still fill; in half an hour they are full in the first quarter.
        allowed = 1.05 if seconds >= 900 else 1.25
        case.check(
            memory[1] < memory[0] * allowed + 16,
            "%d s: resident %.0f MB in the second quarter, %.0f MB in the last" % (seconds, *memory),
        )
        case.check(descriptors[1] <= descriptors[0] + 8, "descriptors: %d, then %d" % tuple(descriptors))
        statuses = {status: count for status, count in sorted(counts.items(), key=str)}
        case.check(set(statuses) <= {200, 201, 204, 304, 400, 404, 405, 422, 503, "left"}, "answers: %s" % statuses)
        calm = servers.eventually(
            lambda: server.metric("veduta_jobs_queued") == 0 and server.metric("veduta_jobs_running") <= 1
        )
        case.check(calm, "no job is left")
        case.check(
            servers.eventually(lambda: server.metric("veduta_connections") <= 3),
            "connections counted: %d" % server.metric("veduta_connections"),
        )
        renders, misses = (server.metric("veduta_%s_total" % name) for name in ("renders", "cache_misses"))
        case.check(0 < renders <= misses, "%d renders, %d misses" % (renders, misses))
        left = uploads.left_over(os.path.join(folder, "uploads"))
        case.check(not left, "left over of uploads: %s" % left[:3])
    shutil.rmtree(folder, ignore_errors=True)


def _ask(server, seed, stopping, counts, lock):
    chance = random.Random(seed)
    while not stopping.is_set():
        kind = chance.randrange(12)
        status = "left"
        try:
            if kind == 0:
                _leave(server, chance)
            elif kind == 1:
                name, content = (
                    "up-%d.png" % chance.randrange(8),
                    uploads.picture(chance.choice((400, 90_000)), chance.random()),
                )
                method = chance.choice(("PUT", "DELETE"))
                status, _ = uploads.send(server.address, method, "/assets/" + name, content if method == "PUT" else b"")
                status = 404 if status == 409 else status
            else:
                status, _ = server.get(_target(kind, chance))
        except OSError as error:
            status = str(error)
        with lock:
            counts[status] = counts.get(status, 0) + 1


def _target(kind, chance):
    number = chance.randrange(400)
    return {
        2: "/asset?id=lagoon.jpg&width=400&format=jpeg",
        3: "/asset?id=lagoon.jpg&width=%d&format=webp" % (100 + number),
        4: "/asset?id=badge.png&width=%d&height=%d&fit=fill" % (20 + number, 30),
        5: "/asset?id=noise.png&width=%d&format=png" % (50 + number % 60),
        6: "/map?latitude=0.0%d&longitude=0.01&zoom=12&width=300&height=200" % (number % 10),
        7: "/map?latitude=%d&longitude=20&zoom=4&width=256&height=256" % (number % 60),
        8: "/asset?id=missing-%d.png" % number,
        9: "/asset?id=lagoon.jpg&width=-%d" % number,
        10: "/missing/%d" % number,
        11: "/assets",
    }[kind]


def _leave(server, chance):
    with socket.create_connection(server.address, timeout=10) as connection:
        text = b"GET /asset?id=lagoon.jpg&width=%d HTTP/1.1\r\nHost: a\r\n\r\n" % chance.randrange(50, 900)
        connection.sendall(text[: chance.randrange(1, len(text) + 1)])


def _middle(numbers):
    return sorted(numbers)[len(numbers) // 2]
