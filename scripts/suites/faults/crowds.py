"""Too many at once: connections beyond the descriptors, requests beyond the workers, and ten thousand that only wait."""

import asyncio
import time

import server as servers
import steady
import wire


def descriptors(case):
    """500 connections where 64 files may be open: idle ones and unfinished heads make room, nothing spins, a new client has its
    answer."""
    refusals = ("cached", "uncached", "health")
    with case.server(descriptors=64, may_refuse=refusals) as server:
        for kind in ("silent", "idle", "begun"):
            asyncio.run(_crowd(case, server, kind, 500))
    with case.server(may_refuse=refusals) as server:
        # Below what the server counts with, so that the system refuses before the server does.
        server.limit_descriptors(server.all_descriptor_count() + 6)
        for kind in ("silent", "idle", "begun"):
            asyncio.run(_crowd(case, server, kind, 200, ", files taken away"))


async def _crowd(case, server, kind, count, how=""):
    crowd = await wire.open_many(server.address, count, first=b"GET /health/live HTT" if kind == "begun" else b"")
    if kind == "idle":
        await asyncio.gather(*(_status(connection) for connection in crowd))
    await asyncio.sleep(0.3)
    began, used = time.monotonic(), server.processor_seconds()
    news = []
    for _ in range(3):
        news.append(await _new_client(server))
        await asyncio.sleep(max(0, began + len(news) - time.monotonic()))
    share = (server.processor_seconds() - used) / (time.monotonic() - began)
    text = ", ".join("%s after %.2f s" % new for new in news)
    name = kind + how
    case.check(all(status in (200, 503) and took < 1 for status, took in news), "%s: new clients: %s" % (name, text))
    case.check(any(status == 200 for status, _ in news), "%s: room was made for one of them at least" % name)
    # The steady client alone takes some percent.
    case.check(share < 0.25, "%s: %.0f %% of a processor" % (name, share * 100))
    wire.close_all(crowd)
    await asyncio.sleep(0.5)
    status, took = await _new_client(server)
    case.check(status == 200 and took < 1, "%s: when they have gone: %s after %.2f s" % (name, status, took))


async def _new_client(server, source=None):
    began = time.monotonic()
    try:
        connection = await wire.Wire.open(server.address, source=source)
        try:
            async with asyncio.timeout(10):
                await connection.send(wire.head("/health/live"))
                status = (await connection.answer()).status
        finally:
            connection.close()
    except (wire.Broken, OSError, TimeoutError) as error:
        status = type(error).__name__
    return status, time.monotonic() - began


def one_address(case):
    """One address with more connections than it may have is told 429, others are served."""
    with case.server("--connections-per-address", "50", "--connections", "200") as server:
        asyncio.run(_crowd_of_one(case, server, "127.9.9.9", 300))


async def _crowd_of_one(case, server, source, count):
    crowd = await wire.open_many(server.address, count, source=source)
    statuses = {}
    for status in await asyncio.gather(*map(_status, crowd)):
        statuses[status] = statuses.get(status, 0) + 1
    case.check(statuses == {200: 50, 429: count - 50}, "%d connections of one address got %s" % (count, statuses))
    others = await wire.open_many(server.address, 100)
    answered = await asyncio.gather(*(_status(connection) for connection in others))
    case.check(answered.count(200) == 100, "%d of 100 others are served" % answered.count(200))
    wire.close_all(crowd + others)
    again = [await _new_client(server, source) for _ in range(3)]
    case.check(all(status == 200 for status, _ in again), "when they have gone, the address is served: %s" % again)


async def _status(connection):
    try:
        async with asyncio.timeout(10):
            await connection.send(wire.head("/health/live"))
            return (await connection.answer()).status
    except (wire.Broken, OSError, TimeoutError):
        return None


