#!/usr/bin/env python3
"""Looks at the tiles of a running server with the programs that people use.

run.py SERVER CHROMIUM LEAFLET MAPLIBRE OUT [NAME…]

SERVER is its address, CHROMIUM the browser, LEAFLET and MAPLIBRE folders with leaflet.js and maplibre-gl.js (MAPLIBRE may
be empty). Writes the pictures that were compared into OUT. Exits 1 when one of the trials fails.

  leaflet   rendered tiles in Leaflet are the picture of /map, pixel for pixel where no label is.
  retina    the same at two device pixels of a CSS pixel.
  raster    rendered tiles by their TileJSON in MapLibre GL.
  vector    the tiles of the source by their TileJSON in MapLibre GL, in the built-in style without labels.
  wmts      OWSLib reads the capabilities and gets the tiles that they name.
"""

import http.server
import io
import json
import math
import pathlib
import shutil
import subprocess
import sys
import tempfile
import threading
import urllib.request

import numpy
from PIL import Image

SIZE = 1024, 768
# The corner of a tile, a whole pixel, is in the middle: nothing is smoothed without need.
CORNER = 5, 18, 12


def place(z, x, y):
    """Longitude and latitude of the north-western corner of a tile."""
    n = 2**z
    return x / n * 360 - 180, math.degrees(math.atan(math.sinh(math.pi * (1 - 2 * y / n))))


