"""The end of the process, and what must not end it."""

import asyncio
import hashlib
import os
import random
import signal
import socket
import subprocess
import time

import server as servers
import steady
import wire

LARGE = "/asset?id=noise.png&format=png"
DRAIN_LIMIT = 8  # seconds, the default of --drain-timeout


def terminate(case):
    """SIGTERM under full load with slow downloads: nothing accepted is lost, silent connections end within a moment."""
    with case.server(ends_by_itself=True) as server:
        status, content = server.get(LARGE)
        case.check(status == 200 and len(content) > 30_000_000, "the download has %d bytes" % len(content))
        digest = hashlib.sha256(content).digest()
        small = hashlib.sha256(server.get(steady.CACHED)[1]).digest()
        found = asyncio.run(_terminate(server, {LARGE: digest, steady.CACHED: small}))
        case.check(found.downloads == 20, "%d of 20 downloads whole and right: %s" % (found.downloads, found.causes))
        case.check(found.lost == 0, "%d of the requests sent before the signal lost their answers" % found.lost)
        case.check(found.broken == 0, "%d answers begun and not finished, or wrong" % found.broken)
        case.check(
            found.silent_end is not None and found.silent_end < 1.5,
            "60 silent connections ended within %s s" % found.silent_end,
        )
        case.note(
            "%d answers by 64 clients, %d of them after the signal; %d requests came too late for one"
            % (found.answers, found.late_answers, found.too_late)
        )
        code = server.wait(DRAIN_LIMIT + 4)
        took = time.monotonic() - found.signalled
        case.check(
            code == 0 and took < DRAIN_LIMIT,
            "exit %s after %.1f s, %.1f s after the last download" % (code, took, time.monotonic() - found.last_download),
        )


class _Found:
    downloads = lost = broken = answers = late_answers = too_late = 0
    silent_end = signalled = None
    last_download = 0.0

    def __init__(self):
        self.causes = []


async def _terminate(server, digests):
    found = _Found()
    silent = await wire.open_many(server.address, 20)
    for connection in (idle := await wire.open_many(server.address, 20)):
        await connection.send(wire.head("/health/live"))
        await connection.answer()
    for connection in (begun := await wire.open_many(server.address, 20)):
        await connection.send(b"GET /health/live HTT")
    downloads = [asyncio.create_task(_download(server, digests[LARGE], found)) for _ in range(20)]
    clients = [asyncio.create_task(_ask(server, number, digests, found)) for number in range(64)]
    await asyncio.sleep(1.5)
    server.signal(signal.SIGTERM)
    found.signalled = time.monotonic()
    ended = await asyncio.gather(*(connection.ends(5) for connection in silent + idle + begun))
    if all(ended):
        found.silent_end = round(time.monotonic() - found.signalled, 2)
    await asyncio.gather(*downloads, *clients)
    wire.close_all(silent + idle + begun)
    return found


async def _download(server, digest, found):
    """Takes the whole within some five seconds."""
    connection = await wire.Wire.open(server.address, receive_buffer=1 << 16)
    connection.buffer = bytearray()
    began, count = time.monotonic(), 0
    try:
        await connection.send(wire.head(LARGE))
        content = hashlib.sha256()
        data = b""
        while b"\r\n\r\n" not in data:
            piece = await connection.receive()
            if not piece:
                raise OSError("the end")
            data += piece
        head, _, rest = data.partition(b"\r\n\r\n")
        total = int(
            next(line for line in head.lower().split(b"\r\n") if line.startswith(b"content-length:")).partition(b":")[2]
        )
        content.update(rest)
        count = len(rest)
        while count < total:
            # Never ahead of a rate at which the whole takes five seconds.
            early = count / total * 5 - (time.monotonic() - began)
            if early > 0:
                await asyncio.sleep(early)
            piece = await connection.receive()
            if not piece:
                raise OSError("the end")
            content.update(piece)
            count += len(piece)
        if head.startswith(b"HTTP/1.1 200") and content.digest() == digest:
            found.downloads += 1
        else:
            found.causes.append("other bytes")
    except OSError as error:
        found.causes.append("%s after %d bytes" % (error, count))
    found.last_download = time.monotonic()
    connection.close()


