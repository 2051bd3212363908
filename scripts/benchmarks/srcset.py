"""`scripts/bench srcset`: the images of one `/srcset`, made ahead, beside the same images asked for one by one.

Both servers are started for each round, so their caches are cold. What is asked for is CPU of the server and its decoding
processes: of `/srcset` until the last image is there, and of one request for each address with `prepare=off`. Images are compared
byte for byte, so that the ratio is not that of coarser ones."""

import hashlib
import json
import re
import statistics
import time

from benchmarks import isolation, machine, servers

RATIO_BOUND = 0.45
WIDTHS = "320,480,640,960,1280,1920"
CASES = ("avif,webp,jpeg", "webp,jpeg,png", "avif", "webp", "jpeg")


def check(rounds, gate):
    folder = servers.folder_for({})
    isolation.make_photo(folder)
    ratios = {}
    for formats in CASES:
        costs = []
        for _ in range(rounds):
            (ahead, made), (alone, others) = _ahead(folder, formats), _alone(folder, formats)
            if unlike := [address for address in made.keys() | others.keys() if made.get(address) != others.get(address)]:
                raise RuntimeError(f"{len(unlike)} images have other bytes when they are made ahead: {min(unlike)}")
            costs.append((ahead, alone))
        ahead, alone = (statistics.median(values) for values in zip(*costs))
        ratios[formats] = statistics.median(a / b for a, b in costs)
        print(
            f"{formats:16} ahead {ahead:6.2f} s, one by one {alone:6.2f} s, ratio {ratios[formats]:.3f}; "
            f"{len(made)} images of the same bytes"
        )
    print(f"six widths in three formats: {ratios[CASES[0]]:.3f} (at most {RATIO_BOUND})")
    return ratios[CASES[0]] <= RATIO_BOUND if gate else None


def _server(folder):
    return servers.veduta(folder, workers=2)


def _target(formats):
    return f"/srcset?id=photo.jpg&widths={WIDTHS}&formats={formats}"


def _addresses(answer):
    return [image["url"] for source in json.loads(answer)["sources"] for image in source["images"]]


def _ahead(folder, formats):
    """The cost, and the digests of the images by their addresses."""
    with _server(folder) as server:
        before = machine.cpu_seconds(server.pid)
        addresses = _addresses(server.get(_target(formats)))
        while _count(server, "made") + _count(server, "dropped") < len(addresses):
            time.sleep(0.2)
        cost = machine.cpu_seconds(server.pid) - before
        if _count(server, "dropped"):
            raise RuntimeError("not all were made ahead")
        return cost, _images(server, addresses, "hit")


def _alone(folder, formats):
    with _server(folder) as server:
        before = machine.cpu_seconds(server.pid)
        images = _images(server, _addresses(server.get(_target(formats) + "&prepare=off")), "fwd")
        return machine.cpu_seconds(server.pid) - before, images


def _images(server, addresses, origin):
    """Their digests by address; each must come from the cache, or from none."""
    digests = {}
    for address in addresses:
        status, fields, content = server.exchange(address)
        if status != 200 or not fields["Cache-Status"].startswith(f"veduta; {origin}"):
            raise RuntimeError(f"{address}: {status}, {fields['Cache-Status']}")
        digests[address] = hashlib.sha256(content).digest()
    return digests


def _count(server, outcome):
    return int(re.search(rf"^veduta_prepare_{outcome}_total (\d+)", server.get("/metrics").decode(), re.M)[1])
