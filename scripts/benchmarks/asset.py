"""`scripts/bench asset [JOB…]`: cold pictures beside the same work in a C loop of libvips, thumbor and nginx's image_filter.

  a  JPEG to 800 px JPEG          e  PNG to 800 px PNG
  b  JPEG to 200x200, cover       f  animated GIF to 200 px GIF, 40 frames
  c  JPEG to 800 px WebP          w  animated GIF to 200 px WebP, 40 frames
  d  JPEG to 800 px AVIF          g  JPEG to 800 px, turned, grey, blurred

In every round each server in turn makes the same pictures at two connections; the ratio of a server is the median over the
rounds of its CPU beside the loop's in that round. `loop` is over Debian's libvips; `anchor` is over the newer one of PyPI, and
with all of libjpeg's shrinking, and the goals are beside it. Then rates at 2, 8 and 32 connections and the memory at 32. Bytes and likeness are those of the
first two sources: SSIM and SSIMULACRA2 against a full decode and Lanczos-3 (likeness.py)."""

import bisect
import json
import statistics
import sys
import threading
import time

from benchmarks import asset_peers, machine, pictures
from benchmarks.asset_peers import JOBS

CONNECTIONS = (2, 8, 32)
# How often the loop makes a picture of a job within one round.
IMAGES = {"a": 40, "b": 60, "c": 30, "d": 20, "e": 8, "f": 2, "g": 40, "w": 4}
# What --gate lets through: SSIMULACRA2 points and a share of bytes.
SCORE_SLACK = 0.5
BYTE_SLACK = 1.02
# Our share of the anchor's CPU that is the goal, at no more bytes and no lower SSIMULACRA2.
ANCHOR_CPU_GOAL = 0.75
# With the most connections in job a.
PEAK_MB_GOAL = 40


def check(jobs, rounds, images, json_path, gate, goals):
    """Measures `jobs`, all where none is named; prints a table for each. With `goals` no server but ours, which then also runs
    over the anchor's library, and no rates but what memory is measured with. False when the gate is on and a figure is over."""
    if not asset_peers.is_possible():
        print("asset: skipped, ../shared is not here")
        return None
    folder = asset_peers.sources()
    table = {}
    contenders = asset_peers.all_servers(folder, ours_alone=goals)
    loops = asset_peers.loops(folder)
    for job in jobs or JOBS:
        count = max(2, round(IMAGES[job] * images / 40))
        connection_counts = CONNECTIONS if not goals else CONNECTIONS[-1:] if job == "a" else ()
        table[job] = measure(job, loops, [s for s in contenders if can(s, job)], rounds, count, connection_counts)
        show(job, table[job])
    if json_path:
        with open(json_path, "w") as f:
            json.dump({"machine": machine.context(), "jobs": table}, f, indent=1)
    return held(table) if gate else None


def can(server, job):
    """Whether the server does the job at all; says so where it refuses."""
    path = server.path_for(job, 0)
    if not path:
        return False
    status, _, content = server.exchange(path)
    if status != 200:
        print(f"asset {job}: {server.name} answers {status}: {content[:200]}", file=sys.stderr)
    return status == 200


