"""Puts pictures of maps together with py-staticmaps: `staticmaps_peer.py CACHE TILES` reads views as lines of JSON and answers
each with the bytes of its PNG. TILES is the address of raster tiles, asked once for each, and with them in CACHE no more."""

import io
import json
import sys

import staticmaps


def main(cache, tiles):
    provider = staticmaps.TileProvider("local", url_pattern=tiles, max_zoom=19)
    for line in sys.stdin:
        view = json.loads(line)
        context = staticmaps.Context()
        context.set_cache_dir(cache)
        context.set_tile_provider(provider)
        context.set_zoom(view["zoom"])
        context.set_center(staticmaps.create_latlng(view["latitude"], view["longitude"]))
        out = io.BytesIO()
        context.render_pillow(512, 512).save(out, format="png")
        print(json.dumps({"bytes": out.tell()}), flush=True)
        if view.get("save"):
            with open(view["save"], "wb") as file:
                file.write(out.getvalue())


main(*sys.argv[1:])
