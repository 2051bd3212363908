"""Load from wrk, and from a client that holds many idle connections."""

import os
import re
import resource
import socket
import subprocess
import time
from dataclasses import dataclass

from benchmarks import machine

LUA = os.path.join(os.path.dirname(os.path.abspath(__file__)), "load.lua")
SYSCALLS = (
    "epoll_wait",
    "epoll_pwait",
    "read",
    "readv",
    "recvfrom",
    "write",
    "writev",
    "sendto",
    "sendmsg",
    "sendfile64",
    "epoll_ctl",
    "openat",
    "newfstat",
    "newfstatat",
    "close",
    "futex",
    "setsockopt",
)


@dataclass
class Load:
    """What one run cost."""

    requests: int
    rate: float
    cpu_us: float
    p50_us: int
    p99_us: int
    errors: int


def wrk(server, connections=64, seconds=3, fields=(), depth=1, path=None):
    """Closed-loop load over keep-alive connections; CPU is that of the server alone."""
    more = [part for field in fields for part in ("-H", field)]
    command = [
        "wrk",
        "-t2",
        f"-c{connections}",
        f"-d{seconds}s",
        "--latency",
        "-s",
        LUA,
        *more,
        f"http://127.0.0.1:{server.port}{path or server.path}",
        "--",
        str(depth),
    ]
    before = server.cpu
    text = machine.run(*command)
    spent = server.cpu - before
    requests, took, p50, p99, errors = map(int, re.search(r"^result (.+)$", text, re.M)[1].split())
    return Load(requests, requests / took * 1e6, spent / max(1, requests) * 1e6, p50, p99, errors)


def system_calls(server, seconds=2, **options):
    """System calls of the server per request, in all and by name, counted by the kernel's trace points, which leave the
    pace and so the batches alone; by strace, which slows the server, where they are not to be had. Empty where strace
    may not trace either, as in a container without that right."""
    names = [name for name in SYSCALLS if os.path.exists(f"/sys/kernel/tracing/events/syscalls/sys_enter_{name}")]
    events = ["raw_syscalls:sys_enter"] + [f"syscalls:sys_enter_{name}" for name in names]
    family = ",".join(map(str, machine.family(server.pid)))
    wrk(server, seconds=1, **options)
    counter = subprocess.Popen(["perf", "stat", "-x,", "-e", ",".join(events), "-p", family], stderr=subprocess.PIPE, text=True)
    time.sleep(0.5)
    if counter.poll() is not None:
        return traced_calls(server, seconds, **options)
    load = wrk(server, seconds=seconds, **options)
    counter.send_signal(2)
    counts = {}
    for line in counter.communicate()[1].splitlines():
        cells = line.split(",")
        if len(cells) > 2 and cells[0].isdigit():
            counts[cells[2].rpartition("sys_enter")[2].lstrip("_") or "all"] = int(cells[0]) / load.requests
    return counts if "all" in counts else traced_calls(server, seconds, **options)


def traced_calls(server, seconds, **options):
    machine.install("strace")
    each = [part for pid in machine.family(server.pid) for part in ("-p", str(pid))]
    tracer = subprocess.Popen(["strace", "-f", "-c", *each], stderr=subprocess.PIPE, text=True)
    time.sleep(0.5)
    load = wrk(server, seconds=seconds, **options)
    tracer.send_signal(2)
    counts = {}
    for line in tracer.communicate()[1].splitlines():
        cells = line.split()
        if len(cells) >= 5 and cells[3].isdigit():
            counts["all" if cells[-1] == "total" else cells[-1]] = int(cells[3]) / load.requests
    return counts


def idle_byte_count(server, connections=10_000):
    """Opens keep-alive connections with one request on each, and returns the bytes that each adds, the memory of all, and how
    many of a sample still answer."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    count = min(connections, hard - 100)
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    request = f"GET {server.path} HTTP/1.1\r\nHost: bench\r\n\r\n".encode()
    ask(server, request).close()
    before = server.memory
    held = [ask(server, request, number) for number in range(count)]
    time.sleep(2)
    whole = server.memory
    sample = held[:: max(1, count // 50)]
    alive = sum(exchange(connection, request) for connection in sample)
    for connection in held:
        connection.close()
    resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
    return (whole.count - before.count) / count, whole, alive / len(sample)


def ask(server, request, number=0):
    """A connection that has had its answer. They come from several addresses, of which servers may limit each."""
    connection = socket.create_connection(
        ("127.0.0.1", server.port), timeout=20, source_address=(f"127.0.0.{1 + number % 16}", 0)
    )
    if not exchange(connection, request):
        raise SystemExit(f"{server.name} refuses connections in the idle test")
    return connection


def exchange(connection, request):
    """Whether the request is answered 200, in full."""
    try:
        connection.sendall(request)
        data = b""
        while b"\r\n\r\n" not in data:
            piece = connection.recv(65536)
            if not piece:
                return False
            data += piece
        head, _, content = data.partition(b"\r\n\r\n")
        length = int(re.search(rb"content-length: *(\d+)", head, re.I)[1])
        got = len(content)
        while got < length:
            piece = connection.recv(65536)
            if not piece:
                return False
            got += len(piece)
        return head.startswith(b"HTTP/1.1 200")
    except (OSError, TypeError):
        return False
