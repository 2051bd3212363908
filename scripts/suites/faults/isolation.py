"""Images that are decoded in processes of their own (`--isolation`), which crash, are killed or stopped, and draw bombs."""

import asyncio
import contextlib
import os
import signal
import subprocess
import tempfile

import server as servers
import steady
import wire
from prices import add_pictures

JOBS = 10_000
CLIENTS = 32
CRASH_LIMIT = 900  # seconds
# Says in a JPEG that libjpeg is to crash with it, by a library that this suite loads into the server's processes.
MARK = b"veduta-fault-crash"
CRASHER = r"""
#define _GNU_SOURCE
#include <dlfcn.h>
#include <string.h>
static volatile int *volatile nowhere;
void jpeg_mem_src(void *state, const unsigned char *bytes, unsigned long count) {
    if (memmem(bytes, count, "%s", %d)) *nowhere = 1;
    ((void (*)(void *, const unsigned char *, unsigned long))dlsym(RTLD_NEXT, "jpeg_mem_src"))(state, bytes, count);
}
"""


@contextlib.contextmanager
def _loaded_crasher():
    """Servers that start within it crash with every JPEG that has the mark."""
    with tempfile.TemporaryDirectory() as folder:
        source, library = os.path.join(folder, "crasher.c"), os.path.join(folder, "crasher.so")
        with open(source, "w") as file:
            file.write(CRASHER % (MARK.decode(), len(MARK)))
        subprocess.run(["cc", "-O1", "-fPIC", "-shared", source, "-o", library, "-ldl"], check=True)
        os.environ["LD_PRELOAD"] = library
        try:
            yield
        finally:
            del os.environ["LD_PRELOAD"]


def _add_sources(case, content):
    """`JOBS` files of distinct bytes, a tenth of which crash their decoder."""
    folder = os.path.join(case.library.folder, "small")
    os.makedirs(folder, exist_ok=True)
    for number in range(JOBS):
        text = b"%s %d" % (MARK if number % 10 == 7 else b"harmless", number)
        comment = b"\xff\xfe" + (len(text) + 2).to_bytes(2, "big") + text
        with open(os.path.join(folder, "%d.jpg" % number), "wb") as file:
            file.write(content[:2] + comment + content[2:])


def _small_jpeg(case):
    with servers.Server(case.binary, case.library) as server:
        status, content = server.get("/asset?id=lagoon.jpg&width=64&format=jpeg")
    assert status == 200
    return content


async def _ask_all(server, targets, clients, during=None):
    """Status and content by target; `during` runs beside the requests until they are over."""
    found, left = {}, list(reversed(targets))

    async def one():
        while left:
            target = left.pop()
            connection = await wire.Wire.open(server.address)
            try:
                await connection.send(wire.head(target))
                async with asyncio.timeout(120):
                    answer = await connection.answer()
                found[target] = (answer.status, bytes(answer.content))
            finally:
                connection.close()

    beside = asyncio.ensure_future(during()) if during else None
    await asyncio.gather(*(one() for _ in range(clients)))
    if beside:
        beside.cancel()
    return found


def _play_beside_hits(server, targets):
    """What `targets` are answered, and the p99 of hits meanwhile in ms, without waits for a processor (see `prices.dear`)."""
    client = steady.SteadyClient(server.address, ("cached",), server.pid).start()
    found = asyncio.run(_ask_all(server, targets, CLIENTS))
    hits = client.stop()
    return found, hits["cached"]["served"] if "cached" in hits else float("inf")


