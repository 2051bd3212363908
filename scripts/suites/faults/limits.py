"""Less memory and fewer threads than the server would take."""

import asyncio
import os
import subprocess
import time

import prices
import server as servers
from case import Impossible

BOUNDS = ("--cache-memory", "64m", "--memory-limit", "256m", "--render-memory", "300m")


def address_space(case):
    """64 clients with large jobs where little address space is left: refused by their price, and the process lives."""
    prices.add_pictures(case.library)
    with case.server(*BOUNDS, kinds=("health",)) as server:
        with open("/proc/%d/status" % server.pid) as file:
            taken = next(int(line.split()[1]) << 10 for line in file if line.startswith("VmSize:"))
    # Each thread that asks for memory reserves 64 MB of addresses for itself (arenas of glibc).
    room = taken + (1 << 30)
    with case.server(*BOUNDS, address_bytes=room, may_refuse=("uncached",), kinds=("health",)) as server:
        _play_large_jobs(case, server)
        case.note("%d MB of addresses at the start, %d MB allowed" % (taken >> 20, room >> 20))


def _play_large_jobs(case, server):
    statuses = asyncio.run(prices.play(server, prices.LARGE, 64, 20))
    prices.check_answers(case, statuses, prices.LARGE)
    prices.check_rest(case, server)


def memory_group(case):
    """64 clients with large jobs in a control group of 900 MB: the system ends nobody, what does not fit waits or is refused."""
    prices.add_pictures(case.library)
    group = _Group(900 << 20)
    try:
        with case.server(*BOUNDS, may_refuse=("uncached",), kinds=("health",)) as server:
            group.add(server.pid)
            _play_large_jobs(case, server)
            case.check(group.kill_count() == 0, "the system ended %d processes for their memory" % group.kill_count())
            case.note("resident %.0f MB at most" % server.resident_mb(peak=True))
    finally:
        group.remove()


class _Group:
    """A control group for memory, of the first or the second kind."""

    def __init__(self, byte_count):
        with open("/proc/self/cgroup") as file:
            own = {kind: path for _, kind, path in (line.rstrip().split(":", 2) for line in file)}
        kind = "memory" if "memory" in own else ""
        self.is_first_kind = bool(kind)
        roots = ["/sys/fs/cgroup/memory"] if kind else ["/sys/fs/cgroup", "/sys/fs/cgroup/unified"]
        limit = "memory.limit_in_bytes" if kind else "memory.max"
        for root in roots:
            for parent in (root + own.get(kind, "/"), root):
                self.path = os.path.join(parent, "veduta-faults-%d" % os.getpid())
                try:
                    os.mkdir(self.path)
                    self._write(limit, byte_count)
                    return
                except OSError as error:
                    reason = error
                    if os.path.isdir(self.path):
                        os.rmdir(self.path)
        raise Impossible("no control group can be made: %s" % reason)

    def _write(self, name, value):
        with open(os.path.join(self.path, name), "w") as file:
            file.write(str(value))

    def add(self, pid):
        self._write("cgroup.procs", pid)

    def kill_count(self):
        with open(os.path.join(self.path, "memory.oom_control" if self.is_first_kind else "memory.events")) as file:
            return next((int(line.split()[1]) for line in file if line.startswith("oom_kill ")), 0)

    def remove(self):
        servers.eventually(lambda: self._has_gone(), limit=5)

    def _has_gone(self):
        try:
            os.rmdir(self.path)
        except OSError:
            return not os.path.isdir(self.path)
        return True


def threads(case):
    """A user who may have few threads: the server says so at the start and ends, or it works."""
    if os.geteuid() != 0:
        raise Impossible("only root can become a user without other threads")
    user = 54_321
    os.chmod(os.path.dirname(case.library.folder), 0o755)
    clear, served, silent = 0, 0, []
    for count in range(1, 24):
        began = time.monotonic()
        try:
            with servers.Server(case.binary, case.library, process_count=count, user=user) as server:
                status = server.get("/asset?id=lagoon.jpg&width=%d" % (100 + count))[0]
                good = status == 200 and server.stop() == 0
                served += good
                if not good:
                    silent.append("%d threads: %d" % (count, status))
        except RuntimeError as error:
            took = time.monotonic() - began
            if "thread" in str(error).lower() and "Fatal" not in str(error) and took < 3:
                clear += 1
            else:
                silent.append("%d threads, %.1f s: %s" % (count, took, str(error)[-300:]))
    case.check(not silent, "with 1 to 23 threads: %d clear messages, %d served%s" % (clear, served, "".join(silent[:2])))
    case.check(clear > 0 and served > 0, "both were seen")
    free = subprocess.run(["ps", "-L", "-u", str(user)], capture_output=True, text=True).stdout.count("veduta")
    case.check(free == 0, "%d threads are left" % free)
