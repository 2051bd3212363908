"""Draws the benchmark map with Mapnik: `mapnik_peer.py STYLE LAYERS RATIO` reads views as lines of JSON and answers each with
the bytes of its PNG.

What Mapnik knows of the style is translated for one zoom at a time, as widths are numbers to it: background, fills, lines,
dashes, names along lines and at points. LAYERS is a folder of shapefiles in metres, one for each source layer."""

import json
import math
import os
import sys
from xml.sax.saxutils import quoteattr

import mapnik

SIDE_PX = 512
HALF_WORLD_METRES = 20037508.342789244
FONT_FOLDERS = ("/usr/share/fonts", "/usr/lib/mapnik/3.1/fonts")
CAPS = {"butt": "butt", "round": "round", "square": "square"}


def main(style_path, layers, ratio):
    with open(style_path) as file:
        style = json.load(file)
    for folder in FONT_FOLDERS:
        mapnik.FontEngine.register_fonts(folder, True)
    maps = {}
    for line in sys.stdin:
        view = json.loads(line)
        # Of MapLibre's zoom, whose world has 512 pixels.
        zoom = view["zoom"] - 1
        if zoom not in maps:
            maps[zoom] = mapnik.Map(int(SIDE_PX * ratio), int(SIDE_PX * ratio))
            mapnik.load_map_from_string(maps[zoom], Translation(style, layers, zoom).document())
        content = draw(maps[zoom], view, zoom, ratio)
        print(json.dumps({"bytes": len(content)}), flush=True)
        if view.get("save"):
            with open(view["save"], "wb") as file:
                file.write(content)


def draw(canvas, view, zoom, ratio):
    latitude = math.radians(view["latitude"])
    x = view["longitude"] / 180 * HALF_WORLD_METRES
    y = math.log(math.tan(math.pi / 4 + latitude / 2)) / math.pi * HALF_WORLD_METRES
    half = HALF_WORLD_METRES / 2**zoom * SIDE_PX / 512
    canvas.zoom_to_box(mapnik.Box2d(x - half, y - half, x + half, y + half))
    image = mapnik.Image(canvas.width, canvas.height)
    mapnik.render(canvas, image, ratio)
    return image.tostring("png24")


class Translation:
    """The style as Mapnik's XML, at one zoom."""

    def __init__(self, style, layers, zoom):
        self.style, self.layers, self.zoom = style, layers, zoom
        fonts = set(mapnik.FontEngine.face_names())
        self.fonts = {"Noto Sans Regular", "Noto Sans Medium"} & fonts
        self.fallback = next(name for name in ("Noto Sans Regular", "DejaVu Sans Book", *sorted(fonts)) if name in fonts)

    def document(self):
        background, styles, layers = "#ffffff", [], []
        for layer in self.style["layers"]:
            if not layer.get("minzoom", 0) <= self.zoom < layer.get("maxzoom", 25):
                continue
            paint, layout = layer.get("paint", {}), layer.get("layout", {})
            if layer["type"] == "background":
                background = paint["background-color"]
                continue
            rules = {"fill": self.fill, "line": self.line, "symbol": self.symbol}[layer["type"]](paint, layout)
            name = quoteattr(layer["id"])
            test = condition(layer["filter"]) if "filter" in layer else ""
            made = "".join(
                f"<Rule>{f'<Filter>{join(test, more)}</Filter>' if join(test, more) else ''}{drawn}</Rule>"
                for more, drawn in rules
            )
            styles.append(f"<Style name={name}>{made}</Style>")
            file = quoteattr(os.path.join(self.layers, layer["source-layer"] + ".shp"))
            layers.append(
                f'<Layer name={name} srs="epsg:3857"><StyleName>{layer["id"]}</StyleName><Datasource>'
                f'<Parameter name="type">shape</Parameter><Parameter name="file">{file[1:-1]}</Parameter>'
                "</Datasource></Layer>"
            )
        return f'<Map srs="epsg:3857" background-color="{background}" buffer-size="128">' + "".join(styles + layers) + "</Map>"

    def number(self, value):
        """A number or an exponential interpolation by zoom, at this zoom."""
        if not isinstance(value, list):
            return value
        base, stops = value[1][1], list(zip(value[3::2], value[4::2]))
        if self.zoom <= stops[0][0]:
            return stops[0][1]
        for (low, before), (high, after) in zip(stops, stops[1:]):
            if self.zoom <= high:
                return before + (after - before) * (base ** (self.zoom - low) - 1) / (base ** (high - low) - 1)
        return stops[-1][1]

    def fill(self, paint, _):
        drawn = f'<PolygonSymbolizer fill="{paint["fill-color"]}"/>'
        if "fill-outline-color" in paint:
            drawn += f'<LineSymbolizer stroke="{paint["fill-outline-color"]}" stroke-width="1"/>'
        return [("", drawn)]

    def line(self, paint, layout):
        width = self.number(paint.get("line-width", 1))
        dashes = ",".join(f"{part * width:g}" for part in paint.get("line-dasharray", []))
        dashes = f' stroke-dasharray="{dashes}"' if dashes else ""
        return [
            (
                "",
                f'<LineSymbolizer stroke="{paint["line-color"]}" stroke-width="{width:g}" stroke-linecap="'
                f'{CAPS[layout.get("line-cap", "butt")]}" stroke-linejoin="{layout.get("line-join", "miter")}"{dashes}/>',
            )
        ]

    def symbol(self, paint, layout):
        """One rule for each size, where a `match` chooses it."""
        size, rules = layout["text-size"], []
        if isinstance(size, list):
            field, cases = column(size[1]), list(zip(size[2:-1:2], size[3:-1:2]))
            others = " and ".join(f"[{field}] != '{value}'" for value, _ in cases)
            rules = [(f"[{field}] = '{value}'", one) for value, one in cases] + [(others, size[-1])]
        else:
            rules = [("", size)]
        face = layout["text-font"][0] if layout["text-font"][0] in self.fonts else self.fallback
        along = layout.get("symbol-placement") == "line"
        place = f'placement="line" spacing="{layout.get("symbol-spacing", 250)}"' if along else 'placement="point"'
        wrap = "" if along else f' wrap-width="{layout.get("text-max-width", 10) * rules[0][1]:g}"'
        return [
            (
                more,
                f'<TextSymbolizer face-name="{face}" size="{one}" fill="{paint["text-color"]}" '
                f'halo-fill="{paint["text-halo-color"]}" halo-radius="{paint["text-halo-width"]}" '
                f"{place}{wrap}>[{column(layout['text-field'])}]</TextSymbolizer>",
            )
            for more, one in rules
        ]


def condition(test):
    """A filter of the style, of which the benchmark uses `all`, `==` and `in`, in Mapnik's language."""
    if test[0] == "all":
        return " and ".join(f"({condition(part)})" for part in test[1:])
    field = column(test[1])
    values = [test[2]] if test[0] == "==" else test[2][1]
    return "(" + " or ".join(f"[{field}] = '{value}'" for value in values) + ")"


def column(get):
    """The column of a property, which has no colon in its name."""
    return get[1].replace(":", "_")


def join(first, second):
    return " and ".join(part for part in (first, second) if part)


main(sys.argv[1], sys.argv[2], float(sys.argv[3]))