def crashed(case):
    """SIGSEGV in 1,000 of 10,000 jobs of distinct sources: exactly these are answered with a problem, no other answer differs
    from what it was without, and hits take as long as beside jobs that do not crash."""
    # Each of a thousand processes has a successor, which takes a good part of a second on a busy machine.
    signal.alarm(CRASH_LIMIT)
    content = _small_jpeg(case)
    _add_sources(case, content)
    targets = ["/asset?id=small/%d.jpg&width=32&format=png" % number for number in range(JOBS)]
    # The comment changes no pixel.
    with servers.Server(case.binary, case.library, "--isolation", "off") as server:
        _, expected = server.get(targets[0])
    with _loaded_crasher(), case.server("--isolation", "all", "--queue", "4096", may_refuse=("uncached",)) as server:
        before = server.descriptor_count()
        harmless = [target for number, target in enumerate(targets) if number % 10 != 7]
        _, calm = _play_beside_hits(server, [target.replace("width=32", "width=31") for target in harmless[:2000]])
        found, hits = _play_beside_hits(server, targets)
        problems = {n for n, target in enumerate(targets) if found[target][0] == 422}
        case.check(problems == set(range(7, JOBS, 10)), "%d problems, all of sources that crash" % len(problems))
        wrong = [n for n, target in enumerate(targets) if n not in problems and found[target] != (200, expected)]
        case.check(not wrong, "%d other answers are wrong %s" % (len(wrong), [found[targets[n]][0] for n in wrong[:5]]))
        crashes = server.metric("veduta_decode_crashes_total")
        # A process that has done other jobs is no proof against the last one, which another process tries again.
        case.check(JOBS // 10 <= crashes <= 3 * JOBS // 10, "%d crashes counted" % crashes)
        case.check(hits <= 3 * max(calm, 1), "p99 of hits %.1f ms, %.1f ms beside jobs that do not crash" % (hits, calm))
        _check_rest(case, server, before)


def killed(case):
    """Processes killed from outside, at random moments: every image is answered as if nothing had been."""
    with case.server("--isolation", "all", may_refuse=("uncached",)) as server:
        before = server.descriptor_count()
        targets = ["/asset?id=lagoon.jpg&width=%d&format=jpeg" % (100 + number) for number in range(400)]
        kills = []

        async def kill():
            while True:
                # One at a time, and not before its successor has started: a job that loses its process is done again, twice.
                if children := server.children():
                    with contextlib.suppress(ProcessLookupError):
                        os.kill(children[len(kills) % len(children)], signal.SIGKILL)
                        kills.append(1)
                await asyncio.sleep(2)

        found = asyncio.run(_ask_all(server, targets, 8, kill))
        statuses = [status for status, _ in found.values()]
        case.check(len(kills) > 2, "%d processes were killed" % len(kills))
        others = [status for status in statuses if status != 200]
        case.check(not others, "%d of %d answers are images %s" % (len(targets) - len(others), len(targets), others))
        _check_rest(case, server, before)


def stopped(case):
    """A process that is stopped in the middle of its work: only its own request is answered with a problem, at the deadline,
    and the process is replaced."""
    slow = "/asset?id=noise.png&width=1300&format=avif&effort=5"
    others = ["/asset?id=lagoon.jpg&width=%d&format=jpeg" % (500 + number) for number in range(40)]
    options = ("--isolation", "all", "--workers", "2", "--render-timeout", "6")
    with case.server(*options, kinds=("cached", "health")) as server:
        before = server.descriptor_count()

        async def beside():
            held = asyncio.ensure_future(_ask_all(server, [slow], 1))
            await asyncio.sleep(0.3)
            child = await _busiest(server.pid)
            os.kill(child, signal.SIGSTOP)
            return child, await _ask_all(server, others, 1), await held

        child, found, held = asyncio.run(beside())
        case.check(held[slow][0] == 503, "its request: %d" % held[slow][0])
        wrong = [status for status, _ in found.values() if status != 200]
        case.check(not wrong, "%d of %d others are images %s" % (len(found) - len(wrong), len(found), wrong))
        is_gone = servers.eventually(lambda: child not in server.children(), limit=10)
        case.check(is_gone, "the process has gone")
        # Two were at work at once, and one of them is lost: another is there, and one more may be.
        replaced = servers.eventually(lambda: len(server.children()) in (2, 3), limit=10)
        case.check(replaced, "%d processes for two workers" % len(server.children()))
        _check_rest(case, server, before)


def bombs(case):
    """Two SVG and two PDF that take for ever do not hold up a photograph, and their processes end with their requests."""
    add_pictures(case.library)
    folder = case.library.folder
    # Priced below twice the render timeout, and above it.
    turbulence = (
        '<filter id="f"><feTurbulence numOctaves="2"/></filter>' + '<rect width="5000" height="5000" filter="url(#f)"/>' * 2
    )
    svg = '<svg xmlns="http://www.w3.org/2000/svg" width="5000" height="5000">%s</svg>' % turbulence
    for name, content in (("svg", svg.encode()), ("pdf", _endless_pdf())):
        for number in range(2):
            with open(os.path.join(folder, "endless-%d.%s" % (number, name)), "wb") as file:
                file.write(content)
    targets = ["/asset?id=endless-%d.%s&width=5000&format=jpeg" % (n, name) for name in ("svg", "pdf") for n in range(2)]
    options = (
        "--isolation",
        "all",
        "--formats",
        "svg,pdf",
        "--cost-limit",
        "3600",
        "--memory-limit",
        "4g",
        "--render-memory",
        "16g",
    )
    with case.server(*options, "--render-timeout", "10", "--workers", "4", kinds=("health",)) as server:
        before = server.descriptor_count()

        async def beside():
            loop = asyncio.get_running_loop()
            drawings = asyncio.ensure_future(_ask_all(server, targets, 4))
            await asyncio.sleep(1)
            times = []
            for number in range(20):
                began = loop.time()
                found = await _ask_all(server, ["/asset?id=lagoon.jpg&width=%d&format=jpeg" % (300 + number)], 1)
                assert all(status == 200 for status, _ in found.values()), found
                times.append(loop.time() - began)
            return times, await drawings

        times, drawings = asyncio.run(beside())
        statuses = sorted(status for status, _ in drawings.values())
        # The render timeout; 504 is for other servers that are slow.
        case.check(set(statuses) == {503}, "answers to the drawings: %s" % statuses)
        case.check(max(times) < 5, "the slowest of 20 photographs beside them took %.1f s" % max(times))
        quiet = servers.eventually(lambda: server.metric("veduta_jobs_running") == 0, limit=10)
        case.check(quiet, "no worker is held after the requests have ended")
        _check_rest(case, server, before)


def _endless_pdf():
    """Fills a page of 25 megapixels four thousand times, half transparent."""
    commands = b"/G gs\n" + b"0 0 5000 5000 re f\n" * 4000
    page = b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 5000 5000]/Contents 4 0 R/Resources<</ExtGState<</G<</ca 0.5>>>>>>>>"
    objects = (
        b"<</Type/Catalog/Pages 2 0 R>>",
        b"<</Type/Pages/Kids[3 0 R]/Count 1>>",
        page,
        b"<</Length %d>>stream\n%sendstream" % (len(commands), commands),
    )
    content, places = b"%PDF-1.4\n", []
    for number, text in enumerate(objects, 1):
        places.append(len(content))
        content += b"%d 0 obj\n%s\nendobj\n" % (number, text)
    table = b"".join(b"%010d 00000 n \n" % place for place in places)
    trailer = b"xref\n0 5\n0000000000 65535 f \n%strailer\n<</Size 5/Root 1 0 R>>\nstartxref\n%d\n%%%%EOF\n"
    return content + trailer % (table, len(content))


