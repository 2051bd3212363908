"""Fails when docs/THREATS.md names a test, suite or fuzzing target that does not exist.

The tests of an attack are the names in the last column of its table: those of a test, of a suite or of a folder below Tests,
`scripts/…` with the name of a suite or target behind it, and `faults NAME` for a case of scripts/suites/faults."""

import pathlib
import re
import subprocess
import sys

COLUMNS = "| attack | defence | test |"


def main():
    files = subprocess.run(["git", "ls-files", "Tests"], capture_output=True, text=True, check=True).stdout.split("\n")
    swift = "\n".join(pathlib.Path(name).read_text() for name in files if name.endswith(".swift"))
    names = set(re.findall(r"\b(?:func|struct|class|enum) (\w+)", swift))
    targets = set(re.findall(r'\.init\("([a-z]+)", longest', swift))
    faults = set(re.findall(r'\((?:\d+|None), "([a-z-]+)",', pathlib.Path("scripts/suites/faults/suite.py").read_text()))
    suites = {path.parent.name for path in pathlib.Path("scripts/suites").glob("*/run")}

    def exists(text):
        words = text.split()
        if words[0] == "faults":
            return len(words) == 2 and words[1] in faults
        if words[0] == "scripts/fuzz":
            return set(words[1:]) <= targets
        if words[0] == "scripts/conformance":
            return words[1:] and words[1] in suites
        if words[0].startswith("scripts/"):
            return pathlib.Path(words[0]).exists()
        if "/" in text:
            return any(text in name for name in files)
        return text in names | targets or any("/%s/" % text in name for name in files)

    lines = pathlib.Path("docs/THREATS.md").read_text().splitlines()
    missing, in_table, count = [], False, 0
    for number, line in enumerate(lines, 1):
        in_table = line == COLUMNS or in_table and line.startswith("|")
        if not in_table or line == COLUMNS:
            continue
        for text in re.findall(r"`([^`]+)`", line.rstrip(" |").rpartition(" | ")[2]):
            count += 1
            if not exists(text):
                missing.append("docs/THREATS.md:%d: there is no test %s" % (number, text))
    print("\n".join(missing) or "%d tests exist" % count)
    sys.exit(bool(missing) or count == 0)


if __name__ == "__main__":
    main()
