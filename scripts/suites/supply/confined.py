"""confined.py BINARY UNIT SAMPLES: works a server under what UNIT, a systemd service, takes away from it.

Emulated are the filter of system calls, the families of sockets, memory that is written and executed, processes of others in
/proc, capabilities and the rights of root. A call that the server needs and UNIT refuses shows as a failed request.
"""

import ctypes
import os
import pathlib
import re
import resource
import signal
import socket
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request

import seccomp
from server import free_port

USER = 10001
TOKEN = "confined-0123456789abcdef"


def values(unit, name):
    """All words of a setting that may come several times."""
    return [word for line in re.findall(rf"^{name}=(.*)$", unit, re.M) for word in line.split()]


def expanded(names):
    """System calls by their names and those of groups."""
    calls = set()
    for name in names:
        if not name.startswith("@"):
            calls.add(name)
            continue
        listing = subprocess.run(["systemd-analyze", "syscall-filter", name], check=True, capture_output=True, text=True)
        # The first line is the name, the second says what it is for.
        calls |= expanded(line.strip() for line in listing.stdout.split("\n")[1:] if line.strip() and "#" not in line)
    return calls


def allowed(unit):
    calls = set()
    for line in re.findall(r"^SystemCallFilter=(.*)$", unit, re.M):
        if line.startswith("~"):
            calls -= expanded(line[1:].split())
        else:
            calls |= expanded(line.split())
    return calls


def load_filter(unit):
    """Takes away from this process what the unit does; there is no way back."""
    rules = seccomp.SyscallFilter(seccomp.ERRNO(1))
    executable = "yes" not in values(unit, "MemoryDenyWriteExecute")
    for call in sorted(allowed(unit)):
        try:
            if call == "socket":
                for family in values(unit, "RestrictAddressFamilies"):
                    rules.add_rule(seccomp.ALLOW, call, seccomp.Arg(0, seccomp.EQ, getattr(socket, family)))
            elif call in ("mmap", "mprotect") and not executable:
                # Written and executed at once, or executed after it was written.
                for bits in (0, 2, 4) if call == "mmap" else (0, 2):
                    rules.add_rule(seccomp.ALLOW, call, seccomp.Arg(2, seccomp.MASKED_EQ, 6, bits))
            else:
                rules.add_rule(seccomp.ALLOW, call)
        except RuntimeError:
            pass  # Of another architecture.
    rules.load()


def confine(unit):
    libc = ctypes.CDLL(None, use_errno=True)

    def must(result):
        if result != 0:
            raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))

    must(libc.unshare(0x00020000))  # CLONE_NEWNS
    must(libc.mount(b"none", b"/", None, 0x44000, None))  # MS_REC | MS_PRIVATE
    must(libc.mount(b"proc", b"/proc", b"proc", 0, b"subset=pid,hidepid=invisible"))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    os.setgroups([])
    os.setgid(USER)
    os.setuid(USER)
    os.umask(int(values(unit, "UMask")[0], 8))
    must(libc.prctl(38, 1, 0, 0, 0))  # PR_SET_NO_NEW_PRIVS
    load_filter(unit)


class Client:
    def __init__(self, address):
        self.address = address

    def request(self, method, path, content=None, **fields):
        fields = {name.replace("_", "-"): value for name, value in fields.items()}
        request = urllib.request.Request(f"http://{self.address}{path}", content, fields, method=method)
        try:
            with urllib.request.urlopen(request, timeout=60) as answer:
                return answer.status, answer.read()
        except urllib.error.HTTPError as error:
            return error.code, error.read()

    def expect(self, status, method, path, content=None, **fields):
        found, answer = self.request(method, path, content, **fields)
        if found != status:
            sys.exit(f"{method} {path}: {found} instead of {status}\n{answer[:500].decode(errors='replace')}")
        return answer


def work(client, picture):
    token = {"Authorization": f"Bearer {TOKEN}"}
    for query in ("format=jpeg", "format=png", "format=webp", "format=avif", "format=json", "rotate=15&filter=blur:2"):
        client.expect(200, "GET", f"/asset?id={picture.name}&width=300&{query}")
    for path in ("/map?center=43.77,11.25&zoom=12", "/map?center=43.77,11.25&zoom=4&format=webp&marker=label:A|43.77,11.25"):
        client.expect(200, "GET", path)
    client.expect(200, "GET", "/tiles/light/0/0/0.png")
    client.expect(201, "PUT", "/assets/put/a.jpg", picture.read_bytes(), Content_Type="image/jpeg", **token)
    client.expect(200, "GET", "/asset?id=put/a.jpg&width=100")
    client.expect(204, "DELETE", "/assets/put/a.jpg", **token)
    client.expect(200, "DELETE", f"/cache?id={picture.name}", **token)
    for path in ("/health/ready", "/", "/openapi.yaml"):
        client.expect(200, "GET", path)
    if "\nveduta_decode_jobs_total 0" in client.expect(200, "GET", "/metrics").decode():
        sys.exit("no image was decoded in a process of its own")


def main():
    binary, unit, samples = sys.argv[1], pathlib.Path(sys.argv[2]).read_text(), pathlib.Path(sys.argv[3])
    with tempfile.TemporaryDirectory() as folder:
        os.chown(folder, USER, USER)
        address = f"127.0.0.1:{free_port()}"
        settings = {
            "PATH": os.environ["PATH"],
            "TMPDIR": folder,
            "VEDUTA_LISTEN": address,
            "VEDUTA_LIBRARY": str(samples / "pictures"),
            "VEDUTA_CACHE_DIR": f"{folder}/cache",
            "VEDUTA_UPLOADS": f"{folder}/uploads",
            "VEDUTA_TOKEN": TOKEN,
        }
        log = pathlib.Path(folder) / "log"
        with log.open("wb") as output:
            server = subprocess.Popen([binary, "serve"], env=settings, stderr=output, preexec_fn=lambda: confine(unit))
        client = Client(address)
        try:
            for _ in range(300):
                try:
                    client.request("GET", "/health/ready")
                    break
                except OSError:
                    if server.poll() is not None:
                        sys.exit(f"the server did not start:\n{log.read_text()}")
                    time.sleep(0.1)
            status = pathlib.Path(f"/proc/{server.pid}/status").read_text()
            for line in ("NoNewPrivs:\t1", "Seccomp:\t2", "CapEff:\t0000000000000000"):
                if line not in status:
                    sys.exit(f"the server is not confined: no {line}")
            work(client, sorted((samples / "pictures").glob("*.jpg"))[0])
            if "confined less" in log.read_text():
                sys.exit(f"the unit takes from the decoding processes what confines them:\n{log.read_text()}")
            server.send_signal(signal.SIGHUP)
            client.expect(200, "GET", "/health/ready")
            server.terminate()
            if server.wait(30) != 0:
                sys.exit(f"the server ended with {server.returncode}:\n{log.read_text()}")
        finally:
            server.kill()
    print("a server works under the filter of the unit")


main()
