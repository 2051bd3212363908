"""The archive of maps changes below a server that draws them."""

import os
import random
import shutil
import threading
import time

import server as servers


def replaced(case):
    """An archive that is cut, flipped, replaced by rubbish, deleted and put back while maps are drawn: a map, or a clean
    error, and the new archive is taken."""
    source = os.path.join(os.path.dirname(case.library.folder), "maps", "city.pmtiles")
    archive = os.path.join(os.path.dirname(case.library.folder), "maps", "served.pmtiles")
    shutil.copy(source, archive)
    with open(source, "rb") as file:
        whole = file.read()
    with case.server("--map-archive", archive, "--map-world", "off") as server:
        good = server.get(_map(0))
        case.check(good[0] == 200, "a map before: %d" % good[0])
        crowd = _Crowd(server)
        crowd.start()
        try:
            _change(case, server, crowd, archive, whole, good)
        finally:
            crowd.stop()
        case.check(not crowd.errors, "connections that broke: %d%s" % (len(crowd.errors), crowd.errors[:1]))
        lines = len(server.log().splitlines())
        case.check(lines < crowd.count + 100, "%d lines of log for %d maps" % (lines, crowd.count))
    os.unlink(archive)


def _change(case, server, crowd, archive, whole, good):
    for name, change in (
        ("cut in half", lambda: os.truncate(archive, len(whole) // 2)),
        ("cut to nothing", lambda: os.truncate(archive, 0)),
        ("bits flipped in place", lambda: _write_into(archive, whole, 400)),
        ("its header overwritten", lambda: _write_into(archive, whole, 0)),
        ("replaced by rubbish", lambda: _replace(archive, random.Random(1).randbytes(len(whole)))),
        ("replaced by half of it", lambda: _replace(archive, whole[: len(whole) // 2])),
        ("deleted", lambda: os.unlink(archive)),
        ("a folder in its place", lambda: _put_folder(archive)),
    ):
        change()
        time.sleep(1.2)
        statuses = crowd.take()
        case.check(
            set(statuses) <= {200, 500, 502, 503} and sum(statuses.values()) > 0 and server.is_running(),
            "%s: %s" % (name, statuses),
        )
        if os.path.isdir(archive):
            os.rmdir(archive)
        _replace(archive, whole)
        back = servers.eventually(lambda: server.get(_map(0), patience=20) == good, limit=20)
        case.check(back, "put back: the map is as before")
        crowd.take()
    # Another good one, which has fewer levels.
    _replace(archive, whole[:100] + bytes([min(whole[100], 4), min(whole[101], 4)]) + whole[102:])
    changed = servers.eventually(lambda: server.get(_map(0), patience=20)[1] != good[1], limit=20)
    case.check(changed, "another archive is taken")


def _map(number):
    """Each is another one, so that none is in the cache."""
    return "/map?latitude=%.6f&longitude=0.01&zoom=13&width=256&height=256&format=png" % (number % 30_000 / 1_500_000)


def _put_folder(path):
    os.unlink(path)
    os.mkdir(path)


def _write_into(path, whole, start):
    with open(path, "r+b") as file:
        chance = random.Random(start)
        for _ in range(60):
            file.seek(start + chance.randrange(min(120, len(whole)) if start == 0 else len(whole) - start))
            file.write(chance.randbytes(1))


def _replace(path, content):
    with open(path + ".new", "wb") as file:
        file.write(content)
    os.rename(path + ".new", path)


class _Crowd:
    """Three clients that ask for maps, each another one."""

    def __init__(self, server):
        self.server = server
        self.statuses, self.errors = {}, []
        self.count = 0
        self.lock = threading.Lock()
        self.stopping = threading.Event()
        self.threads = [threading.Thread(target=self._ask, args=(number,)) for number in range(3)]

    def start(self):
        for thread in self.threads:
            thread.start()

    def stop(self):
        self.stopping.set()
        for thread in self.threads:
            thread.join()

    def take(self):
        with self.lock:
            found, self.statuses = self.statuses, {}
            return found

    def _ask(self, number):
        while not self.stopping.is_set():
            number += 3
            try:
                status, _ = self.server.get(_map(number))
            except OSError as error:
                with self.lock:
                    self.errors.append(str(error))
                continue
            with self.lock:
                self.count += 1
                self.statuses[status] = self.statuses.get(status, 0) + 1
