"""parts.py FOLDER: checks the list of parts that scripts/sbom wrote into FOLDER."""

import json
import pathlib
import re
import sys

from cyclonedx.schema import SchemaVersion
from cyclonedx.validation.json import JsonStrictValidator


def main():
    folder = pathlib.Path(sys.argv[1])
    text = (folder / "sbom.cdx.json").read_text()
    error = JsonStrictValidator(SchemaVersion.V1_6).validate_str(text)
    if error:
        sys.exit(f"sbom.cdx.json is no CycloneDX 1.6: {error}")
    document = json.loads(text)
    parts = {part["bom-ref"]: part for part in document["components"]}
    linked = document["dependencies"][0]["dependsOn"]
    for reference in linked:
        part = parts[reference]
        if not part["version"] or not part["licenses"]:
            sys.exit(f"{part['name']} has no version or no licence")
    names = {parts[reference]["name"] for reference in linked}
    manifest = pathlib.Path("Package.swift").read_text()
    for url, version in re.findall(r'\.package\(url: "([^"]+)", exact: "([^"]+)"\)', manifest):
        part = parts.get(f"pkg:swift/{url.removeprefix('https://')}@{version}")
        if not part or part["bom-ref"] not in linked:
            sys.exit(f"{url} {version} is missing")
    for library in (
        "libvips42",
        "libjpeg62-turbo",
        "libdeflate0",
        "libssl3",
        "libcurl4",
        "libsqlite3-0",
        "libhiredis0.14",
        "libc6",
    ):
        if library not in names:
            sys.exit(f"{library} is missing")
    notices = (folder / "LICENCES.txt").read_text()
    for name in names:
        if name not in notices:
            sys.exit(f"LICENCES.txt leaves {name} out")
    for name in ("swift", "swift-log", "swift-argument-parser", "veduta"):
        if "Apache License" not in (folder / "licences" / f"{name}.txt").read_text():
            sys.exit(f"there is no licence of {name}")
    print(f"{len(parts)} parts, {len(linked)} of them linked to")


main()
