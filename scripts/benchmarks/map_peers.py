"""The renderers of `scripts/bench map`: ours as a server, the others as programs that read views and draw them.

MapLibre Native (pymgl) and py-staticmaps live in an environment of Python outside the repository, Mapnik comes from Debian
and reads the same tiles as shapefiles with an index, which is made once. py-staticmaps only puts together raster tiles,
which are ours and lie on disk before anything is timed. Who cannot be installed is left out with a message."""

import atexit
import http.client
import http.server
import json
import math
import os
import socket
import subprocess
import sys
import threading
import time

from benchmarks import machine, servers, tile_layers

MAPS = os.path.join(machine.SHARED, "maps")
STYLE = os.path.join(MAPS, "styles", "bench.json")
ARCHIVE = os.path.join(MAPS, "firenze.mbtiles")
PROGRAMS = os.path.join(machine.ROOT, "scripts", "benchmarks", "peers")
PACKAGES = ("pymgl==0.5.0", "py-staticmaps==0.5.0")
# The zoom of the archive's most detailed tiles.
TILE_ZOOM = 14
STAGES = ("decode", "prepare", "place", "draw", "encode")


def is_possible():
    return all(map(os.path.exists, (STYLE, ARCHIVE)))


class Renderer:
    """What draws views: `draw` returns the bytes of the PNG, `pid` is the process that is looked at."""

    def __init__(self, name, ratios):
        self.name, self.ratios = name, ratios

    @property
    def cpu(self):
        return machine.cpu_seconds(self.pid)


class Ours(Renderer):
    """Our server, or an earlier one at `binary`, with no cache of answers; `stages` are the milliseconds that its last answer
    says it took."""

    def __init__(self, name="veduta", binary=None, style=STYLE):
        super().__init__(name, (1, 2))
        self.command, self.port, environment = servers.veduta_start(
            machine.samples(),
            binary,
            cache_memory=0,
            access_log="off",
            map_archive=os.path.join(MAPS, "firenze.pmtiles"),
            map_style=style,
            map_files=MAPS,
        )
        self.environment = {**os.environ, **environment}
        self.process, self.connection, self.stages = None, None, {}
        self.starting = threading.Lock()
        # py-staticmaps starts it again when it lacks a tile.
        atexit.register(self.stop)

    def start(self, _):
        # Tiles are asked for by several threads.
        with self.starting:
            self.start_once()

    def start_once(self):
        if self.process:
            return
        self.process = subprocess.Popen(
            self.command, env=self.environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )
        self.connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=120)
        for _ in range(20_000):
            with socket.socket() as s:
                # From another address: from its own, a port that nobody listens on can be connected to itself.
                s.bind(("127.0.0.2", 0))
                if not s.connect_ex(("127.0.0.1", self.port)):
                    return
            time.sleep(0.0005)
        sys.exit("veduta did not start")

    def stop(self):
        if self.process:
            self.connection.close()
            self.process.terminate()
            self.process.wait()
            self.process = None

    @property
    def pid(self):
        return self.process.pid

    def answer(self, path):
        """The answer and its content. The server ends connections that were idle while the others drew."""
        for is_last in (False, True):
            try:
                self.connection.request("GET", path, headers={"Cache-Control": "no-store"})
                answer = self.connection.getresponse()
                return answer, answer.read()
            except ConnectionError:
                self.connection.close()
                if is_last:
                    raise

    def draw(self, view, ratio, save=None):
        more = "" if ratio == 1 else f"&scale={ratio}"
        path = f"/map?latitude={view['latitude']}&longitude={view['longitude']}&zoom={view['zoom']}{more}&format=png"
        answer, content = self.answer(path)
        if answer.status != 200:
            sys.exit(f"veduta: {answer.status} {content[:300]}")
        timing = answer.headers.get("Server-Timing", "")
        self.stages = {
            name: float(text)
            for name, _, text in (part.strip().partition(";dur=") for part in timing.split(","))
            if name in STAGES
        }
        if save:
            with open(save, "wb") as file:
                file.write(content)
        return len(content)


