"""Draws the benchmark map with MapLibre Native (pymgl): `maplibre_peer.py STYLE MBTILES FONTS RATIO` reads views as lines of
JSON and answers each with the bytes of its PNG. Glyphs come from FONTS over loopback, once, and from then on from memory."""

import functools
import http.server
import json
import os
import sys
import threading

os.environ.setdefault("EGL_PLATFORM", "surfaceless")


class Fonts(http.server.SimpleHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *_):
        pass


def main(style_path, archive, fonts, ratio):
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Fonts, directory=fonts))
    server.daemon_threads = True
    threading.Thread(target=server.serve_forever, daemon=True).start()
    with open(style_path) as file:
        style = json.load(file)
    style["glyphs"] = f"http://127.0.0.1:{server.server_port}/{{fontstack}}/{{range}}.pbf"
    for source in style["sources"].values():
        source["url"] = "mbtiles://" + os.path.realpath(archive)
    from pymgl import Map

    drawn = None
    for line in sys.stdin:
        view = json.loads(line)
        place = (view["longitude"], view["latitude"])
        # Of MapLibre's zoom, whose world has 512 pixels.
        if drawn is None:
            drawn = Map(json.dumps(style), 512, 512, ratio, *place, view["zoom"] - 1)
        drawn.setCenter(*place)
        drawn.setZoom(view["zoom"] - 1)
        content = drawn.renderPNG()
        print(json.dumps({"bytes": len(content)}), flush=True)
        if view.get("save"):
            with open(view["save"], "wb") as file:
                file.write(content)


main(*sys.argv[1:4], float(sys.argv[4]))
# Its threads and its context end with the process; taken apart in order they crash now and then.
os._exit(0)