def flood(case):
    """500 clients for cold, distinct, expensive pictures: those that do not fit in the queue are told at once, and hits stay
    fast."""
    with case.server("--queue", "64", may_refuse=("uncached",)) as server:
        before = server.resident_mb()
        client = steady.SteadyClient(server.address, ("cached", "health"), server.pid).start()
        statuses, refused, retry = asyncio.run(_flood(server, 500))
        for kind, found in client.stop().items():
            text = "%s: p99 %.1f ms besides waits for a processor" % (kind, found["served"])
            case.check(found["count"] > 0 and found["served"] < 100, text)
        slowest = max(refused, default=0)
        case.check(
            len(refused) >= 300 and slowest < 3,
            "%d refused, after %.2f s at most; the others: %s" % (len(refused), slowest, statuses),
        )
        case.check(retry == len(refused), "%d of them with Retry-After" % retry)
        case.note("resident %.0f MB before, %.0f MB at most" % (before, server.resident_mb(peak=True)))
        began = time.monotonic()
        recovers = servers.eventually(lambda: server.get("/asset?id=badge.png&width=300&height=7&fit=fill")[0] == 200, limit=10)
        case.check(recovers, "new pictures again %.1f s after the flood" % (time.monotonic() - began))
        idle = servers.eventually(
            lambda: server.metric("veduta_jobs_queued") == 0 and server.metric("veduta_jobs_running") <= 1, limit=10
        )
        case.check(idle, "work that nobody waits for has stopped")


async def _flood(server, count):
    statuses, refused, retry = {}, [], 0
    connections = await wire.open_many(server.address, count)

    async def one(number, connection):
        nonlocal retry
        began = time.monotonic()
        try:
            await connection.send(
                wire.head("/asset?id=lagoon.jpg&width=4096&height=%d&fit=cover&enlarge=1&format=avif" % (2000 + number))
            )
            async with asyncio.timeout(6):
                answer = await connection.answer()
            status = answer.status
            if status == 503:
                refused.append(time.monotonic() - began)
                retry += "retry-after" in answer.fields
        except TimeoutError:
            status = "left after 6 s"
        except (wire.Broken, OSError) as error:
            status = str(error)
        if status != 503:
            statuses[status] = statuses.get(status, 0) + 1
        connection.close()

    await asyncio.gather(*(one(number, connection) for number, connection in enumerate(connections)))
    return statuses, refused, retry


def idle(case):
    """10,000 connections that wait after an answer: less than 80 MB for everything, 1,024 bytes for each."""
    count = min(10_000, wire.raise_descriptor_limit() - 200)
    # Pictures would bring libvips' own memory in, which has nothing to do with connections.
    with case.server("--connections", str(count + 500), "--cache-memory", "32m", kinds=("health",)) as server:
        before = server.resident_mb()
        asyncio.run(_wait(case, server, count, before))


async def _wait(case, server, count, before):
    connections = await wire.open_many(server.address, count)
    gate = asyncio.Semaphore(200)

    async def ask(connection, target):
        async with gate:
            try:
                await connection.send(wire.head(target))
                return (await connection.answer()).status
            except (wire.Broken, OSError):
                return None

    for target in ("/health/live", "/openapi.yaml"):
        statuses = await asyncio.gather(*(ask(connection, target) for connection in connections))
        case.check(
            len(connections) == count and all(status == 200 for status in statuses),
            "%d connections, %d good answers to %s" % (len(connections), sum(status == 200 for status in statuses), target),
        )
        await asyncio.sleep(1)
    resident = server.resident_mb()
    each = (resident - before) * (1 << 20) / count
    case.check(
        resident < 80 and each < 1024,
        "resident %.1f MB with them, %.1f MB without: %.0f bytes for each" % (resident, before, each),
    )
    used = server.processor_seconds()
    await asyncio.sleep(2)
    case.note(
        "%.1f %% of a processor while they wait, the steady client's share included"
        % ((server.processor_seconds() - used) * 50)
    )
    statuses = await asyncio.gather(
        *(ask(connection, "/asset?id=lagoon.jpg&width=400&format=jpeg") for connection in connections)
    )
    case.note(
        "resident %.1f MB when all of them had a picture; %d good answers"
        % (server.resident_mb(), sum(status == 200 for status in statuses))
    )
    wire.close_all(connections)
