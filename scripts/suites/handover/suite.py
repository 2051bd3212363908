"""Servers that take over from each other under load; called by `scripts/conformance handover`."""

import argparse
import http.client
import os
import signal
import socket
import subprocess
import tempfile
import threading
import time

import server as servers
import trials

CLIENTS = 32
REQUESTS = 50_000
HANDOVERS = 10
PAUSE = 2  # seconds between two handovers
TARGETS = ("/health/live", "/asset?id=badge.png&width=64&format=png", "/")
LIMIT = 1800  # seconds for one trial


class Load:
    """Clients of which every other one keeps its connection, as long as the server does. None asks twice."""

    def __init__(self, address):
        self.address = address
        self.stopping = threading.Event()
        self.lock = threading.Lock()
        self.count = {True: 0, False: 0}
        self.failures = []
        self.threads = [threading.Thread(target=self._ask, args=(number % 2 == 0,)) for number in range(CLIENTS)]

    def __enter__(self):
        for thread in self.threads:
            thread.start()
        return self

    def __exit__(self, *_):
        self.stopping.set()
        for thread in self.threads:
            thread.join()

    @property
    def total(self):
        with self.lock:
            return sum(self.count.values())

    def _ask(self, keeps):
        connection = None
        number = 0
        while not self.stopping.is_set():
            target = TARGETS[number % len(TARGETS)]
            number += 1
            failure = None
            try:
                if connection is None:
                    connection = http.client.HTTPConnection(*self.address, timeout=30)
                    connection.connect()
                connection.request("GET", target, headers={} if keeps else {"Connection": "close"})
                answer = connection.getresponse()
                answer.read()
                if answer.status != 200:
                    failure = "%s: %d" % (target, answer.status)
                ends = answer.will_close
            except (OSError, http.client.HTTPException) as error:
                failure = "%s, %s: %s %s" % (target, "kept" if keeps else "new", type(error).__name__, error)
                ends = True
            if ends and connection is not None:
                connection.close()
                connection = None
            with self.lock:
                self.count[keeps] += 1
                if failure:
                    self.failures.append(failure)
        if connection is not None:
            connection.close()


class Successor:
    """A server at an address that another one serves."""

    def __init__(self, case, address, path, *options):
        self.log_file = tempfile.TemporaryFile()
        self.process = subprocess.Popen(
            [case.binary, "serve", "--listen", "%s:%d" % address, "--library", case.library.folder]
            + ["--handover", path, *options],
            stdout=self.log_file,
            stderr=self.log_file,
            env=servers.environment(),
        )

    def log(self):
        return os.pread(self.log_file.fileno(), 1 << 20, 0).decode(errors="replace")

    def serves(self):
        """Whether it comes to serve; false when it ends before."""
        servers.eventually(lambda: "listening on" in self.log() or self.process.poll() is not None, limit=60)
        return self.process.poll() is None and "listening on" in self.log()

    def ends(self, limit=30):
        try:
            return self.process.wait(limit)
        except subprocess.TimeoutExpired:
            return None

    def kill(self):
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait()
        self.log_file.close()


class Line:
    """The servers that follow each other at one address, and what became of them. A context manager."""

    def __init__(self, case, folder):
        self.case = case
        self.path = os.path.join(folder, "handover")
        self.options = ("--cache-dir", os.path.join(folder, "cache"))
        self.address = ("127.0.0.1", servers.free_port())
        self.all = []
        self.codes = []

    def start(self, *options):
        successor = Successor(self.case, self.address, self.path, *self.options, *options)
        self.all.append(successor)
        return successor

    def __enter__(self):
        self.present = self.start()
        if not self.present.serves():
            log = self.present.log()
            self.present.kill()
            raise RuntimeError("the server did not start:\n" + log)
        return self

    def __exit__(self, *_):
        for server in self.all:
            server.kill()

    def hand_over(self):
        successor = self.start()
        if not successor.serves():
            raise RuntimeError("the new server did not start:\n" + successor.log())
        self.codes.append(self.present.ends())
        self.present = successor

    def stop(self):
        self.present.process.send_signal(signal.SIGTERM)
        self.codes.append(self.present.ends())


def judge(case, load, line):
    kept, new = load.count[True], load.count[False]
    case.check(
        not load.failures and kept > 0 and new > 0,
        "%d of %d requests failed, %d over kept connections and %d over new ones%s"
        % (len(load.failures), kept + new, kept, new, ": " + "; ".join(load.failures[:5]) if load.failures else ""),
    )
    case.check(all(code == 0 for code in line.codes), "each server ended with 0: %s" % line.codes)


def successive(case):
    """New servers take over, one after the other, while clients ask: no request fails."""
    wanted = case.times
    with tempfile.TemporaryDirectory(prefix="veduta-handover-") as folder, Line(case, folder) as line:
        with Load(line.address) as load:
            end = time.monotonic() + LIMIT - 60
            while (load.total < wanted or len(line.codes) < HANDOVERS) and time.monotonic() < end:
                time.sleep(PAUSE)
                line.hand_over()
            time.sleep(PAUSE)
        line.stop()
        judge(case, load, line)
        count = len(line.codes) - 1
        case.check(load.total >= wanted and count >= HANDOVERS, "%d requests over %d handovers" % (load.total, count))


def failing(case):
    """New servers that cannot start, are killed, or come two at once: clients do not notice."""
    with tempfile.TemporaryDirectory(prefix="veduta-handover-") as folder, Line(case, folder) as line:
        with Load(line.address) as load:
            for _ in range(3):
                broken = line.start("--maps", os.path.join(folder, "absent.json"))
                case.check(broken.ends() == 2, "one that cannot start ends with 2")
                killed = line.start()
                time.sleep(0.02)
                killed.kill()
                line.all.remove(killed)
                case.check(line.present.process.poll() is None, "and one that is killed leaves the running server alone")
            with socket.socket(socket.AF_UNIX) as dying:
                dying.connect(line.path)
                for number in socket.recv_fds(dying, 64, 4)[1]:
                    os.close(number)
            case.check(
                servers.eventually(lambda: "so this one goes on" in line.present.log(), limit=30),
                "one that dies with the sockets does too",
            )
            first, second = line.start(), line.start()
            case.check(
                servers.eventually(lambda: all("listening on" in one.log() for one in (first, second)), limit=60),
                "two that come at once both get to serve",
            )
            case.check(
                servers.eventually(lambda: sum(one.process.poll() is None for one in (first, second)) == 1, limit=30),
                "and one of them is left",
            )
            line.codes.append(line.present.ends())
            left, gone = (second, first) if second.process.poll() is None else (first, second)
            line.codes.append(gone.ends())
            line.present = left
        line.stop()
        judge(case, load, line)


TRIALS = {"successive": successive, "failing": failing}


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--binary")
    parser.add_argument("--json")
    parser.add_argument("words", nargs="*")
    arguments = parser.parse_args()
    names, count = trials.names_and_times(parser, arguments.words, TRIALS, REQUESTS)

    def prepare(case):
        case.times = count

    trials.run(TRIALS, names, arguments.binary, arguments.json, LIMIT, prepare)


if __name__ == "__main__":
    main()
