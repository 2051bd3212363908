"""Folders that are killed, full, read-only, gone, damaged or shared."""

import os
import random
import shutil
import signal
import subprocess
import threading
import time

import damage
import pictures
import place
import server as servers
import uploads
from case import Impossible

# Reduced copies of originals, which are kept in the same folder, make images a little different.
NO_MEMORY = ("--cache-memory", "0", "--masters", "off")


def kill_cache(case):
    """kill -9 while the cache is written: every image is whole and right afterwards, nothing piles up, the start answers."""
    times = case.times or 20
    folder = os.path.join(case.library.folder, "cache-killed")
    wanted = pictures.targets(40)
    expected = pictures.originals(case.binary, case.library, wanted)
    chance = random.Random(2026)
    faults, starts, others = [], [], []
    for _ in range(times):
        began = time.monotonic()
        with servers.Server(case.binary, case.library, "--cache-dir", folder, *NO_MEMORY) as server:
            starts.append(time.monotonic() - began)
            faults += pictures.ask(server, chance.sample(wanted, 6), expected)
            stopping = threading.Event()
            loads = [threading.Thread(target=_load, args=(server, wanted, stopping, number)) for number in range(4)]
            for load in loads:
                load.start()
            time.sleep(chance.random() * 0.4)
            server.signal(signal.SIGKILL)
            server.wait(20)
            stopping.set()
            for load in loads:
                load.join()
        # Some entries are made again, so that there is always something to write.
        for path in chance.sample(entries := pictures.entry_files(folder), len(entries) // 2):
            os.unlink(path)
        others.append(_count_others(folder))
    with servers.Server(case.binary, case.library, "--cache-dir", folder, *NO_MEMORY) as server:
        faults += pictures.ask(server, wanted, expected)
        settled = servers.eventually(lambda: _count_others(folder) <= others[0] + 4)
        case.check(server.stop() == 0, "SIGTERM ends the last with 0")
    case.check(not faults, "%d kills: %d wrong answers%s" % (times, len(faults), _first(faults)))
    case.check(settled, "files beside the entries: %d after the first kill, %d at the end" % (others[0], _count_others(folder)))
    case.check(sorted(starts)[len(starts) // 2] < 1, "starts: %.2f s in the middle, %.2f s at worst" % _middle(starts))
    shutil.rmtree(folder, ignore_errors=True)


def _load(server, wanted, stopping, seed):
    chance = random.Random(seed)
    while not stopping.is_set():
        try:
            server.get(chance.choice(wanted), patience=5)
        except OSError:
            return


def _count_others(folder):
    entries = len(pictures.entry_files(folder))
    return sum(len(names) for _, _, names in os.walk(folder)) - entries


def _middle(times):
    return sorted(times)[len(times) // 2], max(times)


def kill_uploads(case):
    """kill -9 while four clients upload, replace and delete: what was acknowledged is there bit for bit, or gone."""
    times = case.times or 20
    folder = os.path.join(case.library.folder, "..", "uploads-killed")
    chance = random.Random(2026)
    writers, faults, count = [uploads.Writer(number, number, {}, ()) for number in range(4)], [], 0
    for turn in range(times):
        with servers.Server(case.binary, case.library, *uploads.options(folder)) as server:
            faults += uploads.compare(server.address, writers)
            writers = [
                uploads.Writer(number, turn * 4 + number, writer.there, writer.gone) for number, writer in enumerate(writers)
            ]
            for writer in writers:
                writer.address = server.address
                writer.start()
            time.sleep(0.05 + chance.random() * 0.4)
            server.signal(signal.SIGKILL)
            server.wait(20)
            for writer in writers:
                writer.join()
                count += writer.count
    with servers.Server(case.binary, case.library, *uploads.options(folder)) as server:
        faults += uploads.compare(server.address, writers)
        left = uploads.left_over(folder)
        case.check(server.stop() == 0, "SIGTERM ends the last with 0")
    case.check(not faults, "%d kills, %d changes: %d wrong%s" % (times, count, len(faults), _first(faults)))
    case.check(not left, "left over: %s" % left[:3])
    checked = subprocess.run([case.binary, "library", "check", "--uploads", folder], capture_output=True, text=True, timeout=60)
    case.check(checked.returncode == 0, "library check: %s" % (checked.stdout + checked.stderr).strip()[-300:])
    shutil.rmtree(folder, ignore_errors=True)


def disk_full(case):
    """Cache and uploads on a small file system that fills up: images are served, uploads get 507, and all recovers."""
    _must_mount()
    wanted = pictures.targets(60)
    expected = pictures.originals(case.binary, case.library, wanted)
    with place.Place(os.path.join(case.library.folder, ".."), "full").with_memory("size=16m") as there:
        folder = os.path.join(there.path, "uploads")
        options = ("--cache-dir", os.path.join(there.path, "cache"), *uploads.options(folder), *NO_MEMORY)
        with case.server(*options) as server:
            kept = uploads.picture(300_000, 1)
            case.check(uploads.send(server.address, "PUT", "/assets/up-kept.png", kept)[0] == 201, "an upload before")
            for left in (0, 3_000, 60_000, 250_000):
                there.occupy(left)
                faults = pictures.ask(server, wanted, expected)
                answers = [
                    uploads.send(server.address, *request, uploads.picture(400_000, number))
                    for number, request in enumerate((("POST", "/assets"), ("PUT", "/assets/up-new.png")) * 2)
                ]
                right = [status == 507 and b'"type"' in content for status, content in answers]
                case.check(
                    not faults and all(right),
                    "%d bytes left: %d images wrong; uploads: %s%s"
                    % (left, len(faults), [status for status, _ in answers], _first(faults)),
                )
                case.check(not uploads.left_over(folder), "nothing of them is left: %s" % uploads.left_over(folder))
                there.make_room()
            case.check(uploads.original(server.address, "up-kept.png") == (200, kept), "the upload from before is whole")
            case.check(uploads.listed(server.address) == ["up-kept.png"], "nothing else is listed")
            for path in pictures.entry_files(os.path.join(there.path, "cache")):
                os.unlink(path)
            answer = uploads.send(server.address, "PUT", "/assets/up-new.png", uploads.picture(400_000, 9))
            case.check(answer[0] == 201, "with room again, an upload: %d" % answer[0])
            began = time.monotonic()
            case.check(_stores(server, wanted[:8], expected), "and the cache stores after %.1f s" % (time.monotonic() - began))


def _must_mount():
    if os.geteuid() != 0:
        raise Impossible("file systems are mounted by root alone")
    if not place.leave_mounts_of_others():
        raise Impossible("file systems cannot be mounted here")


def _stores(server, wanted, expected):
    """The next attempts come after 1, 2, 4, … seconds."""

    def is_on():
        pictures.ask(server, wanted, expected)
        return server.metric("veduta_cache_disk_on") == 1

    return servers.eventually(is_on, 60)


NOBODY = 65534


def lost_folders(case):
    """Folders that become read-only, forbidden or are deleted while the server runs: one warning, the tier off, service on."""
    wanted = pictures.targets(40)
    expected = pictures.originals(case.binary, case.library, wanted)
    base = os.path.join(case.library.folder, "..", "lost")
    os.makedirs(base)
    cache, folder = os.path.join(base, "cache"), os.path.join(base, "uploads")
    user = NOBODY if os.geteuid() == 0 else None
    if user is not None:
        os.chmod(os.path.dirname(case.library.folder), 0o755)
        os.chown(base, user, user)
    options = ("--cache-dir", cache, *uploads.options(folder), *NO_MEMORY)
    with case.server(*options, user=user) as server:
        kept = uploads.picture(5_000, 1)
        case.check(uploads.send(server.address, "PUT", "/assets/up-kept.png", kept)[0] == 201, "an upload before")
        for name, lose, restore in (
            ("no permission", lambda: _forbid(cache), lambda: _allow(cache)),
            ("deleted", lambda: _delete(cache), lambda: None),
            ("a file in its place", lambda: _put_file(cache), lambda: os.unlink(cache)),
        ):
            lines = len(_warnings(server))
            lose()
            faults = pictures.ask(server, wanted * 2, expected)
            new = _warnings(server)[lines:]
            restore()
            case.check(
                not faults and len(new) <= 1,
                "cache, %s: %d of %d images wrong, %d warnings%s%s"
                % (name, len(faults), len(wanted) * 2, len(new), _first(faults), _first(new)),
            )
            case.check(_stores(server, wanted[:8], expected), "it stores again")
        for name, lose, restore in (
            ("no permission", lambda: _forbid(folder), lambda: _allow(folder)),
            ("deleted", lambda: _delete(folder), lambda: None),
        ):
            lose()
            faults = pictures.ask(server, wanted, expected)
            status, content = uploads.send(server.address, "PUT", "/assets/up-new.png", uploads.picture(5_000, 2))
            seen = uploads.original(server.address, "up-kept.png")[0]
            restore()
            case.check(
                not faults and status in (500, 503, 507) and b'"type"' in content and seen in (403, 500, 503),
                "uploads, %s: %d images wrong%s; an upload: %d; one from before: %d"
                % (name, len(faults), _first(faults), status, seen),
            )
            if name == "no permission":
                case.check(uploads.original(server.address, "up-kept.png") == (200, kept), "and is there again")
    _allow(base)
    shutil.rmtree(base, ignore_errors=True)
    if user is not None and place.leave_mounts_of_others():
        _become_read_only(case, wanted, expected)
    else:
        case.note("becoming read-only: skipped, file systems are mounted by root alone")


def _become_read_only(case, wanted, expected):
    with place.Place(os.path.join(case.library.folder, ".."), "read-only") as there:
        try:
            there.with_ext4(64)
        except Impossible as reason:
            case.note("becoming read-only: skipped, %s" % reason)
            return
        folder = os.path.join(there.path, "uploads")
        options = ("--cache-dir", os.path.join(there.path, "cache"), *uploads.options(folder), *NO_MEMORY)
        with case.server(*options) as server:
            kept = uploads.picture(5_000, 1)
            uploads.send(server.address, "PUT", "/assets/up-kept.png", kept)
            # Files that are open for writing keep anybody from remounting it.
            there.break_down()
            faults = pictures.ask(server, wanted * 2, expected)
            status, content = uploads.send(server.address, "PUT", "/assets/up-new.png", uploads.picture(5_000, 2))
            deleted, _ = uploads.send(server.address, "DELETE", "/assets/up-kept.png")
            case.check(
                not faults and status in (500, 503, 507) and b'"type"' in content and deleted >= 500,
                "read-only: %d images wrong%s; an upload: %d; a deletion: %d" % (len(faults), _first(faults), status, deleted),
            )
            case.check(uploads.original(server.address, "up-kept.png") == (200, kept), "what was there is there")
            case.check(len(_warnings(server)) <= 2, "%d warnings" % len(_warnings(server)))


def _forbid(folder):
    os.chmod(folder, 0)
    for base, folders, _ in os.walk(folder):
        for name in folders:
            os.chmod(os.path.join(base, name), 0)


def _allow(folder):
    os.chmod(folder, 0o700)
    for base, folders, _ in os.walk(folder):
        for name in folders:
            os.chmod(os.path.join(base, name), 0o700)


def _delete(folder):
    """As `rm -r` does, again where the server has put something there meanwhile."""
    for _ in range(20):
        shutil.rmtree(folder, ignore_errors=True)
        if not os.path.exists(folder):
            return


def _put_file(folder):
    _delete(folder)
    with open(folder, "w"):
        pass


def _warnings(server):
    """Those of the cache; each request that fails has a line of its own."""
    return [line for line in server.log().splitlines() if "no pictures are kept in" in line]


def damaged_cache(case):
    """Entry files that are flipped, cut, swapped, zeroed, lengthened under load: made again, never a wrong byte."""
    folder = os.path.join(case.library.folder, "..", "cache-damaged")
    wanted = pictures.targets(40)
    expected = pictures.originals(case.binary, case.library, wanted)
    with case.server("--cache-dir", folder, *NO_MEMORY) as server:
        for number, kind in enumerate(damage.KINDS):
            faults = pictures.ask(server, wanted, expected)
            servers.eventually(lambda: len(pictures.entry_files(folder)) >= len(wanted))
            # Others read them while they change.
            faulty = []
            reading = threading.Thread(target=lambda found=faulty: found.extend(pictures.ask(server, wanted * 2, expected)))
            reading.start()
            # Nobody asks again for what the steady client asked for, so that it stays as the last kind left it.
            sound = [path for path in pictures.entry_files(folder) if _is_sound(path)]
            struck = damage.strike(kind, sound, number)
            reading.join()
            faults += faulty + pictures.ask(server, wanted, expected)
            case.check(not faults, "%s: %d files, %d wrong answers%s" % (kind, len(struck), len(faults), _first(faults)))
            _clear(folder)
        case.note("%d files were removed as damaged" % server.metric("veduta_cache_disk_corrupt"))
    shutil.rmtree(folder, ignore_errors=True)


def _is_sound(path):
    return os.path.isfile(path) and not os.path.islink(path) and 0 < os.path.getsize(path) < 1 << 30


def _clear(folder):
    """Takes away what damage has left that is no file."""
    for base, folders, names in os.walk(os.path.join(folder, "entries")):
        for name in names + folders:
            path = os.path.join(base, name)
            if os.path.islink(path) or not os.path.isfile(path) and not os.path.isdir(path):
                os.unlink(path)


def two_processes(case):
    """Two servers on one cache folder under load, one of which is killed and started again: no wrong byte, no deadlock."""
    folder = os.path.join(case.library.folder, "..", "cache-shared")
    wanted = pictures.targets(40)
    expected = pictures.originals(case.binary, case.library, wanted)
    options = ("--cache-dir", folder, *NO_MEMORY)
    faults, count, stopping = [], [0], threading.Event()

    def load(server):
        # No pool of threads: other servers are forked meanwhile.
        while not stopping.is_set():
            for target in wanted:
                try:
                    found = pictures.digest(server.get(target))
                except OSError as error:
                    found = str(error)
                if found != expected[target]:
                    faults.append("%s: %s" % (target, found))
            count[0] += len(wanted)
            for path in pictures.entry_files(folder)[::3]:
                try:
                    os.unlink(path)
                except OSError:
                    pass

    with case.server(*options) as server:
        loading = threading.Thread(target=load, args=(server,))
        loading.start()
        chance = random.Random(2026)
        for _ in range(case.times or 12):
            with servers.Server(case.binary, case.library, *options) as other:
                others = [threading.Thread(target=_load, args=(other, wanted, stopping, number)) for number in range(2)]
                for thread in others:
                    thread.start()
                faults += pictures.ask(other, chance.sample(wanted, 8), expected)
                other.signal(signal.SIGKILL)
                other.wait(20)
                for thread in others:
                    thread.join()
        stopping.set()
        loading.join(60)
        case.check(not loading.is_alive(), "the other goes on to the end")
        case.check(
            not faults, "%d answers beside %d kills: %d wrong%s" % (count[0], case.times or 12, len(faults), _first(faults))
        )
    shutil.rmtree(folder, ignore_errors=True)


def _first(texts):
    return "; first: " + texts[0] if texts else ""
