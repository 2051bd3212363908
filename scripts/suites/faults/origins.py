"""Originals of other servers: a crowd for one, servers that never answer, tokens that are over."""

import json
import os
import re
import socket
import tempfile
import threading
import time

CROWD = 200


class Origin:
    """An origin on loopback with a thread for each connection, which counts what it is asked for."""

    def __init__(self, picture):
        self.picture = picture
        self.counts = {}
        self.tokens = set()
        self.lock = threading.Lock()
        self.listener = socket.create_server(("127.0.0.1", 0), backlog=1024)
        self.url = "http://127.0.0.1:%d" % self.listener.getsockname()[1]
        threading.Thread(target=self._accept, daemon=True).start()

    def close(self):
        self.listener.close()

    def count(self, prefix):
        with self.lock:
            return sum(count for path, count in self.counts.items() if path.startswith(prefix))

    def _accept(self):
        while True:
            try:
                connection, _ = self.listener.accept()
            except OSError:
                return
            threading.Thread(target=self._serve, args=(connection,), daemon=True).start()

    def _serve(self, connection):
        data = b""
        try:
            while True:
                while b"\r\n\r\n" not in data:
                    more = connection.recv(65536)
                    if not more:
                        return
                    data += more
                head, data = data.split(b"\r\n\r\n", 1)
                length = re.search(rb"(?i)content-length: (\d+)", head)
                data = data[int(length.group(1)) if length else 0 :]
                self._answer(connection, head)
        except OSError:
            pass

    def _answer(self, connection, head):
        path = head.split()[1].decode()
        with self.lock:
            self.counts[path] = self.counts.get(path, 0) + 1
        if path.startswith("/stalled"):
            time.sleep(300)
        if path == "/token":
            time.sleep(0.5)
            with self.lock:
                token = "token-%d" % len(self.tokens)
                self.tokens = self.tokens | {token}
            # The first is soon over, the others are not.
            lifetime = 2 if token == "token-0" else 600
            content = json.dumps({"access_token": token, "token_type": "Bearer", "expires_in": lifetime}).encode()
            fields = "Content-Type: application/json\r\n"
        else:
            time.sleep(0.2)
            content, fields = self.picture, "Cache-Control: max-age=600\r\n"
            if path.startswith("/guarded") and b"\r\nAuthorization: Bearer token-" not in head:
                connection.sendall(b"HTTP/1.1 401 No\r\nContent-Length: 0\r\n\r\n")
                return
        connection.sendall(("HTTP/1.1 200 OK\r\n%sContent-Length: %d\r\n\r\n" % (fields, len(content))).encode() + content)


def _start(case):
    with open(os.path.join(case.library.folder, "badge.png"), "rb") as file:
        return Origin(file.read())


def _options(origin, *more):
    return ("--remote-allow", origin.url, "--remote-addresses", "127.0.0.1", "--remote-timeout", "120", *more)


def _metric(server, name):
    found = re.search(rb"^%s (\d+)" % re.escape(name).encode(), server.get("/metrics")[1], re.M)
    return int(found.group(1)) if found else 0


def _crowd(server, targets):
    """The statuses of the answers to requests for all `targets` at once."""
    statuses = [None] * len(targets)

    def ask(index):
        try:
            statuses[index] = server.get(targets[index])[0]
        except OSError as error:
            statuses[index] = str(error)

    threads = [threading.Thread(target=ask, args=(index,)) for index in range(len(targets))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return statuses


def cold(case):
    """200 clients for one cold original of another server cost one download."""
    origin = _start(case)
    with case.server(*_options(origin)) as server:
        targets = ["/asset?id=%s/cold.png&width=%d" % (origin.url, 40 + index % 4) for index in range(CROWD)]
        statuses = _crowd(server, targets)
        case.check(set(statuses) == {200}, "%d answers: %s" % (len(statuses), sorted(map(str, set(statuses)))))
        case.check(origin.count("/cold") == 1, "%d download" % origin.count("/cold"))
    origin.close()


def expired(case):
    """200 requests whose token is over cost one renewal."""
    origin = _start(case)
    with tempfile.NamedTemporaryFile("w", suffix=".json") as file:
        token = {"url": origin.url + "/token", "client_id": "veduta", "client_secret": "secret"}
        json.dump([{"origins": [origin.url], "token": token}], file)
        file.flush()
        with case.server(*_options(origin, "--remote-identities", file.name)) as server:
            first = server.get("/asset?id=%s/guarded-first&width=40" % origin.url)[0]
            had = origin.count("/token")
            case.check((first, had) == (200, 1), "the first: %d, %d token" % (first, had))
            time.sleep(2.5)
            target = "/asset?id=%s/guarded-%d&width=40"
            statuses = _crowd(server, [target % (origin.url, index) for index in range(CROWD)])
            renewals = origin.count("/token") - 1
            case.check(set(statuses) == {200}, "%d answers: %s" % (len(statuses), sorted(map(str, set(statuses)))))
            case.check(renewals == 1, "%d renewal for %d requests" % (renewals, origin.count("/guarded") - 1))
    origin.close()


def stalled(case):
    """200 requests for servers that never answer hold no worker, and their fetches end when they leave."""
    origin = _start(case)
    turns = 8  # fetches from one server at a time; the others wait for their turns

    def rate(server, seconds=6):
        count, began = 0, time.monotonic()
        while time.monotonic() - began < seconds:
            server.get("/asset?id=lagoon.jpg&width=%d" % (100 + count % 1000))
            count += 1
        return count / (time.monotonic() - began)

    with case.server(*_options(origin, "--cache-memory", "0", "--render-timeout", "200")) as server:
        before = rate(server)
        clients = []
        for index in range(CROWD):
            client = socket.create_connection(server.address)
            client.sendall(b"GET /asset?id=%s/stalled-%d HTTP/1.1\r\nHost: a\r\n\r\n" % (origin.url.encode(), index))
            clients.append(client)
        end = time.monotonic() + 30
        while _metric(server, "veduta_origin_fetches_running") < turns and time.monotonic() < end:
            time.sleep(0.05)
        running = _metric(server, "veduta_origin_fetches_running")
        case.check(running == turns, "%d fetches run" % running)
        meanwhile = rate(server)
        case.check(_metric(server, "veduta_origin_fetches_running") == turns, "they run still")
        for client in clients:
            client.close()
        end = time.monotonic() + 30
        while _metric(server, "veduta_origin_fetches_running") and time.monotonic() < end:
            time.sleep(0.05)
        running = _metric(server, "veduta_origin_fetches_running")
        case.check(running == 0, "%d fetches run after their clients left" % running)
        after = rate(server)
        case.note(
            "local pictures a second: %.1f before, %.1f meanwhile, %.1f after; %.2f"
            % (before, meanwhile, after, 2 * meanwhile / (before + after))
        )
    origin.close()
