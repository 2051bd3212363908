"""The faults that need a running server under ill treatment; called by `scripts/conformance faults`."""

import argparse
import multiprocessing

import archives
import clocks
import crowds
import endings
import isolation
import leavers
import limits
import lying
import origins
import prices
import slow
import soak
import storage
import trials
import wire

# The rows of ../shared/conformance/faults.md, which says what must hold; those without a number are not among them.
ROWS = (
    (1, "kill-cache", storage.kill_cache),
    (2, "kill-uploads", storage.kill_uploads),
    (3, "disk-full", storage.disk_full),
    (4, "lost-folders", storage.lost_folders),
    (5, "descriptors", crowds.descriptors),
    (5, "one-address", crowds.one_address),
    (6, "little-memory", prices.little_memory),
    (6, "little-address-space", limits.address_space),
    (6, "memory-group", limits.memory_group),
    (7, "threads", limits.threads),
    (8, "slow-heads", slow.heads),
    (9, "slow-contents", slow.contents),
    (9, "slow-uploads", slow.uploading),
    (10, "slow-readers", slow.readers),
    (10, "hoarders", slow.hoarders),
    (11, "resets", leavers.resets),
    (12, "cancelled", leavers.cancelled),
    (13, "stalled-origins", origins.stalled),
    (13, "lying-origins", lying.lying),
    (13, "flapping-origin", lying.flapping),
    (14, "resumed-origin", lying.resumed),
    (15, "damaged-cache", storage.damaged_cache),
    (16, "map-archive", archives.replaced),
    (17, "clock", clocks.jumps),
    (18, "terminate", endings.terminate),
    (18, "restart", endings.restart),
    (19, "signals", endings.signals),
    (20, "flood", crowds.flood),
    (21, "crashed-workers", isolation.crashed),
    (21, "killed-workers", isolation.killed),
    (21, "stopped-workers", isolation.stopped),
    (22, "two-processes", storage.two_processes),
    (23, "start", endings.start),
    (24, "soak", soak.soak),
    (None, "idle", crowds.idle),
    (None, "cold-original", origins.cold),
    (None, "expired-token", origins.expired),
    (None, "dear", prices.dear),
    (None, "crowd-of-one", prices.crowd_of_one),
    (None, "drawings", prices.drawings),
    (None, "drawing-bombs", isolation.bombs),
)
FAULTS = {name: fault for _, name, fault in ROWS}

LIMIT = 150  # seconds for one fault


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--binary")
    parser.add_argument("--json")
    parser.add_argument("--list", action="store_true")
    parser.add_argument("words", nargs="*")
    arguments = parser.parse_args()
    if arguments.list:
        for row, name, fault in ROWS:
            print("%4s  %-20s  %s" % (row or "", name, " ".join(fault.__doc__.split())))
        return
    names, times = trials.names_and_times(parser, arguments.words, FAULTS, None)
    # The steady client must not carry copies of sockets that are open here.
    multiprocessing.set_start_method("spawn")
    wire.raise_descriptor_limit()

    def prepare(case):
        case.times = times

    # A kill takes a second or two, and a soak as many seconds as are given.
    trials.run(FAULTS, names, arguments.binary, arguments.json, LIMIT + 3 * (times or 0), prepare)


if __name__ == "__main__":
    main()
