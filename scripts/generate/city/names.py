"""Names of streets and places: plain words, after nobody."""

from pathlib import Path

from plane import Random

#: For each kind of quarter the words that its streets are called after.
WORDS = {
    "lanes": (
        "Baker Cooper Tanner Saddler Chandler Weaver Potter Glover Mason Fletcher Sailmaker Ropemaker Candle Copper "
        "Silver Salt Pepper Vinegar Honey Bread Corn Wool Linen Velvet Thimble Needle Anchor Compass Lantern Bell "
        "Gatehouse Bastion Tower Moat Fountain Well Pump Cellar Vault Arch Crooked Narrow Blind Stone Ivy Herb Cat "
        "Heron Gull Herring Mackerel Oyster Eel"
    ).split(),
    "blocks": (
        "Printer Clockmaker Cabinet Glass Lamp Paper Ink Bookbinder Viola Cello Organ Orchard Garden Linden Chestnut "
        "Mulberry Quince Medlar Walnut Almond Hazel Laurel Myrtle Jasmine Lavender Saffron Amber Coral Pearl Jade "
        "Onyx Opal Topaz Garnet Agate Slate Marble Basalt Granite Flint Chalk Weir Sluice Millrace Watermeadow Ferry "
        "Tollgate Milestone Signal Junction Turntable Depot Goods Parcel Telegraph Observatory Meridian Equator"
    ).split(),
    "curves": (
        "Alder Birch Cedar Dogwood Elm Fir Gorse Hawthorn Holly Juniper Larch Maple Oak Pine Poplar Rowan Spruce "
        "Sycamore Willow Yew Heather Bracken Clover Thistle Primrose Bluebell Cowslip Foxglove Harebell Sorrel Teasel "
        "Yarrow Finch Lark Linnet Plover Curlew Lapwing Swallow Swift Wren Robin Thrush Starling Kestrel Osprey "
        "Sandpiper Tern Puffin Skylark Redstart Warbler Badger Hare Otter Hedgehog Squirrel Marten Meadow Brook Spring "
        "Hill Ridge Valley Hollow Copse Glade Orchard Paddock Dune Shingle Breeze Sunrise Sunset Cliff Cove Headland"
    ).split(),
    "yards": "Crane Derrick Dock Wharf Cargo Ballast Bollard Capstan Foundry Forge Kiln Turbine Cable Warehouse".split(),
}
#: Rows of the grid have trees in the order of letters, columns have numbers.
ROWS = "Acacia Beech Cypress Dragon Ebony Fig Ginkgo Hornbeam Ironwood Jacaranda Kapok Lemon Magnolia Nutmeg Olive".split()
COLUMNS = (
    "First Second Third Fourth Fifth Sixth Seventh Eighth Ninth Tenth Eleventh Twelfth Thirteenth Fourteenth Fifteenth"
).split()
ENDINGS = {
    "lanes": ("Lane", "Lane", "Row", "Alley", "Street", "Steps"),
    "blocks": ("Street", "Street", "Street", "Road", "Place"),
    "curves": ("Road", "Way", "Drive", "Avenue", "Rise"),
    "close": ("Close", "Court", "Mews"),
    "cross": ("Lane", "Walk", "Street"),
    "yards": ("Road", "Way"),
    "edge": ("Terrace", "Side", "Parade", "View"),
}


def _table() -> tuple[list[str], dict[str, list[str]]]:
    """The languages of translations.tsv, and by name what it is in each of them."""
    text = Path(__file__).with_name("translations.tsv").read_text(encoding="utf-8")
    heading, *rows = (line.split("\t") for line in text.splitlines())
    return heading[1:], {row[0]: row[1:] for row in rows}


LANGUAGES, TRANSLATIONS = _table()


def attributes(name: str) -> dict[str, str]:
    """`name` and what it is in other languages, if that is known."""
    if not name:
        return {}
    known = TRANSLATIONS.get(name, ())
    return {"name": name} | {f"name:{language}": text for language, text in zip(LANGUAGES, known, strict=False)}


class StreetNames:
    """Gives each street a name that no other has."""

    def __init__(self) -> None:
        self._by_key: dict[tuple, str] = {}
        self._used: set[str] = set()
        self._chance = Random(5)

    def name(self, key: tuple, kind: str) -> str:
        """The name of the streets with this key, in a quarter with a pattern of this kind; empty if words ran out."""
        if key not in self._by_key:
            self._by_key[key] = self._invented(key, kind)
        return self._by_key[key]

    def _invented(self, key: tuple, kind: str) -> str:
        if kind == "grid" and key[0] in ("row", "column"):
            words = ROWS if key[0] == "row" else COLUMNS
            return f"{words[key[2] % len(words)]} {'Avenue' if key[0] == 'row' else 'Street'}"
        words = WORDS["blocks" if kind == "grid" else kind]
        endings = ENDINGS[key[0] if key[0] in ENDINGS else "blocks" if kind == "grid" else kind]
        for _ in range(60):
            name = f"{self._chance.pick(words)} {self._chance.pick(endings)}"
            if name not in self._used:
                self._used.add(name)
                return name
        return ""
