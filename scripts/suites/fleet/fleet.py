"""fleet.py BINARY FOLDER COUNT: three servers, one redis-server and nginx on loopback; ends with 1 where they do not hold together."""

import concurrent.futures
import contextlib
import os
import pathlib
import re
import signal
import socket
import statistics
import subprocess
import sys
import time
import urllib.error
import urllib.request

import boto3
from server import Library, Server, free_port

CLIENTS = 4
TOKEN = "a-token-of-the-fleet-that-nobody-guesses"
NGINX = """
pid {folder}/nginx.pid;
error_log {folder}/nginx.log;
events {{ worker_connections 1024; }}
http {{
    access_log off;
    client_body_temp_path {folder}/body;
    proxy_temp_path {folder}/proxy;
    fastcgi_temp_path {folder}/fastcgi;
    uwsgi_temp_path {folder}/uwsgi;
    scgi_temp_path {folder}/scgi;
    upstream fleet {{
        {rule}
        {servers}
        keepalive 32;
    }}
    server {{
        listen 127.0.0.1:{port};
        location / {{
            proxy_pass http://fleet;
            proxy_http_version 1.1;
            proxy_set_header Connection "";
        }}
    }}
}}
"""


class Objects:
    """moto_server with one bucket."""

    def __init__(self):
        self.port = free_port()
        program = os.path.join(os.path.dirname(sys.executable), "moto_server")
        command = [program, "-H", "127.0.0.1", "-p", str(self.port)]
        self.process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        if not within(60, lambda: ask(("127.0.0.1", self.port), "/fleet", method="PUT")[0] == 200):
            sys.exit("moto_server did not start")
        endpoint = f"http://127.0.0.1:{self.port}"
        self.options = ("--shared-objects", "s3://fleet/shared", "--s3-endpoint", endpoint, "--s3-key-id", "id")
        self.options += ("--s3-secret", "secret", "--remote-addresses", "127.0.0.1")

    def names(self):
        listing = ask(("127.0.0.1", self.port), "/fleet?list-type=2")[1].decode()
        return re.findall("<Key>([^<]+)</Key>", listing)

    def client(self):
        options = {"aws_access_key_id": "id", "aws_secret_access_key": "secret", "region_name": "us-east-1"}
        return boto3.client("s3", endpoint_url=f"http://127.0.0.1:{self.port}", **options)

    def replace(self, name, content):
        self.client().put_object(Bucket="fleet", Key=name, Body=content)

    def stop(self):
        self.process.kill()
        self.process.wait()


class Redis:
    """redis-server without a disk, on one port for its life."""

    def __init__(self, folder):
        self.folder = folder
        self.port = free_port()
        self.process = None
        self.start()

    def start(self):
        command = ["redis-server", "--port", str(self.port), "--bind", "127.0.0.1", "--save", "", "--dir", self.folder]
        self.process = subprocess.Popen(command, stdout=subprocess.DEVNULL)
        for _ in range(200):
            with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", self.port), 1):
                return
            time.sleep(0.05)
        sys.exit("redis-server did not start")

    def stop(self):
        self.process.kill()
        self.process.wait()

    def run(self, *words):
        """The answer of redis-cli, as text."""
        command = ["redis-cli", "-p", str(self.port), *words]
        return subprocess.run(command, check=True, capture_output=True, timeout=60).stdout.decode(errors="replace").strip()


def ask(address, target, method="GET"):
    """Status and content; 0 where there is no answer."""
    request = urllib.request.Request(f"http://{address[0]}:{address[1]}{target}", method=method)
    request.add_header("Authorization", f"Bearer {TOKEN}")
    try:
        with urllib.request.urlopen(request, timeout=120) as answer:
            return answer.status, answer.read()
    except urllib.error.HTTPError as error:
        return error.code, b""
    except OSError:
        return 0, b""


def renders(servers):
    return sum(server.metric('veduta_renders_total{route="asset"}') for server in servers)


def within(seconds, truth):
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if truth():
            return True
        time.sleep(0.02)
    return False


