"""check.py METRICS RULES POLICY: every metric that alerts and the dashboard name is one of METRICS, the text of /metrics; every alert
has a runbook that exists, and tests that it fires and that it does not; the manifests and the chart have the same settings of
safety, and their network policies (POLICY is what helm makes of the chart's) let pass what the documents promise. Writes the
queries of the dashboard to RULES, for promtool."""

import json
import pathlib
import re
import sys

import yaml

NAME = re.compile(r"\b((?:veduta|process)_[a-z0-9_]+)\b")
SAFETY = (
    "readOnlyRootFilesystem: true",
    "allowPrivilegeEscalation: false",
    "drop: [ALL]",
    "runAsNonRoot: true",
    "RuntimeDefault",
    # The token, without which nobody can purge, is no text of the manifest.
    "secretRef: {name: ",
)
# Of network.yaml, where the network of the others is closed.
WAYS = ('veduta-purge: "true"', "port: 6379", "port: 53", "port: 9090", "port: 8080")


def known(text):
    """Names of samples: histograms have three for each family."""
    names = set()
    for name, kind in re.findall(r"^# TYPE (\S+) (\S+)$", text, re.MULTILINE):
        names |= {f"{name}_bucket", f"{name}_sum", f"{name}_count"} if kind == "histogram" else {name}
    return names


def check_tests(alerts):
    """Each of `alerts` has a test in which it fires, and one in which it does not."""
    tests = yaml.safe_load(pathlib.Path("deploy/prometheus/alerts.test.yml").read_text(encoding="utf-8"))["tests"]
    rules = [rule for test in tests for rule in test["alert_rule_test"]]
    for wanted in (True, False):
        tested = {rule["alertname"] for rule in rules if bool(rule["exp_alerts"]) == wanted}
        if set(alerts) - tested:
            sys.exit(f"no test in which it {'fires' if wanted else 'does not fire'}: {', '.join(sorted(set(alerts) - tested))}")


def write_rules(expressions, path):
    """A file of rules that promtool can parse, and so the queries of the dashboard."""
    for name, value in (("$__rate_interval", "5m"), ("$instance", ".*")):
        expressions = [text.replace(name, value) for text in expressions]
    rules = [{"record": f"query:{number}", "expr": text} for number, text in enumerate(expressions)]
    pathlib.Path(path).write_text(json.dumps({"groups": [{"name": "dashboard", "rules": rules}]}), encoding="utf-8")


def main():
    names = known(pathlib.Path(sys.argv[1]).read_text(encoding="utf-8"))
    deploy = pathlib.Path("deploy")
    alerts = (deploy / "prometheus/alerts.yml").read_text(encoding="utf-8")
    dashboard = json.loads((deploy / "grafana/dashboards/veduta.json").read_text(encoding="utf-8"))
    panels = [panel for panel in dashboard["panels"] if panel["type"] != "row"]
    expressions = [target["expr"] for panel in panels for target in panel["targets"]]
    asked = set(NAME.findall(alerts)) | {name for text in expressions for name in NAME.findall(text)}
    asked |= set(NAME.findall((deploy / "kubernetes/autoscaler.yaml").read_text(encoding="utf-8")))
    strange = asked - names
    if strange:
        sys.exit(f"no such metric: {', '.join(sorted(strange))}")
    write_rules(expressions, sys.argv[2])
    ids = [panel["id"] for panel in dashboard["panels"]]
    if len(ids) != len(set(ids)):
        sys.exit("two panels of the dashboard have one id")

    headings = set(re.findall(r"^### (\S+)$", pathlib.Path("docs/OPERATIONS.md").read_text(encoding="utf-8"), re.MULTILINE))
    named = re.findall(r"- alert: (\S+)", alerts)
    if set(named) - headings:
        sys.exit(f"docs/OPERATIONS.md says nothing of {', '.join(sorted(set(named) - headings))}")
    check_tests(named)
    if re.findall(r"runbook: docs/OPERATIONS.md#(\S+)", alerts) != [name.lower() for name in named]:
        sys.exit("a runbook is not that of its alert")

    for path in ("compose/nginx.conf", "proxies/nginx.conf"):
        text = (deploy / path).read_text(encoding="utf-8")
        if "proxy_add_x_forwarded_for" in text:
            sys.exit(f"deploy/{path} passes on what clients say of their addresses")
        if "location = /cache { return 403; }" not in text:
            sys.exit(f"deploy/{path} sends a purge to one server, as each has its own cache")

    for path in ("kubernetes/deployment.yaml", "helm/veduta/templates/deployment.yaml"):
        text = (deploy / path).read_text(encoding="utf-8")
        lacking = [line for line in SAFETY if line not in text]
        if lacking:
            sys.exit(f"deploy/{path} lacks {lacking}")
    for path in (deploy / "kubernetes/network.yaml", pathlib.Path(sys.argv[3])):
        text = json.dumps(list(yaml.safe_load_all(path.read_text(encoding="utf-8"))))
        lacking = [way for way in WAYS if json.dumps(yaml.safe_load("{" + way + "}"))[1:-1] not in text]
        if lacking:
            sys.exit(f"{path} has no way for {lacking}")
    print(f"{len(named)} alerts and {len(panels)} panels ask for {len(asked)} metrics, and all exist")


main()
