"""What the cache must live through; called by `scripts/conformance cache`."""

import argparse
import subprocess

import case as cases
import full
import harm
import million
import place
import trials


def kill(case):
    """Writers are killed at any moment; afterwards every entry is whole and none is lost."""
    done = subprocess.run([case.driver, "kill", str(case.times), str(case.seed)], capture_output=True, text=True)
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


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--binary", required=True)
    parser.add_argument("--driver", required=True)
    parser.add_argument("--json", required=True)
    parser.add_argument("--seed", type=int, default=2026)
    parser.add_argument("names", nargs="*")
    arguments = parser.parse_args()
    names, times = trials.names_and_times(parser, arguments.names, TRIALS, 2000)
    can_mount = place.leave_mounts_of_others()

    def prepare(case):
        case.driver, case.times, case.seed = arguments.driver, times, arguments.seed
        if case.name in MOUNTING and not can_mount:
            raise cases.Impossible("file systems cannot be mounted here")

    names = names or [name for name in TRIALS if name != "million"]
    trials.run(TRIALS, names, arguments.binary, arguments.json, LIMIT, prepare)


if __name__ == "__main__":
    main()
