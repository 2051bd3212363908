"""What can befall the files of a cache."""

import contextlib
import os
import random
import shutil


def _rewrite(path, change):
    with open(path, "rb") as file:
        data = bytearray(file.read())
    data = change(data)
    with open(path, "wb") as file:
        file.write(data)


def _flip(data, randomness):
    data[randomness.randrange(len(data))] ^= 1 << randomness.randrange(8)
    return data


def _zero(data, randomness):
    start = randomness.randrange(len(data)) & ~4095
    data[start : start + 4096] = bytes(len(data[start : start + 4096]))
    return data


def _replace(path, make):
    os.unlink(path)
    make(path)


def _hole(path):
    with open(path, "wb") as file:
        file.truncate(1 << 40)


KINDS = {
    "a flipped bit": lambda path, other, r: _rewrite(path, lambda o: _flip(o, r)),
    "a flipped bit at the end": lambda path, other, r: _rewrite(path, lambda o: o[:-100] + _flip(o[-100:], r)),
    "cut": lambda path, other, r: os.truncate(path, r.randrange(os.path.getsize(path))),
    "cut by one": lambda path, other, r: os.truncate(path, os.path.getsize(path) - 1),
    "empty": lambda path, other, r: os.truncate(path, 0),
    "longer": lambda path, other, r: _rewrite(path, lambda o: o + b"more"),
    "a page of zeros": lambda path, other, r: _rewrite(path, lambda o: _zero(o, r)),
    "all zeros": lambda path, other, r: _rewrite(path, lambda o: bytes(len(o))),
    "noise": lambda path, other, r: _rewrite(path, lambda o: r.randbytes(len(o))),
    "another entry": lambda path, other, r: _replace(path, lambda p: shutil.copy(other, p)),
    "a link to another entry": lambda path, other, r: _replace(path, lambda p: os.symlink(other, p)),
    "a link to nothing": lambda path, other, r: _replace(path, lambda p: os.symlink("/nonexistent/x", p)),
    "a folder": lambda path, other, r: _replace(path, os.mkdir),
    "a pipe": lambda path, other, r: _replace(path, os.mkfifo),
    "a hole of a terabyte": lambda path, other, r: _replace(path, _hole),
    "gone": lambda path, other, r: os.unlink(path),
}


def strike(kind, files, seed):
    """Does it to every second file and returns those. A server at work may have removed some meanwhile."""
    randomness = random.Random(seed)
    victims, others = files[::2], files[1::2]
    for victim, other in zip(victims, others):
        with contextlib.suppress(FileNotFoundError):
            KINDS[kind](victim, other, randomness)
    return victims[: len(others)]
