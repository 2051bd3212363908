"""The dearest requests that a stranger may send, from 64 connections: the process lives, and others are answered."""

import asyncio
import os
import random
import urllib.parse

import server as servers
import steady
import wire

# Answers to the dearest requests: pictures, refusals by price, and what was stopped for lack of time or room.
ALLOWED = {200, 413, 422, 429, 503, 504}


def _polyline(places):
    """The polyline text of `places`, pairs of latitude and longitude, with five decimals."""
    text, last = [], (0, 0)
    for place in places:
        now = tuple(round(value * 1e5) for value in place)
        for value, before in zip(now, last):
            delta = value - before
            bits = ~(delta << 1) if delta < 0 else delta << 1
            while bits >= 0x20:
                text.append(chr((0x20 | (bits & 0x1F)) + 63))
                bits >>= 5
            text.append(chr(bits + 63))
        last = now
    return urllib.parse.quote("".join(text), safe="?@")


def _zigzag(count, seed):
    numbers = random.Random(seed)
    return _polyline([(numbers.uniform(-60, 60), numbers.uniform(-170, 170)) for _ in range(count)])


def _dashes(number):
    return "/map?bbox=-170,-60,170,60&width=4096&height=4096&path=weight:16%%7Cdash:0.13,0.13%%7Ccap:round%%7Cenc:%s" % (
        _zigzag(120, number)
    )


def _bordered(number):
    return "/map?bbox=-170,-60,170,60&width=1024&height=1024&path=weight:20%%7Cborder:black,3%%7Cdash:1,3%%7Cenc:%s" % (
        _zigzag(500, number)
    )


def _icons(number):
    markers = "&".join("marker=icon:noise-%d.png%%7C%d,%d" % (n, number % 50, n) for n in range(64))
    return "/map?bbox=-170,-60,170,60&width=512&height=512&" + markers


def _languages(number):
    numbers = random.Random(number)
    codes = ["".join(numbers.choices("abcdefghijklmnopqrstuvwxyz", k=2)) for _ in range(8)]
    return "/map?latitude=50&longitude=10&zoom=4&language=%s&poi=%s" % (",".join(codes), ",".join("kind-" + c for c in codes))


def _effort(number):
    return "/asset?id=noise.png&width=%d&format=avif&effort=10" % (2400 - number % 100)


def _large(number):
    return "/asset?id=noise.png&width=%d&height=4096&fit=fill&enlarge=1&filter=blur:100,median:9&format=avif" % (
        4096 - number % 100
    )


def _drawing(number):
    return "/asset?id=bomb-%d.svg&width=%d" % (number % BOMBS, 400 + number)


# Drawings of `add_bombs`.
BOMBS = 8
MAPS = (_dashes, _bordered, _icons, _languages)
ALL = (*MAPS, _effort, _large, _drawing)


def add_bombs(library):
    """Drawings that multiply (uses of uses), filter a vast area, nest without end, have lines of dashes without a size of their
    own, texts without end and trees of a hundred megabytes or many; and 64 names of one large picture."""
    uses = "".join('<g id="l%d">%s</g>' % (level + 1, ('<use href="#l%d"/>' % level) * 10) for level in range(9))
    drawings = (
        '<defs><rect id="l0" width="9" height="9"/>%s</defs><use href="#l9"/>' % uses,
        '<filter id="f" x="-5000" y="-5000" width="20000" height="20000"><feGaussianBlur stdDeviation="900"/>'
        '<feTurbulence numOctaves="200"/></filter><rect width="900" height="900" filter="url(#f)"/>',
        "<g>" * 20000 + '<rect width="9" height="9"/>' + "</g>" * 20000,
        '<g stroke="red" stroke-dasharray="0.01"><rect width="1e6" height="1e6"/></g>',
        "<text>%s</text>" % ("ab cd " * 20000),
        '<rect width="1" height="1"/>' * 60000,
        '<rect width="1" height="1"/>' * 400000,
        '<path stroke="red" d="M0 0%s"/>' % ("l9 9l-9 9" * 1000000),
    )
    assert len(drawings) == BOMBS
    for number, content in enumerate(drawings):
        with open(os.path.join(library.folder, "bomb-%d.svg" % number), "w") as file:
            file.write('<svg xmlns="http://www.w3.org/2000/svg" width="1000" height="1000">%s</svg>' % content)
    for number in range(64):
        name = os.path.join(library.folder, "noise-%d.png" % number)
        if not os.path.exists(name):
            os.link(os.path.join(library.folder, "noise.png"), name)


