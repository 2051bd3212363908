"""settings.py PROGRAM CHART: the settings that compose.yaml, the manifest and CHART, a manifest that helm made, give a server are
valid: PROGRAM checks them. The manifest and the chart have the same ones."""

import os
import pathlib
import re
import subprocess
import sys

import yaml


def read(path):
    return yaml.safe_load(pathlib.Path(path).read_text(encoding="utf-8"))


def of_container(path):
    containers = read(path)["spec"]["template"]["spec"]["containers"]
    return {entry["name"]: entry["value"] for entry in containers[0]["env"]}


def of_service(service):
    """The settings, with the defaults of what the operator may set."""
    return {name: re.sub(r"\$\{\w+:-([^}]*)\}", r"\1", value) for name, value in service["environment"].items()}


def check(program, name, settings):
    variables = {name: value for name, value in os.environ.items() if not name.startswith("VEDUTA_")}
    command = [program, "config", "check"]
    run = subprocess.run(command, env=variables | settings, capture_output=True, text=True, timeout=60)
    if run.returncode:
        sys.exit(f"{name}: {run.stdout}{run.stderr}")
    print(f"{name}: {len(settings)} settings are valid")


def main():
    program, chart = sys.argv[1:]
    compose = read("deploy/compose/compose.yaml")["services"]
    for name in ("veduta-1", "veduta-2"):
        check(program, name, of_service(compose[name]))
    manifest, made = of_container("deploy/kubernetes/deployment.yaml"), of_container(chart)
    if manifest != made:
        sys.exit(f"the manifest and the chart differ: {sorted(set(manifest.items()) ^ set(made.items()))}")
    check(program, "manifest and chart", manifest)


main()