@contextlib.contextmanager
def nginx(folder, servers, rule):
    port = free_port()
    place = os.path.join(folder, f"nginx-{port}")
    os.mkdir(place)
    names = "\n        ".join(f"server 127.0.0.1:{server.address[1]} max_fails=1 fail_timeout=5s;" for server in servers)
    settings = os.path.join(place, "nginx.conf")
    pathlib.Path(settings).write_text(NGINX.format(folder=place, rule=rule, servers=names, port=port))
    process = subprocess.Popen(["nginx", "-q", "-c", settings, "-g", "daemon off;"])
    address = ("127.0.0.1", port)
    if not within(20, lambda: ask(address, "/health/live")[0] == 200):
        sys.exit("nginx did not start")
    yield address
    process.terminate()
    process.wait()


def check(truth, text):
    print(("ok    " if truth else "FAILED ") + text, flush=True)
    if not truth:
        check.failures += 1


check.failures = 0


class Fleet:
    def __init__(self, binary, library, redis, stack):
        self.binary, self.library, self.redis, self.stack = binary, library, redis, stack
        self.servers = [self.start() for _ in range(3)]

    def start(self, *options):
        shared = ("--shared-cache", f"redis://127.0.0.1:{self.redis.port}", "--workers", "2", "--cache-memory", "64m")
        server = Server(self.binary, self.library, *shared, "--token", TOKEN, *options)
        return self.stack.enter_context(server)


def load(address, targets):
    """Every client asks for all of them, in the same order; the statuses that are not 200."""

    def client(_):
        return [status for status in (ask(address, target)[0] for target in targets) if status != 200]

    with concurrent.futures.ThreadPoolExecutor(CLIENTS) as pool:
        return sum(pool.map(client, range(CLIENTS)), [])


def targets(count, name):
    return [f"/asset?id=lagoon.jpg&width={40 + number}&format=jpeg&download={name}" for number in range(count)]


def once(fleet, folder, count, rule, name):
    with nginx(folder, fleet.servers, rule) as address:
        before = renders(fleet.servers)
        failed = load(address, targets(count, name))
        made = renders(fleet.servers) - before
        check(not failed, f"{name}: {CLIENTS * count} requests, {len(failed)} failed")
        check(made <= 1.01 * count, f"{name}: {made / count:.3f} renders a key")
    return made


def new_server(fleet, count):
    # What was written last may still be on its way.
    time.sleep(1)
    new = fleet.start()
    asked = targets(count, "hashing")[: min(100, count)]
    failed = [target for target in asked if new.get(target)[0] != 200]
    check(not failed and renders([new]) == 0, f"a new server answers {len(asked)} addresses with {renders([new]):.0f} renders")


def purges(fleet):
    one = "/asset?id=lagoon.jpg&width=333&format=jpeg"
    contents = {server.get(one)[1] for server in fleet.servers}
    check(len(contents) == 1, "all servers answer with the same bytes")
    before = [server.metric("veduta_shared_cache_purges_total") for server in fleet.servers]
    status, _ = ask(fleet.servers[0].address, "/cache?id=lagoon.jpg", method="DELETE")
    began = time.monotonic()

    def all_heard():
        return all(s.metric("veduta_shared_cache_purges_total") == b + 1 for s, b in zip(fleet.servers[1:], before[1:]))

    heard = within(1, all_heard)
    check(status == 200 and heard, f"a purge is carried out by all in {time.monotonic() - began:.3f} s")
    before = renders(fleet.servers)
    for server in fleet.servers:
        server.get(one)
    check(renders(fleet.servers) - before == 1, "what was purged is rendered once more by one of them")


def other_fleet(fleet):
    """A server of another fleet shares nothing with this one in the same Redis."""
    one = "/asset?id=lagoon.jpg&width=336&format=jpeg"
    fleet.servers[0].get(one)
    with fleet.start("--shared-prefix", "other") as server:
        reached = within(10, lambda: server.metric("veduta_shared_cache_on") == 1)
        server.get(one)
        check(reached and renders([server]) == 1, "another fleet renders for itself")
        ask(fleet.servers[0].address, "/cache?id=lagoon.jpg", method="DELETE")
        time.sleep(1)
        server.get(one)
        heard = server.metric("veduta_shared_cache_purges_total")
        check(heard == 0 and renders([server]) == 1, "and hears no purges of this one")


