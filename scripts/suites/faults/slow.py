"""Clients that are slow: in their heads, in their content, in taking the answer."""

import asyncio
import os
import shutil
import time

import server as servers
import uploads
import wire


def heads(case):
    """2,000 connections that send a byte of a head every 3 seconds: each gets 408 at the deadline of the whole head."""
    limit = 6
    with case.server("--head-timeout", str(limit)) as server:
        statuses, times = asyncio.run(_send_slow_heads(server.address, 2000, pause=3, patience=limit + 9))
        case.check(statuses.get(408) == 2000, "2,000 slow heads at a head timeout of %d s got %s" % (limit, _text(statuses)))
        # The bytes come for as long as nobody stops them: a deadline for each byte would never be over.
        case.check(bool(times) and times[-1] < limit + 5, "after %.1f to %.1f s" % (times[0], times[-1]) if times else "never")
        case.note("resident %.0f MB" % server.resident_mb())


async def _send_slow_heads(address, count, pause, patience):
    text = wire.head("/health/live", "X-Slow: " + "a" * 200)
    statuses, times = {}, []

    async def one(connection, began):
        async def trickle():
            for byte in text:
                await connection.send(bytes([byte]))
                await asyncio.sleep(pause)

        sending = asyncio.create_task(trickle())
        try:
            async with asyncio.timeout(patience):
                answer = await connection.answer()
            status = answer.status
            times.append(time.monotonic() - began)
            if not await connection.ends(5):
                status = "%d, but kept" % status
        except (wire.Broken, TimeoutError, OSError) as error:
            status = type(error).__name__
        sending.cancel()
        await asyncio.gather(sending, return_exceptions=True)
        statuses[status] = statuses.get(status, 0) + 1
        connection.close()

    connections = await wire.open_many(address, count)
    await asyncio.gather(*(one(connection, time.monotonic()) for connection in connections))
    return statuses, sorted(times)


def contents(case):
    """200 clients that send content at 10 bytes a second: each is cut, with an answer."""
    with case.server("--head-timeout", "6") as server:
        before = server.descriptor_count()
        statuses = asyncio.run(_send_slow_content(server.address, 200, patience=40))
        # 405, as content is not wanted here, comes before the content or 408 when it takes too long.
        case.check(statuses.get(408, 0) + statuses.get(405, 0) == 200, "200 slow contents got %s" % _text(statuses))
        case.check(_settles(server, before), "descriptors: %d, before: %d" % (server.descriptor_count(), before))


def uploading(case):
    """100 uploads that begin well and go on at 10 bytes a second are cut at the minimum rate; one of 20 kB a second is taken; nothing is left behind."""
    folder = os.path.join(case.library.folder, "..", "uploads-slow")
    with case.server("--content-timeout", "4", "--minimum-rate", "8000", *uploads.options(folder)) as server:
        before = server.descriptor_count()
        statuses, steady = asyncio.run(_upload_slowly(server.address, 100, patience=40))
        case.check(statuses == {408: 100}, "100 slow uploads got %s" % _text(statuses))
        case.check(steady == 201, "one at 20 kB a second got %s" % steady)
        case.check(not uploads.left_over(folder), "left over: %s" % uploads.left_over(folder)[:3])
        case.check(len(uploads.listed(server.address)) == 1, "only that one is listed")
        case.check(_settles(server, before), "descriptors: %d, before: %d" % (server.descriptor_count(), before))
    shutil.rmtree(folder, ignore_errors=True)


async def _upload_slowly(address, count, patience):
    statuses = {}

    async def one(connection, content, pace):
        fields = ("Authorization: Bearer " + uploads.TOKEN, "Content-Length: %d" % len(content))
        await connection.send(wire.head("/assets", *fields, method="POST"))

        async def trickle():
            # More than stays in memory, so that a file is there.
            await connection.send(content[:100_000])
            for start in range(100_000, len(content), pace):
                await connection.send(content[start : start + pace])
                await asyncio.sleep(1)

        sending = asyncio.create_task(trickle())
        try:
            async with asyncio.timeout(patience):
                return (await connection.answer()).status
        except (wire.Broken, TimeoutError, OSError) as error:
            return type(error).__name__
        finally:
            sending.cancel()
            await asyncio.gather(sending, return_exceptions=True)
            connection.close()

    connections = await wire.open_many(address, count)
    large = uploads.picture(600_000, 1)
    steady = asyncio.create_task(one(await wire.Wire.open(address), uploads.picture(300_000, 2), 20_000))
    for status in await asyncio.gather(*(one(connection, large, 10) for connection in connections)):
        statuses[status] = statuses.get(status, 0) + 1
    return statuses, await steady


async def _send_slow_content(address, count, patience):
    statuses = {}

    async def one(connection):
        try:
            await connection.send(wire.head("/asset", "Content-Length: 60000", method="POST"))

            async def trickle():
                while True:
                    await connection.send(b"x" * 10)
                    await asyncio.sleep(1)

            sending = asyncio.create_task(trickle())
            try:
                async with asyncio.timeout(patience):
                    status = (await connection.answer()).status
            finally:
                sending.cancel()
                await asyncio.gather(sending, return_exceptions=True)
            if not await connection.ends(5):
                status = "%d, but kept" % status
        except (wire.Broken, TimeoutError, OSError) as error:
            status = type(error).__name__
        statuses[status] = statuses.get(status, 0) + 1
        connection.close()

    await asyncio.gather(*map(one, await wire.open_many(address, count)))
    return statuses


