"""What `scripts/conformance contract` tells schemathesis: which failures are none, by excused.toml beside this file."""

import fnmatch
import json
import pathlib
import re
import tomllib

import schemathesis
import yaml

EXCUSED = tomllib.loads((pathlib.Path(__file__).parent / "excused.toml").read_text())["excused"]


@schemathesis.serializer("application/offset+octet-stream")
def bytes_of_an_upload(context, value):
    return value if isinstance(value, bytes) else str(value).encode()


# The first name is the one that schemathesis finds for all of them.
@schemathesis.deserializer("text/yaml", "application/yaml")
def yaml_of_a_response(context, response):
    """A part of a document need not be YAML, which ends a worker of schemathesis unless it is a ValueError."""
    try:
        return yaml.safe_load(response.content)
    except yaml.YAMLError as error:
        raise ValueError(str(error)) from None


def is_beyond_latin_1(value):
    return any(ord(character) > 255 for character in str(value))


def drop_unsendable_fields(case):
    """schemathesis puts ids that it has read in answers into fields too, where only Latin-1 can be sent."""
    for name in [name for name, value in (case.headers or {}).items() if is_beyond_latin_1(value)]:
        del case.headers[name]


@schemathesis.hook
def before_add_examples(context, examples):
    for case in examples:
        drop_unsendable_fields(case)


@schemathesis.hook
def before_call(context, case, kwargs):
    """A part of compressed content cannot be unpacked, which the client tries where it asked for compression."""
    drop_unsendable_fields(case)
    if any(name.lower() == "range" for name in case.headers):
        case.headers["Accept-Encoding"] = "identity"


@schemathesis.hook
def filter_failure(context, failure, case, response):
    """Whether the failure counts."""
    return not any(excuses(entry, failure, case, response) for entry in EXCUSED)


def excuses(entry, failure, case, response):
    statuses = entry["status"] if isinstance(entry["status"], list) else [entry["status"]]
    if entry["failure"] != type(failure).__name__ or response.status_code not in statuses:
        return False
    if not fnmatch.fnmatchcase(case.operation.label, entry.get("operation", "*")):
        return False
    if not re.search(entry.get("target", ""), response.request.url):
        return False
    if entry.get("message", "") not in failure.message:
        return False
    if "without" in entry and entry["without"] in response.request.headers:
        return False
    # HEAD is judged by its status: why it is refused is said to GET alone.
    return "problem" not in entry or case.method == "HEAD" or names(entry, response)


def names(entry, response):
    """Whether the answer is the problem of the entry, and no fault in it is another."""
    try:
        problem = json.loads(response.content)
    except ValueError:
        return False
    return problem.get("type") == f"urn:problem-type:veduta:{entry['problem']}" and all(
        fault["parameter"] in entry.get("parameters", [])
        or re.search(entry.get("faults", "$^"), "%s value=%s" % (fault["detail"], fault.get("value")))
        for fault in problem.get("parameters", [])
    )
