"""A million entries on the disk: how soon the server answers, what it costs in memory, how it makes room."""

import os
import shutil
import socket
import subprocess
import tempfile
import threading
import time

import pictures
import server as servers

COUNT = 1_000_000
BOUND = 192 << 20
SMALL = "/asset?id=badge.png&width=40&format=png"


def million(case):
    """A million entries: the first answer, answers while they are listed, memory within its bound, eviction."""
    parent = os.environ.get("VEDUTA_TRIAL_FOLDER") or tempfile.gettempdir()
    folder = tempfile.mkdtemp(prefix="veduta-million-", dir=parent)
    try:
        count = case.times if case.times >= 10_000 else COUNT
        began = time.monotonic()
        made = subprocess.run([case.driver, "fill", folder, str(count)], capture_output=True, text=True)
        case.check(made.returncode == 0, "%s (%.0f s)" % (made.stdout.strip(), time.monotonic() - began))
        if made.returncode == 0:
            _start(case, folder)
            _index(case, folder, count)
            _memory(case, folder, count)
            _evict(case, folder, count)
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _options(folder, *more):
    return ("--cache-dir", folder, "--cache-files", "2000000", "--cache-disk", "100g", "--workers", "2", *more)


def _first_answer(case, folder):
    """Seconds from the start of the process to a picture."""
    port = servers.free_port()
    began = time.monotonic()
    with (
        open(os.devnull, "w") as nowhere,
        subprocess.Popen(
            [case.binary, "serve", "--listen", "127.0.0.1:%d" % port, "--library", case.library.folder, *_options(folder)],
            stdout=nowhere,
            stderr=nowhere,
            env=servers.environment(),
        ) as process,
    ):
        try:
            while time.monotonic() - began < 60:
                try:
                    with socket.create_connection(("127.0.0.1", port), timeout=10) as connection:
                        connection.sendall(b"GET %s HTTP/1.1\r\nHost: a\r\n\r\n" % SMALL.encode())
                        if connection.recv(64).startswith(b"HTTP/1.1 200"):
                            return time.monotonic() - began
                except OSError:
                    time.sleep(0.001)
            return float("inf")
        finally:
            process.kill()


def _start(case, folder):
    empty = tempfile.mkdtemp(prefix="veduta-million-", dir=os.path.dirname(folder))
    pairs = [(_first_answer(case, empty), _first_answer(case, folder)) for _ in range(7)]
    shutil.rmtree(empty, ignore_errors=True)
    without, full = (sorted(times)[len(times) // 2] for times in zip(*pairs))
    case.check(
        full < 0.2 or full < 1.1 * without,
        "the first answer comes after %.0f ms (worst %.0f), with an empty folder after %.0f ms: %.2f times"
        % (full * 1000, max(pair[1] for pair in pairs) * 1000, without * 1000, full / without),
    )


class _Visitor:
    """Asks for a cached picture and for new ones until it is told to stop."""

    def __init__(self, server):
        self.server, self.times, self.faults, self.stopping = server, [], [], threading.Event()
        self.thread = threading.Thread(target=self._ask)

    def __enter__(self):
        self.thread.start()
        return self

    def __exit__(self, *_):
        self.stopping.set()
        self.thread.join()

    def _ask(self):
        number = 0
        while not self.stopping.is_set():
            number += 1
            target = SMALL if number % 2 else "/asset?id=badge.png&width=%d&height=%d" % (20 + number % 300, 20 + number // 300)
            began = time.monotonic()
            try:
                status = self.server.get(target)[0]
                if status != 200:
                    self.faults.append("%s: %d" % (target, status))
            except OSError as error:
                self.faults.append("%s: %s" % (target, error))
            self.times.append(time.monotonic() - began)
            time.sleep(0.002)

    def text(self):
        times = sorted(self.times)
        return "%d requests meanwhile, %d of them wrong, p50 %.1f ms, p99 %.1f ms, worst %.0f ms" % (
            len(times),
            len(self.faults),
            times[len(times) // 2] * 1000,
            times[len(times) * 99 // 100] * 1000,
            times[-1] * 1000,
        )


def _index(case, folder, count):
    with servers.Server(case.binary, case.library, *_options(folder)) as server:
        before = server.resident_mb()
        began = time.monotonic()
        with _Visitor(server) as visitor:
            done = servers.eventually(lambda: server.metric("veduta_cache_disk_indexed") == 1, 300)
        entries = server.metric("veduta_cache_disk_entries")
        case.check(
            done and entries >= count and not visitor.faults,
            "%d entries are listed after %.1f s, %.0f s of processor time; %s"
            % (entries, time.monotonic() - began, server.processor_seconds(), visitor.text()),
        )
        case.note(
            "resident %.0f MB before, %.0f MB after; the index says it takes %.1f MB"
            % (before, server.resident_mb(), server.metric("veduta_cache_disk_index_bytes") / (1 << 20))
        )
        began = time.monotonic()
        case.check(server.stop() == 0, "SIGTERM ends it after %.2f s" % (time.monotonic() - began))
    with servers.Server(case.binary, case.library, *_options(folder)) as server:
        began = time.monotonic()
        case.check(
            server.stop() == 0 and time.monotonic() - began < 5,
            "SIGTERM while they are being listed ends it after %.2f s" % (time.monotonic() - began),
        )


def _memory(case, folder, count):
    """Resident memory with a full memory tier and the index, less that of the same requests without either."""
    wanted = [
        "/asset?id=lagoon.jpg&width=%d&height=%d&fit=cover&format=png" % (700 + number, 600 + number % 7)
        for number in range(900)
    ]
    with servers.Server(case.binary, case.library, *_options(folder, "--cache-memory", str(BOUND))) as server:
        servers.eventually(lambda: server.metric("veduta_cache_disk_indexed") == 1, 300)
        asked = 0
        # Until it has been full for a while.
        while asked < len(wanted) and server.metric("veduta_cache_evictions_total") < 60:
            for target in wanted[asked : asked + 20]:
                server.get(target)
            asked += 20
        full = server.resident_mb()
        index = server.metric("veduta_cache_disk_index_bytes") / (1 << 20)
        held = server.metric("veduta_cache_bytes") / (1 << 20)
        server.stop()
    with servers.Server(case.binary, case.library, "--workers", "2", "--cache-memory", "0") as server:
        for target in wanted[:asked]:
            server.get(target)
        without = server.resident_mb()
        server.stop()
    growth = full - without
    bound = BOUND / (1 << 20)
    case.check(
        growth < 1.05 * bound,
        "memory: bound %.0f MB, of which %.1f MB are held and the index takes %.1f MB; after %d pictures %.0f MB are resident, "
        "%.0f MB without a cache: %.3f of the bound" % (bound, held, index, asked, full, without, growth / bound),
    )


def _evict(case, folder, count):
    bound = count * 9 // 10
    options = ("--cache-dir", folder, "--cache-files", str(bound), "--cache-disk", "100g", "--workers", "2")
    with servers.Server(case.binary, case.library, *options) as server:
        began = time.monotonic()
        with _Visitor(server) as visitor:
            done = servers.eventually(
                lambda: server.metric("veduta_cache_disk_indexed") == 1 and server.metric("veduta_cache_disk_entries") <= bound,
                300,
            )
        took = time.monotonic() - began
        server.stop()
    files = len(pictures.entry_files(folder))
    case.check(
        done and files <= bound * 1.05 and not visitor.faults,
        "room for %d files: %d are left after %.1f s; %s" % (bound, files, took, visitor.text()),
    )