async def _busiest(pid):
    """The process of those that `pid` has started which takes most processor time."""

    def ticks(child):
        try:
            with open("/proc/%d/stat" % child) as file:
                fields = file.read().rsplit(")", 1)[1].split()
        except OSError:
            return 0
        return int(fields[11]) + int(fields[12])

    earlier = {child: ticks(child) for child in servers.children(pid)}
    await asyncio.sleep(0.3)
    return max(earlier, key=lambda child: ticks(child) - earlier[child])


def _states(pid):
    """Of the processes that `pid` has started: R, S, Z…"""
    states = []
    for child in servers.children(pid):
        with contextlib.suppress(OSError), open("/proc/%d/stat" % child) as file:
            states.append(file.read().rsplit(")", 1)[1].split()[0])
    return states


def _check_rest(case, server, descriptors):
    case.check(server.get("/asset?id=badge.png&width=301&height=7&fit=fill")[0] == 200, "a new picture afterwards")
    clean = servers.eventually(lambda: "Z" not in _states(server.pid), limit=10)
    case.check(clean, "no zombies among the processes: %s" % " ".join(_states(server.pid)))
    # Some were not open yet.
    settled = servers.eventually(lambda: server.descriptor_count() <= descriptors + 4)
    case.check(settled, "descriptors: %d, before: %d" % (server.descriptor_count(), descriptors))
