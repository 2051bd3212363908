"""operations.py OPENAPI PART PARTS: prints the names of one part of the operations, as schemathesis names them, one a line."""

import sys

import yaml

METHODS = ("get", "head", "post", "put", "patch", "delete", "options", "trace")

with open(sys.argv[1], encoding="utf-8") as file:
    paths = yaml.safe_load(file)["paths"]
names = [f"{method.upper()} {path}" for path, item in paths.items() for method in item if method in METHODS]
part, parts = int(sys.argv[2]), int(sys.argv[3])
# Those that take long (`/asset`, `/map`) stand beside each other.
print("\n".join(names[part::parts]))
