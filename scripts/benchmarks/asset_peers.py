"""The servers of `scripts/bench asset`, the pictures they are asked for, and what becomes of those.

thumbor and what judges likeness live in an environment of Python outside the repository, made on first use; nginx and its
image_filter come from Debian. All run on loopback with two processes or threads and no cache of results."""

import copy
import functools
import json
import os
import re
import signal
import subprocess
import tempfile

from benchmarks import machine, servers

PHOTOS = ("photo12_seeding.jpg", "photo12_sunset.jpg")
# Every picture lies under so many names, so that no two requests of one round are equal.
NAMES = 64
# `source`: what the names end in. Ours in our grammar, theirs in theirs; thumbor turns counter-clockwise.
JOBS = {
    "a": dict(
        title="JPEG to 800 px JPEG",
        source="jpg",
        veduta="width=800&quality=80&format=jpeg",
        thumbor="800x0/filters:quality(80):format(jpeg)",
        nginx="resize 800 -",
    ),
    "b": dict(
        title="JPEG to 200x200, cover",
        source="jpg",
        veduta="width=200&height=200&fit=cover&quality=80&format=jpeg",
        thumbor="200x200/filters:quality(80):format(jpeg)",
        nginx="crop 200 200",
    ),
    "c": dict(
        title="JPEG to 800 px WebP",
        source="jpg",
        veduta="width=800&quality=80&format=webp",
        thumbor="800x0/filters:quality(80):format(webp)",
    ),
    "d": dict(
        title="JPEG to 800 px AVIF, quality 50",
        source="jpg",
        veduta="width=800&quality=50&format=avif",
        thumbor="800x0/filters:quality(50):format(avif)",
    ),
    "e": dict(
        title="PNG to 800 px PNG",
        source="png",
        veduta="width=800&format=png",
        thumbor="800x0/filters:format(png)",
        nginx="resize 800 -",
    ),
    "f": dict(title="GIF of 40 frames to 200 px GIF", source="gif", veduta="width=200&format=gif", thumbor="200x0"),
    "g": dict(
        title="JPEG to 800 px, turned, grey, blurred",
        source="jpg",
        veduta="height=800&rotate=90&filter=grayscale,blur:2&quality=80&format=jpeg",
        thumbor="800x0/filters:rotate(270):grayscale():blur(6,2):quality(80):format(jpeg)",
    ),
    "w": dict(
        title="GIF of 40 frames to 200 px WebP",
        source="gif",
        veduta="width=200&quality=80&format=webp",
        thumbor="200x0/filters:quality(80):format(webp)",
    ),
}
# Photographs of an ordinary size, each made to fit a square in its own format (ordinary.py).
ORDINARY = {
    kind: dict(
        title=f"{source} of 2040x1356 to fit 512x512",
        source=kind if kind != "jpeg" else "jpg",
        veduta="width=512&height=512&fit=inside" + (f"&quality={quality}" if quality else "") + f"&format={kind}",
        thumbor="fit-in/512x512/filters:" + (f"quality({quality}):" if quality else "") + f"format({kind})",
    )
    for kind, source, quality in (
        ("jpeg", "progressive JPEG", 80),
        ("png", "PNG", None),
        ("webp", "WebP", 75),
        ("avif", "AVIF", 65),
    )
}
WORK = JOBS | ORDINARY
PACKAGES = ("thumbor==7.8.0", "pillow-avif-plugin", "numpy", "scipy", "ssimulacra2")
LIKENESS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "likeness.py")


@functools.cache
def python():
    """The Python that has thumbor and what scores pictures."""
    return machine.environment("peers", PACKAGES)


def is_possible():
    return all(os.path.exists(os.path.join(machine.SHARED, "images", name)) for name in PHOTOS)


def sources():
    """A folder with the photographs, a PNG of one and an animation of it, each under 64 names."""
    made = os.path.join(machine.TOOLS, "pictures")
    os.makedirs(made, exist_ok=True)
    photos = [os.path.join(machine.SHARED, "images", name) for name in PHOTOS]
    if not all(os.path.exists(os.path.join(made, name)) for name in ("photo.png", "photo.gif")):
        machine.run(python(), LIKENESS, "make", made, photos[0])
    home = servers.folder_for({})
    for number in range(NAMES):
        link(photos[number % len(photos)], os.path.join(home, f"{number}.jpg"))
        for kind in ("png", "gif"):
            link(os.path.join(made, f"photo.{kind}"), os.path.join(home, f"{number}.{kind}"))
    return home


