"""`scripts/bench quality [efforts|chroma|maps|mozjpeg|avif]`: bytes, SSIMULACRA2 and processor time of every quality of every format.

Five photographs (four scenes) of ../shared at three sizes are encoded by the encoders of the server and scored against the
pixels they were given, by its own metric. Printed are the mean scores, which the curves of Quality/QualityCurves.swift are, and
for each format the quality that looks as JPEG of 80 does and the bytes that takes, which the default qualities are.

  efforts  instead: what each effort of AVIF and WebP costs and saves, at 800 pixels
  chroma   instead: AVIF with all of its chroma (4:4:4) beside a quarter (4:2:0), by size and quality
  maps     instead: bytes and time of the ways in which our maps of streets and of the world are written as PNG
  mozjpeg  instead: bytes and time of our JPEGs beside those of mozjpeg, which PyPI's libvips has, at equal scores
  avif     instead: bytes and time of our AVIF beside those of an earlier version (--before), at equal scores
"""

import json
import math
import os
import statistics

from benchmarks import machine, servers

PHOTOS = ("photo12_seeding.jpg", "photo12_sunset.jpg", "photo12_progressive.jpg", "photo12_orient6.jpg", "lv_orient6.avif")
# The quality of JPEG that the others are held to.
JPEG_QUALITY = 80
# Sizes that are near those of the small copy on which targets are looked for first (QualityReference).
CURVE_SIDES = (300, 800)
# Where maps are taken of.
FLORENCE, EUROPE = "latitude=43.7696&longitude=11.2558", "latitude=45&longitude=10"
# The scores at which the efforts are compared.
EFFORT_SCORE = 70
# Where JPEGs are compared: at these scores, found between these qualities.
MOZJPEG_SCORES = (70, 80)
MOZJPEG_QUALITIES = (40, 50, 60, 65, 70, 75, 80, 85, 90, 95)
AVIF_SCORES = (60, 70, 80)
# The most of the other's bytes and time that are the goals.
MOZJPEG_GOAL = (1.0, 1 / 3)
AVIF_GOAL = (0.92, 1.0)


def check(step, rounds, before):
    if step == "maps":
        maps()
        return
    photos = [os.path.join(machine.SHARED, "images", name) for name in PHOTOS]
    if not all(map(os.path.exists, photos)):
        print("quality: skipped, ../shared is not here")
        return
    if step == "mozjpeg":
        mozjpeg(photos, rounds)
        return
    if step == "avif":
        avif(photos, rounds, before)
        return
    rows = lines("quality", *([step] if step else []), *photos)
    if step == "chroma":
        chroma(rows)
    elif step:
        efforts(rows)
    else:
        formats = list(dict.fromkeys(row["format"] for row in rows))
        scores(rows, formats)
        alike(rows, formats)


def lines(*arguments, binary=None):
    return [json.loads(line) for line in machine.run(binary or machine.build("veduta-bench"), *arguments).splitlines()]


def grouped(rows, *keys):
    """Lists of rows by the values of `keys`."""
    groups = {}
    for row in rows:
        groups.setdefault(tuple(row[key] for key in keys), []).append(row)
    return groups


def mean(values):
    values = [value for value in values if not math.isnan(value)]
    return statistics.fmean(values) if values else math.nan


def scores(rows, formats):
    """The mean score of each quality, by format and width; `curve` is the mean of the sizes that make the curve."""
    widths = sorted({row["width"] for row in rows})
    print("mean SSIMULACRA2 by quality")
    print(f"{'quality':<9}" + "".join(f"{f'{format} {w}':>11}" for format in formats for w in (*widths, "curve")))
    for (quality,), some in sorted(grouped(rows, "quality").items()):
        cells = ""
        for format in formats:
            of_format = [row for row in some if row["format"] == format]
            for chosen in [(width,) for width in widths] + [CURVE_SIDES]:
                cells += f"{mean(row['score'] for row in of_format if row['width'] in chosen):>11.1f}"
        print(f"{quality:<9}" + cells)


def between(rows, value, known, wanted):
    """`wanted` of an encoding whose `known` is `value`, on the straight line between two measured ones; NaN outside."""
    rows = sorted(rows, key=lambda row: row[known])
    for low, high in zip(rows, rows[1:]):
        if low[known] <= value <= high[known]:
            share = (value - low[known]) / max(high[known] - low[known], 1e-9)
            return low[wanted] + share * (high[wanted] - low[wanted])
    return math.nan


