"""`scripts/bench asset [JOB…]`: cold pictures beside the same work in a C loop of libvips, thumbor and nginx's image_filter.

  a  JPEG to 800 px JPEG          e  PNG to 800 px PNG
  b  JPEG to 200x200, cover       f  animated GIF to 200 px GIF, 40 frames
  c  JPEG to 800 px WebP          w  animated GIF to 200 px WebP, 40 frames
  d  JPEG to 800 px AVIF          g  JPEG to 800 px, turned, grey, blurred

In every round each server in turn makes the same pictures at two connections; the ratio of a server is the median over the
rounds of its CPU beside the loop's in that round. Then rates at 2, 8 and 32 connections and the memory at 32. Bytes and
likeness are those of the first two sources: SSIM and SSIMULACRA2 against a full decode and Lanczos-3 (likeness.py)."""

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


def check(jobs, rounds, images, json_path, gate):
    """Measures `jobs`, all where none is named; prints a table for each. False when the gate is on and a figure is over."""
    if not asset_peers.is_possible():
        print("asset: skipped, ../shared is not here")
        return None
    folder = asset_peers.sources()
    table = {}
    contenders = asset_peers.all_servers(folder)
    loop = asset_peers.Loop(folder)
    for job in jobs or JOBS:
        count = max(2, round(IMAGES[job] * images / 40))
        table[job] = measure(job, loop, [s for s in contenders if can(s, job)], rounds, count)
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


def measure(job, loop, contenders, rounds, count):
    """Figures by server; the loop is one of them."""
    figures = {"loop": {"ratios": [], "cpu_ms": []}}
    for server in contenders:
        figures[server.name] = {"ratios": [], "cpu_ms": []}
    for server in contenders:
        # Masters are made on first need, beside the first answer; what is measured is the time after that.
        for _ in range(2 if server.keeps_masters else 1):
            ask(server, job, asset_peers.NAMES if server.keeps_masters and JOBS[job]["source"] == "jpg" else 2, 2)
    for _ in range(rounds):
        base = loop.cpu_per_image(job, count) * 1e3
        figures["loop"]["cpu_ms"].append(base)
        figures["loop"]["ratios"].append(1)
        for server in contenders:
            before = server.cpu
            ask(server, job, count, 2)
            spent = (server.cpu - before) / count * 1e3
            figures[server.name]["cpu_ms"].append(spent)
            figures[server.name]["ratios"].append(spent / base)
    figures["loop"]["rate_2"] = loop.rate(job, count)
    for server in contenders:
        for connections in CONNECTIONS:
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
            figures[server.name]["peak_mb"] = peak.megabytes
    outputs = {"loop": loop.outputs(job)}
    for server in contenders:
        outputs[server.name] = [server.get(server.path_for(job, number)) for number in range(loop.source_count(job))]
    for name, likeness in asset_peers.likeness(job, loop.folder, outputs).items():
        figures[name].update(likeness)
    for figure in figures.values():
        figure["ratio"] = statistics.median(figure["ratios"])
        figure["cpu_ms_median"] = statistics.median(figure["cpu_ms"])
    return figures


def ask(server, job, count, connections, tolerate=False):
    """Asks for `count` pictures, no two of which are one to a cache or to a server that puts equal requests together;
    returns the failures."""
    paths = [server.path_for(job, number) for number in range(count)]
    return pictures.parallel(server, paths, connections, tolerate)


class Peak:
    """The most memory that a server and its children have resident while this is entered."""

    def __init__(self, server):
        self.server, self.most, self.done = server, 0, threading.Event()
        self.thread = threading.Thread(target=self.watch)

    def watch(self):
        while not self.done.wait(0.05):
            try:
                self.most = max(self.most, self.server.resident)
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
        return self.most / 2**20


def show(job, figures):
    print(f"asset {job}: {JOBS[job]['title']}")
    print(
        f"  {'':<16}{'CPU ms':>8}{'ratio':>7}{'least':>7}{'most':>6}"
        + "".join(f"{f'at {c}':>8}" for c in CONNECTIONS)
        + f"{'peak MB':>9}{'bytes':>9}{'frames':>7}{'SSIM':>8}"
        + f"{'SSIMULACRA2':>13}"
    )
    for name, f in figures.items():
        rates = "".join(f"{rate:>8.1f}" if (rate := f.get(f"rate_{c}")) else f"{'':>8}" for c in CONNECTIONS)
        peak = f"{f['peak_mb']:>9.0f}" if "peak_mb" in f else f"{'':>9}"
        print(
            f"  {name:<16}{f['cpu_ms_median']:>8.1f}{f['ratio']:>7.2f}{min(f['ratios']):>7.2f}{max(f['ratios']):>6.2f}"
            + rates
            + peak
            + f"{f['bytes']:>9.0f}{f['frames']:>7}{f['ssim']:>8.4f}{f['ssimulacra2']:>13.2f}"
        )
    sys.stdout.flush()


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
