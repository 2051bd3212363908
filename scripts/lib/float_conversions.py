#!/usr/bin/env python3
"""Finds whole numbers made of floating ones by a bare `Int(…)`, which ends the process for NaN, infinity and what is too large.

`Int(held:in:)` of the module Bytes does not. What is known to be in range stands in float-conversions.txt, one line each time: the
file, a tab, and the conversion as it is written. An expression counts as floating where it says so itself (`rounded`, a decimal
point, `Double(…)`) or names something that the same file declares as floating.
"""

import collections
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
KNOWN = pathlib.Path(__file__).with_name("float-conversions.txt")
FLOAT = r"Double|Float|CGFloat|SIMD\d<(?:Double|Float)>"
CALL = re.compile(r"(?<![\w.])U?Int(?:8|16|32|64)?\(")
LABEL = re.compile(r"\s*(?:exactly|truncatingIfNeeded|bitPattern|clamping|held|littleEndian|bigEndian|\w+):")
SAYS = re.compile(
    r"\.rounded\b|\.squareRoot\b|\.truncatingRemainder\b|\b\d[\d_]*\.\d|\.pi\b|\.infinity\b"
    r"|(?<!\w)(?:Double|Float)\((?!of)|\bfloor\(|\bceil\(|Trigonometry\.|\bpow\("
)
DECLARED = re.compile(rf"\b(\w+): (?:inout |borrowing )?(?:{FLOAT})\b(?!\()")
ASSIGNED = re.compile(r"\b(?:let|var) (\w+)(?:: \w+)? = ([^\n]*)")
NAME = re.compile(r"(?<![\w.(])\(?(?:self\.)?(\w+)\b(?![(\w:])|\.(\w+)\b(?![(\w:])")


def argument(text, start):
    depth, position = 1, start
    while depth and position < len(text):
        depth += {"(": 1, "[": 1, "{": 1, ")": -1, "]": -1, "}": -1}.get(text[position], 0)
        position += 1
    return text[start : position - 1]


def strip_integers(expression):
    """Without what is a whole number already: counts, and conversions to one."""
    expression = re.sub(r"\.count\b", "", expression)
    while True:
        call = CALL.search(expression)
        if not call:
            return expression
        inner = argument(expression, call.end())
        expression = expression[: call.start()] + "1" + expression[call.end() + len(inner) + 1 :]


def is_floating(expression, names):
    expression = strip_integers(expression)
    if SAYS.search(expression):
        return True
    return any((own or member) in names for own, member in NAME.findall(expression))


def conversions(path):
    text = (ROOT / path).read_text()
    text = re.sub(r"//[^\n]*", "", text)
    names = set(DECLARED.findall(text))
    for name, value in ASSIGNED.findall(text):
        if re.search(r"= *(?:Int|UInt)", f"= {value}") or not SAYS.search(strip_integers(value)):
            continue
        if not re.search(r"[<>]|==|\?|\bmap\b|\{", value):
            names.add(name)
    for call in CALL.finditer(text):
        inner = argument(text, call.end())
        if not LABEL.match(inner) and is_floating(inner, names):
            line = text.count("\n", 0, call.start()) + 1
            yield line, re.sub(r"\s+", " ", f"{call.group()}{inner})")


def main():
    files = subprocess.run(
        ["git", "-C", ROOT, "ls-files", "--cached", "--others", "--exclude-standard", "Sources/*.swift"],
        capture_output=True,
        text=True,
        check=True,
    ).stdout.split()
    lines = KNOWN.read_text().splitlines() if KNOWN.exists() else []
    known = collections.Counter(line for line in lines if line and not line.startswith("#"))
    found, isClean = collections.Counter(), True
    for path in sorted(files):
        if not (ROOT / path).exists():
            continue
        for line, code in conversions(path):
            entry = f"{path}\t{code}"
            found[entry] += 1
            if "--list" in sys.argv:
                print(entry)
            elif found[entry] > known[entry]:
                isClean = False
                print(f"{path}:{line}: {code}: use {code.split('(')[0]}(held:in:)", file=sys.stderr)
    if "--list" not in sys.argv:
        for entry in sorted(known - found):
            isClean = False
            print(f"{KNOWN.name}: no longer there: {entry}", file=sys.stderr)
    return 0 if isClean else 1


sys.exit(main())
