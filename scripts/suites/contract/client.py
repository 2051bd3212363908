#!/usr/bin/env python3
"""client.py FOLDER ADDRESS TOKEN LIBRARY: calls a server by the client that openapi-python-client has made in FOLDER, package `client`.

LIBRARY has the pictures of `veduta sample`. Every call sends the defaults of the contract.
"""

import io
import pathlib
import struct
import sys

sys.path.insert(0, sys.argv[1])

from client import AuthenticatedClient
from client.api.cache import purge_cache
from client.api.library import delete_asset, get_original, list_assets, put_asset, upload_asset
from client.api.operation import get_contract, get_liveness, get_metrics
from client.api.pictures import describe_asset, describe_map, get_asset, get_map, head_asset, post_map
from client.api.tiles import get_data_set, get_tile, get_tile_set, get_wmts
from client.models import (
    AssetRecord,
    Description,
    GetAssetFit,
    GetAssetFormat,
    GetMapFit,
    GetMapFormat,
    GetTileExtension,
    GetWmtsFormat,
    GetWmtsRequest,
    MapDescription,
    PostMapBody,
    Problem,
)
from client.types import File

server = AuthenticatedClient(base_url=f"http://{sys.argv[2]}", token=sys.argv[3], raise_on_unexpected_status=True)


def content(answer):
    """The bytes of a 200, which the client has to take for bytes."""
    assert answer.status_code == 200, answer.content
    assert isinstance(answer.parsed, File), type(answer.parsed)
    data = answer.parsed.payload.read()
    assert data == answer.content and data
    return data


def png_size(data):
    assert data[:8] == b"\x89PNG\r\n\x1a\n", data[:16]
    return struct.unpack(">II", data[16:24])


def pictures():
    known = describe_asset.sync_detailed(id="lagoon.jpg", client=server)
    assert isinstance(known.parsed, Description), known.content
    width, height = known.parsed.width, known.parsed.height
    assert known.parsed.format_ == "jpeg" and width > 300

    png = GetAssetFormat.PNG
    whole = content(get_asset.sync_detailed(client=server, id="lagoon.jpg", format_=png))
    assert png_size(whole) == (width, height)
    small = content(get_asset.sync_detailed(client=server, id="lagoon.jpg", width=300, format_=png))
    assert png_size(small) == (300, round(300 * height / width))
    box = {"client": server, "id": "lagoon.jpg", "width": 200, "height": 100, "format_": png}
    cover = content(get_asset.sync_detailed(**box, fit=GetAssetFit.COVER, gravity="top"))
    assert png_size(cover) == (200, 100)
    # `fit` and `gravity` are sent as they are by default.
    assert content(get_asset.sync_detailed(**box, crop="top")) == cover
    chosen = get_asset.sync_detailed(client=server, id="lagoon.jpg", width="10p", accept="image/webp")
    assert content(chosen)[:4] == b"RIFF"
    head = head_asset.sync_detailed(client=server, id="lagoon.jpg", width="10p", accept="image/webp")
    assert head.status_code == 200 and head.headers["etag"] == chosen.headers["etag"] and not head.content

    part = get_asset.sync_detailed(client=server, id="lagoon.jpg", width=300, format_=png, range_="bytes=0-7")
    assert part.status_code == 206 and part.content == small[:8]
    refused = get_asset.sync_detailed(client=server, id="lagoon.jpg", width=0)
    assert isinstance(refused.parsed, Problem) and refused.parsed.parameters[0].parameter == "width"
    missing = get_asset.sync_detailed(client=server, id="missing.jpg")
    assert missing.status_code == 404 and b"asset-not-found" in missing.content
    stand_in = get_asset.sync_detailed(client=server, id="missing.jpg", default="badge.png", format_=png)
    assert stand_in.status_code == 404 and png_size(stand_in.parsed.payload.read())
    unknown = describe_asset.sync_detailed(id="missing.jpg", client=server)
    assert isinstance(unknown.parsed, Problem) and unknown.parsed.type_.endswith(":asset-not-found")


