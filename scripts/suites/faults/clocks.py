"""The time of day jumps."""

import asyncio
import calendar
import email.utils
import os
import shutil
import subprocess
import tempfile
import time

import lying
import steady
import uploads
import wire
from case import Impossible

DAY = 86_400
YEAR = 365 * DAY
JUMPS = (DAY, -DAY, 10 * YEAR, -10 * YEAR, 3, -3, 0)


def jumps(case):
    """A day and ten years forth and back while the server runs: nothing expires in a crowd, no age is negative, timers fire."""
    folder = tempfile.mkdtemp(prefix="veduta-clock-")
    try:
        library, offset = os.path.join(folder, "clock.so"), os.path.join(folder, "offset")
        source = os.path.join(os.path.dirname(os.path.abspath(__file__)), "clock.c")
        try:
            subprocess.run(
                ["cc", "-shared", "-fPIC", "-O1", "-o", library, source], check=True, capture_output=True, timeout=60
            )
        except (OSError, subprocess.CalledProcessError) as error:
            raise Impossible("no C compiler: %s" % error) from error
        _set(offset, 0)
        _jump(case, folder, offset, {"LD_PRELOAD": library, "CLOCK_OFFSET_FILE": offset})
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _set(path, seconds):
    with open(path + ".new", "w") as file:
        file.write(str(seconds))
    os.rename(path + ".new", path)


def _jump(case, folder, offset, variables):
    with open(os.path.join(case.library.folder, "badge.png"), "rb") as file:
        badge = file.read()

    def answer(_, fields, connection):
        common = 'ETag: "a"\r\nCache-Control: max-age=60\r\nDate: %s\r\n' % email.utils.formatdate(usegmt=True)
        if "if-none-match" in fields:
            connection.sendall(("HTTP/1.1 304 Not Modified\r\n%s\r\n" % common).encode())
        else:
            head = "HTTP/1.1 200 OK\r\n%sContent-Length: %d\r\n\r\n" % (common, len(badge))
            connection.sendall(head.encode() + badge)

    origin = lying.Origin(answer)
    options = (
        *("--cache-dir", os.path.join(folder, "cache"), *uploads.options(os.path.join(folder, "uploads"))),
        *("--head-timeout", "2", "--remote-allow", origin.url, "--remote-addresses", "127.0.0.1"),
    )
    remote = "/asset?id=%s/a.png&width=30" % origin.url
    with case.server(*options, variables=variables) as server:
        for target in (steady.CACHED, remote):
            server.get(target)
        for jump in JUMPS:
            _set(offset, jump)
            time.sleep(1.1)
            asked = len(origin.requests)
            found = [_fields(server, target) for target in (steady.CACHED, remote) for _ in range(20)]
            dates = {abs(_seconds(answer.fields["date"]) - time.time() - jump) < 5 for answer in found}
            ages = [int(answer.fields.get("age", "0")) for answer in found]
            hits = sum(answer.fields.get("cache-status", "").partition(";")[2].strip().startswith("hit") for answer in found)
            case.check(
                all(answer.status == 200 for answer in found) and dates == {True} and min(ages) >= 0 and max(ages) < 120,
                "%+d s: 40 answers, dates follow: %s, ages %d to %d" % (jump, dates == {True}, min(ages), max(ages)),
            )
            case.check(
                hits == 40 and len(origin.requests) - asked <= 2,
                "%+d s: %d of 40 from the cache, the origin was asked %d times" % (jump, hits, len(origin.requests) - asked),
            )
            status, took = asyncio.run(_slow_head(server.address))
            case.check(status == 408 and 1 < took < 5, "%+d s: an unfinished head got %s after %.1f s" % (jump, status, took))
            answer = uploads.send(server.address, "PUT", "/assets/up-%d.png" % (jump + 20 * YEAR), uploads.picture(500, jump))
            case.check(answer[0] == 201, "%+d s: an upload: %d" % (jump, answer[0]))
        case.check(len(uploads.listed(server.address)) == len(JUMPS), "all uploads are there")
    # Ten years between two runs: what is on the disk is as good as before.
    for jump in (10 * YEAR, -10 * YEAR):
        _set(offset, jump)
        with case.server(*options, kinds=("health",), variables=variables) as server:
            answers = [_fields(server, steady.CACHED) for _ in range(3)]
            renders = server.metric('veduta_renders_total{route="asset"}')
            ages = [int(answer.fields.get("age", "0")) for answer in answers]
            case.check(
                all(answer.status == 200 for answer in answers) and renders == 0 and min(ages) >= 0,
                "started %+d s: %d renders, ages %s" % (jump, renders, ages),
            )
    origin.close()


def _fields(server, target):
    async def ask():
        connection = await wire.Wire.open(server.address)
        await connection.send(wire.head(target))
        answer = await connection.answer()
        connection.close()
        return answer

    return asyncio.run(ask())


def _seconds(date):
    return calendar.timegm(email.utils.parsedate(date))


async def _slow_head(address):
    connection = await wire.Wire.open(address)
    began = time.monotonic()
    await connection.send(b"GET /health/live HTT")
    try:
        async with asyncio.timeout(8):
            status = (await connection.answer()).status
    except (wire.Broken, TimeoutError, OSError) as error:
        status = type(error).__name__
    connection.close()
    return status, time.monotonic() - began
