"""check.py SERVER PID FOLDER: scripts/load against SERVER, which has served nobody else and is killed at the end."""

import json
import os
import pathlib
import re
import signal
import subprocess
import sys
import urllib.request


class Trial:
    def __init__(self, server, folder):
        self.server = server
        self.report = pathlib.Path(folder) / "report.json"

    def renders(self):
        with urllib.request.urlopen(f"{self.server}/metrics", timeout=10) as answer:
            found = re.search(r'^veduta_renders_total\{route="asset"\} (\d+)$', answer.read().decode(), re.MULTILINE)
        return int(found[1]) if found else 0

    def load(self, *options):
        """The exit code, the errors, the answers by status and cache result, and the table."""
        command = ["scripts/load", "--server", self.server, "--json", str(self.report), *options]
        run = subprocess.run(command, capture_output=True, text=True, timeout=600, check=False)
        if not self.report.exists():
            sys.exit(f"scripts/load {' '.join(options)}: {run.stdout}{run.stderr}")
        report = json.loads(self.report.read_text(encoding="utf-8"))
        self.report.unlink()
        return run.returncode, report["errors"], {(r["status"], r["cache"]): r["answers"] for r in report["rows"]}, run.stdout


def check(truth, text, found):
    if not truth:
        sys.exit(f"not so: {text}: {found}")
    print(f"ok    {text}", flush=True)


def main():
    server, process, folder = sys.argv[1:]
    trial = Trial(server, folder)

    found = trial.load("--mix", "warm", "--requests", "200")
    check(found[:2] == (0, 0) and found[2]["all", ""] == 200, "a warm mix has an answer for each request", found)
    made = trial.renders()
    check(0 < made <= 20, "of which at most 20 are rendered", made)
    again = trial.load("--mix", "warm", "--requests", "200")
    known = again[2].get(("200", "hit"), 0)
    check(trial.renders() - made <= 20 - made and known >= 180, "and which are hits when it comes again", again)

    made = trial.renders()
    found = trial.load("--mix", "cold", "--requests", "30", "--parallel", "8")
    check(found[2].get(("200", "uri-miss")) == 30 and trial.renders() - made == 30, "a cold mix renders each image once", found)
    found = trial.load("--requests", "200")
    hits, misses = (found[2].get(("200", result), 0) for result in ("hit", "uri-miss"))
    check(hits > misses > 0 and hits + misses == 200, "a mixed one does both", found)

    urls = pathlib.Path(folder) / "urls"
    image = "/asset?id=lagoon.jpg&width=200&format=webp"
    urls.write_text("\n".join(["# nine of ten are there", *[image] * 9, "/asset?id=nothing"]), encoding="utf-8")
    found = trial.load("--file", str(urls), "--requests", "100")
    absent = sum(answers for (status, _), answers in found[2].items() if status == "404")
    check(found[:2] == (1, 10) and absent == 10, "a tenth of a file's answers is 404, and that is a failure", found)
    check(re.search(r"^404 .* 10 ", found[3], re.MULTILINE) is not None, "which the table shows", found[3])
    check(trial.load("--file", str(urls), "--requests", "100", "--max-errors", "10")[0] == 0, "unless it is allowed", found)
    found = trial.load("--header", "If-None-Match: *", "--requests", "10", server + image)
    check(found[:2] == (0, 0) and sum(n for (status, _), n in found[2].items() if status == "304") == 10, "304 is none", found)

    os.kill(int(process), signal.SIGKILL)
    found = trial.load("--requests", "5", server + image)
    check(found[:2] == (1, 5) and found[2].get(("000", "none")) == 5, "a server that is gone is one", found)


main()
