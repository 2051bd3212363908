"""Names: the least important first, as the last are placed first."""

from roads import CLASSES
from schema import (
    CAPITAL,
    ITALIC,
    KIND,
    LINE,
    MEDIUM,
    NAME,
    NAMED,
    PLACE,
    POINT,
    RANK,
    REGULAR,
    WAY,
    doubled,
    layer,
    linear,
    one_of,
)

#: From this zoom on cities are written on their place instead of beside a dot.
LAST_DOT = 8.5
ANCHORS = ["left", "right", "bottom", "top", "bottom-left", "top-left", "bottom-right", "top-right"]
#: What a point of interest is: in OpenStreetMap's keys first, as `pmap:kind` and `class` are coarser.
INTEREST = ["coalesce", ["get", "tourism"], ["get", "historic"], ["get", "railway"], ["get", "amenity"], ["get", "leisure"],
            ["get", "kind"], ["get", "subclass"], ["get", "class"], ""]
SIGHTS = ["museum", "attraction", "gallery", "theatre", "university", "hospital", "place_of_worship", "monument", "zoo",
          "stadium", "castle", "art_gallery", "college"]
#: The dot has a radius of four pixels.
DOT_SIZE, RING_SIZE = linear([(2, 0.45), (6, 0.63), (8, 0.75)]), linear([(2, 0.45), (6, 0.73), (8, 0.88)])
UPPER = {"text-transform": "uppercase"}
#: What is placed first: of places with equal ranks the ones with more people.
IMPORTANCE = ["-", 0, ["+", RANK, ["case", CAPITAL, 2, 0], ["/", ["to-number", ["get", "population"], 0], 1e10]]]


