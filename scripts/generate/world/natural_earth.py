"""Reads Natural Earth polygons from the lazy-load database of r-cran-rnaturalearthdata."""

import lzma
import math
import warnings
import zlib
from dataclasses import dataclass
from pathlib import Path

import pandas
import rdata
import shapely
from shapely import MultiPolygon, Polygon

# Longitudes this close to the antimeridian are meant to lie on it: the source has -179.99995 too.
ANTIMERIDIAN_SNAP = 0.001
# South of the map's lower edge (85.05 degrees) but finite in Mercator.
SOUTHERN_LIMIT = -88.0
# Projected coordinates lie on a lattice of 2^-28 worlds (15 cm), so that the last bits of the C
# library's logarithm cannot change the archive.
LATTICE = float(1 << 28)


@dataclass(frozen=True)
class Area:
    """A country or a state; the Mercator world is 0...1 from west to east and north to south."""

    group: str
    name: str
    kind: str
    # `adm0_a3` and ISO 3166 of the country; the latter is empty where there is none.
    code: str
    iso: str
    population: int
    # 1 to 7 for countries, the important ones first.
    label_rank: int
    shape: MultiPolygon


class NaturalEarth:
    """The data sets of the package, found below the folder that `dpkg -x` filled."""

    def __init__(self, unpacked: Path) -> None:
        base = unpacked / "usr/lib/R/site-library/rnaturalearthdata/data/Rdata"
        index = zlib.decompress(base.with_suffix(".rdx").read_bytes(), 31)
        self._ranges = _convert(index)["variables"]
        self._database = base.with_suffix(".rdb").read_bytes()

    def countries(self, scale: str) -> list[Area]:
        """The countries at `scale`, "110" or "50" (millions)."""
        return self._areas(f"countries{scale}", "admin", "adm0_a3")

    def states(self) -> list[Area]:
        """The states of Australia, Brazil, Canada and the United States, at 1:50 million."""
        return self._areas("states50", "name", "sr_adm0_a3")

    def _areas(self, data_set: str, name_column: str, code_column: str) -> list[Area]:
        offset, count = (int(number) for number in self._ranges[data_set])
        record = self._database[offset : offset + count]
        if record[4:5] != b"Z":
            raise ValueError(f"{data_set} is not compressed by xz")
        filters = [{"id": lzma.FILTER_LZMA2, "preset": 6}]
        frame = _convert(lzma.decompress(record[5:], lzma.FORMAT_RAW, filters=filters))
        columns = frame.data
        populations = columns.get("pop_est", [0] * len(columns))
        used = ("admin", name_column, "type", code_column, "iso_a2")
        areas = [
            Area(*map(_text, texts), _number(population), _number(rank), _shape(entry.Polygons))
            for *texts, population, rank, entry in zip(
                *(columns[name] for name in used), *(populations, columns["labelrank"], frame.polygons), strict=True
            )
        ]
        return sorted(areas, key=lambda area: (area.group, area.name, area.shape.wkb))


def project(longitude: float, latitude: float) -> tuple[float, float]:
    """Web Mercator, the world as the unit square; y may pass 1 by the south pole."""
    if 180 - abs(longitude) < ANTIMERIDIAN_SNAP:
        longitude = math.copysign(180, longitude)
    sine = math.sin(math.radians(max(latitude, SOUTHERN_LIMIT)))
    x = longitude / 360 + 0.5
    y = 0.5 - math.atanh(sine) / (2 * math.pi)
    return round(x * LATTICE) / LATTICE, round(y * LATTICE) / LATTICE


def _text(value: object) -> str:
    return "" if pandas.isna(value) else str(value)


def _number(value: object) -> int:
    return 0 if pandas.isna(value) else int(value)


def _convert(serialised: bytes) -> object:
    with warnings.catch_warnings():
        # rdata guesses the file type and meets S4 classes it has no constructor for: both expected.
        warnings.simplefilter("ignore")
        parsed = rdata.parser.parse_data(serialised)
        return rdata.conversion.convert(parsed, default_encoding="utf-8")


def _shape(rings: list) -> MultiPolygon:
    """Rings are a flat list in the source: holes are cut before smaller rings are added."""
    polygons = []
    for ring in rings:
        points = [project(float(longitude), float(latitude)) for longitude, latitude in ring.coords]
        polygons.append((shapely.make_valid(Polygon(points)), bool(ring.hole[0])))
    shape = MultiPolygon()
    for polygon, is_hole in sorted(polygons, key=lambda entry: -entry[0].area):
        shape = shape.difference(polygon) if is_hole else shape.union(polygon)
    parts = [part for part in shapely.get_parts(shape) if part.geom_type == "Polygon"]
    return MultiPolygon(parts)
