"""`scripts/bench http`: cached answers over HTTP/1.1, beside other servers, in one run."""

import statistics
import sys

from benchmarks import load, machine, servers

BODY = 20_480
IDLE_MB_GOAL = 40
WORKLOADS = {
    "200, 64 connections": dict(connections=64),
    "200, 512 connections": dict(connections=512),
    "304, 64 connections": dict(connections=64, knows=True),
    "200, 64 connections, pipelined by 16": dict(connections=64, depth=16),
    "304, 64 connections, pipelined by 16": dict(connections=64, depth=16, knows=True),
    "200, 64 connections, each for one request": dict(connections=64, closes=True),
}
PEERS = ("nginx", "nginx+cache", "h2o", "limit", "hummingbird")


def picture_of_about(server, byte_count):
    """A path of our server whose picture has about so many bytes, and those bytes."""
    best = None
    for width in (360, 400):
        for quality in range(40, 96, 3):
            path = f"/asset?id=lagoon.jpg&width={width}&quality={quality}&format=jpeg"
            content = server.get(path)
            if best is None or abs(len(content) - byte_count) < abs(len(best[1]) - byte_count):
                best = (path, content)
    return best


def start(chosen):
    """Our server and those of its peers that can run here, all with the same content."""
    ours = servers.veduta_for_hits(machine.samples())
    ours.path, content = picture_of_about(ours, BODY)
    folder = servers.folder_for({"picture.jpg": content})
    makers = {
        "nginx": lambda: servers.nginx(folder, caches_files=False),
        "nginx+cache": lambda: servers.nginx(folder, caches_files=True),
        "h2o": lambda: servers.h2o(folder),
        "limit": lambda: servers.limit(folder),
        "hummingbird": lambda: servers.hummingbird(folder),
    }
    running = [ours] + [server for name in chosen if (server := makers[name]())]
    for server in running:
        status, fields, data = server.exchange()
        server.tag = fields["ETag"]
        if status != 200 or data != content:
            sys.exit(f"{server.name} does not send the picture: {status}")
        if server.exchange(headers={"If-None-Match": server.tag})[0] != 304:
            sys.exit(f"{server.name} does not answer 304")
    return running, len(content)


def options(server, knows=False, closes=False, **more):
    fields = ([f"If-None-Match: {server.tag}"] if knows else []) + (["Connection: close"] if closes else [])
    return dict(fields=fields, **more)


def measure(running, rounds, seconds, workloads=WORKLOADS):
    """Loads by workload and server: every round asks every server, so that all see the same machine."""
    results = {}
    for title, workload in workloads.items():
        # The limit program never closes.
        asked = [server for server in running if server.name != "limit" or "closes" not in workload]
        for server in asked:
            load.wrk(server, seconds=1, **options(server, **workload))
        for _ in range(rounds):
            for server in asked:
                found = load.wrk(server, seconds=seconds, **options(server, **workload))
                results.setdefault(title, {}).setdefault(server.name, []).append(found)
        report(title, results[title])
    return results


def median(loads, figure):
    return statistics.median(getattr(one, figure) for one in loads)


def ratio(loads, of, to, figure):
    """The median over the rounds of the ratio within a round."""
    pairs = zip(loads[of], loads[to])
    return statistics.median(getattr(a, figure) / max(1e-9, getattr(b, figure)) for a, b in pairs)


def report(title, loads):
    print(f"\n{title}")
    print(f"  {'server':<13}{'requests/s':>11}{'CPU us':>8}{'p50 ms':>8}{'p99 ms':>8}{'errors':>7}   veduta's share: CPU, rate")
    for name, found in loads.items():
        errors = sum(one.errors for one in found)
        line = (
            f"  {name:<13}{median(found, 'rate'):>11.0f}{median(found, 'cpu_us'):>8.2f}"
            f"{median(found, 'p50_us') / 1e3:>8.2f}{median(found, 'p99_us') / 1e3:>8.2f}{errors:>7}"
        )
        if name != "veduta":
            line += f"   {ratio(loads, 'veduta', name, 'cpu_us'):.2f}, {ratio(loads, 'veduta', name, 'rate'):.2f}"
        print(line, flush=True)