def alike(rows, formats):
    """What looks as JPEG of 80 does."""
    print(f"as like as JPEG of quality {JPEG_QUALITY}: mean quality, its least and most, bytes beside JPEG's, ms per megapixel")
    for format in formats:
        for (width, _), some in sorted(sizes(rows).items()):
            qualities, shares, times = [], [], []
            for (_,), photo in grouped(some, "photo").items():
                jpeg = [row for row in photo if row["format"] == "jpeg"]
                own = [row for row in photo if row["format"] == format]
                score = between(jpeg, JPEG_QUALITY, "quality", "score")
                qualities.append(between(own, score, "score", "quality"))
                shares.append(between(own, score, "score", "bytes") / between(jpeg, score, "score", "bytes"))
                times += [between(own, score, "score", "cpu_ms") * 1e6 / (row["width"] * row["height"]) for row in own[:1]]
            print(
                f"  {format:<6}{width:>5} px{mean(qualities):>8.1f}{min(qualities):>7.0f}{max(qualities):>5.0f}"
                f"{mean(shares):>8.3f}{mean(times):>8.0f}"
            )


def sizes(rows):
    """Rows by width; photographs on end have another height."""
    return {(width, 0): some for (width,), some in grouped(rows, "width").items()}


def efforts(rows):
    """Bytes at a like score, and time, beside effort 2, which is AVIF's default: medians, as one photograph of the four is
    coded twice as long by one speed of libaom as by the next."""
    for (format,), some in grouped(rows, "format").items():
        print(
            f"{format}, 800 px: effort, bytes at a score of {EFFORT_SCORE} beside effort 2's, ms per picture,"
            " score at equal quality"
        )
        for (effort,), own in sorted(grouped(some, "effort").items()):
            shares = []
            for (photo,), of_photo in grouped(own, "photo").items():
                usual = [row for row in some if row["photo"] == photo and row["effort"] == 2]
                shares.append(
                    between(of_photo, EFFORT_SCORE, "score", "bytes") / between(usual, EFFORT_SCORE, "score", "bytes")
                )
            print(
                f"  {effort:>3}{statistics.median(share for share in shares if not math.isnan(share)):>8.3f}"
                f"{statistics.median(row['cpu_ms'] for row in own):>9.1f}"
                f"{statistics.median(row['score'] for row in own):>8.2f}"
            )


def chroma(rows):
    """By width: scores and bytes of both ways at equal quality, then bytes of 4:4:4 beside 4:2:0 at equal score."""
    for (width, _), some in sorted(sizes(rows).items()):
        photos = grouped(some, "photo").values()
        ways = [{way: [row for row in photo if row["chroma"] == way] for way in ("4:2:0", "4:4:4")} for photo in photos]
        print(
            f"{width} px: quality, score of 4:2:0 and of 4:4:4, bytes of 4:4:4 beside 4:2:0, at equal quality,"
            " and at the score of 4:2:0; the quality that takes"
        )
        for quality in sorted({row["quality"] for row in some}):
            cells, shares, like, likely = {way: [] for way in ("4:2:0", "4:4:4")}, [], [], []
            for way in ways:
                quarter, full = (next(row for row in way[name] if row["quality"] == quality) for name in way)
                cells["4:2:0"].append(quarter["score"])
                cells["4:4:4"].append(full["score"])
                shares.append(full["bytes"] / quarter["bytes"])
                like.append(between(way["4:4:4"], quarter["score"], "score", "bytes") / quarter["bytes"])
                likely.append(between(way["4:4:4"], quarter["score"], "score", "quality"))
            print(
                f"  {quality:>3}"
                + "".join(f"{mean(found):>7.1f}" for found in cells.values())
                + f"{mean(shares):>8.3f}{mean(like):>8.3f}{mean(likely):>7.1f}"
            )


def ratios(own, its, score):
    """Bytes and time of one photograph beside the other's at a score, of all rounds; empty where one does not reach it."""
    found = []
    for ours, theirs in zip(own, its):
        pair = [between(ours, score, "score", of) / between(theirs, score, "score", of) for of in ("bytes", "cpu_ms")]
        if not any(map(math.isnan, pair)):
            found.append(pair)
    return found


def told(found, goal):
    """The medians of such pairs, and whether they are the goal."""
    if not found:
        return "not reached"
    size, time = map(statistics.median, zip(*found))
    verdict = "goal reached" if size <= goal[0] and time <= goal[1] else "goal MISSED"
    return f"{size:.3f} {time:.2f} ({len(found)}) {verdict}"


def avif(photos, rounds, before):
    """By width and score: bytes and time of ours beside those of the program in the folder `before`, as medians over photographs
    and rounds."""
    if not before:
        print("quality avif: skipped, it needs --before")
        return
    programs = (None, os.path.join(before, "veduta-bench"))
    runs = [[lines("quality", *photos, binary=program) for program in programs] for _ in range(rounds)]
    print(f"AVIF beside before, at most {AVIF_GOAL[0]} of its bytes and {AVIF_GOAL[1]} of its time, and of how many pictures")
    widths = sorted({row["width"] for row in runs[0][0]})
    for width in widths:
        for score in AVIF_SCORES:
            found = []
            for photo in photos:
                own, its = ([[row for row in run[number] if is_avif(row, photo, width)] for run in runs] for number in range(2))
                found += ratios(own, its, score)
            print(f"  {width:>5} px, score {score}: {told(found, AVIF_GOAL)}")


