"""parse.py TEXT OPENMETRICS: reads both formats of /metrics with the parsers of prometheus-client and compares them."""

import sys

from prometheus_client.openmetrics.parser import text_string_to_metric_families as read_open
from prometheus_client.parser import text_string_to_metric_families as read_text

NEEDED = (
    "veduta_request_duration_seconds",
    "veduta_render_queue_duration_seconds",
    "veduta_render_duration_seconds",
    "veduta_render_stage_duration_seconds",
    "veduta_origin_fetch_duration_seconds",
    "veduta_backlog_seconds",
    "veduta_build_info",
    "veduta_vips_memory_bytes",
    "process_resident_memory_bytes",
    "process_open_fds",
)


def read(parser, path):
    """The label sets of all samples by name, and the names and types of the families."""
    with open(path, encoding="utf-8") as file:
        families = list(parser(file.read()))
    series = {(sample.name, tuple(sorted(sample.labels.items()))) for family in families for sample in family.samples}
    return series, {family.name: family.type for family in families}


def main():
    text, text_families = read(read_text, sys.argv[1])
    opened, open_families = read(read_open, sys.argv[2])
    # The first scrape is counted before the second.
    missing = {name for name in text - opened if name[0] != "veduta_requests_total"}
    if missing:
        sys.exit(f"not in OpenMetrics: {sorted(missing)[:5]}")
    lacking = [name for name in NEEDED if name not in open_families or name not in text_families]
    if lacking:
        sys.exit(f"there is no {', '.join(lacking)}")
    if any(value == "other" for _, labels in opened for _, value in labels):
        sys.exit("something counts under a label that was not declared")
    print(f"{len(open_families)} families, {len(opened)} series: both formats agree")


main()