class Trial:
    def __init__(self, server, chromium, leaflet, maplibre, out):
        self.server = f"http://{server}"
        self.chromium = chromium
        self.maplibre = maplibre
        self.out = pathlib.Path(out)
        self.out.mkdir(parents=True, exist_ok=True)
        self.folder = pathlib.Path(tempfile.mkdtemp())
        for source, name in [(leaflet, "leaflet.js"), (leaflet, "leaflet.css")]:
            shutil.copy(pathlib.Path(source, name), self.folder / name)
        if maplibre:
            shutil.copy(pathlib.Path(maplibre, "maplibre-gl.js"), self.folder / "maplibre-gl.js")

        folder = str(self.folder)
        self.ready = ready = threading.Event()

        class Pages(http.server.SimpleHTTPRequestHandler):
            """Files, and a picture that comes when the page says that it is ready: until then it counts as loading."""

            def __init__(self, *arguments):
                super().__init__(*arguments, directory=folder)

            def do_GET(self):
                if self.path == "/ready":
                    ready.set()
                elif self.path == "/wait":
                    ready.wait(60)
                else:
                    return super().do_GET()
                self.send_response(204)
                self.end_headers()

            def log_message(self, *arguments):
                pass

        self.pages = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Pages)
        threading.Thread(target=self.pages.serve_forever, daemon=True).start()

    def get(self, path):
        with urllib.request.urlopen(self.server + path, timeout=60) as answer:
            return answer.read(), answer.headers

    def screenshot(self, name, page, ratio=1):
        self.ready.clear()
        (self.folder / f"{name}.html").write_text(page)
        port = self.pages.server_address[1]
        file = self.out / f"{name}.png"
        file.unlink(missing_ok=True)
        with tempfile.TemporaryDirectory() as profile:
            subprocess.run(
                [
                    self.chromium,
                    "--headless=new",
                    "--no-sandbox",
                    "--hide-scrollbars",
                    "--disable-dev-shm-usage",
                    "--use-angle=swiftshader",
                    "--enable-unsafe-swiftshader",
                    f"--user-data-dir={profile}",
                    f"--window-size={SIZE[0]},{SIZE[1] + 200}",
                    f"--force-device-scale-factor={ratio}",
                    f"--screenshot={file}",
                    f"http://127.0.0.1:{port}/{name}.html",
                ],
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                timeout=180,
                check=False,
            )
        if not self.ready.is_set():
            raise AssertionError("the page was not ready in time")
        if not file.exists():
            raise AssertionError("the browser took no picture")
        # The window is higher than what it shows of the page in some versions.
        picture = Image.open(file).convert("RGB").crop((0, 0, SIZE[0] * ratio, SIZE[1] * ratio))
        picture.save(file)
        return picture

    def map(self, ratio=1):
        """The view as one picture."""
        lon, lat = place(*CORNER)
        content, _ = self.get(
            f"/map?latitude={lat:.9f}&longitude={lon:.9f}&zoom={CORNER[0]}&width={SIZE[0]}&height={SIZE[1]}"
            f"&scale={ratio}&format=png"
        )
        return Image.open(io.BytesIO(content)).convert("RGB")

    def stitched(self, query):
        """The view put together from tiles."""
        z, x, y = CORNER
        columns, rows = SIZE[0] // 512, -(-SIZE[1] // 512)
        whole = Image.new("RGB", (columns * 512, rows * 512))
        for row in range(2 * rows):
            for column in range(2 * columns):
                content, _ = self.get(f"/tiles/light/{z}/{x - columns + column}/{y - rows + row}.png?{query}")
                whole.paste(Image.open(io.BytesIO(content)).convert("RGB"), (column * 256, row * 256))
        left, top = (whole.size[0] - SIZE[0]) // 2, (whole.size[1] - SIZE[1]) // 2
        return whole.crop((left, top, left + SIZE[0], top + SIZE[1]))

    def compare(self, name, picture, other, limit, tolerance, margin=0):
        """Compares two pictures but for `margin` pixels at each side."""
        other.save(self.out / f"{name}-expected.png")
        if picture.size != other.size:
            raise AssertionError(f"{picture.size} and {other.size} pixels")
        # The names of the sources are below, in one of the two.
        rows = picture.size[1] * 15 // 16
        difference = numpy.abs(numpy.asarray(picture, int) - numpy.asarray(other, int)).max(2)[:rows]
        difference = difference[margin : difference.shape[0] - margin, margin : difference.shape[1] - margin]
        share = float((difference > tolerance).mean())
        if len(numpy.unique(numpy.asarray(picture).reshape(-1, 3), axis=0)) < 20:
            raise AssertionError("the browser shows next to nothing")
        if share > limit:
            raise AssertionError(f"{share:.4%} of the pixels differ, {limit:.4%} may")
        return f"{share:.4%} of the pixels differ"

    def leaflet(self, name="leaflet", ratio=1):
        lon, lat = place(*CORNER)
        end = "@2x" if ratio == 2 else ""
        page = f"""<!doctype html><meta charset=utf-8><link rel=stylesheet href=leaflet.css>
            <style>body {{ margin: 0 }} #map {{ width: {SIZE[0]}px; height: {SIZE[1]}px }}</style>
            <div id=map></div><script src=leaflet.js></script><script>
            const map = L.map('map', {{ fadeAnimation: false, zoomAnimation: false, zoomControl: false,
              attributionControl: false }}).setView([{lat}, {lon}], {CORNER[0]});
            L.tileLayer('{self.server}/tiles/light/{{z}}/{{x}}/{{y}}{end}.png')
              .on('load', () => requestAnimationFrame(() => fetch('/ready'))).addTo(map);</script><img src=/wait>"""
        picture = self.screenshot(name, page, ratio)
        # /map keeps names inside its picture; in tiles they go on across the sides.
        return self.compare(name, picture, self.map(ratio), 0.0001, 24, margin=96 * ratio)

    def retina(self):
        return self.leaflet("retina", 2)

    def gl(self, name, style, other, limit):
        lon, lat = place(*CORNER)
        page = f"""<!doctype html><meta charset=utf-8><style>body {{ margin: 0 }}
            #map {{ position: relative; overflow: hidden; width: {SIZE[0]}px; height: {SIZE[1]}px }}
            canvas {{ position: absolute; left: 0; top: 0 }}</style>
            <div id=map></div><script src=maplibre-gl.js></script><script>
            new maplibregl.Map({{ container: 'map', attributionControl: false, fadeDuration: 0, pixelRatio: 1,
              center: [{lon}, {lat}], zoom: {CORNER[0] - 1}, canvasContextAttributes: {{ preserveDrawingBuffer: true }},
              style: {json.dumps(style)} }}).once('idle', () => fetch('/ready'));</script><img src=/wait>"""
        picture = self.screenshot(name, page)
        return self.compare(name, picture, other, limit, 40)

    def raster(self):
        if not self.maplibre:
            return None
        style = {
            "version": 8,
            "sources": {"s": {"type": "raster", "url": f"{self.server}/tiles/light.json", "tileSize": 256}},
            "layers": [{"id": "l", "type": "raster", "source": "s"}],
        }
        return self.gl("raster", style, self.map(), 0.01)

    def vector(self):
        if not self.maplibre:
            return None
        style = json.loads(pathlib.Path("Sources/Platform/CResources/light.json").read_text())
        for source in style["sources"].values():
            source["url"] = source["url"].replace("veduta://map", f"{self.server}/data/map.json")
        # Labels would need glyphs, and icons a sprite; without names there are no dots of towns.
        style["layers"] = [layer for layer in style["layers"] if layer["type"] not in ("symbol", "circle")]
        style.pop("glyphs", None), style.pop("sprite", None)
        return self.gl("vector", style, self.stitched("labels=off"), 0.02)

    def wmts(self):
        from owslib.wmts import WebMapTileService

        service = WebMapTileService(f"{self.server}/wmts")
        if not {"light", "light@2x", "dark"} <= set(service.contents):
            raise AssertionError(f"the layers are {sorted(service.contents)}")
        sizes = []
        for layer in ["light", "light@2x"]:
            content = service.contents[layer]
            [matrices] = content.tilematrixsetlinks
            matrix = service.tilematrixsets[matrices].tilematrix["3"]
            tile = service.gettile(layer=layer, tilematrixset=matrices, tilematrix="3", row=2, column=4, format="image/png")
            picture = Image.open(io.BytesIO(tile.read()))
            if picture.size != (matrix.tilewidth, matrix.tileheight):
                raise AssertionError(f"{layer}: {picture.size}, not {matrix.tilewidth}")
            template = content.resourceURLs[0]["template"]
            address = template.replace("{TileMatrix}", "3").replace("{TileCol}", "4").replace("{TileRow}", "2")
            with urllib.request.urlopen(address, timeout=60) as answer:
                if Image.open(io.BytesIO(answer.read())).tobytes() != picture.tobytes():
                    raise AssertionError(f"{layer}: the template leads to another picture")
            sizes.append(picture.size[0])
        return f"{len(service.contents)} layers, tiles of {sizes[0]} and {sizes[1]} pixels"


def main():
    server, chromium, leaflet, maplibre, out, *names = sys.argv[1:]
    trial = Trial(server, chromium, leaflet, maplibre, out)
    failed = 0
    for name in names or ["leaflet", "retina", "raster", "vector", "wmts"]:
        try:
            said = getattr(trial, name)()
            print(f"{name}: {said or 'skipped, there is no MapLibre GL'}", flush=True)
        except Exception as error:
            failed += 1
            print(f"FAILED: {name}: {error}", flush=True)
    shutil.rmtree(trial.folder, ignore_errors=True)
    sys.exit(1 if failed else 0)


main()
