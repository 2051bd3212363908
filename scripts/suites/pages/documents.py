#!/usr/bin/env python3
"""Writes into a folder: book.pdf of 200 pages of several shapes, whose second half is labelled B-1 and so on, leaflet.pdf of 12,
each page with its number; a quilt of 24 megapixels."""

import colorsys
import pathlib
import sys

from PIL import Image

#: The quilt and its square blocks, of one color each. Its sides are no multiples of anything.
QUILT, QUILT_SIZE, BLOCK = "scans/quilt.jpg", (6007, 4001), 400
#: What each column and each row adds to red, green and blue; of the sum, the rest of 128, and 64 more.
DYES = [(67, 0), (0, 83), (29, 53)]
SHAPES = [(595, 420), (480, 480), (420, 640), (300, 640)]


def shape(page):
    """Width and height of a page, from 1; every seventh is another one."""
    return (420, 595) if page % 7 else SHAPES[page // 7 % 4]


def pdf(count):
    objects = [b"<< /Type /Catalog /Pages 2 0 R /PageLabels << /Nums [100 << /S /D /P (B-) >>] >> >>"]
    kids = " ".join(f"{4 + 2 * index} 0 R" for index in range(count))
    objects.append(f"<< /Type /Pages /Count {count} /Kids [{kids}] >>".encode())
    objects.append(b"<< /Type /Font /Subtype /Type1 /BaseFont /Times-Roman >>")
    for page in range(1, count + 1):
        width, height = shape(page)
        red, green, blue = colorsys.hsv_to_rgb(page * 0.618 % 1, 0.28, 0.92)
        drawn = f"{red:.2f} {green:.2f} {blue:.2f} rg 30 {height - 130} {width - 60} 90 re f 0.15 g "
        drawn += f"BT /F1 44 Tf 50 {height - 100} Td (Page {page}) Tj ET BT /F1 12 Tf 30 {height - 170} Td 16 TL "
        drawn += "".join(f"(Line {line} of page {page}.) ' " for line in range((height - 220) // 16)) + "ET"
        objects.append(
            f"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 {width} {height}] /Contents {5 + 2 * (page - 1)} 0 R "
            "/Resources << /Font << /F1 3 0 R >> >> >>".encode()
        )
        objects.append(f"<< /Length {len(drawn)} >>\nstream\n{drawn}\nendstream".encode())
    file = bytearray(b"%PDF-1.4\n")
    places = []
    for number, content in enumerate(objects, 1):
        places.append(len(file))
        file += b"%d 0 obj\n%s\nendobj\n" % (number, content)
    table = len(file)
    file += b"xref\n0 %d\n0000000000 65535 f \n" % (len(objects) + 1)
    file += b"".join(b"%010d 00000 n \n" % place for place in places)
    file += b"trailer << /Size %d /Root 1 0 R >>\nstartxref\n%d\n%%%%EOF\n" % (len(objects) + 1, table)
    return bytes(file)


def quilt():
    columns, rows = (-(-length // BLOCK) for length in QUILT_SIZE)
    blocks = Image.new("RGB", (columns, rows))
    places = [(column, row) for row in range(rows) for column in range(columns)]
    blocks.putdata([tuple(64 + (column * a + row * b) % 128 for a, b in DYES) for column, row in places])
    return blocks.resize((columns * BLOCK, rows * BLOCK), Image.Resampling.NEAREST).crop((0, 0, *QUILT_SIZE))


def main():
    folder = pathlib.Path(sys.argv[1])
    (folder / QUILT).parent.mkdir()
    quilt().save(folder / QUILT, quality=95, subsampling=0)
    for name, count in [("book.pdf", 200), ("leaflet.pdf", 12)]:
        (folder / name).write_bytes(pdf(count))


if __name__ == "__main__":
    main()
