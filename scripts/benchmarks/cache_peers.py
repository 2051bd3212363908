"""`scripts/bench cache peers`: hits of one cached picture beside Varnish and nginx's proxy_cache, in one run.

The peers fetch the picture from a second Veduta, which is stopped before anything is measured: whatever they answer then is
from their caches. Varnish keeps it in memory, nginx in files that it sends from the page cache."""

import glob
import http.client
import os
import sys

from benchmarks import comparison, machine, servers

HITS = {
    "200 from memory, 64 connections": dict(connections=64),
    "304 from memory, 64 connections": dict(connections=64, knows=True),
}
DISK_HITS = {
    "200 from disk, 64 connections": dict(connections=64),
    "304 from disk, 64 connections": dict(connections=64, knows=True),
}


# What varnishd notes about a hit.
VARNISH_LOG_TAGS = (
    "Begin",
    "End",
    "Link",
    "Timestamp",
    "SessOpen",
    "SessClose",
    "ReqStart",
    "ReqMethod",
    "ReqURL",
    "ReqProtocol",
    "ReqHeader",
    "ReqUnset",
    "ReqAcct",
    "RespProtocol",
    "RespStatus",
    "RespReason",
    "RespHeader",
    "RespUnset",
    "VCL_call",
    "VCL_return",
    "VCL_use",
    "VCL_Log",
    "Hit",
    "HitMiss",
    "HitPass",
    "Filters",
    "Length",
    "Storage",
    "TTL",
)


def varnish(origin, logs=True):
    """Debian's varnishd; with or without what it writes to its log in shared memory, which it does unless told otherwise."""
    port = machine.free_port()
    home = servers.folder_for(
        {
            "default.vcl": f"""vcl 4.1;
backend default {{ .host = "127.0.0.1"; .port = "{origin.port}"; }}
"""
        }
    )
    quiet = [] if logs else ["-p", "vsl_mask=" + ",".join("-" + tag for tag in VARNISH_LOG_TAGS)]
    command = [
        "varnishd",
        "-F",
        "-j",
        "none",
        "-n",
        os.path.join(home, "run"),
        "-a",
        f"127.0.0.1:{port}",
        "-f",
        os.path.join(home, "default.vcl"),
        "-s",
        "malloc,256m",
        "-p",
        "timeout_idle=60",
        *quiet,
    ]
    return servers.Server("varnish" if logs else "varnish-quiet", command, port, origin.path)


def nginx(origin, caches_files):
    """Debian's nginx with proxy_cache; with or without `open_file_cache`, which saves it the open, fstat and close of each
    hit."""
    port = machine.free_port()
    home = servers.folder_for({})
    opened = "open_file_cache max=100; open_file_cache_valid 60s;" if caches_files else ""
    configuration = f"""daemon off; worker_processes {servers.THREADS}; pid {home}/pid; error_log {home}/error.log;
user root; worker_rlimit_nofile 20000;
events {{ worker_connections {servers.CONNECTIONS}; }}
http {{ access_log off; sendfile on; tcp_nopush on; {opened}
  keepalive_requests 1000000000; keepalive_timeout {servers.IDLE_SECONDS}s;
  client_body_temp_path {home}/a; proxy_temp_path {home}/b; fastcgi_temp_path {home}/c; scgi_temp_path {home}/d;
  uwsgi_temp_path {home}/e; proxy_cache_path {home}/cache levels=1:2 keys_zone=pictures:8m max_size=1g inactive=1d;
  server {{ listen 127.0.0.1:{port} backlog=4096 reuseport;
    location / {{ proxy_pass http://127.0.0.1:{origin.port}; proxy_cache pictures; proxy_cache_lock on;
      add_header X-Cache $upstream_cache_status; }} }} }}"""
    path = os.path.join(home, "nginx.conf")
    with open(path, "w") as f:
        f.write(configuration)
    server = servers.Server("nginx+cache" if caches_files else "nginx", ["nginx", "-c", path, "-p", home], port, origin.path)
    server.cache = os.path.join(home, "cache")
    return server


def veduta_on_disk(path):
    """Our server with a disk tier alone; None where this version has none."""
    if "--cache-dir" not in machine.run(machine.build("veduta"), "serve", "--help"):
        print("disk: skipped, this version has no disk tier", file=sys.stderr)
        return None
    home = servers.folder_for({})
    server = servers.veduta(
        machine.samples(), loops=servers.THREADS, workers=servers.THREADS, cache_memory=0, cache_dir=home, access_log="off"
    )
    server.path, server.cache = path, home
    return server


