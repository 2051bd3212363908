"""What features are called in the schemas that the styles suit, and the shorthands that layers are written in.

Protomaps 4 says `kind` and `kind_detail`, Protomaps 2 and 3 say `pmap:kind` and keep the keys of OpenStreetMap, OpenMapTiles
says `class` and `subclass`. Layers of tiles that have another name in OpenMapTiles are drawn by layers of their own, whose
names end in `-omt`; a layer that an archive lacks costs nothing."""

SOURCE = "map"
REGULAR, MEDIUM, ITALIC = ["Noto Sans Regular"], ["Noto Sans Medium"], ["Noto Sans Italic"]

#: The names that labels show when no language is asked for: what most strangers can read.
NAME = ["coalesce", ["get", "name:en"], ["get", "name:latin"], ["get", "name"]]
#: Whether there is one.
NAMED = ["any", ["has", "name"], ["has", "name:latin"]]

KIND = ["coalesce", ["get", "kind"], ["get", "pmap:kind"], ["get", "class"], ""]
#: What a way is called in OpenStreetMap or OpenMapTiles. Roads that Protomaps has merged say only their kind.
WAY = [
    "coalesce",
    ["get", "kind_detail"],
    ["get", "pmap:kind_detail"],
    ["get", "highway"],
    ["get", "railway"],
    ["get", "aeroway"],
    ["get", "class"],
    ["get", "kind"],
    ["get", "pmap:kind"],
    "",
]
#: Ramps are called as OpenStreetMap calls them, which some archives do already.
RAMP = [
    "all",
    ["any", ["==", ["get", "ramp"], 1], ["==", ["get", "is_link"], True], ["==", ["get", "pmap:link"], 1]],
    ["!", ["in", "_link", WAY]],
]
ROAD = ["case", RAMP, ["concat", WAY, "_link"], WAY]
LAND = [
    "coalesce",
    ["get", "kind_detail"],
    ["get", "landuse"],
    ["get", "leisure"],
    ["get", "natural"],
    ["get", "amenity"],
    ["get", "subclass"],
    "",
]
PLACE = ["coalesce", ["get", "kind_detail"], ["get", "place"], KIND]
#: How important a place is, from 1 to 17; a million people make 12.
RANK = [
    "coalesce",
    ["get", "population_rank"],
    ["get", "pmap:population_rank"],
    [
        "case",
        ["has", "population"],
        [
            "step",
            ["to-number", ["get", "population"], 0],
            1,
            1000,
            3,
            10000,
            6,
            50000,
            8,
            100000,
            9,
            200000,
            10,
            500000,
            11,
            1000000,
            12,
            5000000,
            13,
            10000000,
            14,
        ],
        ["has", "rank"],
        ["-", 16, ["get", "rank"]],
        9,
    ],
]
CAPITAL = ["in", ["to-string", ["coalesce", ["get", "capital"], ""]], ["literal", ["yes", "2"]]]

POINT = ["==", ["geometry-type"], "Point"]
LINE = ["==", ["geometry-type"], "LineString"]
POLYGON = ["==", ["geometry-type"], "Polygon"]


def linear(stops):
    """A value between stops over the zoom."""
    return ["interpolate", ["linear"], ["zoom"]] + [part for stop in stops for part in stop]


def at(stops, zoom):
    """The value of stops at a zoom."""
    if zoom <= stops[0][0]:
        return stops[0][1]
    for (low, a), (high, b) in zip(stops, stops[1:]):
        if zoom <= high:
            return a + (b - a) * (zoom - low) / (high - low)
    return stops[-1][1]


def one_of(value, *words):
    """Whether a value is one of the words."""
    return ["match", value, list(words), True, False]


def layer(name, kind, source_layer, paint, where=None, layout=None, zooms=(None, None)):
    """A layer of the style."""
    result = {"id": name, "type": kind, "source": SOURCE, "source-layer": source_layer}
    if zooms[0] is not None:
        result["minzoom"] = zooms[0]
    if zooms[1] is not None:
        result["maxzoom"] = zooms[1]
    if where:
        result["filter"] = where
    if layout:
        result["layout"] = layout
    result["paint"] = paint
    return result


def doubled(layers, names):
    """Layers and, after each, the same for the tiles' layer of OpenMapTiles that `names` has for its own."""
    result = []
    for entry in layers:
        result.append(entry)
        if other := names.get(entry["source-layer"]):
            result.append({**entry, "id": entry["id"] + "-omt", "source-layer": other})
    return result