async def _ask(server, number, digests, found):
    """Asks until the server no longer takes requests; every fourth client opens a connection for each of them."""
    connection, count = None, 0
    while True:
        count += 1
        target = (
            steady.CACHED if count % 8 else "/asset?id=badge.png&width=%d&height=%d&fit=fill" % (16 + count % 100, 16 + number)
        )
        sent = None
        try:
            if connection is None:
                connection = await wire.Wire.open(server.address, patience=5)
            await connection.send(wire.head(target, *(["Connection: close"] if number % 4 == 0 else [])))
            sent = time.monotonic()
            async with asyncio.timeout(DRAIN_LIMIT + 2):
                answer = await connection.answer()
        except (wire.Broken, OSError, TimeoutError) as error:
            if found.signalled is None or sent is not None and sent < found.signalled:
                found.lost += 1
            elif isinstance(error, wire.Broken) and error.byte_count > 0:
                found.broken += 1
            else:
                found.too_late += 1
            return
        found.answers += 1
        found.late_answers += found.signalled is not None
        right = (
            answer.status == 503
            and target != steady.CACHED
            or answer.status == 200
            and (target not in digests or hashlib.sha256(answer.content).digest() == digests[target])
        )
        found.broken += not right
        if answer.fields.get("connection", "").lower() == "close":
            connection.close()
            connection = None


RESTARTS = 8


def restart(case):
    """Servers that follow each other on a passed socket, old and new at once for a moment, while 32 clients come: no request is
    lost."""
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        listener.listen(4096)
        asked, lost = asyncio.run(_restart(case, listener))
    case.check(
        asked > 1000 and not lost,
        "%d of %d requests over %d restarts were not answered%s" % (len(lost), asked, RESTARTS, ": " + lost[0] if lost else ""),
    )


async def _restart(case, listener):
    loop, stopping, asked, lost = asyncio.get_running_loop(), asyncio.Event(), 0, []

    async def ask():
        nonlocal asked
        while not stopping.is_set():
            asked += 1
            try:
                async with asyncio.timeout(20):
                    connection = await wire.Wire.open(listener.getsockname())
                    try:
                        # The moment between connecting and asking, in which servers change.
                        await asyncio.sleep(0.03)
                        await connection.send(wire.head("/health/live"))
                        status = (await connection.answer()).status
                    finally:
                        connection.close()
                if status != 200:
                    lost.append(str(status))
            except (wire.Broken, OSError, TimeoutError) as error:
                lost.append("%s: %s" % (type(error).__name__, error))

    def start():
        return servers.Server(case.binary, case.library, passed=listener)

    server = await loop.run_in_executor(None, start)
    clients = [asyncio.create_task(ask()) for _ in range(32)]
    codes = []
    for _ in range(RESTARTS):
        await asyncio.sleep(0.3)
        successor = await loop.run_in_executor(None, start)
        await asyncio.sleep(0.3)
        server.signal(signal.SIGTERM)
        codes.append(await loop.run_in_executor(None, server.wait, DRAIN_LIMIT + 4))
        server.__exit__()
        server = successor
    await asyncio.sleep(0.3)
    stopping.set()
    await asyncio.gather(*clients)
    codes.append(await loop.run_in_executor(None, server.stop))
    server.__exit__()
    case.check(all(code == 0 for code in codes), "each of them ended with 0: %s" % codes)
    return asked, lost


