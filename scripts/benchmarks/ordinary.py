"""`scripts/bench ordinary`: photographs of an ordinary size that are not cached, beside thumbor, in one run.

2040x1356 as progressive JPEG of quality 80, PNG, WebP of quality 75 and AVIF of quality 65, made to fit 512x512 in the same
format. In every round both servers in turn make the same pictures; a ratio is the median over the rounds of the rates. The row
at equal bytes is ours at the highest quality whose pictures are not longer than thumbor's: one number stands for other pictures
in other encoders. The goals are those of that row."""

import bisect
import statistics
import sys
import time

from benchmarks import asset, asset_peers, machine

CONNECTIONS = 8
# How many times thumbor's rate.
GOALS = {"jpeg": 1.8, "png": 3.5, "webp": 1.5, "avif": 1.4}
# Pictures of a round for each of `--images`.
SHARES = {"jpeg": 4, "png": 2, "webp": 4, "avif": 2}


def check(rounds, images):
    if not asset_peers.is_possible():
        print("ordinary: skipped, ../shared is not here")
        return
    folder = asset_peers.ordinary_sources()
    ours, thumbor = asset_peers.ours(folder, "veduta", masters="off"), asset_peers.thumbor(folder)
    print(f"ordinary: {rounds} rounds in turn at {CONNECTIONS} connections on {machine.context()}")
    for job in GOALS:
        contenders = [ours, *at_equal_bytes(ours, thumbor, job), thumbor]
        if all([asset.can(server, job) for server in contenders]):
            show(job, measure(job, folder, contenders, rounds, max(CONNECTIONS, SHARES[job] * images)))


def at_equal_bytes(ours, thumbor, job):
    if "quality=" not in asset_peers.ORDINARY[job]["veduta"]:
        return []
    quality = bisect.bisect_right(range(1, 101), mean_bytes(thumbor, job), key=lambda q: mean_bytes(ours.at_quality(q), job))
    return [ours.at_quality(max(1, quality))]


def mean_bytes(server, job):
    return statistics.mean(map(len, server.outputs(job)))


def measure(job, folder, contenders, rounds, count):
    """Rates, CPU, bytes and scores by server."""
    figures = {server.name: {"rates": [], "cpu_ms": []} for server in contenders}
    for server in contenders:
        asset.ask(server, job, CONNECTIONS, CONNECTIONS)
    for _ in range(rounds):
        for server in contenders:
            before, start = server.cpu, time.monotonic()
            asset.ask(server, job, count, CONNECTIONS)
            figures[server.name]["rates"].append(count / (time.monotonic() - start))
            figures[server.name]["cpu_ms"].append((server.cpu - before) / count * 1e3)
    likeness = asset_peers.likeness(job, folder, {server.name: server.outputs(job) for server in contenders})
    return {name: figure | likeness[name] for name, figure in figures.items()}


def show(job, figures):
    *_, own, its = figures.values()
    print(f"{asset_peers.ORDINARY[job]['title']}\n  {'':<14}{'requests/s':>11}{'CPU ms':>8}{'bytes':>9}{'SSIMULACRA2':>13}")
    for name, one in figures.items():
        rate, cpu = statistics.median(one["rates"]), statistics.median(one["cpu_ms"])
        print(f"  {name:<14}{rate:>11.1f}{cpu:>8.1f}{one['bytes']:>9.0f}{one['ssimulacra2']:>13.2f}")
    ratios = [ours / theirs for ours, theirs in zip(own["rates"], its["rates"])]
    ratio, longer = statistics.median(ratios), own["bytes"] / its["bytes"]
    print(
        f"  goal {'reached' if ratio >= GOALS[job] and longer <= 1 else 'MISSED'}: {ratio:.2f} ({min(ratios):.2f} to"
        f" {max(ratios):.2f}) times thumbor's rate, at least {GOALS[job]}; {longer:.3f} of its bytes, at most 1; SSIMULACRA2"
        f" {own['ssimulacra2'] - its['ssimulacra2']:+.2f}"
    )
    sys.stdout.flush()
