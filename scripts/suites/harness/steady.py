"""The client that nothing may disturb: a process of its own that asks for a cached picture, a new one and health."""

import contextlib
import glob
import hashlib
import multiprocessing
import socket
import time

CACHED = "/asset?id=lagoon.jpg&width=400&format=jpeg"
KINDS = ("cached", "uncached", "health")


class SteadyClient:
    """Asks from `start` to `stop`, for one thing after the other, with a pause between. With the `pid` of the server, the time
    that the client and the server's loops waited for a processor is known, and so what of an answer's time is the server's."""

    def __init__(self, address, kinds=KINDS, pid=None):
        self.stopping = multiprocessing.Event()
        self.started = multiprocessing.Event()
        self.receiver, sender = multiprocessing.Pipe(duplex=False)
        self.process = multiprocessing.Process(
            target=_ask, daemon=True, args=(address, kinds, pid, self.started, self.stopping, sender)
        )

    def start(self):
        """Returns when it has asked for everything a few times."""
        self.process.start()
        self.started.wait(30)
        return self

    def stop(self):
        """What it found, by kind: `count`, `errors` (texts), `refused` (answers 503), `p50`, `p99`, `worst` in ms, and
        `served`: the p99 without the waits for a processor."""
        self.stopping.set()
        found = self.receiver.recv() if self.receiver.poll(60) else None
        self.process.join(5)
        if self.process.is_alive():
            self.process.kill()
        return found or {
            "steady": {"count": 0, "errors": ["it hangs"], "refused": 0, "p50": 0, "p99": 0, "worst": 0, "served": 0}
        }


class Idler:
    """A process that answers every request at once and does nothing else: the longer it takes on a busy machine, the less the
    machine lets any server hold."""

    def __enter__(self):
        receiver, sender = multiprocessing.Pipe(duplex=False)
        self.process = multiprocessing.Process(target=_answer, daemon=True, args=(sender,))
        self.process.start()
        self.address = receiver.recv()
        return self

    def __exit__(self, *_):
        self.process.kill()
        self.process.join()


def _answer(sender):
    listener = socket.create_server(("127.0.0.1", 0))
    sender.send(listener.getsockname())
    while True:
        connection, _ = listener.accept()
        with connection, contextlib.suppress(OSError):
            while connection.recv(1 << 16):
                connection.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nlive\n")


def _ask(address, kinds, pid, started, stopping, sender):
    found = {kind: {"errors": [], "refused": 0, "times": [], "served": []} for kind in kinds}
    waits = _Waits(pid)
    connection = _Connection(address)
    digest = None
    number = 0
    while not stopping.is_set():
        number += 1
        targets = {
            "cached": CACHED,
            "uncached": "/asset?id=badge.png&width=%d&height=%d&fit=fill" % (16 + number % 200, 16 + number // 200),
            "health": "/health/live",
        }
        for kind in kinds:
            target, entry = targets[kind], found[kind]
            waits.begin()
            began = time.monotonic()
            try:
                status, content = connection.get(target)
            except (OSError, ValueError) as error:
                entry["errors"].append("%s: %s" % (target, error))
                continue
            spent = (time.monotonic() - began) * 1000
            entry["times"].append(spent)
            entry["served"].append(max(0.0, spent - waits.end()))
            if status == 503:
                entry["refused"] += 1
            elif status != 200:
                entry["errors"].append("%s: %d" % (target, status))
            elif kind == "cached":
                new = hashlib.sha256(content).digest()
                if digest not in (None, new):
                    entry["errors"].append("%s: other bytes than before" % target)
                digest = new
            elif kind == "uncached" and not content.startswith(b"\x89PNG"):
                entry["errors"].append("%s: no picture" % target)
        if number == 10:
            started.set()
        stopping.wait(0.02)
    sender.send({kind: _summary(entry) for kind, entry in found.items()})


def _summary(entry):
    times = sorted(entry.pop("times"))
    entry["count"] = len(times)
    times = times or [0.0]
    served = sorted(entry["served"]) or [0.0]
    entry["served"] = served[len(served) * 99 // 100]
    entry["p50"], entry["p99"], entry["worst"] = times[len(times) // 2], times[len(times) * 99 // 100], times[-1]
    return entry


class _Waits:
    """How long this process and the loops of a server waited for a processor while they could have run (proc_pid_schedstat)."""

    def __init__(self, pid):
        self.loops = []
        for task in glob.glob("/proc/%s/task/*" % pid) if pid else []:
            with open(task + "/comm") as file:
                if file.read().startswith("loop-"):
                    self.loops.append(task + "/schedstat")

    @staticmethod
    def _read(path):
        try:
            with open(path) as file:
                return int(file.read().split()[1]) / 1e6
        except (OSError, IndexError):
            return 0.0

    def begin(self):
        self.before = [self._read(path) for path in ("/proc/self/schedstat", *self.loops)]

    def end(self):
        """Milliseconds since `begin`: those of this process and of the loop that waited longest, as one loop answers."""
        own, *loops = (self._read(path) - before for path, before in zip(("/proc/self/schedstat", *self.loops), self.before))
        return own + max(loops, default=0.0)


class _Connection:
    """A connection that is kept, and opened again when the server has ended it between two requests."""

    def __init__(self, address):
        self.address = address
        self.socket = None

    def get(self, target):
        if self.socket is not None:
            try:
                return self._exchange(target)
            except _Ended:
                pass
        self.socket = socket.create_connection(self.address, timeout=20)
        try:
            return self._exchange(target)
        except _Ended as error:
            raise OSError("ended without an answer") from error

    def _exchange(self, target):
        data = b""
        try:
            self.socket.sendall(b"GET %s HTTP/1.1\r\nHost: localhost\r\n\r\n" % target.encode())
            while b"\r\n\r\n" not in data:
                piece = self.socket.recv(1 << 16)
                if not piece:
                    raise ConnectionResetError("the end")
                data += piece
        except (ConnectionResetError, BrokenPipeError) as error:
            self._drop()
            if data:
                raise OSError("broke off within a head") from error
            raise _Ended from error
        except OSError:
            self._drop()
            raise
        head, _, content = data.partition(b"\r\n\r\n")
        fields = head.decode("latin-1").lower().split("\r\n")
        count = next((int(line[15:]) for line in fields if line.startswith("content-length:")), 0)
        while len(content) < count:
            piece = self.socket.recv(1 << 16)
            if not piece:
                self._drop()
                raise OSError("broke off after %d of %d bytes" % (len(content), count))
            content += piece
        if "connection: close" in fields:
            self._drop()
        return int(head[9:12]), content

    def _drop(self):
        self.socket.close()
        self.socket = None


class _Ended(Exception):
    """The connection ended before the first byte of an answer: one may ask again (RFC 9112 §9.3.1)."""
