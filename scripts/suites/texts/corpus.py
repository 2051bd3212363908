"""Random texts that are meant to break layouts."""

import random
import unicodedata

SCRIPTS = {
    "Latin": (0x41, 0x24F),
    "Greek": (0x370, 0x3FF),
    "Cyrillic": (0x400, 0x52F),
    "Armenian": (0x531, 0x58A),
    "Hebrew": (0x591, 0x5F4),
    "Arabic": (0x600, 0x6FF),
    "Arabic forms": (0xFB50, 0xFDFF),
    "Syriac": (0x700, 0x74F),
    "Thaana": (0x780, 0x7B1),
    "Devanagari": (0x900, 0x97F),
    "Bengali": (0x980, 0x9FE),
    "Gurmukhi": (0xA01, 0xA76),
    "Gujarati": (0xA81, 0xAFF),
    "Oriya": (0xB01, 0xB77),
    "Tamil": (0xB82, 0xBFA),
    "Telugu": (0xC00, 0xC7F),
    "Malayalam": (0xD00, 0xD7F),
    "Thai": (0xE01, 0xE5B),
    "Lao": (0xE81, 0xEDF),
    "Tibetan": (0xF00, 0xFDA),
    "Myanmar": (0x1000, 0x109F),
    "Georgian": (0x10A0, 0x10FF),
    "Ethiopic": (0x1200, 0x137C),
    "Khmer": (0x1780, 0x17F9),
    "Mongolian": (0x1800, 0x18AA),
    "Japanese": (0x3040, 0x30FF),
    "Chinese": (0x4E00, 0x9FFF),
    "Korean": (0xAC00, 0xD7A3),
}
# What no script is made of.
SIGNS = (
    (0x00, 0x20),
    (0x7F, 0xA0),
    (0x300, 0x36F),
    (0x1AB0, 0x1ACE),
    (0x200B, 0x206F),
    (0x20D0, 0x20F0),
    (0x2190, 0x2BFF),
    (0xE000, 0xE0FF),
    (0xFE00, 0xFE0F),
    (0xFFF0, 0xFFFF),
    (0x1F1E6, 0x1F1FF),
    (0x1F300, 0x1F6FF),
    (0xE0000, 0xE007F),
    (0x10FF00, 0x10FFFF),
)
PIECES = (
    " ",
    "|",
    "\\",
    "votes:9|",
    "a" + "\u0301" * 40,
    "\u0f40" + "\u0fac" * 9,
    "\u202e" * 9 + "abc",
    "\u2067" * 60,
    "\u200d" * 50,
    "\ufdfd" * 3,
    "W" * 60,
    "\U0001f469\u200d\U0001f469\u200d\U0001f467",
    "\U0001f3f4\U000e0067\U000e0062\U000e007f",
    "<svg onload=x>",
    "%00",
    "\r\n",
    "\u1039\u1000" * 12,
    "\u17d2\u1780" * 12,
)


def texts(count, seed=19):
    """Pairs of a script and a text of 1 to 150 characters of it, of another one, of signs and of pieces. Addresses may have no
    control characters, so a tenth of the texts has them."""
    numbers = random.Random(seed)
    names = list(SCRIPTS)
    for index in range(count):
        name = names[index % len(names)]
        ranges = [SCRIPTS[name]] * 4 + [SCRIPTS[numbers.choice(names)], numbers.choice(SIGNS)]
        length = numbers.randint(1, 150)
        text = ""
        while len(text) < length:
            if numbers.random() < 0.03:
                text += numbers.choice(PIECES)
            else:
                low, high = numbers.choice(ranges)
                text += chr(numbers.randint(low, high))
        if index % 10:
            text = "".join(letter for letter in text if unicodedata.category(letter) != "Cc")
        yield name, text[:150] or "a"