def measure(job, loops, contenders, rounds, count, connection_counts):
    """Figures by server; the loops are among them."""
    ours = next((server for server in contenders if server.name == "veduta"), None)
    if ours and len(loops) > 1:
        contenders = contenders + matched(ours, job, loops[1])
    figures = {one.name: {"cpu_ms": []} for one in (*loops, *contenders)}
    for server in contenders:
        # Masters are made on first need, beside the first answer; what is measured is the time after that.
        for _ in range(2 if server.keeps_masters else 1):
            ask(server, job, asset_peers.NAMES if server.keeps_masters and JOBS[job]["source"] == "jpg" else 2, 2)
    for _ in range(rounds):
        for loop in loops:
            figures[loop.name]["cpu_ms"].append(loop.cpu_per_image(job, count) * 1e3)
        for server in contenders:
            before = server.cpu
            ask(server, job, count, 2)
            figures[server.name]["cpu_ms"].append((server.cpu - before) / count * 1e3)
    for loop in loops if connection_counts else ():
        figures[loop.name]["rate_2"] = loop.rate(job, count)
    for server in contenders:
        for connections in connection_counts:
            # Enough that all connections are busy at once, and of what takes seconds no more than that.
            asked = max(count, connections * (2 if IMAGES[job] > 10 else 1))
            with Peak(server) as peak:
                start = time.monotonic()
                failures = ask(server, job, asked, connections, tolerate=True)
                rate = (asked - len(failures)) / (time.monotonic() - start)
            if failures:
                print(
                    f"asset {job}: {server.name}, {connections} connections: {len(failures)} of {asked} failed,"
                    f" {failures[0][0]}",
                    file=sys.stderr,
                )
            figures[server.name][f"rate_{connections}"] = rate
            figures[server.name]["peak_mb"], figures[server.name]["peak_full_mb"] = peak.megabytes
    outputs = {one.name: one.outputs(job) for one in (*loops, *contenders)}
    for name, likeness in asset_peers.likeness(job, loops[0].folder, outputs).items():
        figures[name].update(likeness)
    for figure in figures.values():
        figure["cpu_ms_median"] = statistics.median(figure["cpu_ms"])
        for base, key in (("loop", "ratio"), ("anchor", "anchor_ratio")):
            if base in figures:
                figure[key + "s"] = [own / its for own, its in zip(figure["cpu_ms"], figures[base]["cpu_ms"])]
                figure[key] = statistics.median(figure[key + "s"])
    for loop in loops:
        figures[loop.name]["version"] = loop.version
    return figures


def matched(ours, job, anchor):
    """Ours at the lowest quality at which it is as like as the anchor, where at the usual one it is less like or longer: one
    number stands for other pictures in other encoders."""

    def likeness(*some):
        return asset_peers.likeness(job, anchor.folder, {one.name: one.outputs(job) for one in some})

    found = likeness(ours, anchor)
    if "quality=" not in JOBS[job]["veduta"] or is_no_worse(found[ours.name], found[anchor.name]):
        return []

    def is_like(quality):
        other = ours.at_quality(quality)
        return likeness(other)[other.name]["ssimulacra2"] >= found[anchor.name]["ssimulacra2"]

    return [ours.at_quality(1 + bisect.bisect_left(range(1, 100), True, key=is_like))]


def is_no_worse(own, its):
    return own["bytes"] <= its["bytes"] and own["ssimulacra2"] >= its["ssimulacra2"]


def ask(server, job, count, connections, tolerate=False):
    """Asks for `count` pictures, no two of which are one to a cache or to a server that puts equal requests together;
    returns the failures."""
    paths = [server.path_for(job, number) for number in range(count)]
    return pictures.parallel(server, paths, connections, tolerate)


class Peak:
    """The most memory that a server and its children have resident while this is entered, and what the most is if pages that
    they share count for each of them."""

    def __init__(self, server):
        self.server, self.most, self.full, self.done = server, 0, 0, threading.Event()
        self.thread = threading.Thread(target=self.watch)

    def watch(self):
        while not self.done.wait(0.05):
            try:
                memory = self.server.memory
                self.most, self.full = max(self.most, memory.count), max(self.full, memory.full)
            except OSError:
                # A child ended between the listing and the look.
                pass

    def __enter__(self):
        self.thread.start()
        return self

    def __exit__(self, *_):
        self.done.set()
        self.thread.join()

    @property
    def megabytes(self):
        return self.most / 2**20, self.full / 2**20


