"""The faults that need a running server under ill treatment; called by `scripts/conformance faults`."""

import argparse
import json
import multiprocessing
import signal
import sys
import time

import case as cases
import crowds
import endings
import leavers
import server as servers
import slow
import wire

FAULTS = {
    "descriptors": crowds.descriptors,
    "one-address": crowds.one_address,
    "slow-heads": slow.heads,
    "slow-contents": slow.contents,
    "slow-readers": slow.readers,
    "resets": leavers.resets,
    "cancelled": leavers.cancelled,
    "terminate": endings.terminate,
    "signals": endings.signals,
    "flood": crowds.flood,
    "start": endings.start,
    "idle": crowds.idle,
}


LIMIT = 150  # seconds for one fault


def _interrupt(number, _):
    raise TimeoutError("over %d s" % LIMIT) if number == signal.SIGALRM else SystemExit(1)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--binary", required=True)
    parser.add_argument("--json", required=True)
    parser.add_argument("names", nargs="*", choices=[[], *FAULTS])
    arguments = parser.parse_args()
    # The steady client must not carry copies of sockets that are open here.
    multiprocessing.set_start_method("spawn")
    wire.raise_descriptor_limit()
    for number in (signal.SIGALRM, signal.SIGTERM):
        signal.signal(number, _interrupt)
    library = servers.Library(arguments.binary)
    results = []
    try:
        for name in arguments.names or FAULTS:
            print("%s: %s" % (name, FAULTS[name].__doc__), flush=True)
            case = cases.Case(name, arguments.binary, library)
            began = time.monotonic()
            signal.alarm(LIMIT)
            try:
                FAULTS[name](case)
            except Exception as error:  # What goes wrong in one must not keep the others from running.
                case.check(False, "%s: %s" % (type(error).__name__, error))
            finally:
                signal.alarm(0)
            results.append({
                "name": name, "bad": case.failures, "notes": case.notes, "seconds": time.monotonic() - began})
    finally:
        library.remove()
    with open(arguments.json, "w") as file:
        json.dump(results, file, indent=1)
    sys.exit(any(result["bad"] for result in results))


if __name__ == "__main__":
    main()