def ordinary_sources():
    """A folder with both photographs in an ordinary size and in all formats, under 64 names."""
    made = os.path.join(machine.TOOLS, "ordinary")
    if not os.path.exists(os.path.join(made, "complete")):
        os.makedirs(made, exist_ok=True)
        machine.run(python(), LIKENESS, "ordinary", made, *(os.path.join(machine.SHARED, "images", name) for name in PHOTOS))
        open(os.path.join(made, "complete"), "w").close()
    home = servers.folder_for({})
    for number in range(NAMES):
        for job in ORDINARY.values():
            name = f"{number % len(PHOTOS)}.{job['source']}"
            link(os.path.join(made, name), os.path.join(home, f"{number}.{job['source']}"))
    return home


def link(path, name):
    """One file under another name; a copy on another file system. Links that point elsewhere are not followed by servers."""
    try:
        os.link(path, name)
    except OSError:
        with open(path, "rb") as source, open(name, "wb") as copy:
            copy.write(source.read())


class Contender(servers.Server):
    """A server that knows how to ask for a job."""

    keeps_masters = False

    def __init__(self, name, command, port, path_for, **more):
        self.path_for = path_for
        super().__init__(name, command, port, **more)

    def at_quality(self, quality):
        """The same process, asked for its pictures at another quality."""
        other = copy.copy(self)
        other.name = f"{self.name} q{quality}"
        other.path_for = lambda job, number: re.sub(r"quality=\d+", f"quality={quality}", self.path_for(job, number))
        return other

    def outputs(self, job):
        return [self.get(self.path_for(job, number)) for number in range(source_count(job))]

    def stop(self):
        """thumbor leaves its children behind."""
        children = machine.family(self.pid)[1:] if self.process.poll() is None else []
        super().stop()
        for child in children:
            try:
                os.kill(child, signal.SIGKILL)
            except ProcessLookupError:
                pass


def all_servers(folder, ours_alone):
    """Ours, with masters where this version has them, thumbor and nginx; or ours over both versions of libvips."""
    found = [ours(folder, "veduta", masters="off")]
    if ours_alone:
        library = machine.anchor()
        return found + ([ours(folder, "veduta+anchor", over=links_to(library), masters="off")] if library else [])
    if "--masters" in machine.run(machine.build("veduta"), "serve", "--help"):
        # Pictures are not kept, so that every one is made; only the masters are on disk.
        found.append(ours(folder, "veduta+masters", masters="on", cache_dir=servers.folder_for({}), cache_control="no-store"))
    return found + [thumbor(folder), image_filter(folder)]


def links_to(library):
    """A folder in which the anchor's library has the names of all that it has within: with Debian's GLib beside it a program
    crashes."""
    names = ("libvips.so.42", "libglib-2.0.so.0", "libgobject-2.0.so.0", "libgio-2.0.so.0")
    home = servers.folder_for({})
    for name in names:
        os.symlink(library, os.path.join(home, name))
    return home


def ours(folder, name, over=None, **settings):
    """Our server, with the libraries in the folder `over` in place of the system's."""
    command, port, environment = servers.veduta_start(
        folder, cache_memory=0, access_log="off", connections_per_address=servers.CONNECTIONS, render_timeout=300, **settings
    )

    if over:
        environment["LD_LIBRARY_PATH"] = over

    def path_for(job, number):
        return f"/asset?id={number % NAMES}.{WORK[job]['source']}&{WORK[job]['veduta']}"

    server = Contender(name, command, port, path_for, environment=environment)
    server.keeps_masters = settings["masters"] == "on"
    return server


def thumbor(folder):
    port = machine.free_port()
    home = servers.folder_for(
        {
            "thumbor.conf": f"""
LOADER = 'thumbor.loaders.file_loader'
FILE_LOADER_ROOT_PATH = {folder!r}
STORAGE = 'thumbor.storages.no_storage'
RESULT_STORAGE = 'thumbor.result_storages.no_storage'
AVIF_SPEED = 8
"""
        }
    )

    def path_for(job, number):
        wish = WORK[job].get("thumbor")
        return wish and f"/unsafe/{wish}/{number % NAMES}.{WORK[job]['source']}"

    command = [
        os.path.join(os.path.dirname(python()), "thumbor"),
        "--ip",
        "127.0.0.1",
        "--port",
        str(port),
        "--processes",
        str(servers.THREADS),
        "--log-level",
        "critical",
        "-c",
        os.path.join(home, "thumbor.conf"),
    ]
    return Contender("thumbor", command, port, path_for)


