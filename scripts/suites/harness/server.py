"""The release server as a child process, and what the system says about it."""

import contextlib
import os
import random
import resource
import shutil
import signal
import socket
import struct
import subprocess
import tempfile
import time
import zlib


def make_noise_png(path, side_px):
    """Writes a square picture of noise, which no encoder makes smaller: side × side × 3 bytes."""

    def chunk(kind, content):
        check = struct.pack(">I", zlib.crc32(kind + content))
        return struct.pack(">I", len(content)) + kind + content + check

    noise = random.Random(2026)
    rows = b"".join(b"\0" + noise.randbytes(side_px * 3) for _ in range(side_px))
    with open(path, "wb") as file:
        file.write(b"\x89PNG\r\n\x1a\n")
        file.write(chunk(b"IHDR", struct.pack(">IIBBBBB", side_px, side_px, 8, 2, 0, 0, 0)))
        file.write(chunk(b"IDAT", zlib.compress(rows, 0)))
        file.write(chunk(b"IEND", b""))


class Library:
    """A temporary folder with the sample pictures and the noise; `remove` ends it."""

    def __init__(self, binary):
        self._samples = tempfile.mkdtemp(prefix="veduta-faults-")
        subprocess.run([binary, "sample", self._samples], check=True, stdout=subprocess.DEVNULL, timeout=60)
        self.folder = os.path.join(self._samples, "pictures")
        make_noise_png(os.path.join(self.folder, "noise.png"), 3200)

    def remove(self):
        shutil.rmtree(self._samples, ignore_errors=True)


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def environment():
    return {name: value for name, value in os.environ.items() if not name.startswith("VEDUTA_")}


class Server:
    """`veduta serve` on a free port of loopback. A context manager: killed when it is left and still runs."""

    def __init__(
        self,
        binary,
        library,
        *options,
        descriptors=None,
        data_bytes=None,
        address_bytes=None,
        process_count=None,
        user=None,
        variables=None,
        passed=None,
    ):
        """Limits of the system, which `user` (a number) cannot raise again, and further variables of the environment."""
        if passed is not None:
            return self._start_on(passed, [binary, "serve", "--listen", "systemd", "--library", library.folder, *options])
        self.address = ("127.0.0.1", free_port())
        self.log_file = tempfile.TemporaryFile()
        limits = [
            (resource.RLIMIT_NOFILE, descriptors),
            (resource.RLIMIT_DATA, data_bytes),
            (resource.RLIMIT_AS, address_bytes),
            (resource.RLIMIT_NPROC, process_count),
        ]

        def limit():
            for kind, value in limits:
                if value is not None:
                    resource.setrlimit(kind, (value, value))
            if user is not None:
                os.setgroups([])
                os.setgid(user)
                os.setuid(user)

        self.process = subprocess.Popen(
            [binary, "serve", "--listen", "127.0.0.1:%d" % self.address[1], "--library", library.folder, *options],
            stdout=self.log_file,
            stderr=self.log_file,
            env=environment() | (variables or {}),
            preexec_fn=limit,
        )
        self.pid = self.process.pid
        end = time.monotonic() + 30
        while True:
            try:
                if self.get("/health/ready")[0] == 200:
                    break
            except OSError:
                pass
            if self.process.poll() is not None or time.monotonic() > end:
                self.process.kill()
                raise RuntimeError("the server did not start:\n" + self.log())
            time.sleep(0.02)

    def _start_on(self, passed, command):
        """Starts on a listening socket as a service manager does. Others may answer at its address, so the log tells when this
        server is ready."""
        self.address = passed.getsockname()
        self.log_file = tempfile.TemporaryFile()
        number = passed.fileno()
        # The shell knows its process id, which stays the same in what it becomes.
        self.process = subprocess.Popen(
            ["sh", "-c", 'LISTEN_PID=$$ exec "$@" 3<&%d' % number, "sh", *command],
            pass_fds=[number],
            stdout=self.log_file,
            stderr=self.log_file,
            env=environment() | {"LISTEN_FDS": "1"},
        )
        self.pid = self.process.pid
        if not eventually(lambda: "listening on" in self.log() or self.process.poll() is not None, limit=30) or (
            self.process.poll() is not None
        ):
            self.process.kill()
            raise RuntimeError("the server did not start:\n" + self.log())

    def __enter__(self):
        return self

    def __exit__(self, *_):
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait()
        self.log_file.close()

    def get(self, target, patience=30):
        """Status and content, over a connection of its own."""
        with socket.create_connection(self.address, timeout=patience) as connection:
            connection.sendall(b"GET %s HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n" % target.encode())
            data = bytearray()
            while piece := connection.recv(1 << 16):
                data += piece
        head, _, content = bytes(data).partition(b"\r\n\r\n")
        if not head.startswith(b"HTTP/1.1 "):
            raise OSError("no answer in %d bytes" % len(data))
        return int(head[9:12]), content

    def metric(self, prefix):
        """The sum of the series of a metric, by its name or the beginning of a series."""
        lines = self.get("/metrics")[1].decode().splitlines()
        ends = ("",) if "{" in prefix else (" ", "{")
        return sum(float(line.split()[-1]) for line in lines if line.startswith(tuple(prefix + end for end in ends)))

    def signal(self, number):
        os.kill(self.pid, number)

    def is_running(self):
        return self.process.poll() is None

    def wait(self, limit):
        """The exit status (negative: the signal that ended it), or None when it still runs after `limit` seconds."""
        try:
            return self.process.wait(limit)
        except subprocess.TimeoutExpired:
            return None

    def stop(self, limit=20):
        self.signal(signal.SIGTERM)
        return self.wait(limit)

    def log(self):
        self.log_file.seek(0)
        return self.log_file.read().decode(errors="replace")

    def resident_mb(self, peak=False):
        """Resident megabytes now, or the most there ever were."""
        name = "VmHWM:" if peak else "VmRSS:"
        with open("/proc/%d/status" % self.pid) as file:
            return next(int(line.split()[1]) / 1024 for line in file if line.startswith(name))

    def processor_seconds(self):
        with open("/proc/%d/stat" % self.pid) as file:
            fields = file.read().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def children(self):
        return children(self.pid)

    def descriptor_count(self):
        """Without the two of each decoding process, of which there are more when images are made at once."""
        return self.all_descriptor_count() - 2 * len(self.children())

    def all_descriptor_count(self):
        return len(os.listdir("/proc/%d/fd" % self.pid))

    def limit_descriptors(self, count):
        resource.prlimit(self.pid, resource.RLIMIT_NOFILE, (count, count))


def children(pid):
    """The processes that `pid` has started."""
    found = []
    for task in os.listdir("/proc/%d/task" % pid):
        with contextlib.suppress(OSError), open("/proc/%d/task/%s/children" % (pid, task)) as file:
            found += [int(child) for child in file.read().split()]
    return found


def socket_buffers_mb():
    """Megabytes in the TCP buffers of the whole system, both ends of loopback."""
    with open("/proc/net/sockstat") as file:
        words = next(line.split() for line in file if line.startswith("TCP:"))
    return int(words[words.index("mem") + 1]) * os.sysconf("SC_PAGE_SIZE") / (1 << 20)


def eventually(condition, limit=10):
    """Whether `condition` comes true within `limit` seconds."""
    end = time.monotonic() + limit
    while not condition():
        if time.monotonic() > end:
            return False
        time.sleep(0.05)
    return True