def sleeper(fleet, folder):
    """A server with a folder misses a purge while it is stopped, and another while it is frozen."""
    place = os.path.join(folder, "sleeper")
    one = "/asset?id=lagoon.jpg&width=334&format=jpeg"
    with fleet.start("--cache-dir", place) as server:
        server.get(one)
        within(5, lambda: server.metric("veduta_cache_disk_stores_total") >= 1)
        os.kill(server.pid, signal.SIGSTOP)
        ask(fleet.servers[0].address, "/cache?id=lagoon.jpg", method="DELETE")
        os.kill(server.pid, signal.SIGCONT)
        check(within(1, lambda: server.metric("veduta_cache_disk_entries") == 0), "a frozen server hears of a purge")
        server.get(one)
        within(5, lambda: server.metric("veduta_cache_disk_entries") >= 1)
        server.stop()
    ask(fleet.servers[0].address, "/cache?id=lagoon.jpg", method="DELETE")
    with fleet.start("--cache-dir", place) as server:
        purged = within(5, lambda: server.metric("veduta_shared_cache_purges_total") >= 1)
        before = renders([server])
        server.get(one)
        check(purged and renders([server]) == before + 1, "a server that was down hears of a purge when it starts")


def large(fleet):
    """What is too large for Redis is in S3."""
    objects = Objects()
    try:
        large = "/asset?id=noise.png&width=900&format=png"
        with fleet.start(*objects.options) as first, fleet.start(*objects.options) as second:
            content = first.get(large)[1]
            stored = within(10, lambda: len(objects.names()) == 1 and first.metric("veduta_shared_cache_stores_total") >= 1)
            check(stored and len(content) > 262_144, f"{len(content)} bytes are an object of S3")
            same = second.get(large)[1] == content
            check(same and renders([second]) == 0, "and another server answers with them")
        for name in objects.names():
            objects.replace(name, b"rubbish")
        with fleet.start(*objects.options) as third:
            check(third.get(large) == (200, content) and renders([third]) == 1, "a damaged object is not served")
            objects.stop()
            began = time.monotonic()
            check(
                third.get(large.replace("900", "901"))[0] == 200, f"without S3, {time.monotonic() - began:.1f} s, nothing fails"
            )
    finally:
        objects.stop()


def tus(server, method, target, fields, content=None):
    """The fields of the answer to a request of the tus protocol."""
    request = urllib.request.Request(f"http://{server.address[0]}:{server.address[1]}{target}", method=method, data=content)
    own = {"Authorization": f"Bearer {TOKEN}", "Tus-Resumable": "1.0.0"}
    for name, value in {**own, **fields}.items():
        request.add_header(name, value)
    with urllib.request.urlopen(request, timeout=120) as answer:
        return answer.headers


def uploaded(fleet, folder):
    """An upload in two pieces is an object of S3, where it came in parts."""
    objects = Objects()
    content = b"\x89PNG\r\n\x1a\n" + os.urandom(40 << 20)
    half = len(content) // 2
    options = ("--uploads", "s3://fleet/uploads", "--s3-buckets", "fleet", "--cache-dir", os.path.join(folder, "uploaded"))
    try:
        with fleet.start(*objects.options, *options) as server:
            path = tus(server, "POST", "/uploads", {"Upload-Length": str(len(content))})["Location"]
            for start, piece in ((0, content[:half]), (half, content[half:])):
                fields = {"Upload-Offset": str(start), "Content-Type": "application/offset+octet-stream"}
                asset = tus(server, "PATCH", path, fields, piece)["Veduta-Asset"]
            client = objects.client()
            stored = client.get_object(Bucket="fleet", Key=f"uploads/{asset}")
            # The tag of an object that came in parts has their number.
            parts = stored["ETag"].strip('"').partition("-")[2]
            same = stored["Body"].read() == content
            check(same and parts == "3", f"{len(content)} bytes by tus are an object of {parts or 'no'} parts")
            left = client.list_multipart_uploads(Bucket="fleet").get("Uploads", [])
            check(not left and server.get(f"/assets/{asset}/original") == (200, content), "and are served from there")
    finally:
        objects.stop()


