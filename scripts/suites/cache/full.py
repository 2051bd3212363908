"""Folders in which nothing can be stored any more."""

import os
import re
import subprocess
import time

import pictures
import place
import server as servers
from case import Impossible
from harm import NO_MEMORY, disk_hits

COUNT = 120
NOTICES = ("no pictures are kept in", "(?<!no )pictures are kept in .* again")


def store(case):
    """The store alone, on file systems of a megabyte or two: it fills up, turns itself off once, and on again."""
    for name, prepare in (
        ("1,500 KB of memory", lambda place: place.with_memory("size=1500k")),
        ("3 MB of memory, 400 files", lambda place: place.with_memory("size=3m,nr_inodes=400")),
        ("ext4 of 4 MB", lambda place: place.with_ext4(4)),
    ):
        with place.Place(case.library.folder, "store-" + name.split()[-1].lower()) as there:
            try:
                prepare(there)
            except Impossible as reason:
                case.note("%s: skipped, %s" % (name, reason))
                continue
            done = subprocess.run([case.driver, "full", there.path], capture_output=True, text=True, timeout=120)
            case.check(
                done.returncode == 0,
                "%s: %s" % (name, "; ".join(line.removeprefix("full: ") for line in done.stdout.strip().split("\n"))),
            )


def server(case):
    """A server whose cache is on 2 MB: it answers everything, says once that the disk is full, and recovers."""
    wanted = pictures.targets(COUNT)
    expected = pictures.originals(case.binary, case.library, wanted)
    with place.Place(case.library.folder, "full").with_memory("size=2m") as there:
        options = ("--cache-dir", os.path.join(there.path, "cache"), "--workers", "2", *NO_MEMORY)
        with servers.Server(case.binary, case.library, *options) as running:
            faults = pictures.ask(running, wanted, expected)
            case.check(not faults, "while it fills up: %d of %d answers wrong%s" % (len(faults), COUNT, _first(faults)))
            before = disk_hits(running)
            faults = pictures.ask(running, wanted + wanted[-4:] * 3, expected)
            case.check(
                not faults and disk_hits(running) > before,
                "full: %d of %d answers wrong, %d from the disk%s"
                % (len(faults), COUNT + 12, disk_hits(running) - before, _first(faults)),
            )
            _say_notices(case, running)
            for path in pictures.entry_files(there.path + "/cache")[::2]:
                os.unlink(path)
            _recovers(case, running, wanted[:8], expected)
            _say_notices(case, running)
            # Somebody else takes the rest, several times, at the worst moments.
            faults = []
            for left in (0, 1000, 5000, 20000, 70000):
                there.occupy(left)
                faults += pictures.ask(running, wanted[::3], expected)
                there.make_room()
            case.check(not faults, "with 0 to 70 KB left: %d answers wrong%s" % (len(faults), _first(faults)))
            case.check(running.stop() == 0, "SIGTERM ends it")
        _starts_on_it(case, there, options, wanted, expected)


def _starts_on_it(case, there, options, wanted, expected):
    there.occupy()
    with servers.Server(case.binary, case.library, *options) as running:
        faults = pictures.ask(running, wanted, expected)
        case.check(not faults, "started on a full disk: %d of %d wrong%s" % (len(faults), COUNT, _first(faults)))
        case.check(running.stop() == 0, "SIGTERM ends it")
    there.make_room()


def read_only(case):
    """A folder that is or becomes read-only: everything is answered, with one warning, and stored again later."""
    wanted = pictures.targets(COUNT)
    expected = pictures.originals(case.binary, case.library, wanted)
    with place.Place(case.library.folder, "read-only").with_memory("size=64m") as there:
        options = ("--cache-dir", there.path, "--workers", "2", *NO_MEMORY)
        with servers.Server(case.binary, case.library, *options) as running:
            pictures.ask(running, wanted[:60], expected)
            case.check(running.stop() == 0, "SIGTERM ends it")
        there.remount("ro")
        with servers.Server(case.binary, case.library, *options) as running:
            faults = pictures.ask(running, wanted, expected)
            case.check(
                not faults and disk_hits(running) > 0,
                "started read-only: %d of %d wrong, %d from the disk%s"
                % (len(faults), COUNT, disk_hits(running), _first(faults)),
            )
            _say_notices(case, running, 1, 0)
            there.remount("rw")
            _recovers(case, running, wanted[60:68], expected)
            _say_notices(case, running, 1, 1)
            case.check(running.stop() == 0, "SIGTERM ends it")
    _breaks_down(case, wanted, expected)


def _breaks_down(case, wanted, expected):
    with place.Place(case.library.folder, "failing") as there:
        try:
            there.with_ext4(32)
        except Impossible as reason:
            case.note("ext4 that breaks down: skipped, %s" % reason)
            return
        options = ("--cache-dir", os.path.join(there.path, "cache"), "--workers", "2", *NO_MEMORY)
        with servers.Server(case.binary, case.library, *options) as running:
            faults = pictures.ask(running, wanted[:60], expected)
            there.break_down()
            before = disk_hits(running)
            faults += pictures.ask(running, wanted, expected)
            case.check(
                not faults and disk_hits(running) > before,
                "ext4 that breaks down: %d wrong, then %d from the disk%s"
                % (len(faults), disk_hits(running) - before, _first(faults)),
            )
            _say_notices(case, running, 1, 0)
            case.check(running.stop() == 0, "SIGTERM ends it")


def _recovers(case, running, wanted, expected):
    """The next attempts come after 1, 2, 4, … seconds."""
    began = time.monotonic()

    def is_on():
        pictures.ask(running, wanted, expected)
        return running.metric("veduta_cache_disk_on") == 1

    case.check(servers.eventually(is_on, 90), "with room, it stores again after %.1f s" % (time.monotonic() - began))


def _say_notices(case, running, off=None, on=None):
    """So many, or at least one that it is off, and that it is on again between any two."""
    log = running.log()
    found = [len(re.findall(words, log)) for words in NOTICES]
    holds = found == [off, on] if off is not None else found[0] > 0 and found[0] - found[1] in (0, 1)
    case.check(holds, "the log says %d times that it is off, %d times that it is on again" % tuple(found))


def _first(faults):
    return "; first: " + faults[0] if faults else ""
