"""Files of a cache that are changed behind the server's back."""

import os
import shutil

import damage
import pictures
import server as servers

COUNT = 60
# Without it in the way, every picture comes from the disk.
NO_MEMORY = ("--cache-memory", "0")


def corrupt(case):
    """Every kind of damage to every second file, before a start and under a running server: never a wrong byte."""
    folder = os.path.join(case.library.folder, "cache-corrupt")
    wanted = pictures.targets(COUNT)
    expected = pictures.originals(case.binary, case.library, wanted)
    options = ("--cache-dir", folder, "--workers", "2", *NO_MEMORY)
    _fill(case, folder, options, wanted, expected)
    for number, kind in enumerate(damage.KINDS):
        _harm(case, folder, options, wanted, expected, kind, number)
    shutil.rmtree(folder, ignore_errors=True)


def _fill(case, folder, options, wanted, expected):
    with servers.Server(case.binary, case.library, *options) as server:
        faults = pictures.ask(server, wanted, expected)
        case.check(not faults, "first answers: %d wrong%s" % (len(faults), _first(faults)))
        case.check(
            servers.eventually(lambda: len(pictures.entry_files(folder)) == COUNT),
            "%d of %d pictures are on the disk" % (len(pictures.entry_files(folder)), COUNT),
        )
        case.check(server.stop() == 0, "SIGTERM ends it")


def _harm(case, folder, options, wanted, expected, kind, seed):
    whole = pictures.entry_files(folder)
    struck = damage.strike(kind, whole, seed)
    with servers.Server(case.binary, case.library, *options) as server:
        faults = pictures.ask(server, wanted, expected)
        # Each was made anew and stored in the place of the damaged one.
        again = servers.eventually(lambda: _are_regular(whole, folder))
        hits = disk_hits(server)
        faults += pictures.ask(server, wanted, expected)
        served = disk_hits(server) - hits
        # While it runs, half of the files change once more.
        damage.strike(kind, whole, seed + 1000)
        faults += pictures.ask(server, wanted, expected)
        again = again and servers.eventually(lambda: _are_regular(whole, folder))
        faults += pictures.ask(server, wanted, expected)
        removed = server.metric("veduta_cache_disk_corrupt")
        stopped = server.stop() == 0
    case.check(
        not faults and again and stopped and served == COUNT and (removed >= 2 * len(struck) or kind == "gone"),
        "%s: %d of %d files, twice; %d answers wrong, %d files counted as removed, %d of %d then from the disk%s%s"
        % (
            kind,
            len(struck),
            len(whole),
            len(faults),
            removed,
            served,
            COUNT,
            "" if again else "; some are not stored again",
            _first(faults),
        ),
    )


def disk_hits(server):
    return server.metric("veduta_cache_disk_hits_total")


def _are_regular(files, folder):
    return all(os.path.isfile(path) and not os.path.islink(path) for path in files) and pictures.entry_files(folder) == files


def _first(faults):
    return "; first: " + faults[0] if faults else ""
