"""Runs trials one after the other, each with a limit of time, and writes what came of them."""

import json
import signal
import sys
import time

import case as cases
import server as servers


def run(trials, names, binary, json_path, limit, prepare=lambda case: None):
    """The trials called `names`, all of them if there are none; ends the program: 1 when something did not hold."""

    def interrupt(number, _):
        raise TimeoutError("over %d s" % limit) if number == signal.SIGALRM else SystemExit(1)

    for number in (signal.SIGALRM, signal.SIGTERM):
        signal.signal(number, interrupt)
    library = servers.Library(binary)
    results = []
    try:
        for name in names or trials:
            print("%s: %s" % (name, trials[name].__doc__), flush=True)
            case = cases.Case(name, binary, library)
            began = time.monotonic()
            signal.alarm(limit)
            try:
                prepare(case)
                trials[name](case)
            except cases.Impossible as reason:
                case.note("skipped: %s" % reason)
            except Exception as error:  # What goes wrong in one must not keep the others from running.
                case.check(False, "%s: %s" % (type(error).__name__, error))
            finally:
                signal.alarm(0)
            results.append({"name": name, "bad": case.failures, "notes": case.notes, "seconds": time.monotonic() - began})
    finally:
        library.remove()
    with open(json_path, "w") as file:
        json.dump(results, file, indent=1)
    sys.exit(any(result["bad"] for result in results))


def names_and_times(parser, words, trials, times):
    """The trials that the words name, and the number among them, which is `times` when there is none."""
    names = [word for word in words if not word.isdigit()]
    if unknown := [name for name in names if name not in trials]:
        parser.error("there is no %s (%s)" % (unknown[0], ", ".join(trials)))
    return names, next((int(word) for word in words if word.isdigit()), times)
