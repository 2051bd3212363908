"""Run by scripts/bench asset under the Python that has Pillow, NumPy, SciPy and ssimulacra2:

  likeness.py make FOLDER PHOTO   writes photo.png and photo.gif, an animation that moves over the photograph
  likeness.py ordinary FOLDER PHOTO…  writes each photograph at 2040x1356 as N.jpg (progressive), N.png, N.webp and N.avif
  likeness.py score JOB           reads {server: [[source, output]…]}, writes {server: {bytes, frames, ssim, ssimulacra2}}
  likeness.py compare             reads [[picture, other]…], writes the lowest SSIMULACRA2, and the most levels between samples

The reference of a job is its source decoded in full and resampled once by Lanczos-3; of an animation, three frames."""

import json
import os
import sys
import tempfile

import numpy
from PIL import Image, ImageFilter, ImageOps
from scipy import ndimage
from ssimulacra2 import compute_ssimulacra2

FRAMES = 40
ORDINARY = (2040, 1356)
SIDES = {"a": (800, 600), "c": (800, 600), "d": (800, 600), "e": (800, 600), "g": (800, 600), "f": (200, 150), "w": (200, 150)}
SIDES |= dict.fromkeys(("jpeg", "png", "webp", "avif"), (512, 340))


def make(folder, photo):
    picture = Image.open(photo).convert("RGB")
    picture.save(os.path.join(folder, "photo.png"), compress_level=4)
    small = picture.resize((1280, 960), Image.Resampling.LANCZOS)
    frames = []
    for number in range(FRAMES):
        left, top = 16 * number, 12 * number
        frames.append(small.crop((left, top, left + 640, top + 480)).quantize(256))
    frames[0].save(os.path.join(folder, "photo.gif"), save_all=True, append_images=frames[1:], duration=80, loop=0)


def make_ordinary(folder, *photos):
    for number, photo in enumerate(photos):
        picture = ImageOps.fit(Image.open(photo).convert("RGB"), ORDINARY, Image.Resampling.LANCZOS)
        for kind, options in (
            ("jpg", dict(quality=80, progressive=True)),
            ("png", {}),
            ("webp", dict(quality=75)),
            ("avif", dict(quality=65)),
        ):
            picture.save(os.path.join(folder, f"{number}.{kind}"), **options)


def frames(path):
    """Three frames of an animation as RGB, or the picture, and how many there are."""
    with Image.open(path) as picture:
        count = getattr(picture, "n_frames", 1)
        found = []
        for number in sorted({0, count // 2, count - 1}):
            picture.seek(number)
            found.append(picture.convert("RGB"))
        return found, count


def references(job, frame):
    """What a faultless server would send; several where servers mean different things by a job."""
    if job == "b":
        return [frame.resize((200, 200), Image.Resampling.LANCZOS, box=(500, 0, 3500, 3000))]
    picture = frame.resize(SIDES[job], Image.Resampling.LANCZOS)
    if job != "g":
        return [picture]
    turned = picture.transpose(Image.Transpose.ROTATE_270)
    samples = numpy.asarray(turned, float) / 255
    light = numpy.where(samples <= 0.04045, samples / 12.92, ((samples + 0.055) / 1.055) ** 2.4)
    grey = light @ [0.2126, 0.7152, 0.0722]
    shown = numpy.where(grey <= 0.0031308, grey * 12.92, 1.055 * grey ** (1 / 2.4) - 0.055)
    by_light = Image.fromarray(numpy.uint8(numpy.round(shown * 255)))
    return [grey.filter(ImageFilter.GaussianBlur(2)).convert("RGB") for grey in (turned.convert("L"), by_light)]


def ssim(one, other):
    """Structural similarity of luma (Wang and others, 2004: a bell of 1.5 pixels over 11)."""
    x, y = (numpy.asarray(picture.convert("L"), float) for picture in (one, other))

    def mean(samples):
        return ndimage.gaussian_filter(samples, 1.5, truncate=3.5)

    across, down = mean(x), mean(y)
    spread = mean(x * x) - across**2, mean(y * y) - down**2
    shared = mean(x * y) - across * down
    first, second = (0.01 * 255) ** 2, (0.03 * 255) ** 2
    share = (
        (2 * across * down + first) * (2 * shared + second) / ((across**2 + down**2 + first) * (spread[0] + spread[1] + second))
    )
    return float(share[5:-5, 5:-5].mean())


def perceived(reference, picture):
    with tempfile.TemporaryDirectory() as home:
        paths = [os.path.join(home, name) for name in ("reference.png", "picture.png")]
        reference.save(paths[0])
        picture.save(paths[1])
        return float(compute_ssimulacra2(*paths))


def score(job, pairs):
    byte_count, counts, likes, scores = 0, [], [], []
    for source, output in pairs:
        wanted, _ = frames(source)
        found, count = frames(output)
        byte_count += os.path.getsize(output)
        counts.append(count)
        for frame, picture in zip(wanted, found):
            choices = references(job, frame)
            if picture.size != choices[0].size:
                # A pixel more or less on the longer side is a matter of rounding; anything else is another picture.
                if max(abs(a - b) for a, b in zip(picture.size, choices[0].size)) > 1:
                    raise SystemExit(f"{output} is {picture.size}, not {choices[0].size}")
                picture = picture.resize(choices[0].size, Image.Resampling.BICUBIC)
            best = max(choices, key=lambda choice: ssim(choice, picture))
            likes.append(ssim(best, picture))
            scores.append(perceived(best, picture))
    return {
        "bytes": byte_count / len(pairs),
        "frames": min(counts),
        "ssim": sum(likes) / len(likes),
        "ssimulacra2": sum(scores) / len(scores),
    }


def compare(pairs):
    pictures = [[Image.open(path).convert("RGB") for path in pair] for pair in pairs]
    samples = [[numpy.asarray(picture, int) for picture in pair] for pair in pictures]
    return {
        "ssimulacra2": min(perceived(*pair) for pair in pictures),
        "levels": max(int(numpy.abs(one - other).max()) for one, other in samples),
    }


if sys.argv[1] == "make":
    make(*sys.argv[2:])
elif sys.argv[1] == "ordinary":
    make_ordinary(*sys.argv[2:])
elif sys.argv[1] == "compare":
    print(json.dumps(compare(json.load(sys.stdin))))
else:
    print(json.dumps({name: score(sys.argv[2], pairs) for name, pairs in json.load(sys.stdin).items()}))
