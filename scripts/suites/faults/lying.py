"""Originals of servers that stall, lie, loop, change and break off."""

import gzip
import os
import socket
import struct
import threading
import time

import server as servers

WHOLE = "HTTP/1.1 200 OK\r\nCache-Control: max-age=600\r\nContent-Length: %d\r\n\r\n"
LIMIT = 6  # seconds, of --remote-timeout


class Origin:
    """An origin on loopback, which answers as `answer(path, fields, connection)` does, and counts."""

    def __init__(self, answer):
        self.answer = answer
        self.requests = []
        self.lock = threading.Lock()
        self.listener = socket.create_server(("127.0.0.1", 0), backlog=256)
        self.port = self.listener.getsockname()[1]
        self.url = "http://127.0.0.1:%d" % self.port
        threading.Thread(target=self._accept, daemon=True).start()

    def close(self):
        self.listener.close()

    def seen(self, path):
        with self.lock:
            return [fields for found, fields in self.requests if found == path]

    def _accept(self):
        while True:
            try:
                connection, _ = self.listener.accept()
            except OSError:
                return
            threading.Thread(target=self._serve, args=(connection,), daemon=True).start()

    def _serve(self, connection):
        try:
            with connection:
                data = b""
                while b"\r\n\r\n" not in data:
                    piece = connection.recv(65536)
                    if not piece:
                        return
                    data += piece
                lines = data.decode("latin-1").split("\r\n\r\n")[0].split("\r\n")
                fields = {name.lower(): value.strip() for name, _, value in (line.partition(":") for line in lines[1:])}
                path = lines[0].split()[1]
                with self.lock:
                    self.requests.append((path, fields))
                self.answer(path, fields, connection)
        except OSError:
            pass


def _reset(connection):
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    connection.close()


def _options(*origins):
    allowed = ", ".join([*(origin.url for origin in origins), "http://10.1.2.3", "http://169.254.169.254"])
    return (
        *("--remote-allow", allowed, "--remote-addresses", "127.0.0.1", "--remote-timeout", str(LIMIT)),
        *("--source-bytes", "4m"),
    )


