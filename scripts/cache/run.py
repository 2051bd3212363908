"""What the cache must live through; called by `scripts/conformance cache`."""

import argparse
import json
import os
import signal
import subprocess
import sys
import time

sys.path.insert(1, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "faults"))
sys.dont_write_bytecode = True

import case as cases  # noqa: E402
import full  # noqa: E402
import harm  # noqa: E402
import million  # noqa: E402
import place  # noqa: E402
import server as servers  # noqa: E402


def kill(case):
    """Writers are killed at any moment; afterwards every entry is whole and none is lost."""
    done = subprocess.run(
        [case.exerciser, "kill", str(case.times), str(case.seed)], capture_output=True, text=True)
    case.check(done.returncode == 0, (done.stdout + done.stderr).strip()[-2000:])


TRIALS = {
    "kill": kill,
    "store": full.store,
    "full": full.server,
    "read-only": full.read_only,
    "corrupt": harm.corrupt,
    "million": million.million,
}
MOUNTING = ("store", "full", "read-only")
LIMIT = 1800  # seconds for one trial


def _interrupt(number, _):
    raise TimeoutError("over %d s" % LIMIT) if number == signal.SIGALRM else SystemExit(1)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--binary", required=True)
    parser.add_argument("--exerciser", required=True)
    parser.add_argument("--json", required=True)
    parser.add_argument("--seed", type=int, default=2026)
    parser.add_argument("names", nargs="*")
    arguments = parser.parse_args()
    names, times = [], 2000
    for word in arguments.names:
        if word.isdigit():
            times = int(word)
        elif word in TRIALS:
            names.append(word)
        else:
            parser.error("there is no %s (%s)" % (word, ", ".join(TRIALS)))
    for number in (signal.SIGALRM, signal.SIGTERM):
        signal.signal(number, _interrupt)
    can_mount = place.leave_mounts_of_others()
    library = servers.Library(arguments.binary)
    results = []
    try:
        for name in names or [name for name in TRIALS if name != "million"]:
            print("%s: %s" % (name, TRIALS[name].__doc__), flush=True)
            case = cases.Case(name, arguments.binary, library)
            case.exerciser, case.times, case.seed = arguments.exerciser, times, arguments.seed
            began = time.monotonic()
            if name in MOUNTING and not can_mount:
                case.note("skipped: file systems cannot be mounted here")
            else:
                _run(TRIALS[name], case)
            results.append({
                "name": name, "bad": case.failures, "notes": case.notes, "seconds": time.monotonic() - began})
    finally:
        library.remove()
    with open(arguments.json, "w") as file:
        json.dump(results, file, indent=1)
    sys.exit(any(result["bad"] for result in results))


def _run(trial, case):
    signal.alarm(LIMIT)
    try:
        trial(case)
    except place.Impossible as reason:
        case.note("skipped: %s" % reason)
    except Exception as error:  # What goes wrong in one must not keep the others from running.
        case.check(False, "%s: %s" % (type(error).__name__, error))
    finally:
        signal.alarm(0)


if __name__ == "__main__":
    main()