def readers(case):
    """500 clients that take 100 bytes a second of 30 MB are cut, and memory is bounded; 20 at 40 kB a second are not."""
    target = "/asset?id=noise.png&format=png"
    with case.server("--write-timeout", "5") as server:
        server.get(target)
        before, descriptors = server.resident_mb(), server.descriptor_count()
        cut, highest, queued, patient = asyncio.run(_read_slowly(server, target, 500, 20))
        case.check(cut is not None, "500 slow readers were cut within %s s" % cut)
        case.check(patient == 20, "%d of 20 patient readers are served after 20 s" % patient)
        # A write timeout of 5 s and 256 kB for each: what the system keeps must be bounded too.
        case.check(queued < 256, "%.0f MB at most in the system's socket buffers" % queued)
        case.check(highest < before + 64, "resident %.0f MB at most, %.0f MB before them" % (highest, before))
        case.check(_settles(server, descriptors), "descriptors: %d, before: %d" % (server.descriptor_count(), descriptors))


async def _read_slowly(server, target, count, patient_count):
    descriptors = server.descriptor_count()
    began = time.monotonic()

    async def read(connection, pace):
        """Reads so many bytes a second for 20 seconds."""
        end = time.monotonic() + 20
        while time.monotonic() < end and await connection.receive(pace):
            await asyncio.sleep(1)

    patient = await wire.open_many(server.address, patient_count, receive_buffer=1 << 16)
    hasty = await wire.open_many(server.address, count, receive_buffer=4096)
    await asyncio.gather(*(connection.send(wire.head(target)) for connection in patient + hasty))
    reading = [asyncio.create_task(read(connection, 40_000)) for connection in patient]
    trickling = [asyncio.create_task(read(connection, 100)) for connection in hasty]
    cut, highest, queued = None, 0, 0
    while not all(reader.done() for reader in reading):
        highest, queued = max(highest, server.resident_mb()), max(queued, servers.socket_buffers_mb())
        # Their end lies behind what is in the socket already, which they will take long to read: the server's side counts.
        left = server.descriptor_count() - descriptors
        if cut is None and time.monotonic() - began > 2 and left < patient_count * 2:
            cut = round(time.monotonic() - began, 1)
        await asyncio.sleep(0.2)
    await asyncio.gather(*reading, return_exceptions=True)
    for task in trickling:
        task.cancel()
    await asyncio.gather(*trickling, return_exceptions=True)
    wire.close_all(patient + hasty)
    return cut, highest, queued, min(left, patient_count)


def hoarders(case):
    """80 clients of one address with 12 MB images of their own that they do not read: another address gets all its new images, and memory is bounded."""
    with case.server("--cache-memory", "0", "--render-memory", "256m", "--workers", "2", kinds=("health",)) as server:
        before = server.resident_mb()
        hoarded, others, highest = asyncio.run(_hoard(server, 80, 20))
        case.check(
            set(hoarded) <= {200, 503} and 0 < hoarded.get(200, 0) < 80, "the images of one address: %s" % _text(hoarded)
        )
        case.check(set(others) == {200}, "the other address got %s" % _text(others))
        # A quarter of the memory for renders may be unsent, and that is used by what is being made.
        case.check(highest < before + 256 + 64, "resident %.0f MB at most, %.0f MB before them" % (highest, before))


async def _hoard(server, count, seconds):
    """The statuses of one address that reads heads alone, and of another one, and the most that was resident."""
    hoarders = await wire.open_many(server.address, count, receive_buffer=4096, source="127.9.9.9")
    target = "/asset?id=noise.png&format=png&width=%d&height=2000&fit=cover"
    await asyncio.gather(*(c.send(wire.head(target % (2000 + number))) for number, c in enumerate(hoarders)))
    statuses, others, highest = {}, {}, 0

    async def hoard(connection):
        try:
            head = await connection.receive(12)
            status = int(head.split()[1]) if head else "closed"
        except (wire.Broken, OSError, ValueError, IndexError) as error:
            status = type(error).__name__
        statuses[status] = statuses.get(status, 0) + 1

    hoarding = [asyncio.create_task(hoard(connection)) for connection in hoarders]
    await asyncio.sleep(2)
    end, number = time.monotonic() + seconds, 0
    while time.monotonic() < end:
        number += 1
        connection = await wire.Wire.open(server.address, source="127.8.8.8")
        await connection.send(wire.head("/asset?id=lagoon.jpg&width=200&height=%d&fit=cover" % (100 + number)))
        status = (await connection.answer()).status
        connection.close()
        others[status] = others.get(status, 0) + 1
        highest = max(highest, server.resident_mb())
        await asyncio.sleep(0.1)
    for task in hoarding:
        task.cancel()
    await asyncio.gather(*hoarding, return_exceptions=True)
    wire.close_all(hoarders)
    return statuses, others, highest


def _settles(server, before):
    """Whether descriptors are as they were, but for a few of the steady client."""
    return servers.eventually(lambda: server.descriptor_count() <= before + 2)


def _text(statuses):
    return ", ".join("%s: %d" % entry for entry in sorted(statuses.items(), key=str))