def lying(case):
    """Origins that say nothing, half, too much, something else, or lead away: each its problem in time, no worker is held."""
    with open(os.path.join(case.library.folder, "badge.png"), "rb") as file:
        badge = file.read()
    bomb = gzip.compress(bytes(50_000_000))

    def answer(path, _, connection):
        kind = path.split("/")[1]
        if kind == "silent":
            time.sleep(60)
        elif kind == "half":
            connection.sendall((WHOLE % len(badge)).encode() + badge[: len(badge) // 2])
        elif kind == "endless":
            connection.sendall(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n")
            while True:
                connection.sendall(b"10000\r\n" + bytes(65536) + b"\r\n")
        elif kind == "vast":
            connection.sendall((WHOLE % (1 << 40)).encode() + badge)
            time.sleep(60)
        elif kind == "drip":
            connection.sendall((WHOLE % len(badge)).encode())
            for byte in badge:
                connection.sendall(bytes([byte]))
                time.sleep(0.2)
        elif kind == "chunks":
            connection.sendall(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n" + badge)
        elif kind == "bomb":
            head = "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: %d\r\n\r\n" % len(bomb)
            connection.sendall(head.encode() + bomb)
        elif kind == "page":
            connection.sendall((WHOLE % 15).encode() + b"<html>no</html>")
        elif kind == "rubbish":
            connection.sendall(b"\0\1\2 no HTTP at all\r\n\r\n")
        elif kind == "head":
            connection.sendall(b"HTTP/1.1 200 OK\r\n")
            for number in range(100_000):
                connection.sendall(b"X-%d: %s\r\n" % (number, b"a" * 1000))
        elif kind == "error":
            connection.sendall(b"HTTP/1.1 500 No\r\nContent-Length: 0\r\n\r\n")
        elif kind == "reset":
            _reset(connection)
        else:
            places = {
                "loop": path,
                "chain": path + "a",
                "private": "http://10.1.2.3/a.png",
                "metadata": "http://169.254.169.254/latest/",
                "elsewhere": "http://example.net/a.png",
                "file": "file:///etc/passwd",
            }
            line = "HTTP/1.1 302 Found\r\nLocation: %s\r\nContent-Length: 0\r\n\r\n" % places[kind]
            connection.sendall(line.encode())

    expected = {
        "silent": (504, "source-timeout"),
        "half": (502, "source-failed"),
        "endless": (422, "source-too-large"),
        "vast": (422, "source-too-large"),
        "drip": (504, "source-timeout"),
        "chunks": (502, "source-failed"),
        "bomb": (502, "source-failed"),
        "page": (415, "source-unsupported"),
        "rubbish": (502, "source-failed"),
        "head": (502, "source-failed"),
        "error": (502, "source-failed"),
        "reset": (502, "source-failed"),
        "loop": (502, "source-failed"),
        "chain": (502, "source-failed"),
        "private": (403, "source-forbidden"),
        "metadata": (403, "source-forbidden"),
        "elsewhere": (403, "source-forbidden"),
        "file": (502, "source-failed"),
    }
    # An origin that fails often is left alone for a while, so that each needs one of its own.
    liars = {kind: Origin(answer) for kind in expected}
    with case.server(*_options(*liars.values())) as server:
        before = server.resident_mb()
        for kind, wanted in expected.items():
            url = "%s/%s" % (liars[kind].url, kind)
            found, took = _ask_many(server, ["/asset?id=%s/%d.png&width=40" % (url, number) for number in range(4)])
            case.check(
                found == {wanted: 4} and took < LIMIT + 3,
                "%s: %s within %.1f s" % (kind, ", ".join("%d %s: %d" % (*key, n) for key, n in found.items()), took),
            )
        peak = server.resident_mb(peak=True)
        case.check(peak < before + 160, "resident %.0f MB at most, %.0f MB before" % (peak, before))
        idle = servers.eventually(lambda: server.metric("veduta_origin_fetches_running") == 0, limit=10)
        case.check(idle, "no fetch is left")
    for origin in liars.values():
        origin.close()


def _ask_many(server, targets):
    """How often each status and problem came, and how long all took."""
    found, lock = {}, threading.Lock()

    def ask(target):
        try:
            status, content = server.get(target)
            text = content.decode("utf-8", "replace")
            problem = text.partition('"type"')[2].partition(",")[0].strip(' :"').rpartition(":")[2] if status >= 400 else ""
        except OSError as error:
            status, problem = 0, str(error)
        with lock:
            found[status, problem] = found.get((status, problem), 0) + 1

    began = time.monotonic()
    threads = [threading.Thread(target=ask, args=(target,)) for target in targets]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return found, time.monotonic() - began


def flapping(case):
    """An origin that is down every other second: once its original is there, the image is served, stale where need be."""
    with open(os.path.join(case.library.folder, "badge.png"), "rb") as file:
        badge = file.read()
    began = time.monotonic()
    asked = []

    def answer(path, fields, connection):
        is_up = path.startswith("/first") or int(time.monotonic() - began) % 2 == 0
        asked.append(is_up)
        if not is_up:
            _reset(connection) if len(asked) % 2 else connection.sendall(b"HTTP/1.1 503 No\r\nContent-Length: 0\r\n\r\n")
        elif "if-none-match" in fields:
            connection.sendall(b'HTTP/1.1 304 Not Modified\r\nETag: "a"\r\nCache-Control: max-age=0\r\n\r\n')
        else:
            head = 'HTTP/1.1 200 OK\r\nETag: "a"\r\nCache-Control: max-age=0\r\nContent-Length: %d\r\n\r\n' % len(badge)
            connection.sendall(head.encode() + badge)

    origin = Origin(answer)
    with case.server(*_options(origin), "--source-lifetime", "0") as server:
        target = "/asset?id=%s/first.png&width=%d"
        statuses = {}
        first = server.get(target % (origin.url, 40))[0]
        origin_down = "/asset?id=%s/later.png&width=40" % origin.url
        servers.eventually(lambda: server.get(origin_down)[0] == 200, limit=30)
        asked.clear()
        end = time.monotonic() + 10
        while time.monotonic() < end:
            status = server.get("/asset?id=%s/later.png&width=%d" % (origin.url, 40 + len(asked) % 50))[0]
            statuses[status] = statuses.get(status, 0) + 1
            time.sleep(0.02)
        case.check(first == 200 and set(statuses) == {200}, "answers while it flaps: %s" % statuses)
        case.check(True in asked and False in asked, "asked %d times, in vain %d times" % (len(asked), asked.count(False)))
    origin.close()


def resumed(case):
    """An origin that breaks off in the middle and has ranges: the rest is asked for with If-Range, and all of it is right."""
    names = {"first": "noise-small.png", "second": "lagoon.jpg"}
    servers.make_noise_png(os.path.join(case.library.folder, names["first"]), 900)
    contents = {}
    for name, file_name in names.items():
        with open(os.path.join(case.library.folder, file_name), "rb") as file:
            contents[name] = file.read()

    def answer(path, fields, connection):
        is_new = path == "/changing.png" and len(origin.seen(path)) > 1
        content, tag = (contents["second"], '"b"') if is_new else (contents["first"], '"a"')
        common = "ETag: %s\r\nAccept-Ranges: bytes\r\nCache-Control: max-age=600\r\n" % tag
        start = 0
        if "range" in fields and fields.get("if-range") == tag:
            start = int(fields["range"].removeprefix("bytes=").partition("-")[0])
            common += "Content-Range: bytes %d-%d/%d\r\n" % (start, len(content) - 1, len(content))
        line = "HTTP/1.1 %s\r\n%sContent-Length: %d\r\n\r\n"
        head = line % ("206 Partial Content" if start else "200 OK", common, len(content) - start)
        connection.sendall(head.encode())
        if len(origin.seen(path)) == 1:
            connection.sendall(content[: len(content) // 2])
            # A reset takes along what was not read yet.
            time.sleep(0.5)
            _reset(connection)
        else:
            connection.sendall(content[start:])

    origin = Origin(answer)
    with case.server(*_options(origin)) as server:
        for path, same in (("/same.png", names["first"]), ("/changing.png", names["second"])):
            expected = server.get("/asset?id=%s&width=300&format=png" % same)
            found = server.get("/asset?id=%s%s&width=300&format=png" % (origin.url, path))
            case.check(found == expected, "%s: %d, the image of the whole: %s" % (path, found[0], found == expected))
            again = server.get("/asset?id=%s%s&width=200&format=png" % (origin.url, path))
            seen = [(fields.get("range"), fields.get("if-range")) for fields in origin.seen(path)]
            case.check(
                again[0] == 200 and len(seen) == 2 and seen[1][1] == '"a"' and (seen[1][0] or "").endswith("-"),
                "%s: asked for %s, and not again for another size" % (path, seen),
            )
    origin.close()
