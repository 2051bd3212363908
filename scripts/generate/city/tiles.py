"""Cuts the city into tiles."""

import shapely
from archive import Archive
from features import Feature, Features
from plane import WORLD_SIDE, areas_of, lines_of
from shapely import Geometry, LineString, box
from shapely.affinity import affine_transform
from vector_tile import EXTENT, encode_tile

MIN_ZOOM, MAX_ZOOM = 6, 15
#: Half the side of what the archive covers in tiles of the last zoom: 7.3 km.
HALF_SIDE = 3
#: Tiles go this far beyond their edges, in tile units.
BUFFER = 64
LAYERS = ("earth", "landuse", "water", "buildings", "roads", "pois", "places")
#: Tile units by which lines and outlines may be off: a quarter of a pixel at the last zoom, else half a pixel.
FINEST, COARSER = 2.0, 5.0


def bounds() -> tuple[float, float, float, float]:
    """West, south, east and north in metres."""
    half = HALF_SIDE * WORLD_SIDE / (1 << MAX_ZOOM)
    return (-half, -half, half, half)


def fill(archive: Archive, city: Features) -> None:
    """Adds the tiles of all zooms."""
    for zoom in range(MIN_ZOOM, MAX_ZOOM + 1):
        _fill_zoom(archive, city, zoom)


def _fill_zoom(archive: Archive, city: Features, zoom: int) -> None:
    units = EXTENT * (1 << zoom) / WORLD_SIDE
    middle = EXTENT * (1 << zoom) / 2
    tolerance = FINEST if zoom == MAX_ZOOM else COARSER
    smallest = 1 if zoom == MAX_ZOOM else 48

    def enlarged(shape: Geometry) -> Geometry:
        return affine_transform(shape, [units, 0, 0, -units, middle, middle])

    land = _reduced(enlarged(city.land), tolerance, smallest)
    window = enlarged(box(*bounds()))
    shown = [each for each in city.all if each.first_zoom <= zoom <= each.last_zoom]
    ready: list[tuple[Feature, Geometry]] = []
    for feature in shown:
        is_house = feature.layer == "buildings" and zoom == MAX_ZOOM
        shape = _reduced(enlarged(feature.shape), 0 if is_house else tolerance, 0 if is_house else smallest)
        if not shape.is_empty:
            ready.append((feature, shape))
    west, north, east, south = window.bounds
    for x in range(int(west // EXTENT), int((east - 1) // EXTENT) + 1):
        for y in range(int(north // EXTENT), int((south - 1) // EXTENT) + 1):
            archive.add(zoom, x, y, _tile(ready, land, window, x, y))


def _reduced(shape: Geometry, tolerance: float, smallest: float) -> Geometry:
    """With fewer corners, and without areas that nobody sees."""
    if shape.geom_type == "Point":
        return shape
    if tolerance:
        shape = shape.simplify(tolerance)
    if "Polygon" in shape.geom_type and smallest:
        shape = shapely.MultiPolygon(areas_of(shape, smallest))
    return shape


def _tile(ready: list, land: Geometry, window: Geometry, x: int, y: int) -> bytes:
    frame = box(x * EXTENT - BUFFER, y * EXTENT - BUFFER, (x + 1) * EXTENT + BUFFER, (y + 1) * EXTENT + BUFFER)
    moved = [1, 0, 0, 1, -x * EXTENT, -y * EXTENT]
    dry = shapely.set_precision(affine_transform(land.intersection(frame), moved), 1)
    sea = affine_transform(window.intersection(frame), moved).difference(dry)
    layers: dict[str, list] = {name: [] for name in LAYERS}
    if not dry.is_empty:
        layers["earth"].append((_areas(dry), {"kind": "earth"}))
    if not sea.is_empty:
        layers["water"].append((_areas(shapely.set_precision(sea, 1)), {"kind": "ocean"}))
    for feature, shape in ready:
        if feature.shape.geom_type == "Point":
            if x * EXTENT <= shape.x < (x + 1) * EXTENT and y * EXTENT <= shape.y < (y + 1) * EXTENT:
                layers[feature.layer].append((affine_transform(shape, moved), feature.attributes))
            continue
        if not shape.intersects(frame):
            continue
        part = affine_transform(shape if frame.contains(shape) else shape.intersection(frame), moved)
        grid = 2 if feature.layer == "buildings" else 1
        part = _areas(shapely.set_precision(part, grid)) if "Polygon" in feature.shape.geom_type else _lines(part)
        if not part.is_empty:
            layers[feature.layer].append((part, feature.attributes))
    layers["buildings"] = _gathered(layers["buildings"])
    return encode_tile(list(layers.items()))


def _gathered(features: list) -> list:
    """Houses that differ only in their shape are one feature, which takes half the bytes."""
    alike: dict[tuple, list] = {}
    for shape, attributes in features:
        alike.setdefault((shape.geom_type == "Point", *sorted(attributes.items())), []).append(shape)
    found = []
    for key, shapes in alike.items():
        if key[0]:
            found += [(shape, dict(key[1:])) for shape in shapes]
        else:
            found.append((shapely.MultiPolygon([area for shape in shapes for area in areas_of(shape)]), dict(key[1:])))
    return found


def _areas(shape: Geometry) -> Geometry:
    return shapely.MultiPolygon(areas_of(shape))


def _lines(shape: Geometry) -> Geometry:
    return shapely.MultiLineString([LineString(line) for line in lines_of(shape)])
