"""routing.py PROXY FIRST SECOND PID WIDTH: through PROXY, each URL is rendered by one of two servers alone; when the second, of
process PID, is killed, the other one answers everything. /metrics and /cache stay inside, and what clients say of the host is
not believed. URLs have widths from WIDTH on."""

import os
import re
import signal
import ssl
import sys
import time
import urllib.error
import urllib.request

COUNT = 40
# The certificate is one that was made for this, and its name another.
ANY_CERTIFICATE = ssl._create_unverified_context()


def status(url):
    """0: no answer."""
    try:
        with urllib.request.urlopen(url, timeout=60, context=ANY_CERTIFICATE) as answer:
            answer.read()
            return answer.status
    except urllib.error.HTTPError as error:
        return error.code
    except OSError:
        return 0


def renders(server):
    with urllib.request.urlopen(f"{server}/metrics", timeout=10) as answer:
        found = re.search(r'^veduta_renders_total\{route="asset"\} (\d+)$', answer.read().decode(), re.MULTILINE)
    return int(found[1]) if found else 0


def await_proxy(proxy):
    """Until it has found the servers well."""
    end = time.monotonic() + 60
    while status(f"{proxy}/health/ready") != 200:
        if time.monotonic() > end:
            sys.exit(f"{proxy} does not answer")
        time.sleep(0.1)


def main():
    proxy, first, second, process, width = sys.argv[1:]
    await_proxy(proxy)
    urls = [f"{proxy}/asset?id=lagoon.jpg&width={int(width) + number}&format=jpeg" for number in range(COUNT)]
    before = renders(first), renders(second)
    for _ in range(3):
        for url in urls:
            if status(url) != 200:
                sys.exit(f"no image from {url}")
    shares = renders(first) - before[0], renders(second) - before[1]
    if sum(shares) != COUNT or min(shares) == 0:
        sys.exit(f"{COUNT} URLs were rendered {shares[0]} and {shares[1]} times")
    for path in ("/metrics", "/cache"):
        if status(proxy + path) not in (403, 404):
            sys.exit(f"{path} can be reached through the proxy")
    invented = urllib.request.Request(f"{proxy}/tiles/light.json", headers={"X-Forwarded-Host": "evil.example"})
    with urllib.request.urlopen(invented, timeout=60, context=ANY_CERTIFICATE) as answer:
        if b"evil.example" in answer.read():
            sys.exit("the proxy passes on the X-Forwarded-Host of its client")
    os.kill(int(process), signal.SIGKILL)
    failed = [url for url in urls if status(url) != 200]
    if failed:
        sys.exit(f"{len(failed)} of {COUNT} requests failed when a server was killed")
    print(f"{COUNT} URLs, rendered once each ({shares[0]} and {shares[1]}), and all answered when one server was killed")


main()
