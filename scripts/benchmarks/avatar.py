"""`scripts/bench avatar`: group avatars of four people at 128 px, of pictures that have masters.

Processor time of the server and its workers for one avatar: people who were not shown in that cell size before, people who
were, in another order, and hits. All in turn within one run; `new` and `hit` are told as ratios to `seen`, and a hit as one to that
of an image of `/asset`, as a picture that is composed is to cost no more once it is kept."""

import itertools
import os
import statistics

from benchmarks import machine, servers

MILLISECOND_BOUND = 3.0
HIT_RATIO_BOUND = 1.25
FORMATS = ("png", "webp")
PEOPLE = 12
SIZE = 128
SEEN_COUNT = 200
HIT_COUNT = 2000
# Cells of two sizes differ by a pixel at least.
NEW_SIZES = range(96, 160, 4)


def check(rounds, gate):
    folder = servers.folder_for({})
    make_photos(folder, PEOPLE * len(FORMATS))
    cache = servers.folder_for({})
    orders = {kind: itertools.permutations(_people(kind), 4) for kind in FORMATS}
    costs = {(kind, case): [] for kind in FORMATS for case in ("new", "seen", "hit")}
    hit_ratios = []
    with servers.veduta(folder, isolation="all", cache_dir=cache, access_log="off") as server:
        for kind in FORMATS:
            # Makes the masters, and the cells of that size.
            for person in _people(kind):
                server.get(_url([person] * 4, SIZE, kind))
        new_sizes = {kind: iter(NEW_SIZES) for kind in FORMATS}
        count = len(NEW_SIZES) // rounds
        for _ in range(rounds):
            for kind in FORMATS:
                people = _people(kind)
                sizes = [size for size in itertools.islice(new_sizes[kind], count) if size != SIZE]
                groups = [_url(people[start : start + 4], size, kind) for size in sizes for start in range(0, PEOPLE, 4)]
                seen = [_url(order, SIZE, kind) for order in itertools.islice(orders[kind], SEEN_COUNT)]
                costs[kind, "new"].append(cost(server, groups))
                costs[kind, "seen"].append(cost(server, seen))
                costs[kind, "hit"].append(cost(server, itertools.repeat(seen[0], HIT_COUNT)))
                asset = f"/asset?id={people[0]}&width={SIZE}&format={kind}"
                server.get(asset)
                hit_ratios.append(costs[kind, "hit"][-1] / cost(server, itertools.repeat(asset, HIT_COUNT)))
    medians = {key: statistics.median(values) for key, values in costs.items()}
    for kind in FORMATS:
        seen = medians[kind, "seen"]
        print(f"{kind}: seen {seen:.2f} ms (at most {MILLISECOND_BOUND})", end="")
        for case in ("new", "hit"):
            print(f", {case} {medians[kind, case]:.2f} ms = {medians[kind, case] / seen:.2f} of it", end="")
        print()
    ratio = statistics.median(hit_ratios)
    print(f"a hit: {ratio:.2f} of one of /asset (at most {HIT_RATIO_BOUND})")
    return medians["png", "seen"] <= MILLISECOND_BOUND and ratio <= HIT_RATIO_BOUND if gate else None


def _people(kind):
    first = FORMATS.index(kind) * PEOPLE
    return [f"p{number}.jpg" for number in range(first, first + PEOPLE)]


def _url(people, size, kind):
    return f"/avatar?ids={','.join(people)}&size={size}&format={kind}"


def make_photos(folder, count):
    """`p0.jpg` and so on, large enough for masters."""
    with servers.veduta(machine.samples()) as server:
        for number in range(count):
            path = f"/asset?id=lagoon.jpg&width={2600 + 8 * number}&height=1950&fit=fill&enlarge=1&format=jpeg"
            with open(os.path.join(folder, f"p{number}.jpg"), "wb") as file:
                file.write(server.get(path))


def cost(server, paths):
    """Milliseconds of processor time for one."""
    paths = list(paths)
    before = server.cpu
    for path in paths:
        server.get(path)
    return (server.cpu - before) / len(paths) * 1e3
