"""`scripts/bench isolation`: the server with `--isolation all` beside `--isolation off`, in turn within one run.

Job a is a 12-megapixel JPEG to 800 px JPEG, at two connections. Every request is for another picture. Memory is what an idle
process shares with nobody (Private_* in smaps_rollup), before its first job and after all of them. Hits, which no process
sees, take as long as without."""

import contextlib
import os
import statistics
import threading
import time

from benchmarks import machine, servers

RATE_BOUND = 0.95
MILLISECOND_BOUND = 1.0
MEGABYTE_BOUND = 15.0
HIT_MILLISECOND_BOUND = 0.05
SMALL_COUNT = 200
HIT_COUNT = 2000
# Seconds; a process gives memory back when it has had no job for one.
REST = 2


def check(rounds, images, gate):
    folder = servers.folder_for({})
    make_photo(folder)
    modes = {
        mode: servers.veduta(folder, isolation=mode, cache_storage="off", masters="off", workers=2) for mode in ("off", "all")
    }
    numbers = iter(range(1 << 30))
    for server in modes.values():
        for _ in range(8):
            server.get(_small(next(numbers)))
    time.sleep(REST)
    memory = {"fresh": _private_mb(modes["all"].pid)}
    rates, costs, medians = ({mode: [] for mode in modes} for _ in range(3))
    for _ in range(rounds):
        for mode, server in modes.items():
            before = machine.cpu_seconds(server.pid)
            rates[mode].append(_rate(server, images, numbers))
            costs[mode].append((machine.cpu_seconds(server.pid) - before) / images * 1e3)
        # One of each in turn, so that both meet the same neighbours.
        times = {mode: [] for mode in modes}
        for _ in range(SMALL_COUNT):
            for mode, server in modes.items():
                path, began = _small(next(numbers)), time.monotonic()
                server.get(path)
                times[mode].append((time.monotonic() - began) * 1e3)
        for mode in modes:
            medians[mode].append(statistics.median(times[mode]))
    time.sleep(REST)
    memory["used"] = _private_mb(modes["all"].pid)
    ratio = statistics.median(a / b for a, b in zip(rates["all"], rates["off"]))
    more = statistics.median(a - b for a, b in zip(medians["all"], medians["off"]))
    print(
        f"job a, 2 connections: {statistics.median(rates['off']):.1f} images/s off, {statistics.median(rates['all']):.1f} all"
    )
    print(f"  ratio {ratio:.3f} (at least {RATE_BOUND})")
    # Neighbours on the same machine disturb it less than the rate.
    cost = {mode: statistics.median(values) for mode, values in costs.items()}
    print(f"  processor time: {cost['off']:.1f} ms off, {cost['all']:.1f} ms all, ratio {cost['off'] / cost['all']:.3f}")
    print(f"200-px picture: {statistics.median(medians['off']):.2f} ms off, {statistics.median(medians['all']):.2f} ms all")
    print(f"  {more:+.2f} ms (at most {MILLISECOND_BOUND})")
    hits = _hits(folder)
    print(f"hit: {hits['off']:.3f} ms off, {hits['all']:.3f} ms all (at most {HIT_MILLISECOND_BOUND} ms more)")
    for name, values in memory.items():
        print(f"idle process, {name}: {', '.join(f'{value:.1f}' for value in values)} MB private (at most {MEGABYTE_BOUND})")
    if not gate:
        return None
    return (
        ratio >= RATE_BOUND
        and more <= MILLISECOND_BOUND
        and hits["all"] - hits["off"] <= HIT_MILLISECOND_BOUND
        and max(memory["fresh"] + memory["used"]) <= MEGABYTE_BOUND
    )


def _hits(folder):
    """Median milliseconds of a hit by mode, one of each in turn."""
    path, times = _small(0), {"off": [], "all": []}
    with servers.veduta(folder, isolation="off") as off, servers.veduta(folder, isolation="all") as all_:
        for number in range(HIT_COUNT):
            for mode, server in (("off", off), ("all", all_)):
                began = time.monotonic()
                _, fields, _ = server.exchange(path)
                times[mode].append((time.monotonic() - began) * 1e3)
                assert number == 0 or "; hit" in fields["Cache-Status"], fields
    return {mode: statistics.median(values) for mode, values in times.items()}


def make_photo(folder):
    """12 megapixels, some four megabytes."""
    with servers.veduta(machine.samples()) as server:
        path = "/asset?id=lagoon.jpg&width=4000&height=3000&fit=fill&enlarge=1&filter=noise:12&format=jpeg&quality=92"
        with open(os.path.join(folder, "photo.jpg"), "wb") as file:
            file.write(server.get(path))
        with open(os.path.join(folder, "small.jpg"), "wb") as file:
            file.write(server.get("/asset?id=lagoon.jpg&width=800&format=jpeg"))


def _small(number):
    return (
        f"/asset?id=small.jpg&width=200&height={50 + number % 4000}&fit=inside&format=jpeg&quality={60 + number // 4000 % 40}"
    )


def _rate(server, images, numbers):
    """Images a second."""
    left = [f"/asset?id=photo.jpg&width=800&height={600 + next(numbers) % 7000}&format=jpeg" for _ in range(images)]

    def ask():
        with contextlib.suppress(IndexError):
            while True:
                server.get(left.pop())

    began = time.monotonic()
    threads = [threading.Thread(target=ask) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return images / (time.monotonic() - began)


def _private_mb(pid):
    """Of each process that the server has started."""
    found = []
    for child in sorted(set(machine.family(pid)) - {pid}):
        with contextlib.suppress(OSError), open(f"/proc/{child}/smaps_rollup") as file:
            lines = (line.split() for line in file)
            found.append(sum(int(line[1]) for line in lines if line[0].startswith("Private_")) / 1024)
    return found
