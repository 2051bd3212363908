"""The hostile inputs of ../shared against a server with the default formats, and with all; called by its `run`."""

import argparse
import json
import multiprocessing
import os
import subprocess
import sys
import types

import server as servers
import steady

FORMATS = {"default": "off", "every format": "svg,pdf,jxl,bmp,ico"}
# A client may have to wait for what cannot be stopped, and for the processors that it takes.
LONGEST = 5000  # milliseconds


def main():
    parser = argparse.ArgumentParser()
    for name in ("--binary", "--library", "--hostile", "--json"):
        parser.add_argument(name, required=True)
    parser.add_argument("options", nargs="*")
    arguments = parser.parse_args()
    multiprocessing.set_start_method("spawn")
    results = []
    for name, formats in FORMATS.items():
        print("%s:" % name, flush=True)
        results += check(name, formats, arguments)
    with open(arguments.json, "w") as file:
        json.dump(results, file, indent=1)
    sys.exit(any(result["bad"] for result in results))


def check(name, formats, arguments):
    path = arguments.json + ".part"
    library = types.SimpleNamespace(folder=arguments.library)
    with servers.Server(arguments.binary, library, "--formats", formats) as server:
        client = steady.SteadyClient(server.address, ("uncached", "health")).start()
        command = [
            *(sys.executable, os.path.join(arguments.hostile, "check.py"), "--hostile", arguments.hostile),
            *("--url", "http://127.0.0.1:%d/asset?id={id}&{params}" % server.address[1], "--pid", str(server.pid)),
            *("--json", path, *arguments.options),
        ]
        subprocess.run(command, timeout=1800)
        found = client.stop()
        with open(path) as file:
            results = json.load(file)
        for result in results:
            result["name"] = "%s, %s" % (result["name"], name)
        for kind, entry in found.items():
            text = "%d answers to another client's %s, %d errors, %d times 503, p50 %.1f ms, worst %.0f ms" % (
                *(entry["count"], kind, len(entry["errors"]), entry["refused"], entry["p50"], entry["worst"]),
            )
            print("    " + text, flush=True)
            bad = entry["errors"] or entry["refused"] or entry["count"] < len(results) or entry["worst"] > LONGEST
            first = ": " + entry["errors"][0] if entry["errors"] else ""
            results.append({"name": "steady %s, %s" % (kind, name), "bad": [text + first] if bad else []})
        code = server.stop() if server.is_running() else server.wait(0)
        results.append({"name": "the end, %s" % name, "bad": [] if code == 0 else ["SIGTERM ends it with %s" % code]})
    return results


if __name__ == "__main__":
    main()