def show(job, figures):
    print(f"asset {job}: {JOBS[job]['title']}")
    print(
        f"  {'':<16}{'CPU ms':>8}{'ratio':>7}{'least':>7}{'most':>6}{'to anchor':>11}"
        + "".join(f"{f'at {c}':>8}" for c in CONNECTIONS)
        + f"{'peak MB':>9}{'bytes':>9}{'frames':>7}{'SSIM':>8}"
        + f"{'SSIMULACRA2':>13}"
    )
    for name, f in figures.items():
        rates = "".join(f"{rate:>8.1f}" if (rate := f.get(f"rate_{c}")) else f"{'':>8}" for c in CONNECTIONS)
        peak = f"{f['peak_mb']:>9.0f}" if "peak_mb" in f else f"{'':>9}"
        anchored = f"{f['anchor_ratio']:>11.2f}" if "anchor_ratio" in f else f"{'':>11}"
        print(
            f"  {name + ' ' + f.get('version', ''):<16}{f['cpu_ms_median']:>8.1f}{f['ratio']:>7.2f}"
            f"{min(f['ratios']):>7.2f}{max(f['ratios']):>6.2f}"
            + anchored
            + rates
            + peak
            + f"{f['bytes']:>9.0f}{f['frames']:>7}{f['ssim']:>8.4f}{f['ssimulacra2']:>13.2f}"
        )
    if "anchor" in figures and "veduta" in figures:
        show_goal(job, figures)
    sys.stdout.flush()


def show_goal(job, figures):
    """Whether ours, at a matched quality where there is one, takes so much less CPU than the anchor as is the goal, for pictures
    that are as small and as like."""
    name = next((name for name in figures if name.startswith("veduta q")), "veduta")
    own, its = figures[name], figures["anchor"]
    least, most = min(own["anchor_ratios"]), max(own["anchor_ratios"])
    reached = own["anchor_ratio"] <= ANCHOR_CPU_GOAL and is_no_worse(own, its)
    print(
        f"  goal {'reached' if reached else 'MISSED'}: {name} takes {own['anchor_ratio']:.2f} ({least:.2f} to {most:.2f}) of the CPU"
        f" of libvips {its['version']}, at most {ANCHOR_CPU_GOAL}; {own['bytes'] / its['bytes']:.3f} of its bytes, at most 1;"
        f" SSIMULACRA2 {own['ssimulacra2'] - its['ssimulacra2']:+.2f}, at least 0"
    )
    newer = figures.get("veduta+anchor")
    if newer:
        print(
            f"  over libvips {its['version']} ours takes {newer['anchor_ratio']:.2f} of its CPU,"
            f" {newer['bytes'] / its['bytes']:.3f} of its bytes, SSIMULACRA2 {newer['ssimulacra2'] - its['ssimulacra2']:+.2f}"
        )
    if job == "a" and "peak_mb" in figures["veduta"]:
        peak = figures["veduta"]["peak_mb"]
        verdict = "reached" if peak <= PEAK_MB_GOAL else "MISSED"
        print(
            f"  goal {verdict}: {peak:.0f} MB at {CONNECTIONS[-1]} connections, at most {PEAK_MB_GOAL};"
            f" {figures['veduta']['peak_full_mb']:.0f} MB if pages that processes share count for each"
        )


def held(table):
    """Whether our pictures are as like and as small as everybody's; times never fail."""
    holds = True
    for job, figures in table.items():
        own = figures.get("veduta")
        if not own:
            holds = False
            continue
        for name, peer in figures.items():
            if name.startswith("veduta"):
                continue
            worse = own["ssimulacra2"] < peer["ssimulacra2"] - SCORE_SLACK
            # Fewer frames are no smaller picture.
            longer = own["bytes"] > peer["bytes"] * BYTE_SLACK and own["frames"] == peer["frames"]
            if own["frames"] < peer["frames"] or (worse and longer) or (name == "loop" and worse):
                print(
                    f"asset {job}: OVER beside {name}: {own['ssimulacra2']:.2f} and {own['bytes']:.0f} bytes"
                    f" against {peer['ssimulacra2']:.2f} and {peer['bytes']:.0f}"
                )
                holds = False
    return holds
