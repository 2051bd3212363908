"""`scripts/bench map`: pictures of streets beside MapLibre Native, Mapnik and py-staticmaps, in one run.

Florence at zoom 15 and 17 of our grammar (MapLibre's 14 and 16), 512x512 at 1x and 2x, with ../shared/maps/styles/bench.json,
PNG included. In every round each renderer in turn draws the same views: `warm` one view again and again, `shifted` that view
moved by some pixels, `moving` a new centre each time, whose tiles the round before the first has read. A ratio is the median
over the rounds of the CPU beside MapLibre Native's in that round; the goals are beside an earlier version of ours (--before).
CPU is the user and system time of the serving process, ours with HTTP, theirs without. `first` is from the start of the process
to the first picture: the best of five. `after` is the resident memory after 1,000 varied views of ours, 100 of theirs, when
they have rested: ours gives freed memory back when it has had no work for five seconds. `at once` is it before that."""

import json
import math
import os
import random
import statistics
import sys
import time

from benchmarks import asset_peers, machine, map_peers, servers

CASES = ((15, 1), (15, 2), (17, 1), (17, 2))
MODES = ("warm", "shifted", "moving")
CENTRE = (43.7696, 11.2558)
STARTS = 5
VARIED = {"veduta": 1000, "before": 1000}
REST_SECONDS = 7
SHIFT = 12  # CSS pixels to either side, across and down.
VARIED_OF_PEERS = 100
# What --gate holds `moving` at 1x to, as a share of MapLibre Native's CPU, by zoom; and us.
RATIOS = {15: 0.45, 17: 0.4}
RESIDENT_MB = 120
FIRST_SECONDS = 0.15
# Shares of the earlier version's CPU at 1x that are the goals, by mode and zoom; MB, and seconds with the machine's fonts.
GOALS = {("moving", 15): 0.6, ("moving", 17): 0.55, ("shifted", 15): 0.3, ("shifted", 17): 0.3}
RESIDENT_MB_GOAL = 100
FIRST_SECONDS_GOAL = 0.1
LIKENESS_VIEWS = 4


def check(rounds, count, json_path, gate, before):
    """Measures with `count` pictures of a case in a round and prints tables; `before` is the folder of an earlier server. False
    when the gate is on and a figure is over."""
    if not map_peers.is_possible():
        print("map: skipped, ../shared is not here")
        return None
    if not servers.knows("map_style"):
        print("map: this version knows no --map-style, so it draws a style of its own")
    renderers = map_peers.all_renderers(before)
    print(f"map: {rounds} rounds of {count} pictures of a case in turn on {machine.context()}")
    firsts = {one.name: first_seconds(one) for one in [*renderers, map_peers.with_local_fonts()]}
    figures = measure(renderers, rounds, count)
    alike = likeness(renderers[:2]) if before else {}
    memory = {}
    for one in renderers:
        memory[one.name] = memory_of(one)
        one.stop()
    show(figures)
    show_stages(figures["veduta"])
    show_process(firsts, memory)
    show_goals(figures, alike, firsts, memory)
    if json_path:
        with open(json_path, "w") as file:
            json.dump(
                {
                    "machine": machine.context(),
                    "first_seconds": firsts,
                    "memory_mb": memory,
                    "cases": {
                        name: {" ".join(map(str, key)): value for key, value in of.items()} for name, of in figures.items()
                    },
                },
                file,
                indent=1,
            )
    return held(figures, firsts["veduta"], memory["veduta"]) if gate else None


def views(zoom, count, seed):
    """Centres in the town; the same for everyone."""
    rng = random.Random(seed)
    return [
        {
            "latitude": round(CENTRE[0] + rng.uniform(-0.012, 0.012), 6),
            "longitude": round(CENTRE[1] + rng.uniform(-0.02, 0.02), 6),
            "zoom": zoom,
        }
        for _ in range(count)
    ]