class Labels:
    """Makes layers of texts in the colors of a palette."""

    def __init__(self, palette):
        self.palette = palette

    def text(self, name, source_layer, color, size, where=None, zooms=(None, None), font=REGULAR, halo=1.3, **layout):
        """A layer of names."""
        on_water = color == "water"
        paint = {"text-color": self.palette["text"][color], "text-halo-width": halo,
                 "text-halo-color": self.palette["water_halo" if on_water else "halo"]}
        field = layout.pop("text-field", NAME)
        return layer(name, "symbol", source_layer, paint, where,
                     {"text-field": field, "text-font": font, "text-size": size, **layout}, zooms)

    def dotted(self, name, color, dot, size, where, start, font=REGULAR, halo=1.3, **layout):
        """A layer of names beside dots; capitals have a ring."""
        is_ring = dot == "dot_fill"
        result = self.text(name, "places", color, size, where, (start, LAST_DOT), font, halo, **layout)
        result["paint"] |= {
            "icon-color": self.palette[dot], "icon-halo-color": self.palette["dot" if is_ring else "halo"],
            "icon-halo-width": linear([(2, 1.1), (6, 1.6)]) if is_ring else 0.8}
        return result

    def interests(self):
        """Points of interest, numbers of houses, mountains, parks."""
        large = [">", ["coalesce", ["get", "pmap:area"], 1e9], 20000]
        parks = ["park", "cemetery", "nature_reserve", "national_park", "golf_course", "zoo"]
        number = ["coalesce", ["get", "addr_housenumber"], ["get", "housenumber"]]
        return doubled([
            self.text("label-number", "buildings", "number", 9.5, ["all", POINT, ["has", "addr_housenumber"]],
                      (17, None), halo=1, **{"text-field": number, "text-padding": 4}),
            self.text("label-house-number", "housenumber", "number", 9.5, POINT, (17, None), halo=1,
                      **{"text-field": number, "text-padding": 4}),
            self.text("label-poi", "pois", "poi", 10.5, ["all", POINT, NAMED, one_of(INTEREST, *SIGHTS)], (15, None),
                      **{"text-max-width": 8, "text-padding": 8}),
            self.text("label-station", "pois", "poi", 11, ["all", POINT, NAMED, one_of(
                INTEREST, "station", "aerodrome")], (13, None), MEDIUM, **{"text-max-width": 8}),
            self.text("label-peak", "pois", "peak", 10.5, ["all", POINT, NAMED, one_of(INTEREST, "peak", "volcano")],
                      (11, None), ITALIC, **{"text-max-width": 7, "text-padding": 8}),
            self.text("label-mountain", "mountain_peak", "peak", 10.5, ["all", POINT, NAMED], (11, None), ITALIC,
                      **{"text-max-width": 7, "text-padding": 8}),
            self.text("label-airport", "aerodrome_label", "poi", 11, ["all", POINT, NAMED], (10, None), MEDIUM,
                      **{"text-max-width": 8}),
            self.text("label-park", "landuse", "park", 11, ["all", NAMED, one_of(KIND, *parks), large], (14, None),
                      ITALIC, **{"text-max-width": 7, "text-padding": 20}),
            self.text("label-nature", "park", "park", 11, ["all", POINT, NAMED], (11, None), ITALIC,
                      **{"text-max-width": 7, "text-padding": 20}),
        ], {"pois": "poi"})

    def lines(self):
        """Roads and rivers, along their lines."""
        along = {"symbol-placement": "line"}
        lesser = ["all", LINE, NAMED, one_of(WAY, *CLASSES["minor"], *CLASSES["service"])]
        main = ["all", LINE, NAMED, one_of(WAY, *CLASSES["medium"], *CLASSES["major"], *CLASSES["highway"])]
        rivers = doubled([
            self.text("label-river", "physical_line", "water", linear([(12, 11), (17, 15)]), ["all", NAMED, LINE],
                      (11, None), ITALIC, 1,
                      **along, **{"symbol-spacing": 500, "text-letter-spacing": 0.15}),
            self.text("label-river-water", "water", "water", linear([(12, 11), (17, 15)]), ["all", NAMED, LINE],
                      (11, None), ITALIC, 1,
                      **along, **{"symbol-spacing": 500, "text-letter-spacing": 0.15}),
        ], {"physical_line": "waterway", "water": "water_name"})
        return doubled([
            self.text("label-road", "roads", "road", linear([(13, 10), (16, 12), (19, 15)]), lesser, (13.5, None),
                      **along, **{"symbol-spacing": 300, "text-padding": 4}),
            self.text("label-road-main", "roads", "road", linear([(12, 10), (16, 13), (19, 16)]), main, (12, None),
                      **along, **{"symbol-spacing": 350, "text-padding": 4}),
        ], {"roads": "transportation_name"}) + rivers

    def waters(self):
        """Oceans, seas and lakes."""
        spaced = {"text-letter-spacing": 0.12, "text-line-height": 1.25}
        ocean = one_of(KIND, "ocean")
        return doubled([
            self.text("label-water", "water", "water", linear([(2, 10), (6, 13), (12, 16)]), ["all", POINT, NAMED, [
                "!", ocean]], (2, None), ITALIC, 1, **spaced, **{"text-max-width": 6, "text-padding": 3}),
            self.text("label-ocean", "water", "water", linear([(0, 10), (3, 15), (6, 20)]), ["all", POINT, NAMED, ocean],
                      (None, None), ITALIC, 1, **{"text-letter-spacing": 0.22, "text-line-height": 1.3,
                                                  "text-max-width": 6, "text-padding": 6}),
        ], {"water": "water_name"})

    def settlements(self):
        """States, quarters, villages, towns and cities."""
        quarters = ["neighbourhood", "suburb", "quarter", "borough"]
        sized = ["interpolate", ["linear"], ["zoom"],
                 2, ["step", RANK, 9.5, 13, 10.5, 14, 11.5],
                 4, ["step", RANK, 10.5, 12, 11.5, 13, 13],
                 6, ["step", RANK, 11, 10, 12, 12, 14, 13, 16],
                 8, ["step", RANK, 12, 10, 14, 12, 18, 13, 20],
                 14, ["step", RANK, 17, 10, 19, 11, 24]]
        beside = {"text-variable-anchor": ANCHORS, "text-radial-offset": 0.42, "text-justify": "auto"}
        # One symbol with the name: a dot stands where its name does, and where nothing else does.
        dot = {**beside, "icon-image": "veduta:dot", "icon-padding": 0, "icon-size": DOT_SIZE}
        ring = {**dot, "icon-size": RING_SIZE}
        city = ["==", PLACE, "city"]
        far = {"text-max-width": 8, "text-padding": 3, "symbol-sort-key": IMPORTANCE}
        return doubled([
            self.text("label-region", "places", "region", linear([(3, 9), (5, 10.5), (8, 14)]), [
                "all", POINT, one_of(PLACE, "region", "state", "province")], (3, 9), REGULAR,
                **UPPER, **{"text-letter-spacing": 0.1, "text-max-width": 7, "text-padding": 4}),
            self.text("label-quarter", "places", "quarter", linear([(11, 10.5), (15, 14)]), [
                "all", POINT, one_of(PLACE, *quarters)], (11, 17), REGULAR,
                **{"text-letter-spacing": 0.08, "text-max-width": 7, "text-padding": 10}),
            self.text("label-village", "places", "village", linear([(9, 10), (14, 14)]), [
                "all", POINT, one_of(PLACE, "village", "hamlet")], (9, 17), **{"text-max-width": 7, "text-padding": 8}),
            self.text("label-town", "places", "town", linear([(6, 11), (12, 16)]), ["all", POINT, ["==", PLACE, "town"]],
                      (LAST_DOT, 16), **{"text-max-width": 7, "symbol-sort-key": IMPORTANCE, "text-padding": 6}),
            self.dotted("label-town-far", "town", "dot", linear([(4, 10.5), (8, 12)]), [
                "all", POINT, NAMED, ["==", PLACE, "town"]], 4, **dot, **far),
            self.text("label-city", "places", "city", sized, ["all", POINT, city], (LAST_DOT, 16), MEDIUM, 1.5,
                      **{"text-max-width": 8, "symbol-sort-key": IMPORTANCE}),
            self.dotted("label-city-far", "city", "dot", sized, ["all", POINT, NAMED, city, ["!", CAPITAL]], 2, REGULAR,
                        1.5, **dot, **far),
            self.dotted("label-capital", "city", "dot_fill", sized, ["all", POINT, NAMED, city, CAPITAL], 2, MEDIUM, 1.5,
                        **ring, **far),
        ], {"places": "place"})

    def countries(self):
        """Countries."""
        return doubled([
            self.text("label-country", "places", "country", [
                "interpolate", ["linear"], ["zoom"], 0, ["step", RANK, 8.5, 15, 9.5],
                3, ["step", RANK, 10.5, 14, 12, 16, 14], 6, ["step", RANK, 13, 13, 15, 15, 18]],
                ["all", POINT, ["==", PLACE, "country"]], (None, 7.5), MEDIUM, 1.5,
                **UPPER, **{"text-letter-spacing": 0.12, "text-max-width": 6.5, "text-padding": 3,
                            "text-line-height": 1.15, "symbol-sort-key": IMPORTANCE}),
        ], {"places": "place"})


def labels(palette):
    """All names."""
    made = Labels(palette)
    return (made.interests() + made.lines() + made.waters() + made.settlements() + made.countries())
