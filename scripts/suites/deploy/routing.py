"""routing.py PROXY FIRST SECOND PID: through PROXY, each URL is rendered by one of two servers alone; when the second, of process
PID, is killed, the other one answers everything. /metrics and /cache stay inside."""

import os
import re
import signal
import sys
import urllib.error
import urllib.request

COUNT = 40


def status(url, **options):
    try:
        with urllib.request.urlopen(urllib.request.Request(url, **options), timeout=60) as answer:
            answer.read()
            return answer.status
    except urllib.error.HTTPError as error:
        return error.code


def renders(server):
    with urllib.request.urlopen(f"{server}/metrics", timeout=10) as answer:
        found = re.search(r'^veduta_renders_total\{route="asset"\} (\d+)$', answer.read().decode(), re.MULTILINE)
    return int(found[1]) if found else 0


def main():
    proxy, first, second, process = sys.argv[1:]
    urls = [f"{proxy}/asset?id=lagoon.jpg&width={100 + number}&format=jpeg" for number in range(COUNT)]
    for _ in range(3):
        for url in urls:
            if status(url) != 200:
                sys.exit(f"no image from {url}")
    shares = renders(first), renders(second)
    if sum(shares) != COUNT or min(shares) == 0:
        sys.exit(f"{COUNT} URLs were rendered {shares[0]} and {shares[1]} times")
    for path in ("/metrics", "/cache"):
        if status(proxy + path) not in (403, 404):
            sys.exit(f"{path} can be reached through the proxy")
    os.kill(int(process), signal.SIGKILL)
    failed = [url for url in urls if status(url) != 200]
    if failed:
        sys.exit(f"{len(failed)} of {COUNT} requests failed when a server was killed")
    print(f"{COUNT} URLs, rendered once each ({shares[0]} and {shares[1]}), and all answered when one server was killed")


main()