def signals(case):
    """Storms of signals: none but SIGTERM and SIGINT ends the server, and the second of those ends the waiting."""
    numbers = [signal.SIGHUP, signal.SIGPIPE, signal.SIGUSR1, signal.SIGUSR2]
    for number in numbers:
        with servers.Server(case.binary, case.library) as server:
            client = steady.SteadyClient(server.address).start()
            for _ in range(300):
                if not server.is_running():
                    break
                server.signal(number)
                time.sleep(0.001)
            time.sleep(0.2)
            found = client.stop()
            errors = sum(len(entry["errors"]) for entry in found.values())
            case.check(
                server.is_running() and errors == 0 and server.get("/health/live")[0] == 200 if server.is_running() else False,
                "300 times %s: %s" % (signal.Signals(number).name, "%d errors" % errors if server.is_running() else "it died"),
            )
            if server.is_running():
                lines = len(server.log().splitlines())
                case.check(server.stop() == 0, "then SIGTERM ends it with 0; %d lines of log" % lines)
    for first, second in [(signal.SIGTERM, signal.SIGTERM), (signal.SIGINT, signal.SIGTERM)]:
        with servers.Server(case.binary, case.library, "--drain-timeout", "60") as server:
            server.get(LARGE)
            asyncio.run(_end_twice(case, server, first, second))


async def _end_twice(case, server, first, second):
    # A download that goes on holds the server up until the second signal.
    connection = await wire.Wire.open(server.address, receive_buffer=4096)
    await connection.send(wire.head(LARGE))
    await connection.receive(1000)
    server.signal(first)
    await asyncio.sleep(0.7)
    waits = server.is_running()
    server.signal(second)
    began = time.monotonic()
    code = await asyncio.get_running_loop().run_in_executor(None, server.wait, 10)
    case.check(
        waits and code == 1,
        "%s waits for a download, %s then ends it with %s after %.1f s"
        % (first.name, second.name, code, time.monotonic() - began),
    )
    connection.close()


def start(case):
    """What cannot be started ends within a second, not with 0, and says what is wrong."""
    with servers.Server(case.binary, case.library) as server:
        taken = "127.0.0.1:%d" % server.address[1]
        broken = os.path.join(case.library.folder, "broken.pmtiles")
        with open(broken, "wb") as file:
            file.write(random.Random(1).randbytes(4096))
        runs = [
            ([], {"VEDUTA_LISTEN": taken}, [taken]),
            (["--listen", "nowhere"], {}, ["--listen", "nowhere"]),
            (["--library", "/nonexistent"], {}, ["--library", "/nonexistent"]),
            (["--map-archive", broken], {}, ["--map-archive", broken]),
            (["--head-timeout", "0"], {"VEDUTA_QUEUE": "many"}, ["--head-timeout", "VEDUTA_QUEUE", "many"]),
            (["--listen", "unix:/nonexistent/socket"], {}, ["/nonexistent/socket"]),
            (["--unknown-option", "1"], {}, ["--unknown-option"]),
        ]
        for options, variables, named in runs:
            listen = [] if "--listen" in options or "VEDUTA_LISTEN" in variables else ["--listen", "127.0.0.1:0"]
            code, text, took = _run_quickly([case.binary, "serve", *listen, *options], variables)
            case.check(
                code not in (0, None) and code > 0 and took < 1 and all(name in text for name in named),
                "%s: exit %s after %.2f s: %s"
                % (" ".join(options) or variables, code, took, text.strip().splitlines()[-1][-150:] if text else ""),
            )
        case.check(server.get("/health/live")[0] == 200, "who had the port is not disturbed")


def _run_quickly(command, variables):
    """Exit status, output and seconds of the quickest of three runs, as other work may hold one up."""
    best = None
    for _ in range(3):
        began = time.monotonic()
        try:
            run = subprocess.run(command, env=servers.environment() | variables, capture_output=True, text=True, timeout=20)
            found = run.returncode, run.stdout + run.stderr
        except subprocess.TimeoutExpired:
            found = None, "it runs"
        took = time.monotonic() - began
        best = min(best or (*found, took), (*found, took), key=lambda entry: entry[2])
        if took < 1:
            break
    return best
