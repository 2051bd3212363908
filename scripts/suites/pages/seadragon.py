"""The trial of IIIF in OpenSeadragon; suite.py runs it."""

import http.server
import json
import math
import pathlib
import threading
import urllib.request

from browser import require
from documents import BLOCK, DYES, QUILT

WINDOW = 1600, 1000
#: Just below a pixel of the screen for each pixel of a level, which is then the one that is drawn.
ZOOM = 0.9
#: Of 255: what JPEG, WebP and smoothing change within a block. Those beside it differ by 45 at least.
TOLERANCE = 30
PAGE = b"""<!doctype html><html lang=en><meta charset=utf-8><title>OpenSeadragon</title><link rel=icon href="data:,">
<div id=zoom></div><script src=openseadragon.js></script>"""
DRIVER = """
    globalThis.begin = address => new Promise((resolve, reject) => {
      globalThis.viewer?.destroy();
      performance.setResourceTimingBufferSize(5000);
      performance.clearResourceTimings();
      Object.assign(globalThis, { drawn: new Set(), failed: [] });
      Object.assign(document.getElementById('zoom').style, { position: 'fixed', inset: 0 });
      globalThis.viewer = OpenSeadragon({ id: 'zoom', tileSources: address, drawer: 'canvas', crossOriginPolicy: 'Anonymous',
        showNavigationControl: false, animationTime: 0, blendTime: 0 });
      viewer.addHandler('open-failed', ({ message }) => reject(new Error(message)));
      viewer.addHandler('tile-load-failed', ({ tile, message }) => failed.push(`${tile.getUrl()}: ${message}`));
      viewer.addHandler('tile-drawn', ({ tile }) => drawn.add(tile.getUrl()));
      viewer.addHandler('open', () => resolve(true));
    });
    const frames = async count => { while (count--) await new Promise(requestAnimationFrame); };
    // The largest difference of what is drawn about a place from the colors of the quilt, and how many of its blocks were seen.
    globalThis.look = async (factor, x, y) => {
      const { viewport, world, drawer } = viewer, image = world.getItemAt(0), end = performance.now() + 50_000;
      viewport.zoomTo(viewport.imageToViewportZoom(ZOOM / factor), null, true);
      viewport.panTo(viewport.imageToViewportCoordinates(x, y), true);
      await frames(3);
      while (!image.getFullyLoaded()) {
        if (performance.now() > end) throw new Error(`tiles of factor ${factor} about ${x}, ${y} did not come`);
        await frames(1);
      }
      await frames(3);
      const copy = document.createElement('canvas'), context = copy.getContext('2d', { willReadFrequently: true });
      Object.assign(copy, { width: drawer.canvas.width, height: drawer.canvas.height });
      context.drawImage(drawer.canvas, 0, 0);
      const { width, height, data } = context.getImageData(0, 0, copy.width, copy.height);
      const size = image.getContentSize();
      // Of two corners of a block, inside of what JPEG and smoothing mix at its sides.
      const inset = Math.min(BLOCK / 2, Math.max(16, 8 * factor));
      let most = 0, count = 0;
      for (let row = 0; row * BLOCK < size.y; row++) for (let column = 0; column * BLOCK < size.x; column++)
        for (const [dx, dy] of [[inset, inset], [BLOCK - inset, BLOCK - inset]]) {
          const at = [column * BLOCK + dx, row * BLOCK + dy];
          if (at[0] >= size.x || at[1] >= size.y) continue;
          const place = image.imageToViewerElementCoordinates(new OpenSeadragon.Point(...at));
          const [left, top] = [Math.floor(place.x), Math.floor(place.y)];
          if (left < 0 || top < 0 || left >= width || top >= height) continue;
          const wanted = DYES.map(([a, b]) => 64 + (column * a + row * b) % 128);
          [...wanted, 255].forEach((value, k) => { most = Math.max(most, Math.abs(value - data[4 * (top * width + left) + k])); });
          count++;
        }
      return [most, count];
    };
    true"""