def dear(case):
    """64 clients with nothing but the dearest legal requests: the process lives, and `/health/live` answers at once."""
    add_bombs(case.library)
    with case.server("--cache-memory", "64m", "--formats", "svg", may_refuse=("uncached",), kinds=("health",)) as server:
        idle = steady.SteadyClient(server.address, ("health",), server.pid).start()
        asyncio.run(asyncio.sleep(5))
        calm = idle.stop()["health"]
        busy = steady.SteadyClient(server.address, ("health",), server.pid).start()
        statuses = asyncio.run(_play(server, ALL, 64, 30))
        loaded = busy.stop()["health"]
        _check_answers(case, statuses, ALL)
        case.check(
            not loaded["errors"] and not loaded["refused"],
            "health: %d answers, %d errors" % (loaded["count"], len(loaded["errors"])),
        )
        # How long the scheduler lets a loop and the client wait while all processors are busy is not the server's doing: the
        # same loops that were on a processor for 2 ms at most waited 16 ms for it in a kernel that packs virtual processors.
        bound = max(3 * calm["served"], 8)
        case.check(
            loaded["served"] <= bound,
            "health p99 %.1f ms besides waits for a processor, %.1f ms when idle" % (loaded["served"], calm["served"]),
        )
        case.note("health p99 %.1f ms with them, %.1f ms when idle" % (loaded["p99"], calm["p99"]))
        case.note("resident %.0f MB at most" % server.resident_mb(peak=True))
        _check_rest(case, server)


def little_memory(case):
    """The dearest maps and drawings where 600 MB of data are all that the process may have: it lives. GLib and librsvg end a
    process whose memory is short, so that drawings are refused by what they are predicted to hold."""
    add_bombs(case.library)
    bounds = ("--cache-memory", "64m", "--formats", "svg", "--memory-limit", "256m", "--render-memory", "300m")
    with case.server(*bounds, data_bytes=600_000_000, may_refuse=("uncached",), kinds=("health",)) as server:
        statuses = asyncio.run(_play(server, (*MAPS, _drawing), 64, 20))
        _check_answers(case, statuses, (*MAPS, _drawing))
        _check_rest(case, server)


def _check_answers(case, statuses, kinds):
    """Each kind of request was answered, and none in another way than may be."""
    for kind in kinds:
        found = {status: count for (name, status), count in statuses.items() if name == kind.__name__}
        case.check(
            found and set(found) <= ALLOWED,
            "answers to %s: %s" % (kind.__name__.strip("_"), dict(sorted(found.items(), key=str))),
        )


def _check_rest(case, server):
    case.check(server.is_running(), "the process lives")
    idle = servers.eventually(
        lambda: server.metric("veduta_jobs_queued") == 0 and server.metric("veduta_jobs_running") == 0, limit=20
    )
    case.check(idle, "work that nobody waits for has stopped")
    status, _ = server.get("/asset?id=badge.png&width=300&height=7&fit=fill")
    case.check(status == 200, "a new picture afterwards: %s" % status)


async def _play(server, kinds, count, seconds):
    """How often each status came (or how a connection ended) to each kind, when `count` clients ask for so many seconds."""
    statuses = {}
    end = asyncio.get_running_loop().time() + seconds
    numbers = iter(range(1 << 30))

    async def one(index):
        while (left := end - asyncio.get_running_loop().time()) > 0:
            number = next(numbers)
            kind = kinds[(index + number) % len(kinds)]
            target = kind(number)
            connection = None
            try:
                connection = await wire.Wire.open(server.address)
                await connection.send(wire.head(target))
                async with asyncio.timeout(max(left, 0.1)):
                    status = (await connection.answer()).status
            except TimeoutError:
                return
            except (wire.Broken, OSError) as error:
                status = type(error).__name__
            finally:
                if connection:
                    connection.close()
            statuses[kind.__name__, status] = statuses.get((kind.__name__, status), 0) + 1
            if status in (429, 503):
                await asyncio.sleep(0.1)

    await asyncio.gather(*(one(index) for index in range(count)))
    return statuses
