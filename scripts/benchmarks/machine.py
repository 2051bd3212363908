"""Commands, packages, ports, and what the kernel tells about a process."""

import contextlib
import dataclasses
import functools
import glob
import os
import pathlib
import re
import shlex
import socket
import subprocess
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
SHARED = os.environ.get("VEDUTA_SHARED", os.path.join(ROOT, "..", "shared"))
# What is made or installed once and lies outside the repository.
TOOLS = os.path.join(os.environ.get("XDG_CACHE_HOME", os.path.expanduser("~/.cache")), "veduta")
TICK = os.sysconf("SC_CLK_TCK")
# The libvips of today, beside the one that Debian has: a single shared library with all that it needs.
ANCHOR = "pyvips-binary==8.18.7"


def run(*command, **more):
    return subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True, **more).stdout


def install(*packages):
    """Installs what is missing; the services that Debian would start with it are left alone."""
    shell = f". {ROOT}/scripts/lib/prepare.sh && install_packages {' '.join(packages)}"
    subprocess.run(["bash", "-c", shell], check=True, stdout=sys.stderr)


def environment(name, packages):
    """The Python of an environment outside the repository that has `packages` of PyPI, made where it is missing."""
    script = os.path.join(ROOT, "scripts", "lib", "python-environment.sh")
    shell = f'. {shlex.quote(script)} && python_environment {shlex.join([name, *packages])} && echo "$environment"'
    return os.path.join(run("bash", "-c", shell).strip(), "bin", "python")


@functools.cache
def anchor():
    """The path of the shared library in `ANCHOR`; None, with a message, where PyPI has none for this machine."""
    try:
        python = environment("libvips", ["--no-deps", "--only-binary=:all:", ANCHOR])
    except subprocess.CalledProcessError:
        print(f"without {ANCHOR}, which cannot be installed", file=sys.stderr)
        return None
    home = os.path.dirname(os.path.dirname(python))
    return glob.glob(os.path.join(home, "lib/python3*/site-packages/pyvips_binary.libs/libvips-*.so.*"))[0]


def compile_for_vips(source, binary, library=None):
    """Compiles a C program for the libvips at the path `library`, for Debian's without.

    Debian's headers do for both, as `VIPS_INIT` makes sure. The library of `ANCHOR` has GLib within and exports it, so nothing
    else is linked to: with Debian's GLib beside it there would be two registers of types."""
    flags = run("pkg-config", "--cflags", *([] if library else ["--libs"]), "vips").split()
    if library:
        flags += [library, f"-Wl,-rpath,{os.path.dirname(library)}"]
    run("gcc", "-O2", source, "-o", binary, *flags, "-lpthread", "-lm", stderr=subprocess.DEVNULL)


@functools.cache
def build(product):
    """Builds a product for release and returns its path. VEDUTA_BINARY names a server that is already built."""
    if product == "veduta" and "VEDUTA_BINARY" in os.environ:
        return os.environ["VEDUTA_BINARY"]
    run("bash", "-c", f". scripts/lib/prepare.sh && swift build -c release --product {product} >&2", cwd=ROOT)
    folder = run("swift", "build", "-c", "release", "--show-bin-path", cwd=ROOT).strip()
    return os.path.join(folder, product)


def samples():
    """The folder of sample pictures, which is made on first use."""
    folder = os.path.join(ROOT, ".build", "samples")
    complete, pictures, binary = os.path.join(folder, "complete"), os.path.join(folder, "pictures"), build("veduta")
    # As scripts/serve does: what an older program wrote may lack something.
    is_complete = os.path.isdir(pictures) and os.path.exists(complete)
    if not is_complete or os.path.getmtime(complete) < os.path.getmtime(binary):
        run(binary, "sample", folder)
        pathlib.Path(complete).touch()
    return pictures


def free_port():
    with socket.socket() as s:
        s.bind(("127.0.0.1", 0))
        return s.getsockname()[1]


def family(pid):
    """The process and all that descend from it."""
    children = {}
    for p in filter(str.isdigit, os.listdir("/proc")):
        try:
            with open(f"/proc/{p}/stat") as f:
                children.setdefault(int(f.read().rsplit(")", 1)[1].split()[1]), []).append(int(p))
        except OSError:
            pass
    found, todo = [], [pid]
    while todo:
        found.append(todo.pop())
        todo += children.get(found[-1], [])
    return found


def cpu_seconds(pid):
    """User and system time of the process, its threads and its children."""
    total = 0
    for p in family(pid):
        with open(f"/proc/{p}/stat") as f:
            fields = f.read().rsplit(")", 1)[1].split()
        total += int(fields[11]) + int(fields[12])
    return total / TICK


@dataclasses.dataclass(frozen=True)
class Memory:
    """Resident bytes of a process and its children: `count` has a page that several processes have for each by its share (PSS),
    `full` for each in full (RSS), `private` has pages that nobody else has; None where it was not read."""

    count: int
    full: int
    private: int | None = None

    @property
    def mb(self):
        return self.count / (1 << 20)

    def __str__(self):
        full = f"{self.full / (1 << 20):.1f} if shared pages count for each process"
        private = "" if self.private is None else f", {self.private / (1 << 20):.1f} private"
        return f"{self.mb:.1f} MB ({full}{private})"


def memory(pid):
    """Of one process without children `count` is `full`: a page that it has beside other servers counts as its own."""
    count, full, private, processes = 0, 0, 0, family(pid)
    for p in processes:
        # The shares take long to read.
        name = "smaps_rollup" if len(processes) > 1 else "status"
        with contextlib.suppress(OSError), open(f"/proc/{p}/{name}") as f:
            found = {key: int(value) * 1024 for key, value in re.findall(r"^(\w+):\s+(\d+) kB", f.read(), re.M)}
            count += found.get("Pss", found.get("VmRSS", 0))
            full += found.get("Rss", found.get("VmRSS", 0))
            private += found.get("Private_Clean", 0) + found.get("Private_Dirty", 0)
    return Memory(count, full, private if len(processes) > 1 else None)


def resident_mb(pid):
    return memory(pid).mb


def peak_resident_mb(pid):
    """The most that the process alone ever had resident."""
    with open(f"/proc/{pid}/status") as f:
        return int(re.search(r"VmHWM:\s+(\d+)", f.read())[1]) / 1024


def context():
    """One line that says what the figures were measured on."""
    with open("/proc/cpuinfo") as f:
        model = re.search(r"model name\s*:\s*(.+)", f.read())
    return f"{os.cpu_count()} processors ({model[1] if model else 'unknown'}), Linux {os.uname().release}"