class SeadragonTrials:
    """Of a suite with `browser`, `server`, `seadragon_script`, `out`, `run(script)`."""

    TRIALS = ["seadragon"]

    def seadragon(self):
        """OpenSeadragon on a page of another origin draws every tile that info.json names, each in its place."""
        if not self.seadragon_script:
            return "skipped: OpenSeadragon cannot be downloaded"
        said = []
        with Page(pathlib.Path(self.seadragon_script).read_bytes(), self.server) as address:
            self.browser.size(*WINDOW)
            self.browser.go(address)
            self.browser.wait("!!globalThis.OpenSeadragon")
            self.run(DRIVER.replace("ZOOM", str(ZOOM)).replace("BLOCK", str(BLOCK)).replace("DYES", json.dumps(DYES)))
            for version in (2, 3):
                said.append(self.every_tile(f"{self.server}/iiif/{version}/{QUILT.replace('/', '%2F')}"))
                self.browser.picture(self.out / f"seadragon-{version}.png")
        return "; ".join(said)

    def every_tile(self, base):
        with urllib.request.urlopen(base + "/info.json", timeout=60) as answer:
            info = json.load(answer)
        [tiles] = info["tiles"]
        width, height, side = info["width"], info["height"], tiles["width"]
        self.run(f"begin('{base}/info.json')")
        worst = views = blocks = 0
        for factor in tiles["scaleFactors"]:
            # Half of a window apart at most, so that no tile is at the edge only.
            [columns, rows] = [
                math.ceil(length / (window * factor / ZOOM * 0.8)) for length, window in zip((width, height), WINDOW)
            ]
            for row in range(rows):
                for column in range(columns):
                    x, y = (column + 0.5) * width / columns, (row + 0.5) * height / rows
                    [most, count] = self.run(f"look({factor}, {x}, {y})")
                    require(count > 10, f"{count} places seen at factor {factor}")
                    require(most <= TOLERANCE, f"{most} of 255 from the picture about {x:.0f}, {y:.0f} at factor {factor}")
                    worst, views, blocks = max(worst, most), views + 1, blocks + count
        failed = self.run("failed")
        require(not failed, f"{len(failed)} tiles failed: {failed[:3]}")
        requested = self.run("performance.getEntriesByType('resource').map(one => one.name)")
        requested = [name for name in requested if name.startswith(base) and not name.endswith("/info.json")]
        wanted = {tile for factor in tiles["scaleFactors"] for tile in tiles_of(width, height, side, factor)}
        for what, names in [("requested", requested), ("drawn", self.run("[...drawn]"))]:
            found = {tile_of(name.removeprefix(base + "/"), width, height) for name in names}
            require(found == wanted, f"not {what}: {sorted(wanted - found)}; {what} but not named: {sorted(found - wanted)}")
        return f"all {len(wanted)} tiles of {base} in {views} views, {worst} of 255 from the picture at {blocks} places"


def tiles_of(width, height, side, factor):
    """Region and size of each tile of a level (Image API, implementation notes)."""
    step = side * factor
    for top in range(0, height, step):
        for left in range(0, width, step):
            region = (left, top, min(step, width - left), min(step, height - top))
            yield region, tuple(-(-length // factor) for length in region[2:])


def tile_of(path, width, height):
    """Region and size that the path of an image names, with those lengths that it leaves out."""
    region, size, _, _ = path.split("/")
    region = (0, 0, width, height) if region == "full" else tuple(int(number) for number in region.split(","))
    if size in ("full", "max"):
        return region, region[2:]
    across, down = size.split(",")
    return region, (int(across), int(down) if down else math.ceil(int(across) * region[3] / region[2]))


class Page:
    """Serves a page with OpenSeadragon from an origin of its own, which loads nothing but images and JSON of `server`."""

    def __init__(self, script, server):
        files = {"/": ("text/html", PAGE), "/openseadragon.js": ("text/javascript", script)}
        policy = (
            f"default-src 'none'; script-src 'self'; style-src 'unsafe-inline'; img-src {server} data:; connect-src {server}"
        )

        class Pages(http.server.BaseHTTPRequestHandler):
            def do_GET(self):
                kind, content = files.get(self.path, ("text/plain", None))
                self.send_response(200 if content else 404)
                for name, value in [("Content-Type", kind), ("Content-Security-Policy", policy)]:
                    self.send_header(name, value)
                self.end_headers()
                self.wfile.write(content or b"")

            def log_message(self, *arguments):
                pass

        self.pages = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Pages)

    def __enter__(self):
        threading.Thread(target=self.pages.serve_forever, daemon=True).start()
        return f"http://127.0.0.1:{self.pages.server_address[1]}/"

    def __exit__(self, *_):
        self.pages.shutdown()
        self.pages.server_close()
