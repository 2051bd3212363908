"""Writes PMTiles version 3 archives: clustered, gzip, one root directory."""

import json
import struct
import zlib

from vector_tile import varint

HEADER_BYTE_COUNT = 127
# The header and the root directory have to lie within the first 16 KiB.
ROOT_BYTE_LIMIT = 16384 - HEADER_BYTE_COUNT
GZIP = 2
VECTOR_TILES = 1
# West, south, east and north of all tiles, in degrees.
WORLD = (-180.0, -85.0511287, 180.0, 85.0511287)


def gzipped(content: bytes) -> bytes:
    """A gzip member without time, name or system, so that equal content gives equal bytes."""
    deflate = zlib.compressobj(9, zlib.DEFLATED, -15, 9)
    body = deflate.compress(content) + deflate.flush()
    heading = b"\x1f\x8b\x08\x00" + bytes(4) + b"\x02\xff"
    return heading + body + struct.pack("<II", zlib.crc32(content), len(content))


def tile_id(zoom: int, x: int, y: int) -> int:
    """The place of a tile on the Hilbert curve, after all tiles of the lower zooms."""
    before = (4**zoom - 1) // 3
    place = 0
    side = 1 << zoom >> 1
    while side:
        right, lower = int(bool(x & side)), int(bool(y & side))
        place += side * side * (3 * right ^ lower)
        if not lower:
            if right:
                x, y = side - 1 - (x & (side - 1)), side - 1 - (y & (side - 1))
            x, y = y, x
        side >>= 1
    return before + place


class Archive:
    """Collects tiles; equal tiles are stored once."""

    def __init__(self) -> None:
        self._tiles: dict[int, bytes] = {}

    def add(self, zoom: int, x: int, y: int, tile: bytes) -> None:
        self._tiles[tile_id(zoom, x, y)] = tile

    def serialised(self, metadata: dict, min_zoom: int, max_zoom: int, bounds: tuple[float, ...] = WORLD) -> tuple[bytes, str]:
        """The archive, and a line that says how many tiles are in it.

        `bounds` are west, south, east and north in degrees; the centre is their middle.
        """
        data = b""
        ranges: dict[bytes, tuple[int, int]] = {}
        # Each entry: the first tile's id, how many tiles in a row are the same, offset, length.
        entries: list[list[int]] = []
        for place, tile in sorted(self._tiles.items()):
            if tile not in ranges:
                packed = gzipped(tile)
                ranges[tile] = (len(data), len(packed))
                data += packed
            offset, count = ranges[tile]
            last = entries[-1] if entries else None
            if last and last[2] == offset and last[0] + last[1] == place:
                last[1] += 1
            else:
                entries.append([place, 1, offset, count])
        root = gzipped(_directory(entries))
        if len(root) > ROOT_BYTE_LIMIT:
            raise ValueError(f"the root directory has {len(root)} bytes, more than {ROOT_BYTE_LIMIT}")
        notes = gzipped(json.dumps(metadata, ensure_ascii=False, sort_keys=True).encode())
        counts = (len(self._tiles), len(entries), len(ranges))
        header = _header(len(root), len(notes), len(data), counts, (min_zoom, max_zoom), bounds)
        summary = (
            f"{counts[0]} tiles in {counts[1]} entries, {counts[2]} different; "
            f"largest {max(count for _, count in ranges.values())} bytes"
        )
        return header + root + notes + data, summary


def _directory(entries: list[list[int]]) -> bytes:
    numbers = [len(entries)]
    previous = 0
    for entry in entries:
        numbers.append(entry[0] - previous)
        previous = entry[0]
    numbers += [entry[1] for entry in entries]
    numbers += [entry[3] for entry in entries]
    end = None
    for _, _, offset, count in entries:
        # Zero stands for "right after the entry before".
        numbers.append(0 if offset == end else offset + 1)
        end = offset + count
    return b"".join(varint(number) for number in numbers)


def _header(
    root_count: int,
    notes_count: int,
    data_count: int,
    tile_counts: tuple[int, int, int],
    zooms: tuple[int, int],
    bounds: tuple[float, ...],
) -> bytes:
    notes_offset = HEADER_BYTE_COUNT + root_count
    data_offset = notes_offset + notes_count
    header = b"PMTiles\x03" + struct.pack(
        "<11Q",
        *(HEADER_BYTE_COUNT, root_count, notes_offset, notes_count),
        *(data_offset, 0, data_offset, data_count),
        *tile_counts,
    )
    header += bytes([1, GZIP, GZIP, VECTOR_TILES, *zooms])
    west, south, east, north = (round(degrees * 1e7) for degrees in bounds)
    header += struct.pack("<4i", west, south, east, north)
    return header + struct.pack("<B2i", zooms[0], (west + east) // 2, (south + north) // 2)
