"""The servers that are measured, each with two threads or workers, no access log, and the same bytes to send."""

import atexit
import functools
import http.client
import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time

from benchmarks import machine

THREADS = 2
IDLE_SECONDS = 600
CONNECTIONS = 16384


class Server:
    """A process that listens on loopback; `cpu` and `memory` read its cost."""

    def __init__(self, name, command, port, path="/", environment=None):
        self.name, self.port, self.path = name, port, path
        self.process = subprocess.Popen(
            command, env={**os.environ, **(environment or {})}, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )
        atexit.register(self.stop)
        for _ in range(600):
            with socket.socket() as s:
                if not s.connect_ex(("127.0.0.1", port)):
                    return
            time.sleep(0.05)
        sys.exit(f"did not start: {command}")

    def stop(self):
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGTERM)
            try:
                self.process.wait(20)
            except subprocess.TimeoutExpired:
                self.process.kill()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.stop()

    def exchange(self, path=None, headers=None):
        """Status, fields and content of the answer."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=60)
        connection.request("GET", path or self.path, headers=headers or {})
        answer = connection.getresponse()
        content = answer.read()
        connection.close()
        return answer.status, answer.headers, content

    def get(self, path=None, headers=None):
        status, _, content = self.exchange(path, headers)
        if status != 200:
            sys.exit(f"{self.name} {path}: {status} {content[:300]}")
        return content

    @property
    def pid(self):
        return self.process.pid

    @property
    def cpu(self):
        return machine.cpu_seconds(self.pid)

    @property
    def memory(self):
        return machine.memory(self.pid)


def folder_for(files):
    """A folder that servers may read which give up their rights."""
    home = tempfile.mkdtemp(prefix="veduta-bench-")
    os.chmod(home, 0o755)
    atexit.register(shutil.rmtree, home, True)
    for name, content in files.items():
        with open(os.path.join(home, name), "w" if isinstance(content, str) else "wb") as f:
            f.write(content)
    return home


def veduta_start(folder, binary=None, **settings):
    """Command, port and environment of our server, or of the one at `binary`, over a folder of pictures. Settings that this
    version does not know are left out."""
    binary = binary or machine.build("veduta")
    port = machine.free_port()
    environment = {"VEDUTA_LISTEN": f"127.0.0.1:{port}", "VEDUTA_LIBRARY": folder}
    for name, value in settings.items():
        if knows(name, binary):
            environment["VEDUTA_" + name.upper()] = str(value)
    return [binary, "serve"], port, environment


def veduta(folder, **settings):
    """Our server, started so."""
    command, port, environment = veduta_start(folder, **settings)
    return Server("veduta", command, port, environment=environment)


@functools.cache
def knows(setting, binary=None):
    """Whether our server, or the one at `binary`, has a setting of this name."""
    return "--" + setting.replace("_", "-") in machine.run(binary or machine.build("veduta"), "serve", "--help")


def veduta_for_hits(folder):
    return veduta(
        folder,
        loops=THREADS,
        connections=CONNECTIONS,
        connections_per_address=CONNECTIONS,
        idle_timeout=IDLE_SECONDS,
        access_log="off",
    )


def nginx(folder, caches_files):
    """Debian's nginx; with or without `open_file_cache`, which saves it the open, fstat and close of each request."""
    port = machine.free_port()
    cache = "open_file_cache max=100; open_file_cache_valid 60s;" if caches_files else ""
    home = folder_for({})
    configuration = f"""daemon off; worker_processes {THREADS}; pid {home}/pid; error_log {home}/error.log;
user root; worker_rlimit_nofile 20000;
events {{ worker_connections {CONNECTIONS}; }}
http {{ access_log off; sendfile on; tcp_nopush on; {cache}
  keepalive_requests 1000000000; keepalive_timeout {IDLE_SECONDS}s;
  client_body_temp_path {home}/a; proxy_temp_path {home}/b; fastcgi_temp_path {home}/c; scgi_temp_path {home}/d;
  uwsgi_temp_path {home}/e; default_type image/jpeg;
  server {{ listen 127.0.0.1:{port} backlog=4096 reuseport; root {folder}; add_header Cache-Control max-age=86400; }} }}"""
    path = os.path.join(home, "nginx.conf")
    with open(path, "w") as f:
        f.write(configuration)
    return Server("nginx+cache" if caches_files else "nginx", ["nginx", "-c", path, "-p", home], port, "/picture.jpg")


def h2o(folder):
    """Debian's h2o; it keeps open files in a cache of its own."""
    port = machine.free_port()
    home = folder_for(
        {
            "h2o.conf": f"""user: root
num-threads: {THREADS}
max-connections: {CONNECTIONS}
http1-request-timeout: {IDLE_SECONDS}
listen:
  host: 127.0.0.1
  port: {port}
hosts:
  default:
    paths:
      /:
        file.dir: {folder}
        header.set: "Cache-Control: max-age=86400"
"""
        }
    )
    return Server("h2o", ["h2o", "-m", "worker", "-c", os.path.join(home, "h2o.conf")], port, "/picture.jpg")


def limit(folder):
    """The least that C can do on this machine; None without ../shared."""
    source = os.path.join(machine.SHARED, "peers", "epoll_limit.c")
    if not os.path.exists(source):
        print("limit: skipped, ../shared/peers/epoll_limit.c is not here", file=sys.stderr)
        return None
    binary = os.path.join(folder_for({}), "limit")
    machine.run("gcc", "-O3", "-march=native", "-pthread", source, "-o", binary)
    port = machine.free_port()
    return Server("limit", [binary, str(port), os.path.join(folder, "picture.jpg"), str(THREADS)], port, "/picture.jpg")


def hummingbird(folder):
    """Hummingbird, built outside of our package on first use; None where it cannot be built."""
    home = os.path.join(tempfile.gettempdir(), f"veduta-bench-hummingbird-{os.getuid()}")
    shutil.copytree(os.path.join(machine.ROOT, "scripts", "benchmarks", "peers", "hummingbird"), home, dirs_exist_ok=True)
    print("Building Hummingbird (some minutes the first time)", file=sys.stderr)
    built = subprocess.run(["nice", "swift", "build", "-c", "release"], cwd=home, capture_output=True, text=True)
    if built.returncode:
        lines = (built.stdout + built.stderr).splitlines()
        why = next((line for line in lines if "error:" in line), f"exit code {built.returncode}")
        print(f"hummingbird: skipped, it could not be built: {why}", file=sys.stderr)
        return None
    port = machine.free_port()
    binary = os.path.join(home, ".build", "release", "hummingbird-peer")
    picture = os.path.join(folder, "picture.jpg")
    return Server("hummingbird", [binary, str(port), picture, str(THREADS)], port, "/asset")
