"""Fetches every tile of an image at every level, as a viewer does, and compares the whole with the image at that size. Fetches the
sizes that info.json lists, too."""

import io
import json
import sys
import urllib.request

from PIL import Image, ImageChops, ImageStat


def fetch(address: str) -> bytes:
    with urllib.request.urlopen(address, timeout=60) as answer:
        return answer.read()


def picture(address: str) -> Image.Image:
    return Image.open(io.BytesIO(fetch(address))).convert("RGB")


def level(base: str, info: dict, factor: int) -> tuple[int, float]:
    """The number of tiles, and the mean difference of a sample from that of the image made at once, of 255."""
    width, height, side = info["width"], info["height"], info["tiles"][0]["width"]
    size = (-(-width // factor), -(-height // factor))
    whole = Image.new("RGB", size)
    count = 0
    for top in range(0, height, side * factor):
        for left in range(0, width, side * factor):
            region = (min(side * factor, width - left), min(side * factor, height - top))
            tile_size = tuple(-(-length // factor) for length in region)
            place = f"{left},{top},{region[0]},{region[1]}"
            tile = picture(f"{base}/{place}/{tile_size[0]},{tile_size[1]}/0/default.png")
            if tile.size != tile_size:
                sys.exit(f"iiif: the tile {place} has {tile.size} pixels, not {tile_size}")
            whole.paste(tile, (left // factor, top // factor))
            count += 1
    reference = picture(f"{base}/full/{size[0]},{size[1]}/0/default.png")
    return count, max(ImageStat.Stat(ImageChops.difference(whole, reference)).mean)


def main(base: str) -> None:
    info = json.loads(fetch(f"{base}/info.json"))
    for factor in info["tiles"][0]["scaleFactors"]:
        count, difference = level(base, info, factor)
        print(f"tiles of factor {factor}: {count}, mean difference {difference:.2f}")
        # Of pixels next to the edges of tiles, which see no neighbours.
        if difference > 3:
            sys.exit("iiif: the tiles are not the image")
    for size in info["sizes"]:
        found = picture(f"{base}/full/{size['width']},{size['height']}/0/default.jpg").size
        if found != (size["width"], size["height"]):
            sys.exit(f"iiif: {size} is an image of {found} pixels")


main(sys.argv[1])
