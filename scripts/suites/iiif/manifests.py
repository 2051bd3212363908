"""Reads the manifest of a document with the models of iiif-prezi3, and fetches the image of each canvas.

manifests.py SERVER FOLDER: FOLDER is the library of SERVER, and gets the document."""

import io
import json
import pathlib
import sys
import urllib.request

import iiif_prezi3
from PIL import Image

NAME, SIZES = "leaves/three leaves.tif", [(400, 300), (250, 350), (320, 320)]


def fetch(address: str) -> bytes:
    with urllib.request.urlopen(address, timeout=60) as answer:
        return answer.read()


def main(server: str, folder: str) -> None:
    path = pathlib.Path(folder, NAME)
    path.parent.mkdir()
    pages = [Image.new("RGB", size, (90 * number, 120, 200)) for number, size in enumerate(SIZES)]
    pages[0].save(path, save_all=True, append_images=pages[1:])
    address = f"{server}/iiif/manifest/{urllib.request.quote(NAME, safe='')}"
    # Raises what the models refuse.
    manifest = iiif_prezi3.Manifest(**json.loads(fetch(address)))
    found = []
    for canvas in manifest.items:
        body = canvas.items[0].items[0].body
        size = Image.open(io.BytesIO(fetch(body.id))).size
        service = json.loads(fetch(body.service[0].id + "/info.json"))
        if not (canvas.width, canvas.height) == size == (service["width"], service["height"]) == (body.width, body.height):
            sys.exit(f"iiif: {canvas.id} is {canvas.width} × {canvas.height}, its image {size}, its service {service}")
        thumbnail = Image.open(io.BytesIO(fetch(canvas.thumbnail[0].id))).size
        if max(thumbnail) > 200:
            sys.exit(f"iiif: the thumbnail of {canvas.id} has {thumbnail} pixels")
        found.append(size)
    if manifest.id != address or found != SIZES:
        sys.exit(f"iiif: {manifest.id} has {found}, not {SIZES}")
    print(f"manifest of {len(found)} canvases")


main(*sys.argv[1:])