def report_calls(running):
    """System calls per request; returns ours without the waits, of which a busier machine makes fewer."""
    ours = {}
    print("\nsystem calls per request (64 connections)")
    for title in ("200, 64 connections", "304, 64 connections", "200, 64 connections, pipelined by 16"):
        for server in running:
            counts = load.system_calls(server, **options(server, **WORKLOADS[title]))
            if "all" not in counts:
                print(f"  {title:<37}{server.name:<13} cannot be counted here", flush=True)
                continue
            if server.name == "veduta":
                ours[title] = counts["all"] - counts.get("epoll_wait", 0) - counts.get("epoll_pwait", 0)
            named = ", ".join(
                f"{name} {count:.2f}"
                for name, count in sorted(counts.items(), key=lambda item: -item[1])
                if name != "all" and count >= 0.005
            )
            print(f"  {title:<37}{server.name:<13}{counts['all']:>6.2f}   {named}", flush=True)
    return ours


def report_idle(running):
    """Memory of idle connections; returns our bytes for each, and ours as a whole, in MB."""
    ours = (0.0, 0.0)
    print("\n10,000 idle keep-alive connections, one request on each before")
    for server in running:
        each, whole, alive = load.idle_byte_count(server)
        print(f"  {server.name:<13}{each:>8.0f} bytes each, {whole} in all, {alive:.0%} of a sample still answer", flush=True)
        if server.name == "veduta":
            ours = (each, whole.mb)
    return ours


def targets(loads):
    """(what, figure, bound, whether at most) for what was measured; times inform and fail nothing."""
    hit, many, known, joined, known_joined = (loads[title] for title in list(WORKLOADS)[:5])
    nginx = [name for name in ("nginx", "nginx+cache") if name in hit]
    for name, bound in (("nginx", 0.75), ("nginx+cache", 0.8), ("h2o", 1.1), ("limit", 1.25)):
        if name in hit:
            yield f"CPU of a hit / {name}", ratio(hit, "veduta", name, "cpu_us"), bound, True
    for name in nginx:
        yield f"CPU of a 304 / {name}", ratio(known, "veduta", name, "cpu_us"), 0.9, True
        yield f"rate of hits pipelined by 16 / {name}", ratio(joined, "veduta", name, "rate"), 3.0, False
        yield f"rate of 304s pipelined by 16 / {name}", ratio(known_joined, "veduta", name, "rate"), 3.0, False
        yield f"p99 at 512 connections / {name}", ratio(many, "veduta", name, "p99_us"), 1.0, True


def compare(rounds=3, seconds=3, peers=PEERS):
    """Prints everything; false when a count is over its bound."""
    machine.install("wrk", "nginx-light", "h2o", "linux-perf")
    running, byte_count = start(peers)
    print(
        f"http: {byte_count} bytes; {servers.THREADS} threads or workers each, no access log, {rounds} rounds of {seconds} s in turn; "
        f"wrk with 2 threads and the servers share {machine.context()}"
    )
    loads = measure(running, rounds, seconds)
    calls = report_calls(running)
    idle_bytes, idle_mb = report_idle(running)
    print("\ntargets (these inform)")
    for what, figure, bound, is_at_most in (*targets(loads), ("MB with 10,000 idle connections", idle_mb, IDLE_MB_GOAL, True)):
        met = figure <= bound if is_at_most else figure >= bound
        print(f"  {'met   ' if met else 'missed'} {what}: {figure:.2f}, {'at most' if is_at_most else 'at least'} {bound:g}")
    print("\ncounts (these gate)")
    holds = True
    for what, figure, bound in (
        ("system calls of a hit, waits aside", calls.get("200, 64 connections"), 2.1),
        ("system calls of a 304, waits aside", calls.get("304, 64 connections"), 2.1),
        ("system calls of a hit, pipelined by 16", calls.get("200, 64 connections, pipelined by 16"), 1.25),
        # With the process that decodes images; scripts/conformance faults idle looks at the server alone.
        ("MB with 10,000 idle connections", idle_mb, 65),
        ("bytes for each of them", idle_bytes, 1024),
        ("failed requests", sum(one.errors for found in loads.values() for one in found["veduta"]), 0),
    ):
        if figure is None:
            print(f"  not counted {what}")
            continue
        holds = holds and figure <= bound
        print(f"  {'holds ' if figure <= bound else 'FAILS '} {what}: {figure:.2f}, at most {bound:g}")
    return holds
