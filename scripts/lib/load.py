"""What scripts/load does: writes a configuration for `curl --parallel`, runs it, and adds up what it says of each request."""

import argparse
import json
import math
import os
import random
import subprocess
import sys
import tempfile
import time
import urllib.parse

REQUEST_LIMIT = 1_000_000
# What curl prints of each request, a line each. The format of --write-out: %header is of curl 7.84.
WRITTEN = "%{response_code}\\t%{time_starttransfer}\\t%{time_total}\\t%{size_download}\\t%{exitcode}\\t%header{cache-status}\\n"


def options():
    parser = argparse.ArgumentParser(prog="scripts/load", add_help=False)
    parser.add_argument("--server", default="http://127.0.0.1:8080")
    parser.add_argument("--requests", type=int, default=1000)
    parser.add_argument("--parallel", type=int, default=16)
    parser.add_argument("--mix", choices=("warm", "cold", "mixed"), default="mixed")
    parser.add_argument("--id")
    parser.add_argument("--file")
    parser.add_argument("--header", action="append", default=[])
    parser.add_argument("--max-errors", type=int, default=0)
    parser.add_argument("--json")
    parser.add_argument("urls", nargs="*")
    chosen = parser.parse_args()
    if not 1 <= chosen.requests <= REQUEST_LIMIT:
        parser.error(f"--requests must be a number from 1 to {REQUEST_LIMIT}")
    if not 1 <= chosen.parallel <= 300:
        parser.error("--parallel must be a number from 1 to 300, as curl takes no more")
    return chosen


def first_asset(server):
    """The id of an asset that is an image; ends the program where there is none."""
    answer = subprocess.run(
        ["curl", "-sf", "--max-time", "10", f"{server}/assets?limit=1"], capture_output=True, text=True, check=False
    )
    try:
        return json.loads(answer.stdout)["items"][0]["id"]
    except (ValueError, KeyError, IndexError):
        sys.exit(f"load: {server}/assets names no asset; give one by --id")


def targets(chosen):
    """The URLs of all requests, in order."""
    server = chosen.server.rstrip("/")
    named = list(chosen.urls)
    if chosen.file:
        with open(chosen.file, encoding="utf-8") as lines:
            named += [line.strip() for line in lines if line.strip() and not line.startswith("#")]
    if named:
        named = [url if "://" in url else server + url for url in named]
        return [named[index % len(named)] for index in range(chosen.requests)]
    asset = urllib.parse.quote(chosen.id or first_asset(server), safe="")
    # Widths that no run before this one has asked for; the height keeps them small.
    fresh = random.SystemRandom().sample(range(200, 200 + 8 * REQUEST_LIMIT), chosen.requests)
    share = {"warm": 1.0, "mixed": 0.95, "cold": 0.0}[chosen.mix]
    choice = random.Random(2026)
    urls = []
    for number in fresh:
        if choice.random() < share:
            urls.append(f"{server}/asset?id={asset}&width={200 + 10 * choice.randrange(20)}&format=webp")
        else:
            width, rest = 200 + number % 400, number // 400
            urls.append(
                f"{server}/asset?id={asset}&width={width}&height={100 + rest % 200}&fit=cover&format=webp"
                f"&quality={60 + rest // 200 % 40}&filter=brightness:{1 + rest // 8000 % 20}"
            )
    return urls


def run(urls, chosen):
    """What curl printed of each request, and the seconds that all took."""
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "requests")
        with open(path, "w", encoding="utf-8") as file:
            for url in urls:
                file.write(f'url = "{url}"\noutput = "/dev/null"\n')
        command = ["curl", "--silent", "--globoff", "--parallel", "--parallel-immediate", "--max-time", "120"]
        command += ["--parallel-max", str(chosen.parallel), "--write-out", WRITTEN, "--config", path]
        for header in chosen.header:
            command += ["--header", header]
        started = time.monotonic()
        printed = subprocess.run(command, capture_output=True, text=True, check=False).stdout
        return [line.split("\t") for line in printed.splitlines() if line.count("\t") >= 5], time.monotonic() - started


def result_of(status):
    """`hit`, or why the server went on: the first parameter of Cache-Status (RFC 9211)."""
    parts = [part.strip() for part in status.split(";")]
    if len(parts) < 2:
        return "none"
    return "hit" if "hit" in parts else next((part[4:] for part in parts if part.startswith("fwd=")), "none")


def percentile(values, share):
    return values[max(0, math.ceil(share * len(values)) - 1)] if values else math.nan


def times(lines):
    seconds = sorted(float(line[2]) for line in lines)
    return {name: percentile(seconds, share) for name, share in SHARES}


SHARES = (("p50", 0.5), ("p90", 0.9), ("p95", 0.95), ("p99", 0.99), ("p99.9", 0.999), ("max", 1.0))


def main():
    chosen = options()
    urls = targets(chosen)
    lines, seconds = run(urls, chosen)
    groups = {}
    for line in lines:
        # curl's 000: no answer at all.
        groups.setdefault((line[0], result_of(line[5])), []).append(line)
    errors = len(urls) - sum(len(group) for (status, _), group in groups.items() if status[0] == "2" or status == "304")
    heads = "  ".join(f"{name:>7}" for name, _ in SHARES)
    print(f"{'status':<7}{'cache':<12}{'answers':>8}  {heads}  (milliseconds)")
    rows = [*sorted(groups.items()), (("all", ""), lines)]
    for (status, result), group in rows:
        figures = "  ".join(f"{1000 * value:7.1f}" for value in times(group).values())
        print(f"{status:<7}{result:<12}{len(group):>8}  {figures}")
    megabytes = sum(int(line[3]) for line in lines) / 1e6
    print(f"{len(lines) / seconds:.0f} answers and {megabytes / seconds:.1f} MB a second in {seconds:.1f} s; {errors} errors")
    if chosen.json:
        table = [
            {"status": status, "cache": result, "answers": len(group), "seconds": times(group)}
            for (status, result), group in rows
        ]
        with open(chosen.json, "w", encoding="utf-8") as file:
            json.dump({"seconds": seconds, "errors": errors, "rows": table}, file, indent=1)
    return 1 if errors > chosen.max_errors else 0


sys.exit(main())