def shifted(zoom, count, seed):
    """One place, moved by up to SHIFT pixels; the same for everyone."""
    rng, place = random.Random(seed), views(zoom, 1, 0)[0]
    across = 360 / (256 * 2**zoom)
    down = across * math.cos(math.radians(CENTRE[0]))
    return [
        {
            "latitude": round(place["latitude"] + down * rng.uniform(-SHIFT, SHIFT), 6),
            "longitude": round(place["longitude"] + across * rng.uniform(-SHIFT, SHIFT), 6),
            "zoom": zoom,
        }
        for _ in range(count)
    ]


ASKED = {"warm": lambda zoom, count, _: views(zoom, 1, 0) * count, "shifted": shifted, "moving": views}


def first_seconds(renderer):
    """The least time from a start to the first picture."""
    times = []
    for _ in range(STARTS):
        start = time.monotonic()
        renderer.start(1)
        renderer.draw({"latitude": CENTRE[0], "longitude": CENTRE[1], "zoom": 15}, 1)
        times.append(time.monotonic() - start)
        renderer.stop()
    return min(times)


def measure(renderers, rounds, count):
    """Figures by renderer, then by mode, zoom and ratio: milliseconds of CPU of each round, mean bytes, stages of ours."""
    figures = {one.name: {} for one in renderers}
    for mode in MODES:
        for zoom, ratio in CASES:
            able = [one for one in renderers if ratio in one.ratios]
            for number in range(rounds + 1):
                # The first round warms: fonts, glyphs, tiles on disk.
                asked = ASKED[mode](zoom, count, number)
                for one in able:
                    found = figures[one.name].setdefault((mode, zoom, ratio), {"cpu_ms": [], "bytes": [], "stages": []})
                    cost, byte_count, stages = drawn(one, asked, ratio)
                    if number:
                        found["cpu_ms"].append(cost)
                        found["bytes"].append(byte_count)
                        found["stages"] += stages
            print(f"map: {mode}, zoom {zoom} at {ratio}x is measured", file=sys.stderr)
    return figures


def drawn(renderer, asked, ratio):
    """Milliseconds of CPU and bytes of a picture, and the stages of each."""
    renderer.start(ratio)
    before, byte_count, stages = renderer.cpu, 0, []
    for view in asked:
        byte_count += renderer.draw(view, ratio)
        stages.append(getattr(renderer, "stages", {}))
    return (renderer.cpu - before) / len(asked) * 1e3, byte_count / len(asked), stages


def memory_of(renderer):
    """Peak of the rounds and resident memory after varied views, in MB, of the process for 1x."""
    renderer.start(1)
    peak = machine.peak_resident_mb(renderer.pid)
    rng = random.Random(11)
    count = VARIED.get(renderer.name, VARIED_OF_PEERS)
    asked = [views(rng.choice((15, 15, 16, 17)), 1, number)[0] for number in range(count)]
    for view in asked:
        renderer.draw(view, 1)
    at_once = machine.resident_mb(renderer.pid)
    time.sleep(REST_SECONDS)
    rested = machine.memory(renderer.pid)
    return {"peak": peak, "at once": at_once, "after": rested.mb, "text": str(rested), "count": count}


def likeness(pair):
    """By zoom, how like the second's pictures are to the first's."""
    home = servers.folder_for({})
    found = {}
    for zoom in sorted({zoom for zoom, _ in CASES}):
        paths = [[os.path.join(home, f"{zoom} {n} {one.name}.png") for one in pair] for n in range(LIKENESS_VIEWS)]
        for view, files in zip(views(zoom, LIKENESS_VIEWS, 1), paths):
            for one, path in zip(pair, files):
                one.start(1)
                one.draw(view, 1, save=path)
        found[zoom] = asset_peers.compared(paths)
    return found


def ratio_to(base, figures, name, case):
    """The median over the rounds of the CPU beside that of `base`, and the least and the most."""
    other = figures.get(base, {}).get(case)
    own = figures[name].get(case)
    if not other or not own:
        return None
    ratios = [a / max(b, 1e-9) for a, b in zip(own["cpu_ms"], other["cpu_ms"])]
    return statistics.median(ratios), min(ratios), max(ratios)


