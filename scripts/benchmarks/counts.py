"""`scripts/bench counts`: allocations and instructions of the steps of a hit, held to thresholds.json.

Instructions are those of user space, counted by valgrind's callgrind: the same everywhere, where hardware counters are
missing in most virtual machines. The client in veduta-bench, its main thread, is left out."""

import json
import os
import platform
import re
import subprocess
import sys
import tempfile

from benchmarks import machine

THRESHOLDS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "thresholds.json")
# Compilers and libraries of another patch level count a little differently; allocations are exact.
INSTRUCTION_MARGIN = 1.10
# How much of a long batch fits into the socket at once is the kernel's business.
PIPELINED_MARGIN = 1.20
# What happens now and then, such as a buffer that is written out, is a fraction of an allocation.
ALLOCATION_SLACK = 0.05
RUNS = 5
COUNTED = ("allocations", "instructions")


def measure():
    """Figures by subject: allocations and instructions per request, and nanoseconds."""
    machine.install("valgrind", "binutils")
    binary = machine.build("veduta-bench")
    figures = {}
    # Request ids are random, and the length of one decides whether its text needs the heap: the worst of some runs.
    for _ in range(RUNS):
        for line in map(json.loads, machine.run(binary, machine.samples()).splitlines()):
            figure = figures.setdefault(line["subject"], line)
            figure["allocations"] = max(figure["allocations"], line["allocations"])
            figure["nanoseconds"] = min(figure["nanoseconds"], line["nanoseconds"])
    with tempfile.TemporaryDirectory() as home:
        # This valgrind cannot read the debug information of Swift.
        bare = os.path.join(home, "veduta-bench")
        machine.run("strip", "--strip-debug", "-o", bare, binary)
        everything = instructions(bare, "no", "")
        # Thread 1 is the client; with separate threads, a mark writes those of the thread that reaches it.
        client = instructions(bare, "yes", "-01")
    for subject, figure in figures.items():
        figure["instructions"] = round((everything[subject] - client[subject]) / figure["requests"])
    return figures


def instructions(binary, separate, suffix):
    """Instructions of all batches by subject."""
    with tempfile.TemporaryDirectory() as home:
        command = [
            "valgrind",
            "--tool=callgrind",
            f"--separate-threads={separate}",
            "--dump-before=cmeasure_mark",
            f"--callgrind-out-file={home}/counts",
            binary,
            machine.samples(),
        ]
        done = subprocess.run(command, capture_output=True, text=True)
        if done.returncode:
            sys.exit(f"valgrind failed:\n{done.stderr[-2000:]}")
        found = {}
        # One mark before a subject's batches and one after them: the second writes what they took.
        for number, line in enumerate(map(json.loads, done.stdout.splitlines())):
            found[line["subject"]] = 0
            path = f"{home}/counts.{2 * number + 2}{suffix}"
            if os.path.exists(path):
                with open(path) as f:
                    found[line["subject"]] = int(re.search(r"^totals: (\d+)", f.read(), re.M)[1])
        return found


def check(record=False):
    """Prints every figure beside its threshold; false when one is over it. `record` makes them the thresholds."""
    known = {}
    if os.path.exists(THRESHOLDS):
        with open(THRESHOLDS) as f:
            known = json.load(f)
    figures = measure()
    bounds = known.get(platform.machine(), {})
    if not bounds and not record:
        print(f"counts: no thresholds for {platform.machine()}; nothing can fail", file=sys.stderr)
    print(f"{'subject':<26}{'allocations':>12}{'bound':>7}{'instructions':>14}{'bound':>9}{'ns':>8}   a request")
    holds = True
    for subject, figure in figures.items():
        bound = bounds.get(subject, {})
        most = most_allowed(subject, bound)
        over = [name for name, limit in most.items() if figure[name] > limit]
        remark = "" if record else " OVER: " + ", ".join(over) if over else "" if bound else " new"
        holds = holds and (record or not over)
        shown = [f"{most[name]:g}" if name in most else "" for name in COUNTED]
        print(
            f"{subject:<26}{figure['allocations']:>12.2f}{shown[0]:>7}{figure['instructions']:>14}{shown[1]:>9}"
            f"{figure['nanoseconds']:>8}  {remark}"
        )
    # A subject that is gone must go from the list as well, or it would seem to be held.
    for subject in bounds.keys() - figures.keys():
        if not record:
            print(f"{subject}: in {os.path.basename(THRESHOLDS)}, but nothing measures it")
            holds = False
    if record:
        known[platform.machine()] = {
            subject: {name: round(figure[name], 2) for name in COUNTED} for subject, figure in figures.items()
        }
        with open(THRESHOLDS, "w") as f:
            json.dump(known, f, indent=1, sort_keys=True)
            f.write("\n")
    return holds


def most_allowed(subject, bound):
    """What a subject may take when `bound` is recorded for it; empty for a new one."""
    if not bound:
        return {}
    margin = PIPELINED_MARGIN if "pipelined" in subject else INSTRUCTION_MARGIN
    return {"allocations": bound["allocations"] + ALLOCATION_SLACK, "instructions": round(bound["instructions"] * margin)}