def maps():
    png = GetMapFormat.PNG
    florence = {"client": server, "latitude": 43.7696, "longitude": 11.2558, "format_": png}
    assert png_size(content(get_map.sync_detailed(**florence))) == (512, 512)
    assert png_size(content(get_map.sync_detailed(**florence, zoom=4, size="600x400"))) == (600, 400)
    box = get_map.sync_detailed(client=server, bbox="8,41,14,45", width=300, height=200, format_=png)
    assert png_size(content(box)) == (300, 200)
    pins = ["label:A|43.7731,11.2560", "label:B|43.7680,11.2531"]
    fitted = content(get_map.sync_detailed(client=server, fit=GetMapFit.OVERLAYS, marker=pins, format_=png))
    body = PostMapBody.from_dict({"fit": "overlays", "marker": pins, "format": "png"})
    assert content(post_map.sync_detailed(client=server, body=body)) == fitted
    shown = describe_map.sync_detailed(client=server, latitude=43.7696, longitude=11.2558, point=["43.7696,11.2558"])
    assert isinstance(shown.parsed, MapDescription), shown.content
    assert (shown.parsed.width, shown.parsed.points[0].x, shown.parsed.points[0].visible) == (512, 256, True)


def tiles():
    square = {"client": server, "style": "light", "z": 1, "x": 0, "extension": GetTileExtension.PNG}
    assert png_size(content(get_tile.sync_detailed(**square, y="0"))) == (256, 256)
    assert png_size(content(get_tile.sync_detailed(**square, y="0@2x"))) == (512, 512)
    assert get_tile_set.sync_detailed(client=server, style="light").parsed.to_dict()["tilejson"] == "3.0.0"
    assert get_data_set.sync_detailed(client=server, source="map").parsed.to_dict()["tilejson"] == "3.0.0"
    assert b"<Capabilities" in content(get_wmts.sync_detailed(client=server))
    tile = {"request": GetWmtsRequest.GETTILE, "layer": "light", "tilematrix": 1, "tilerow": 0, "tilecol": 0}
    assert png_size(content(get_wmts.sync_detailed(client=server, **tile, format_=GetWmtsFormat.IMAGEPNG))) == (256, 256)


def library(folder):
    first = list_assets.sync(client=server, limit=2)
    assert [item.id for item in first.items] == ["badge.png", "lagoon.jpg"], first
    rest = list_assets.sync(client=server, after=first.items[-1].id)
    assert "night.jpg" in [item.id for item in rest.items] and rest.next_ is None, rest
    original = content(get_original.sync_detailed(id="badge.png", client=server))
    assert original == (folder / "badge.png").read_bytes()

    stored = upload_asset.sync_detailed(client=server, body=File(payload=io.BytesIO(original)))
    assert isinstance(stored.parsed, AssetRecord) and stored.status_code == 201, stored.content
    assert content(get_original.sync_detailed(id=stored.parsed.id, client=server)) == original
    named = put_asset.sync_detailed(id="pets/badge.png", client=server, body=File(payload=io.BytesIO(original)))
    assert isinstance(named.parsed, AssetRecord), named.content
    asked = get_asset.sync_detailed(client=server, id="pets/badge.png", width=16, format_=GetAssetFormat.PNG)
    assert png_size(content(asked))[0] == 16
    purged = purge_cache.sync(client=server, id="pets/badge.png")
    assert purged.memory >= 1, purged
    for id in (stored.parsed.id, "pets/badge.png"):
        assert delete_asset.sync_detailed(id=id, client=server).status_code == 204


def operation():
    assert get_liveness.sync(client=server) == "alive\n"
    assert "veduta_build_info" in get_metrics.sync(client=server)
    assert get_contract.sync_detailed(client=server).content.startswith(b"openapi: 3.1.0")


pictures()
maps()
tiles()
library(pathlib.Path(sys.argv[4]))
operation()
print("contract: the generated client got what the contract says")