def killed(fleet, folder, count):
    victim = fleet.start()
    members = [*fleet.servers[:2], victim]
    with nginx(folder, members, "hash $request_uri consistent;") as address:
        with concurrent.futures.ThreadPoolExecutor(1) as pool:
            running = pool.submit(load, address, targets(count, "killed"))
            # Others of its share are still to be asked for.
            rendering = within(60, lambda: renders([victim]) >= count / 10)
            victim.process.kill()
            under_load = rendering and not running.done()
            failed = running.result()
    check(under_load and len(failed) <= CLIENTS, f"a server is killed under load: {len(failed)} requests failed")


def without_redis(fleet, count):
    server = fleet.servers[0]
    hits = targets(100, "hashing")
    load(server.address, hits)

    def slowest():
        """Of 99 % of 2,000 hits: the median of nine such times, as one pause of the machine makes one of them twice as long."""
        return statistics.median(once() for _ in range(9))

    def once():
        times = []
        for _ in range(20):
            for target in hits:
                began = time.monotonic()
                server.get(target)
                times.append(time.monotonic() - began)
        return sorted(times)[int(0.99 * len(times))]

    with_tier = slowest()
    fleet.redis.stop()
    without = slowest()
    check(
        without <= 1.2 * with_tier,
        f"99 % of hits within {1000 * with_tier:.3f} ms, and {without / with_tier:.2f} times that without Redis",
    )
    failed = load(server.address, targets(count, "alone"))
    check(not failed, f"without Redis, {len(failed)} of {CLIENTS * count} requests fail")
    status, _ = ask(server.address, "/cache?id=lagoon.jpg", method="DELETE")
    check(status == 200, "without Redis, a purge is answered")
    before = fleet.servers[1].metric("veduta_shared_cache_purges_total")
    fleet.redis.start()
    told = within(15, lambda: fleet.servers[1].metric("veduta_shared_cache_purges_total") > before)
    check(told, "and told to the others when Redis is back, empty")
    check(within(15, lambda: all(s.metric("veduta_shared_cache_on") == 1 for s in fleet.servers)), "all servers are back")


def frozen_redis(fleet, count):
    os.kill(fleet.redis.process.pid, signal.SIGSTOP)
    began = time.monotonic()
    failed = load(fleet.servers[1].address, targets(count, "frozen"))
    check(
        not failed, f"with a Redis that is frozen, {len(failed)} of {CLIENTS * count} fail, in {time.monotonic() - began:.1f} s"
    )
    os.kill(fleet.redis.process.pid, signal.SIGCONT)
    within(15, lambda: all(server.metric("veduta_shared_cache_on") == 1 for server in fleet.servers))


def damaged(fleet):
    server = fleet.servers[2]
    # The breaker lets requests through again.
    time.sleep(9)
    one = "/asset?id=lagoon.jpg&width=335&format=jpeg"
    fleet.servers[0].get(one)
    time.sleep(1)
    for entry in fleet.redis.run("--scan", "--pattern", "veduta:1:e:*").split():
        fleet.redis.run("SET", entry, "rubbish")
    answered = server.get(one)[0]
    check(answered == 200 and server.metric("veduta_shared_cache_corrupt_total") >= 1, "damaged entries are not served")


def full(fleet):
    fleet.redis.run("CONFIG", "SET", "maxmemory", "1mb")
    failed = load(fleet.servers[0].address, targets(30, "full"))
    check(not failed, f"with a Redis that is full, {len(failed)} requests fail")
    fleet.redis.run("CONFIG", "SET", "maxmemory", "0")


def main():
    binary, folder, count = sys.argv[1], sys.argv[2], int(sys.argv[3])
    library = Library(binary)
    redis = Redis(folder)
    try:
        with contextlib.ExitStack() as stack:
            fleet = Fleet(binary, library, redis, stack)
            ready = within(10, lambda: all(server.metric("veduta_shared_cache_on") == 1 for server in fleet.servers))
            check(ready, "all servers reach Redis")
            once(fleet, folder, count, "hash $request_uri consistent;", "hashing")
            once(fleet, folder, count, "", "turns")
            new_server(fleet, count)
            purges(fleet)
            other_fleet(fleet)
            sleeper(fleet, folder)
            large(fleet)
            uploaded(fleet, folder)
            killed(fleet, folder, min(count, 200))
            without_redis(fleet, min(count, 50))
            frozen_redis(fleet, min(count, 50))
            damaged(fleet)
            full(fleet)
    finally:
        redis.stop()
        library.remove()
    sys.exit(1 if check.failures else 0)


main()