def image_filter(folder):
    machine.install("nginx-light", "libnginx-mod-http-image-filter")
    port = machine.free_port()
    home = servers.folder_for({})
    locations = "\n".join(
        f"location /{job}/ {{ alias {folder}/; image_filter {JOBS[job]['nginx']}; }}" for job in JOBS if "nginx" in JOBS[job]
    )
    configuration = f"""daemon off; worker_processes {servers.THREADS}; pid {home}/pid; error_log {home}/error.log;
user root; load_module /usr/lib/nginx/modules/ngx_http_image_filter_module.so;
events {{ worker_connections 1024; }}
http {{ access_log off; keepalive_requests 1000000; client_body_temp_path {home}/a; proxy_temp_path {home}/b;
  fastcgi_temp_path {home}/c; scgi_temp_path {home}/d; uwsgi_temp_path {home}/e; include /etc/nginx/mime.types;
  server {{ listen 127.0.0.1:{port} reuseport;
    image_filter_buffer 64M; image_filter_jpeg_quality 80;
    {locations} }} }}"""
    path = os.path.join(home, "nginx.conf")
    with open(path, "w") as f:
        f.write(configuration)

    def path_for(job, number):
        return f"/{job}/{number % NAMES}.{JOBS[job]['source']}" if "nginx" in JOBS[job] else None

    return Contender("nginx", ["nginx", "-c", path, "-p", home], port, path_for)


def source_count(job):
    """How many different pictures the sources of a job are."""
    return len(PHOTOS) if job in ORDINARY or JOBS[job]["source"] == "jpg" else 1


def loops(folder):
    """The loops over libvips: Debian's, to which ratios refer, and the anchor where there is one."""
    library = machine.anchor()
    return [Loop(folder), *([Loop(folder, library)] if library else [])]


class Loop:
    """libvips in one process with nothing around it: Debian's, or the one of PyPI, which then lets libjpeg shrink as far as
    the target allows (`-x`), the fastest that it can be told to."""

    def __init__(self, folder, library=None):
        self.folder, self.home = folder, servers.folder_for({})
        self.name, self.options = ("anchor", ["-x"]) if library else ("loop", [])
        self.binary = os.path.join(self.home, "limit")
        machine.compile_for_vips(os.path.join(machine.SHARED, "peers", "vips_limit.c"), self.binary, library)
        self.version = self.run("b", 1)["version"]

    def run(self, job, count, *more):
        files = [os.path.join(self.folder, f"{n}.{JOBS[job]['source']}") for n in range(source_count(job))]
        told = [job, "-t", str(servers.THREADS), "-n", str(count), *self.options, *more]
        return json.loads(machine.run(self.binary, *told, *files))

    def cpu_per_image(self, job, count):
        return self.run(job, count)["cpu_per_image_s"]

    def rate(self, job, count):
        return self.run(job, count)["rps"]

    def outputs(self, job):
        count = source_count(job)
        self.run(job, count, "-o", self.home)
        return [open(os.path.join(self.home, str(number)), "rb").read() for number in range(count)]


def compared(pairs):
    """How like the second picture of each pair of paths is to the first: the lowest score, and the most levels."""
    done = subprocess.run(
        [python(), LIKENESS, "compare"], input=json.dumps(pairs), check=True, text=True, stdout=subprocess.PIPE
    )
    return json.loads(done.stdout)


def likeness(job, folder, outputs):
    """Bytes, frames, SSIM and SSIMULACRA2 by server: the means over its pictures."""
    with tempfile.TemporaryDirectory() as home:
        asked = {}
        for name, contents in outputs.items():
            asked[name] = []
            for number, content in enumerate(contents):
                path = os.path.join(home, f"{name}-{number}")
                with open(path, "wb") as f:
                    f.write(content)
                asked[name].append([os.path.join(folder, f"{number}.{WORK[job]['source']}"), path])
        done = subprocess.run(
            [python(), LIKENESS, "score", job], input=json.dumps(asked), check=True, text=True, stdout=subprocess.PIPE
        )
        return json.loads(done.stdout)
