"""What can befall the files of a cache."""

import os
import random
import shutil


def _rewrite(path, change):
    with open(path, "rb") as file:
        octets = bytearray(file.read())
    octets = change(octets)
    with open(path, "wb") as file:
        file.write(octets)


def _flip(octets, randomness):
    octets[randomness.randrange(len(octets))] ^= 1 << randomness.randrange(8)
    return octets


def _zero(octets, randomness):
    start = randomness.randrange(len(octets)) & ~4095
    octets[start : start + 4096] = bytes(len(octets[start : start + 4096]))
    return octets


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
    """Does it to every second file and returns those."""
    randomness = random.Random(seed)
    victims, others = files[::2], files[1::2]
    for victim, other in zip(victims, others):
        KINDS[kind](victim, other, randomness)
    return victims[: len(others)]
