#!/usr/bin/env python3
"""check.py FILE: what openapi-spec-validator does not look at: examples and defaults fit their schemas, and no plain word was
meant to be a text (YAML 1.1 reads `off` as false) or was cut at a comma; patterns are of the whole text; and every excuse of
excused.toml names its section of a standard."""

import pathlib
import re
import sys
import tomllib

import jsonschema
import yaml

document = yaml.safe_load(open(sys.argv[1]))
faults = []


def resolved(schema):
    """The schema with references followed, as its validator needs it."""
    if isinstance(schema, dict):
        if "$ref" in schema:
            return resolved(document["components"]["schemas"][schema["$ref"].rsplit("/", 1)[-1]])
        return {key: resolved(value) for key, value in schema.items()}
    return [resolved(item) for item in schema] if isinstance(schema, list) else schema


def check(place, value, schema):
    for error in jsonschema.Draft202012Validator(resolved(schema)).iter_errors(value):
        faults.append(f"{place}: {error.message}")


def walk(place, node):
    if isinstance(node, list):
        for index, item in enumerate(node):
            walk(f"{place}/{index}", item)
    if not isinstance(node, dict):
        return
    if isinstance(node.get("schema"), dict):
        schema = node["schema"]
        if "example" in node:
            check(f"{place}/example", node["example"], schema)
        for name, example in node.get("examples", {}).items():
            check(f"{place}/examples/{name}", example["value"], schema)
        if "default" in schema:
            check(f"{place}/schema/default", schema["default"], schema)
    pattern = node.get("pattern")
    if isinstance(pattern, str) and not re.fullmatch(r"\^.*\$", pattern, re.DOTALL):
        faults.append(f"{place}/pattern: {pattern} holds for a part of a text")
    for key, value in node.items():
        if not isinstance(key, str):
            faults.append(f"{place}: the key {key!r} is no text")
        elif value is None:
            faults.append(f"{place}/{key}: there is nothing")
        # What examples have is compared with their schemas, which may take null.
        if key not in ("example", "examples"):
            walk(f"{place}/{key}", value)


walk("", document)
for number, entry in enumerate(tomllib.loads((pathlib.Path(__file__).parent / "excused.toml").read_text())["excused"], 1):
    if not re.match(r"RFC \d+ §\d|tus 1\.0\.0, ", entry.get("rfc", "")) or not entry.get("reason"):
        faults.append(f"excused.toml, {number}: no section of a standard, or no reason")
for fault in faults:
    print(f"contract: {fault}", file=sys.stderr)
sys.exit(bool(faults))
