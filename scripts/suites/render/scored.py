"""Scores what MapDriver has drawn, for scripts/conformance render.

    scored.py TESTS OUT SCORER PENDING

Puts the expected pictures and the differences beside what was drawn, writes OUT/table.txt and prints it. Ends with 1 when a
test fails that PENDING does not name; says which ones of PENDING pass.
"""

import json
import os
import shutil
import subprocess
import sys

from verdict import reasons_of


def main():
    tests, out, scorer, pending = sys.argv[1:]
    differences = os.path.join(out, ".differences")
    results = os.path.join(out, "results.json")
    table = subprocess.run(
        [sys.executable, scorer, out, "--tests", tests, "--groups", "--jobs", "2", "--json", results, "--diff", differences],
        check=True,
        capture_output=True,
        text=True,
    ).stdout
    with open(os.path.join(out, "table.txt"), "w", encoding="utf-8") as file:
        file.write(table)
    print(table)
    with open(results, encoding="utf-8") as file:
        outcomes = json.load(file)
    reasons = reasons_of(pending)
    bad = []
    for outcome in outcomes:
        name = outcome["id"]
        folder = os.path.join(out, name)
        os.makedirs(folder, exist_ok=True)
        for file in os.listdir(os.path.join(tests, name)):
            if file.startswith("expected") and file.endswith(".png"):
                shutil.copy(os.path.join(tests, name, file), folder)
        difference = os.path.join(differences, name + ".png")
        if os.path.exists(difference):
            os.replace(difference, os.path.join(folder, "difference.png"))
        passed = outcome["status"] == "pass"
        if passed and name in reasons:
            print(f"passes: {name}, which {pending} lists")
        elif not passed and name not in reasons:
            bad.append(f"FAILED: {name}: {outcome.get('note') or outcome['diff']}")
    shutil.rmtree(differences, ignore_errors=True)
    print(*bad, sep="\n")
    sys.exit(bool(bad))


if __name__ == "__main__":
    main()
