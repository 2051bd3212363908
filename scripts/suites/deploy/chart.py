"""chart.py CHART FOLDER: the chart has no fault that helm's linter knows; writes what helm makes of it, as it is and with everything
on, to FOLDER."""

import pathlib
import sys

import helm_python

# All that values.yaml turns off.
EVERYTHING = {
    "autoscaling": {"enabled": True},
    "ingress": {"enabled": True},
    "secret": "veduta",
    "imagePullSecrets": [{"name": "registry"}],
}
INFORMATION = 1


def main():
    chart, folder = sys.argv[1], pathlib.Path(sys.argv[2])
    for name, values in (("plain", {}), ("everything", EVERYTHING)):
        report = helm_python.lint(chart, values, strict=True)
        faults = [message for message in report["messages"] if message["severity"] > INFORMATION]
        if faults or report["errors"]:
            sys.exit(f"helm lint: {faults} {report['errors']}")
        with helm_python.Chart.load(chart) as loaded:
            files = loaded.render(values, name="veduta", namespace="pictures")
        made = {pathlib.Path(path).name: text for path, text in files.items() if text.strip()}
        for path, text in made.items():
            (folder / f"{name}-{path}").write_text(text, encoding="utf-8")
        print(f"helm {helm_python.helm_sdk_version()}: {name}: {', '.join(sorted(made))}")


main()
