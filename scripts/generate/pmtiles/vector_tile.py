"""Writes Mapbox Vector Tiles 2.1: polygons, lines and points with text and whole-number attributes."""

import math
from collections.abc import Iterable

import shapely
from shapely import Geometry, LineString, Point, Polygon

EXTENT = 4096
MOVE_TO, LINE_TO, CLOSE_PATH = 1, 2, 7
POINTS, LINES, POLYGONS = 1, 2, 3

Attributes = dict[str, str | int | bool]


def encode_tile(layers: Iterable[tuple[str, list[tuple[Geometry, Attributes]]]]) -> bytes:
    """A tile of the named layers, each a list of shapes in tile units (y grows to the south)."""
    encoded = (_layer(name, features) for name, features in layers)
    return b"".join(_field(3, layer) for layer in encoded if layer)


def _layer(name: str, features: list[tuple[Geometry, Attributes]]) -> bytes:
    keys: dict[str, int] = {}
    values: dict[bytes, int] = {}
    encoded = b""
    for shape, attributes in features:
        tags = []
        for key, value in attributes.items():
            tags.append(keys.setdefault(key, len(keys)))
            tags.append(values.setdefault(_value(value), len(values)))
        kind, commands = _geometry(shape)
        if commands:
            feature = _field(2, _packed(tags)) + _number(3, kind) + _field(4, _packed(commands))
            encoded += _field(2, feature)
    if not encoded:
        return b""
    heading = _field(1, name.encode()) + encoded
    columns = b"".join(_field(3, key.encode()) for key in keys)
    cells = b"".join(_field(4, value) for value in values)
    return heading + columns + cells + _number(5, EXTENT) + _number(15, 2)


def _value(value: str | int | bool) -> bytes:
    if isinstance(value, bool):
        return _number(7, int(value))
    if isinstance(value, int):
        return _number(5, value)
    return _field(1, value.encode())


def _geometry(shape: Geometry) -> tuple[int, list[int]]:
    parts = shapely.get_parts(shapely.normalize(shape))
    pen = _Pen()
    kind = LINES
    for part in parts:
        if isinstance(part, Polygon):
            kind = POLYGONS
            pen.ring(list(part.exterior.coords), is_hole=False)
            for ring in part.interiors:
                pen.ring(list(ring.coords), is_hole=True)
        elif isinstance(part, LineString):
            pen.line(list(part.coords))
        elif isinstance(part, Point) and shape.geom_type == "Point":
            # Lines that only touch a tile leave points as well: those are no features.
            kind = POINTS
            pen.point(part.x, part.y)
    return kind, pen.commands


class _Pen:
    def __init__(self) -> None:
        self.commands: list[int] = []
        self._x = 0
        self._y = 0

    def ring(self, points: list[tuple[float, float]], is_hole: bool) -> None:
        """Outer rings have a positive area by the surveyor's formula, holes a negative one."""
        corners = [(round(x), round(y)) for x, y in points[:-1]]
        following = [*corners[1:], corners[0]]
        doubled_area = sum(x * next_y - next_x * y for (x, y), (next_x, next_y) in zip(corners, following, strict=True))
        if (doubled_area < 0) != is_hole:
            corners.reverse()
        self._path(corners)
        self.commands.append(CLOSE_PATH | 1 << 3)

    def line(self, points: list[tuple[float, float]]) -> None:
        corners: list[tuple[int, int]] = []
        for x, y in points:
            corner = (round(x), round(y))
            if not corners or corners[-1] != corner:
                corners.append(corner)
        if len(corners) > 1:
            self._path(corners)

    def point(self, x: float, y: float) -> None:
        self.commands.append(MOVE_TO | 1 << 3)
        self._offset((math.floor(x), math.floor(y)))

    def _path(self, corners: list[tuple[int, int]]) -> None:
        self.commands.append(MOVE_TO | 1 << 3)
        self._offset(corners[0])
        self.commands.append(LINE_TO | (len(corners) - 1) << 3)
        for corner in corners[1:]:
            self._offset(corner)

    def _offset(self, corner: tuple[int, int]) -> None:
        for step in (corner[0] - self._x, corner[1] - self._y):
            self.commands.append(step << 1 if step >= 0 else (-step << 1) - 1)
        self._x, self._y = corner


def varint(number: int) -> bytes:
    """A non-negative number in seven-bit groups, the lowest first."""
    groups = bytearray()
    while number > 127:
        groups.append(number & 127 | 128)
        number >>= 7
    groups.append(number)
    return bytes(groups)


def _packed(numbers: list[int]) -> bytes:
    return b"".join(varint(number) for number in numbers)


def _field(tag: int, content: bytes) -> bytes:
    return varint(tag << 3 | 2) + varint(len(content)) + content


def _number(tag: int, number: int) -> bytes:
    return varint(tag << 3) + varint(number)