def is_avif(row, photo, width):
    return row["format"] == "avif" and row["photo"] == photo and row["width"] == width


def mozjpeg(photos, rounds):
    """By width and score: bytes and time of ours beside mozjpeg's, as medians over rounds and the photographs that reach the
    score."""
    if not (library := machine.anchor()):
        print("quality: skipped, there is no mozjpeg")
        return
    home = servers.folder_for({})
    binary = os.path.join(home, "mozjpeg_peer")
    machine.compile_for_vips(os.path.join(machine.ROOT, "scripts", "benchmarks", "peers", "mozjpeg_peer.c"), binary, library)
    runs = []
    for _ in range(rounds):
        output = machine.run(binary, home, ",".join(map(str, MOZJPEG_QUALITIES)), *photos)
        theirs = [json.loads(line) for line in output.splitlines()]
        times = {(row["picture"], row["quality"]): row["cpu_ms"] for row in theirs}
        runs.append(lines("quality", "jpeg", *dict.fromkeys(row["picture"] for row in theirs)))
        for row in runs[-1]:
            if row["way"] == "mozjpeg":
                row["cpu_ms"] = times[row["photo"], row["quality"]]
    print(
        f"ours beside mozjpeg of libvips {theirs[0]['version']} at equal scores, at most {MOZJPEG_GOAL[0]} of its bytes and"
        f" {MOZJPEG_GOAL[1]:.2f} of its time, and of how many pictures"
    )
    pictures = [grouped(run, "width", "photo", "way") for run in runs]
    names = sorted({(width, photo) for width, photo, _ in pictures[0]})
    for width in sorted({width for width, _ in names}):
        for score in MOZJPEG_SCORES:
            cells = ""
            for way in ("usual", "progressive"):
                found = []
                for photo in (photo for of, photo in names if of == width):
                    own, its = ([one[width, photo, name] for one in pictures] for name in (way, "mozjpeg"))
                    found += ratios(own, its, score)
                cells += f"  {way} {told(found, MOZJPEG_GOAL)}"
            print(f"  {width:>5} px, score {score}:{cells}")


def maps():
    """Beside the way of `/asset` at the level that maps had before; the way of maps is `sampled 4`."""
    home = servers.folder_for({})
    for city, archive in ((True, os.path.join(machine.SHARED, "maps", "firenze.pmtiles")), (False, None)):
        if archive and not os.path.exists(archive):
            print("quality maps: without streets, ../shared is not here")
            continue
        with servers.veduta(machine.samples(), **({"map_archive": archive} if archive else {})) as ours:
            for scale in (1, 2):
                for zoom, place in [(14, FLORENCE), (15, FLORENCE), (17, FLORENCE)] if city else [(1, EUROPE), (4, EUROPE)]:
                    content = ours.get(f"/map?{place}&zoom={zoom}&scale={scale}&format=png")
                    with open(os.path.join(home, f"{'streets' if city else 'world'} {zoom} at {scale}x.png"), "wb") as file:
                        file.write(content)
    rows = lines("maps", *(os.path.join(home, name) for name in sorted(os.listdir(home))))
    ways = list(dict.fromkeys((row["strategy"], row["level"]) for row in rows))
    print("bytes and time beside `thorough 2`, ms of 512x512")
    print(f"{'':<20}" + "".join(f"{f'{name} {level}':>20}" for name, level in ways))
    for (picture,), some in grouped(rows, "picture").items():
        usual = next(row for row in some if (row["strategy"], row["level"]) == ("thorough", 2))
        print(
            f"{os.path.basename(picture)[:-4]:<20}"
            + "".join(
                f"{row['bytes'] / usual['bytes']:>8.2f}{row['cpu_ms'] / usual['cpu_ms']:>6.2f}"
                f"{row['cpu_ms'] * 2**18 / row['pixels']:>6.1f}"
                for row in some
            )
        )


def costs():
    """What `CostTable` is made of: units of encoders at each effort by width, means over two photographs."""
    photos = [os.path.join(machine.SHARED, "images", name) for name in PHOTOS[:2]]
    if not all(map(os.path.exists, photos)):
        print("costs: skipped, ../shared is not here")
        return
    rows = lines("costs", *photos)
    widths = sorted({row["width"] for row in rows})
    # Small pictures have costs of their own, and large ones fit no cache: the unit is that of the middle.
    unit = mean(row["ns"] for row in rows if row["kind"] == "decode jpeg" and row["width"] == widths[len(widths) // 2])
    print(f"units of {unit:.1f} ns a pixel, by width\n{'':<26}" + "".join(f"{width:>10}" for width in widths))
    for (kind,), some in grouped(rows, "kind").items():
        found = (mean(row["ns"] / unit for row in some if row["width"] == width) for width in widths)
        print(f"{kind:<26}" + "".join(f"{'' if math.isnan(units) else f'{units:.1f}':>10}" for units in found))
