"""HDR photographs by libvips and libultrahdr of PyPI; called by `scripts/conformance hdr`."""

import argparse
import os
import tempfile
import urllib.request

import numpy
import pyvips
import server as servers
import trials

LIMIT = 300  # seconds for one trial
SIZE = (1200, 900)
NUMBERS = ["max-content-boost", "min-content-boost", "gamma", "offset-sdr", "offset-hdr"]
NUMBERS += ["hdr-capacity-min", "hdr-capacity-max", "use-base-cg"]
# The request, and what libvips does to the HDR pixels of the source for it.
GEOMETRY = {
    "width=1199": lambda image: image.resize(1199 / 1200),
    "width=600": lambda image: image.resize(0.5),
    "width=300": lambda image: image.resize(0.25),
    "width=120&hdr=keep": lambda image: image.resize(0.1),
    "rotate=90&width=450": lambda image: image.resize(0.5).rot90(),
    "rotate=180": lambda image: image.rot180(),
    "rotate=270&flip=h&width=450": lambda image: image.resize(0.5).fliphor().rot270(),
    "flip=v&width=600": lambda image: image.resize(0.5).flipver(),
    "crop=600,0,600,450": lambda image: image.crop(600, 0, 600, 450),
    "crop=300,200,700,500&width=350": lambda image: image.crop(300, 200, 700, 500).resize(0.5),
    "width=400&height=400&fit=cover&gravity=right": lambda image: image.crop(300, 0, 900, 900).resize(400 / 900),
}


class Photographs:
    """A folder of HDR photographs: a scene with a sun and a lamp, with maps of several ratios."""

    def __init__(self):
        self.folder = tempfile.mkdtemp(prefix="veduta-hdr-")
        self.names = []
        for ratio in (1, 2, 4):
            self.add("ratio%d.jpg" % ratio, gainmap_scale_factor=ratio)

    def add(self, name, scale=1, **options):
        scene(scale).uhdrsave(os.path.join(self.folder, name), Q=90, **options)
        self.names.append(name)

    def source(self, name):
        return pyvips.Image.uhdrload(os.path.join(self.folder, name))


def scene(scale):
    """Linear light, 1 is the white of ordinary screens."""
    across, down = numpy.meshgrid(*(numpy.linspace(0, 1, int(side * scale)) for side in SIZE))
    light = 0.05 + 0.5 * across[..., None] * numpy.array([1.0, 0.8, 0.6]) + 0.2 * down[..., None] * numpy.array([0.2, 0.5, 1.0])
    light[(across - 0.8) ** 2 + (down - 0.25) ** 2 < 0.02] = (7.0, 6.5, 5.5)
    light[(abs(across - 0.25) < 0.08) & (abs(down - 0.7) < 0.15)] = (3.0, 3.2, 3.4)
    image = pyvips.Image.new_from_array(light.astype(numpy.float32))
    return image.copy(interpretation="scrgb")


def bright(image):
    """The HDR pixels, in stops, of an image by uhdrload."""
    light = image.uhdr2scRGB() if image.get_typeof("gainmap-data") else image.colourspace("scrgb")
    return stops(light)


def stops(light):
    array = light.numpy() if hasattr(light, "numpy") else numpy.asarray(light)
    return numpy.log2(numpy.maximum(array[..., :3], 0.01)).mean(axis=2)


def loaded(content):
    return pyvips.Image.uhdrload_buffer(content)


def has_map(content):
    try:
        return loaded(content).get_typeof("gainmap-data") != 0
    except pyvips.Error:
        return False


def ask(server, query, accepted="image/jpeg"):
    """Media type and content of `/asset`."""
    address = "http://%s:%d/asset?%s" % (*server.address, query)
    request = urllib.request.Request(address, headers={"Accept": accepted})
    with urllib.request.urlopen(request, timeout=60) as answer:
        return answer.headers["Content-Type"], answer.read()


def geometry(case):
    """cut, sized, flipped and turned photographs are as bright as libvips makes them from the source"""
    photographs = Photographs()
    # Large enough for a master, from which those of its pictures that are not cut are made.
    photographs.add("large.jpg", scale=2.5, gainmap_scale_factor=4)
    cache = tempfile.mkdtemp(prefix="veduta-hdr-cache-")
    for options in (("--isolation", "off"), ("--isolation", "all", "--cache-dir", cache)):
        print("    " + " ".join(options[:2]))
        with servers.Server(case.binary, photographs, *options) as server:
            for name in photographs.names:
                source = photographs.source(name)
                wanted = source.uhdr2scRGB().resize(SIZE[0] / source.width)
                for query, change in GEOMETRY.items():
                    if name != "large.jpg" or "width" in query and "crop" not in query and "1199" not in query:
                        compare(case, server, name, query, stops(change(wanted)))


def compare(case, server, name, query, expected):
    found = bright(loaded(ask(server, "id=%s&format=jpeg&quality=90&%s" % (name, query))[1]))
    rows, columns = (min(a, b) for a, b in zip(expected.shape, found.shape))
    difference = numpy.abs(expected[:rows, :columns] - found[:rows, :columns])
    # At the edges of light maps are coarse, and a small picture has more of these.
    edges = 0.02 if columns >= 300 else 0.05
    mean, share = numpy.mean(difference), numpy.mean(difference > 0.6)
    case.check(
        mean < 0.15 and share < edges and found.max() > 2,
        "%s %s: %.3f stops off, %.1f %% of it over 0.6, %.1f stops at most" % (name, query, mean, 100 * share, found.max()),
    )


def numbers(case):
    """what says how a gain map is applied stays as it is"""
    photographs = Photographs()
    with servers.Server(case.binary, photographs) as server:
        for name in photographs.names:
            source = photographs.source(name)
            result = loaded(ask(server, "id=%s&width=500&format=jpeg" % name)[1])
            for number in NUMBERS:
                first, second = source.get("gainmap-" + number), result.get("gainmap-" + number)
                case.check(numpy.allclose(first, second, rtol=1e-5), "%s %s: %s, %s" % (name, number, first, second))
            ratios = [image.get("gainmap-scale-factor") for image in (source, result)]
            case.check(ratios[1] == max(2, ratios[0]), "%s: the ratios are %s" % (name, ratios))


def dropped(case):
    """what no gain map may survive leaves none"""
    photographs = Photographs()
    accepted = "image/avif,image/webp,image/jpeg"
    with servers.Server(case.binary, photographs) as server:
        queries = ["filter=grayscale", "filter=blur:9", "hdr=drop", "rotate=7", "radius=30", "overlay=ratio1.jpg:top:0:0:10p"]
        for query in ["width=200"] + ["width=500&" + query for query in queries]:
            _, content = ask(server, "id=ratio2.jpg&format=jpeg&" + query)
            case.check(not has_map(content), query)
        for policy, keeps in (("keep", True), ("drop", False)):
            kind, content = ask(server, "id=ratio2.jpg&width=500&hdr=" + policy, accepted)
            case.check((kind == "image/jpeg", has_map(content)) == (keeps, keeps), "hdr=%s: %s" % (policy, kind))


TRIALS = {"geometry": geometry, "numbers": numbers, "dropped": dropped}


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--binary", required=True)
    parser.add_argument("--json", required=True)
    parser.add_argument("names", nargs="*")
    arguments = parser.parse_args()
    names, _ = trials.names_and_times(parser, arguments.names, TRIALS, 1)
    trials.run(TRIALS, names, arguments.binary, arguments.json, LIMIT)


if __name__ == "__main__":
    main()
