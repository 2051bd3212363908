"""Roads, paths, rails and ferries."""

from schema import KIND, LINE, POLYGON, ROAD, at, doubled, layer, linear, one_of

#: Which kinds of roads make a class; more important ones later.
CLASSES = {
    "service": ["service", "pedestrian", "living_street"],
    "minor": ["residential", "unclassified", "road", "busway", "minor", "raceway", "minor_road"],
    "medium": ["secondary", "secondary_link", "tertiary", "tertiary_link", "medium_road",
               "medium_road_link"],
    "major": ["trunk", "primary", "primary_link", "major_road", "major_road_link"],
    "ramp": ["motorway_link", "trunk_link", "highway_link"],
    "highway": ["motorway", "highway"],
}
#: CSS pixels of each class by zoom.
WIDTHS = {
    "service": [(13, 0.8), (14, 1.4), (15, 2.6), (16, 4.8), (17, 9), (19, 26)],
    "minor": [(11, 0.6), (12, 1), (13, 1.8), (14, 3), (15, 5.6), (16, 9.5), (17, 17), (19, 44)],
    "medium": [(8, 0.6), (10, 1.2), (12, 2.2), (13, 3.2), (14, 4.8), (15, 8), (16, 13), (17, 22), (19, 52)],
    "major": [(6, 0.6), (9, 1.3), (11, 2.2), (13, 4.2), (14, 6), (15, 9.5), (16, 15), (17, 25), (19, 58)],
    "ramp": [(9, 0.8), (11, 1.4), (13, 2.8), (15, 6), (16, 10), (17, 17), (19, 42)],
    "highway": [(4, 0.7), (7, 1.4), (9, 2.2), (11, 3.2), (13, 5.2), (15, 11), (16, 17), (17, 28), (19, 62)],
}
# Whole levels, as filters know no others.
STARTS = {"service": 14, "minor": 12, "medium": 8, "major": 6, "ramp": 9, "highway": 4}
CASING = [(7, 0.5), (12, 0.6), (15, 0.9), (17, 1.2), (19, 1.6)]
CASING_STARTS = {"service": 14, "minor": 13, "medium": 10, "major": 10, "ramp": 11, "highway": 8}
PATHS = ["footway", "path", "steps", "cycleway", "bridleway", "track", "other"]
RAILS = ["rail", "light_rail", "funicular", "narrow_gauge", "monorail"]

IS_TUNNEL = ["any", ["==", ["get", "is_tunnel"], True], ["==", ["get", "brunnel"], "tunnel"]]
IS_BRIDGE = ["any", ["==", ["get", "is_bridge"], True], ["==", ["get", "brunnel"], "bridge"]]
FLOOR = ["coalesce", ["get", "pmap:level"], 0]
LEVEL = {
    "tunnel": ["any", IS_TUNNEL, ["<", FLOOR, 0]],
    "bridge": ["any", IS_BRIDGE, [">", FLOOR, 0]],
    "ground": ["all", ["!", IS_TUNNEL], ["!", IS_BRIDGE], ["==", FLOOR, 0]],
}


def road_width(extra=None):
    """The width of roads by class and zoom; with `extra` the casing's."""
    zooms = sorted({zoom for stops in WIDTHS.values() for zoom, _ in stops})
    parts = []
    for zoom in zooms:
        match = ["match", ROAD]
        for name, words in CLASSES.items():
            width = at(WIDTHS[name], zoom) + (2 * at(extra, zoom) if extra else 0)
            match += [words, round(width, 2)]
        parts += [zoom, match + [0]]
    return ["interpolate", ["linear"], ["zoom"]] + parts


def by_class(values, default):
    """A value by class of road."""
    match = ["match", ROAD]
    for name, words in CLASSES.items():
        match += [words, values[name]]
    return match + [default]


def shown(starts):
    """Which classes are drawn at a zoom."""
    return [">=", ["zoom"], by_class(starts, 99)]


def roads(palette, level):
    """Paths, casings, roads and rails on a level."""
    pairs = {**palette["roads"], "ramp": palette["roads"]["highway"]}
    colors = {name: pair[0] for name, pair in pairs.items()}
    casings = {name: pair[1] for name, pair in pairs.items()}
    order = {name: index for index, name in enumerate(CLASSES)}
    here = LEVEL[level]
    layers = []
    if level == "ground":
        layers.append(layer("plaza-omt", "fill", "transportation", {"fill-color": palette["plaza"]}, [
            "all", POLYGON, one_of(KIND, "path", "pedestrian", "platform")], zooms=(13, None)))
        runway = {"line-color": palette["runway"], "line-width": linear([(9, 1), (12, 5), (15, 28), (19, 200)])}
        for source_layer in ("roads", "aeroway"):
            layers.append(layer(f"runway-{source_layer}", "line", source_layer, runway, [
                "all", LINE, one_of(ROAD, "runway", "taxiway")], zooms=(9, None)))
    path = linear([(14, 0.7), (15, 0.9), (17, 1.8), (19, 3.5)])
    paths = ["all", LINE, here, one_of(ROAD, *PATHS)]
    if level == "bridge":
        layers.append(layer("path-bridge-casing", "line", "roads", {
            "line-color": palette["path_bridge"], "line-width": linear([(14, 2.2), (17, 5), (19, 7)])}, paths,
            zooms=(14.5, None)))
    if level != "tunnel":
        layers.append(layer(f"path-{level}", "line", "roads", {
            "line-color": palette["path"], "line-width": path, "line-dasharray": [3, 2]}, paths, zooms=(14.5, None)))
    casing = {"line-color": by_class(casings, palette["earth"]), "line-width": road_width(CASING)}
    cap = "round" if level == "ground" else "butt"
    if level == "tunnel":
        casing["line-dasharray"] = [3, 2]
    layout = {"line-join": "round", "line-cap": cap, "line-sort-key": by_class(order, 0)}
    layers.append(layer(f"road-{level}-casing", "line", "roads", casing, ["all", LINE, here, shown(CASING_STARTS)],
                        layout, (7, None)))
    fill = palette["tunnel"] if level == "tunnel" else by_class(colors, palette["earth"])
    layout = {"line-join": "round", "line-cap": "round", "line-sort-key": by_class(order, 0)}
    layers.append(layer(f"road-{level}", "line", "roads", {"line-color": fill, "line-width": road_width()},
                        ["all", LINE, here, shown(STARTS)], layout, (4, None)))
    if level != "tunnel":
        rail = [(9, 0.6), (12, 0.7), (14, 1.2), (15, 1.8), (17, 3.2), (19, 5)]
        for source_layer in ("roads", "transit"):
            where = ["all", LINE, here, one_of(ROAD, *RAILS)]
            layers.append(layer(f"rail-{source_layer}-{level}", "line", source_layer, {
                "line-color": palette["rail"], "line-width": linear(rail)}, where, zooms=(9, None)))
            layers.append(layer(f"rail-{source_layer}-{level}-gap", "line", source_layer, {
                "line-color": palette["rail_gap"], "line-width": linear([(15, 1), (17, 1.8), (19, 3)]),
                "line-dasharray": [4, 4]}, where, zooms=(15, None)))
    return doubled(layers, {"roads": "transportation"})


def ferries(palette):
    """Ferries, over everything on the ground."""
    return doubled([layer("ferry", "line", "roads", {
        "line-color": palette["ferry"], "line-width": linear([(9, 0.8), (15, 1.4)]), "line-dasharray": [4, 3]},
        ["any", ["==", KIND, "ferry"], ["==", ["get", "route"], "ferry"]], zooms=(9, None))],
        {"roads": "transportation"})