class Program(Renderer):
    """A program of scripts/benchmarks/peers, one process for each ratio of pixels."""

    def __init__(self, name, ratios, command):
        super().__init__(name, ratios)
        self.command, self.processes, self.process = command, {}, None

    def start(self, ratio):
        """Makes the process of `ratio` the one that is looked at."""
        if ratio not in self.processes:
            self.processes[ratio] = subprocess.Popen(
                self.command(ratio), stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
            )
        self.process = self.processes[ratio]

    def stop(self):
        for process in self.processes.values():
            process.stdin.close()
            process.wait()
            process.stdout.close()
        self.processes = {}

    @property
    def pid(self):
        return self.process.pid

    def draw(self, view, ratio, save=None):
        self.start(ratio)
        self.process.stdin.write(json.dumps({**view, **({"save": save} if save else {})}) + "\n")
        self.process.stdin.flush()
        line = self.process.stdout.readline()
        if not line:
            raise ChildProcessError(f"{self.name} ended with {self.process.wait()}")
        return json.loads(line)["bytes"]


def with_local_fonts():
    """Ours with a style that names no glyphs, so that labels are set in the machine's fonts."""
    with open(STYLE) as file:
        style = json.load(file)
    del style["glyphs"]
    folder = servers.folder_for({"local.json": json.dumps(style)})
    return Ours("local fonts", style=os.path.join(folder, "local.json"))


def all_renderers(before):
    """Ours first, then an earlier one whose folder of programs is `before`, then those of the others that run here."""
    found = [Ours(), *([Ours("before", os.path.join(before, "veduta"))] if before else [])]
    for name, maker in (("maplibre", maplibre), ("mapnik", mapnik), ("py-staticmaps", lambda: staticmaps(found[0]))):
        try:
            renderer = maker()
            renderer.start(1)
            renderer.draw({"latitude": 43.77, "longitude": 11.25, "zoom": 15}, 1)
            renderer.stop()
            found.append(renderer)
        except (OSError, subprocess.CalledProcessError) as error:
            print(f"map: {name} is skipped, it does not run here: {error}", file=sys.stderr)
    return found


def maplibre():
    machine.install("python3-venv", "libegl1", "libgles2", "libopengl0", "libgl1-mesa-dri")
    python = machine.environment("maps", PACKAGES)
    return Program(
        "maplibre",
        (1, 2),
        lambda ratio: [
            python,
            os.path.join(PROGRAMS, "maplibre_peer.py"),
            STYLE,
            ARCHIVE,
            os.path.join(MAPS, "fonts"),
            str(ratio),
        ],
    )


def mapnik():
    machine.install("python3-mapnik", "mapnik-utils", "gdal-bin", "fonts-noto-core")
    layers = os.path.join(machine.TOOLS, f"map-shapes-{os.path.getsize(ARCHIVE)}")
    if not os.path.exists(os.path.join(layers, "complete")):
        print("Writing the map's layers for Mapnik (some seconds, the first time)", file=sys.stderr)
        os.makedirs(layers, exist_ok=True)
        tile_layers.write(ARCHIVE, TILE_ZOOM, layers)
        open(os.path.join(layers, "complete"), "w").close()
    # Debian's own Python, which its packages are for.
    return Program(
        "mapnik",
        (1, 2),
        lambda ratio: ["/usr/bin/python3", os.path.join(PROGRAMS, "mapnik_peer.py"), STYLE, layers, str(ratio)],
    )


def staticmaps(ours):
    """At ratio 1 alone, as it knows no other."""
    python = machine.environment("maps", PACKAGES)
    cache = servers.folder_for({})
    tiles = TileServer(ours)
    return Program(
        "py-staticmaps",
        (1,),
        lambda _: [
            python,
            os.path.join(PROGRAMS, "staticmaps_peer.py"),
            cache,
            f"http://127.0.0.1:{tiles.server_port}/$z/$x/$y",
        ],
    )


class TileServer(http.server.ThreadingHTTPServer):
    """Answers `/z/x/y` with our picture of that tile."""

    daemon_threads = True

    def __init__(self, ours):
        self.ours = ours
        super().__init__(("127.0.0.1", 0), TileHandler)
        threading.Thread(target=self.serve_forever, daemon=True).start()


class TileHandler(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        zoom, column, row = (int(part) for part in self.path.strip("/").split("/"))
        ours = self.server.ours
        ours.start(1)
        middle = math.pi * (1 - 2 * (row + 0.5) / 2**zoom)
        latitude, longitude = math.degrees(math.atan(math.sinh(middle))), (column + 0.5) / 2**zoom * 360 - 180
        connection = http.client.HTTPConnection("127.0.0.1", ours.port, timeout=120)
        connection.request(
            "GET", f"/map?latitude={latitude:.8f}&longitude={longitude:.8f}&zoom={zoom}&width=256&height=256&format=png"
        )
        content = connection.getresponse().read()
        connection.close()
        self.send_response(200)
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    def log_message(self, *_):
        pass