def start():
    """Our server, the peers with the same picture in their caches, and ours on disk if there is such a thing."""
    ours = servers.veduta_for_hits(machine.samples())
    ours.path, content = comparison.picture_of_about(ours, comparison.BODY)
    origin = servers.veduta(machine.samples(), loops=1, workers=1)
    origin.path = ours.path
    running = [ours, varnish(origin), varnish(origin, logs=False), nginx(origin, False), nginx(origin, True)]
    disk = veduta_on_disk(ours.path)
    everyone = running + ([disk] if disk else [])
    for server in everyone:
        for _ in range(3):
            if server.get() != content:
                sys.exit(f"{server.name} does not send the picture")
    origin.stop()
    for server in everyone:
        status, fields, data = server.exchange()
        server.tag = fields["ETag"]
        if status != 200 or data != content:
            sys.exit(f"{server.name} does not have the picture in its cache: {status}")
        if server.exchange(headers={"If-None-Match": server.tag})[0] != 304:
            sys.exit(f"{server.name} does not answer 304")
    return running, disk, content


def stored_file(folder, content):
    """The file beneath the folder that holds the content, and a place in it behind the content's middle."""
    middle = content[len(content) // 2 :][:64]
    for path in glob.glob(os.path.join(folder, "**", "*"), recursive=True):
        if os.path.isfile(path):
            with open(path, "rb") as f:
                position = f.read().find(middle)
            if position >= 0:
                return path, position + len(middle)
    return None


def flip_a_bit(path, position):
    with open(path, "r+b") as f:
        f.seek(position)
        byte = f.read(1)[0]
        f.seek(position)
        f.write(bytes([byte ^ 1]))


def take(server):
    """Status, what the answer says of the cache, and the content as far as it comes within five seconds."""
    connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=5)
    connection.request("GET", server.path, headers={"Connection": "close"})
    answer = connection.getresponse()
    data = b""
    try:
        while piece := answer.read1(65536):
            data += piece
    except (http.client.HTTPException, OSError):
        pass
    connection.close()
    return answer.status, answer.headers["X-Cache"] or answer.headers["Cache-Status"], data


def report_damage(chosen, content):
    """What damage to the stored file comes to; false when ours does not send the right bytes all the same."""
    holds = True
    for title, damage in (("a bit of the stored picture flips", flip_a_bit), ("its second half is lost", os.truncate)):
        print(f"\non the disk, {title}")
        for server in chosen:
            found = stored_file(server.cache, content)
            if not found:
                print(f"  {server.name:<13} has no such file")
                continue
            damage(*found)
            status, said, data = take(server)
            is_right = status == 200 and data == content
            print(f"  {server.name:<13} {status}, {len(data)} bytes, {'right' if is_right else 'WRONG'}, says {said}")
            holds = holds and (is_right or server.name != "veduta")
    return holds


def compare(rounds=3, seconds=3):
    """Prints everything; false when ours sends a wrong byte or fails a request. Times inform."""
    machine.install("wrk", "nginx-light", "varnish")
    running, disk, content = start()
    print(
        f"cache peers: {len(content)} bytes; {servers.THREADS} loops or workers each, Varnish's threads as it comes, no access log, "
        f"{rounds} rounds of {seconds} s in turn; wrk with 2 threads and the servers share {machine.context()}"
    )
    loads = comparison.measure(running, rounds, seconds, HITS)
    if disk:
        # Under its own name it would stand beside what it is compared to.
        loads.update(comparison.measure([disk] + running[3:], rounds, seconds, DISK_HITS))
    print("\ntargets (times inform)")
    for title, bounds in (
        ("200 from memory, 64 connections", {"varnish": 0.6, "varnish-quiet": 0.6, "nginx": 0.75, "nginx+cache": 0.75}),
        ("304 from memory, 64 connections", {}),
        ("200 from disk, 64 connections", {"nginx+cache": 0.95}),
    ):
        for name in loads.get(title, {}):
            if name == "veduta":
                continue
            figure = comparison.ratio(loads[title], "veduta", name, "cpu_us")
            bound = bounds.get(name)
            verdict = "      " if bound is None else "met   " if figure <= bound else "missed"
            print(
                f"  {verdict} CPU of a {title.split(',')[0]} / {name}: {figure:.2f}{'' if bound is None else f', at most {bound:g}'}"
            )
    errors = sum(one.errors for found in loads.values() for one in found["veduta"])
    holds = report_damage(([disk] if disk else []) + running[3:], content)
    print(f"\n{'holds ' if errors == 0 else 'FAILS '} failed requests: {errors}")
    return holds and errors == 0
