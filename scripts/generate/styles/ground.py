"""Land, water, houses and borders."""

from schema import KIND, LAND, LINE, POLYGON, doubled, layer, linear, one_of

GREEN = [
    ("residential", 7, ["residential", "urban_area", "village_green", "allotments", "suburb", "neighbourhood"]),
    ("farmland", 7, ["farmland", "orchard", "vineyard", "farmyard", "plant_nursery"]),
    ("grass", 8, ["grass", "meadow", "grassland", "greenfield", "heath", "scrub", "recreation_ground", "flowerbed",
                  "wetland"]),
    ("sand", None, ["sand", "beach", "dune", "barren", "rock"]),
    ("glacier", None, ["glacier", "ice_shelf", "ice"]),
    ("wood", None, ["wood", "forest"]),
    ("industrial", 9, ["industrial", "commercial", "railway", "brownfield", "quarry", "landfill", "retail",
                       "bus_station"]),
    ("institution", 11, ["school", "university", "college", "kindergarten", "hospital", "institution", "library"]),
    ("airfield", 9, ["aerodrome", "airfield", "apron", "runway", "taxiway"]),
    ("park", None, ["park", "garden", "golf_course", "nature_reserve", "national_park", "protected_area", "zoo",
                    "dog_park", "playground", "theme_park"]),
    ("cemetery", 11, ["cemetery", "grave_yard"]),
    ("pitch", 13, ["pitch", "stadium", "track"]),
    ("plaza", 13, ["pedestrian", "footway"]),
]
#: The layers of tiles that say what the land is, with the names above that occur there; None: all.
GREEN_LAYERS = {
    "landcover": {"farmland", "grass", "sand", "glacier", "wood", "residential", "park"},
    "landuse": None,
    "natural": {"grass", "sand", "glacier", "wood", "park"},
    "park": {"park"},
    "aeroway": {"airfield"},
}


def areas(palette):
    """Land, from the lowest."""
    def fill(name, source_layer, color, zoom, where, **paint):
        return layer(name, "fill", source_layer, {"fill-color": palette[color], **paint}, where, zooms=(zoom, None))

    layers = [fill("earth", "earth", "earth", None, POLYGON)]
    for source_layer, names in GREEN_LAYERS.items():
        for name, zoom, words in GREEN:
            if names is None or name in names:
                where = ["all", POLYGON, ["any", one_of(KIND, *words), one_of(LAND, *words)]]
                layers.append(fill(f"{source_layer}-{name}", source_layer, name, zoom, where))
    return layers


def waters(palette):
    """Rivers and lakes."""
    wide = [(7, 0.7), (11, 1.5), (15, 4), (19, 16)]
    thin = [(12, 0.6), (15, 1.6), (19, 6)]
    detail = ["coalesce", ["get", "kind_detail"], ["get", "waterway"], KIND]
    kinds = (("stream", 12, ["stream", "drain", "ditch"], thin), ("river", 7, ["river", "canal"], wide))
    layers = []
    for source_layer in ("water", "physical_line", "waterway"):
        for name, zoom, words, stops in kinds:
            where = ["all", LINE, one_of(detail, *words), ["!=", ["get", "brunnel"], "tunnel"]]
            layers.append(layer(
                f"{source_layer}-{name}", "line", source_layer,
                {"line-color": palette["water"], "line-width": linear(stops)}, where, {"line-cap": "round"},
                (zoom, None)))
    layers.append(layer("water", "fill", "water", {"fill-color": palette["water"]}, POLYGON))
    layers.append(layer("pier-omt", "fill", "transportation", {"fill-color": palette["earth"]}, [
        "all", POLYGON, one_of(KIND, "pier")], zooms=(13, None)))
    return layers


def buildings(palette):
    """Houses, with an outline from near by."""
    where = ["all", POLYGON, ["!=", KIND, "address"]]
    return doubled([
        layer("building", "fill", "buildings", {"fill-color": palette["building"]}, where, zooms=(13, 15)),
        layer("building-near", "fill", "buildings", {
            "fill-color": palette["building"], "fill-outline-color": palette["building_line"]}, where,
            zooms=(15, None)),
    ], {"buildings": "building"})


def boundaries(palette):
    """Borders of countries and states; the disputed ones are dotted."""
    admin = ["coalesce", ["get", "pmap:min_admin_level"], ["get", "admin_level"], ["get", "kind_detail"], 99]
    admin = ["to-number", admin, 99]
    disputed = ["in", ["to-string", ["coalesce", ["get", "disputed"], False]], ["literal", ["true", "1"]]]
    on_land = ["all", LINE, ["!=", ["to-string", ["coalesce", ["get", "maritime"], 0]], "1"]]
    country = ["all", on_land, ["any", ["==", KIND, "country"], ["<=", admin, 2]]]
    region = ["all", on_land, ["any", ["==", KIND, "region"], ["all", [">", admin, 2], ["<=", admin, 4]]]]
    settled, unsettled = ["all", country, ["!", disputed]], ["all", country, disputed]
    joined = {"line-cap": "round", "line-join": "round"}
    width = linear([(0, 0.45), (3, 0.9), (5, 1.2), (8, 1.8), (13, 2.6)])
    return doubled([
        layer("region", "line", "boundaries", {
            "line-color": palette["region"], "line-width": linear([(3, 0.6), (6, 1), (13, 1.6)]),
            "line-dasharray": [3.5, 2.5]}, region, zooms=(3, None)),
        layer("country-wash", "line", "boundaries", {
            "line-color": palette["country_halo"], "line-opacity": 0.8,
            "line-width": linear([(3, 2.5), (6, 5), (13, 8)])}, country, joined, (3, None)),
        layer("country-far", "line", "boundaries", {"line-color": palette["country_far"], "line-width": width}, settled,
              joined, (None, 4)),
        layer("country", "line", "boundaries", {"line-color": palette["country"], "line-width": width}, settled,
              joined, (4, None)),
        layer("country-disputed", "line", "boundaries", {
            "line-color": palette["disputed"], "line-width": width, "line-dasharray": [2.5, 2]}, unsettled,
            {"line-join": "round"}),
    ], {"boundaries": "boundary"})
