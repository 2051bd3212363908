"""Names what failed in the results of a suite.

verdict.py RESULTS PENDING [OPTION…]

PENDING, which may be absent, has a line `NAME REASON` for each case that may fail. With `--must` among the options of the suite,
only what an RFC demands counts. Ends with 1 when a case failed that PENDING does not name."""

import json
import sys


def reasons_of(path):
    """The reason by the name of the case."""
    try:
        with open(path, encoding="utf-8") as lines:
            entries = [line.strip().partition(" ") for line in lines if line.strip() and not line.startswith("#")]
    except FileNotFoundError:
        return {}
    return {name: reason for name, _, reason in entries}


def failures_of(results, only_must):
    """What went wrong by the name of the case."""
    if isinstance(results, list):
        return {case["name"]: "; ".join(case["bad"]) for case in results if case["bad"]}
    # Those of the HTTP/1.1 suite.
    counted = [case for case in results["cases"] if case["level"] == "MUST" or not only_must]
    return {case["name"]: case["note"] for case in counted if case["result"] == "FAIL"}


def main():
    path, pending, *options = sys.argv[1:]
    with open(path, encoding="utf-8") as file:
        failed = failures_of(json.load(file), "--must" in options)
    reasons = reasons_of(pending)
    for name in failed.keys() & reasons.keys():
        print(f"pending: {name}: {reasons[name]}")
    unexpected = failed.keys() - reasons.keys()
    for name in sorted(unexpected):
        print(f"FAILED: {name}: {failed[name]}")
    sys.exit(bool(unexpected))


if __name__ == "__main__":
    main()