def show(figures):
    for mode in MODES:
        print(f"\n{mode}: CPU ms of a picture; ratio to maplibre in the same round: median (least, most)")
        print(f"  {'':<14}" + "".join(f"{f'zoom {zoom} at {ratio}x':>32}" for zoom, ratio in CASES))
        for name, cases in figures.items():
            line = f"  {name:<14}"
            for zoom, ratio in CASES:
                found = cases.get((mode, zoom, ratio))
                cell = "-"
                if found:
                    cell = f"{statistics.median(found['cpu_ms']):.1f}"
                    share = ratio_to("maplibre", figures, name, (mode, zoom, ratio))
                    cell += f"  {share[0]:.2f} ({share[1]:.2f}, {share[2]:.2f})" if share else ""
                line += f"{cell:>32}"
            print(line)
    print("\nmoving: bytes of a picture")
    for name, cases in figures.items():
        print(
            f"  {name:<14}"
            + "".join(
                f"{statistics.mean(cases[case]['bytes']) if (case := ('moving', *of)) in cases else 0:>32.0f}" for of in CASES
            )
        )


def show_stages(cases):
    print("\nveduta: milliseconds of each stage, as Server-Timing says")
    print(f"  {'':<26}" + "".join(f"{stage:>9}" for stage in map_peers.STAGES))
    for (mode, zoom, ratio), found in cases.items():
        cells = ""
        for stage in map_peers.STAGES:
            times = [one[stage] for one in found["stages"] if stage in one]
            cells += f"{statistics.mean(times):>9.1f}" if times else f"{'-':>9}"
        print(f"  {f'{mode}, zoom {zoom} at {ratio}x':<26}{cells}")


def show_process(firsts, memory):
    print("\nfirst picture and memory")
    for name, first in firsts.items():
        of = memory.get(name)
        kept = (
            f", peak {of['peak']:.0f} MB, after {of['count']} varied {of['at once']:.0f} MB, rested {of['text']}" if of else ""
        )
        print(f"  {name:<14}first {first:.3f} s{kept}")
    sys.stdout.flush()


def show_goals(figures, alike, firsts, memory):
    """Whether the goals are reached; bytes and likeness of the pictures stand beside each share of CPU."""
    print("\ngoals")
    for (mode, zoom), goal in GOALS.items():
        case = (mode, zoom, 1)
        share = ratio_to("before", figures, "veduta", case)
        if not share:
            print(f"  not measured: {mode}, zoom {zoom} at 1x, which needs --before")
            continue
        longer = statistics.mean(figures["veduta"][case]["bytes"]) / statistics.mean(figures["before"][case]["bytes"])
        print(
            f"  {'reached' if share[0] <= goal else 'MISSED'}: {mode}, zoom {zoom} at 1x takes {share[0]:.2f} ({share[1]:.2f} to"
            f" {share[2]:.2f}) of the CPU of before, at most {goal}; {longer:.3f} of its bytes; beside its pictures SSIMULACRA2"
            f" {alike[zoom]['ssimulacra2']:.1f} at least, and {alike[zoom]['levels']} levels at most"
        )
    for what, figure, goal in (
        ("MB after 1,000 varied views", memory["veduta"]["after"], RESIDENT_MB_GOAL),
        ("seconds to the first picture with the machine's fonts", firsts["local fonts"], FIRST_SECONDS_GOAL),
    ):
        print(f"  {'reached' if figure <= goal else 'MISSED'}: {figure:.3g} {what}, at most {goal}")
    sys.stdout.flush()


def held(figures, first, memory):
    """Whether ours is under every bound."""
    found = []
    for zoom, bound in RATIOS.items():
        share = ratio_to("maplibre", figures, "veduta", ("moving", zoom, 1))
        found.append((f"CPU at zoom {zoom} beside maplibre", share and share[0], bound))
    found += [
        ("MB after 1,000 varied views", memory["after"], RESIDENT_MB),
        ("seconds to the first picture", first, FIRST_SECONDS),
    ]
    holds = True
    print("\nbounds")
    for what, figure, bound in found:
        if figure is None:
            print(f"  not measured {what}")
            continue
        holds = holds and figure <= bound
        print(f"  {'holds ' if figure <= bound else 'FAILS '} {what}: {figure:.3f}, at most {bound:g}")
    return holds
