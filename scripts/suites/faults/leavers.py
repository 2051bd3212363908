"""Clients that leave: halfway through a head, content or answer, by an end or a reset, and ten thousand at random."""

import asyncio
import random

import server as servers
import wire

LARGE = "/asset?id=noise.png&format=png"


def resets(case):
    """Ends and resets in every place: no descriptor is lost, no log storm, who only ended its side has its answer."""
    with case.server() as server:
        server.get(LARGE)
        before = server.descriptor_count()
        lines = len(server.log().splitlines())
        places = {
            "head": b"GET /asset?id=lago",
            "content": wire.head("/asset", "Content-Length: 50000", method="POST") + b"x" * 20000,
            "answer": wire.head(LARGE),
            "pipeline": wire.head("/health/live") * 20 + wire.head(LARGE) * 3,
            "cold answer": None,
        }
        for place, data in places.items():
            for by_reset in (True, False):
                asyncio.run(_leave(server, place, data, by_reset, 200))
            settled = servers.eventually(lambda: server.descriptor_count() <= before + 2)
            case.check(
                settled,
                "200 resets and 200 ends in the %s: %d descriptors, %d before" % (place, server.descriptor_count(), before),
            )
        right = asyncio.run(_half_close(server, 200))
        case.check(right == 200, "%d of 200 half-closed clients had their answers" % right)
        grown = len(server.log().splitlines()) - lines
        case.check(grown < 100, "the log grew by %d lines" % grown)
        case.check(
            servers.eventually(lambda: server.metric("veduta_connections") <= 3),
            "connections counted: %d" % server.metric("veduta_connections"),
        )


async def _leave(server, place, data, by_reset, count):
    connections = await wire.open_many(server.address, count)
    for number, connection in enumerate(connections):
        await connection.send(
            data or wire.head("/asset?id=lagoon.jpg&width=700&height=%d&fit=fill" % (300 + number + 1000 * by_reset))
        )
    if place in ("answer", "pipeline"):
        await asyncio.gather(*(connection.receive(2000) for connection in connections), return_exceptions=True)
    else:
        await asyncio.sleep(0.05)
    for connection in connections:
        connection.reset() if by_reset else connection.close()


async def _half_close(server, count):
    right = 0
    for number, connection in enumerate(await wire.open_many(server.address, count)):
        cold = "/asset?id=badge.png&width=%d&height=9&fit=fill" % (20 + number)
        await connection.send(wire.head(cold if number % 2 else "/asset?id=lagoon.jpg&width=400&format=jpeg"))
        connection.end_sending()
        try:
            async with asyncio.timeout(20):
                right += (await connection.answer()).status == 200
        except (wire.Broken, OSError, TimeoutError):
            pass
        connection.close()
    return right


def cancelled(case):
    """10,000 requests given up at random moments: work that nobody waits for stops, and the counts balance."""
    with case.server(may_refuse=("uncached",)) as server:
        before = server.descriptor_count()
        asyncio.run(_cancel(server, 10_000))
        settled = servers.eventually(lambda: server.descriptor_count() <= before + 2)
        case.check(settled, "descriptors: %d, before: %d" % (server.descriptor_count(), before))
        calm = servers.eventually(
            lambda: server.metric("veduta_jobs_queued") == 0 and server.metric("veduta_jobs_running") <= 1
        )
        case.check(calm, "no job is left")
        case.check(
            servers.eventually(lambda: server.metric("veduta_connections") <= 3),
            "connections counted: %d" % server.metric("veduta_connections"),
        )
        names = ("cache_hits", "cache_misses", "renders", "cancelled_renders", "abandoned_waits", "refused_jobs")
        counts = {name: int(server.metric("veduta_%s_total" % name)) for name in names}
        case.note(", ".join("%s %d" % count for count in counts.items()))
        case.check(counts["cancelled_renders"] <= counts["abandoned_waits"], "nothing is cancelled that had a waiter")
        case.check(
            counts["renders"] + counts["refused_jobs"] <= counts["cache_misses"],
            "every render and every refusal belongs to a miss",
        )
        case.note("resident %.0f MB, at most %.0f MB" % (server.resident_mb(), server.resident_mb(peak=True)))


async def _cancel(server, count):
    chance = random.Random(2026)
    gate = asyncio.Semaphore(200)

    async def one(number):
        targets = [
            "/asset?id=lagoon.jpg&width=400&format=jpeg",
            "/asset?id=lagoon.jpg&width=%d&height=%d&fit=cover&format=webp" % (300 + number % 1000, 300 + number // 1000),
            "/map?latitude=43.77&longitude=11.25&zoom=4&width=%d&height=256" % (64 + number % 900),
            "/",
            "/missing",
            "/asset?id=noise.png&format=png&width=%d" % (100 + number % 50),
        ]
        async with gate:
            try:
                connection = await wire.Wire.open(server.address)
            except (OSError, TimeoutError):
                return
            try:
                data = wire.head(targets[chance.randrange(len(targets))])
                await connection.send(data[: chance.randrange(len(data))] if chance.random() < 0.1 else data)
                await asyncio.sleep(chance.random() ** 3 * 0.2)
            except OSError:
                pass
            connection.reset() if chance.random() < 0.5 else connection.close()

    await asyncio.gather(*map(one, range(count)))
