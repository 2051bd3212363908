"""Reads the tables that we keep by hand: countries.tsv, cities.tsv,
waters.tsv and lakes.tsv."""

import csv
from dataclasses import dataclass
from pathlib import Path

FOLDER = Path(__file__).parent
# Languages that countries have names in; where theirs is the English one, cities leave it out.
LANGUAGES = ("de", "fr", "es", "it", "ru", "zh", "ja", "ar")

# Letters of Latin names beyond Unicode's first blocks: Vietnamese ones, and apostrophes.
LATIN_BEYOND = frozenset(chr(code) for code in range(0x1E00, 0x1F00)) | {"’", "ʻ"}

Names = dict[str, str]


@dataclass(frozen=True)
class Country:
    """A country by the code that Natural Earth has for it (`adm0_a3`)."""

    code: str
    names: Names


@dataclass(frozen=True)
class City:
    """A capital or another city; `capital` says of what: `country`, `region` or nothing."""

    country: str
    longitude: float
    latitude: float
    population: int
    capital: str
    names: Names


@dataclass(frozen=True)
class Water:
    """An ocean, a sea or a large lake, and from which zoom on its name is shown."""

    kind: str
    zoom: int
    longitude: float
    latitude: float
    names: Names


def countries() -> list[Country]:
    return [Country(row["code"], _names(row)) for row in _rows("countries")]


def cities() -> list[City]:
    return [
        City(
            row["country"], float(row["longitude"]), float(row["latitude"]), int(row["population"]), row["capital"], _names(row)
        )
        for row in _rows("cities")
    ]


def waters() -> list[Water]:
    return [
        Water(row["kind"], int(row["zoom"]), float(row["longitude"]), float(row["latitude"]), _names(row))
        for row in _rows("waters")
    ]


def lakes() -> list[list[tuple[float, float]]]:
    """Outlines of lakes that the source has no shapes of, as longitudes and latitudes."""
    outlines = []
    for row in _rows("lakes"):
        pairs = (pair.split() for pair in row["outline"].split(", "))
        outlines.append([(float(longitude), float(latitude)) for longitude, latitude in pairs])
    return outlines


def _rows(table: str) -> list[dict[str, str]]:
    with (FOLDER / f"{table}.tsv").open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE, strict=True))


def _names(row: dict[str, str]) -> Names:
    """`name` is the native one, or the English one of what lies in no country.

    What is not written in Latin letters has its English name for readers of those too.
    """
    names = {"name": row.get("name") or row["name:en"], "name:en": row["name:en"]}
    if language := row.get("language"):
        names.setdefault(f"name:{language}", names["name"])
    if not all(ord(letter) < 0x370 or letter in LATIN_BEYOND for letter in names["name"]):
        names["name:latin"] = names["name:en"]
    for language in LANGUAGES:
        if name := row[f"name:{language}"]:
            names[f"name:{language}"] = name
    for entry in filter(None, (row.get("others") or "").split(";")):
        language, name = entry.split("=")
        names[f"name:{language}"] = name
    return dict(sorted(names.items()))
