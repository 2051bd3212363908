"""Uploads by tuspy, a public client of the tus protocol; called by `scripts/conformance tus`."""

import argparse
import concurrent.futures
import hashlib
import io
import os
import random
import shutil
import signal
import socket
import struct
import tempfile
import time
import urllib.error
import urllib.parse
import urllib.request

import server as servers
import trials
from tusclient import client as tus
from tusclient.exceptions import TusCommunicationError, TusUploadFailed

TOKEN = "a-token-that-nobody-guesses"
FIELDS = {"Authorization": "Bearer " + TOKEN}
SIGNATURE = b"\x89PNG\r\n\x1a\n"
LIMIT = 900  # seconds for one trial


def picture(byte_count, seed):
    """So many bytes that begin as those of a PNG do."""
    return SIGNATURE + random.Random(seed).randbytes(byte_count - len(SIGNATURE))


class Place:
    """A server with a folder for uploads, which may be killed and started again. A context manager."""

    def __init__(self, case, *options):
        self.case, self.options = case, options
        self.folder = tempfile.mkdtemp(prefix="veduta-tus-")
        self.server = None

    def __enter__(self):
        self.start()
        return self

    def __exit__(self, *_):
        self.server.__exit__()
        shutil.rmtree(self.folder, ignore_errors=True)

    def start(self):
        self.server = servers.Server(
            self.case.binary,
            self.case.library,
            "--uploads",
            self.folder,
            "--upload-limit",
            "64m",
            "--token",
            TOKEN,
            *self.options,
        )

    def kill(self):
        self.server.signal(signal.SIGKILL)
        self.server.wait(20)
        self.server.__exit__()

    def url(self, path):
        return "http://127.0.0.1:%d%s" % (self.server.address[1], path)

    def uploader(self, content, path=None, **options):
        """tuspy's uploader of `content`, as a new upload or as the one at `path`."""
        return tus.TusClient(self.url("/uploads"), headers=FIELDS).uploader(
            file_stream=io.BytesIO(content), url=path and self.url(path), **options
        )

    def begin(self, content):
        """Begins an upload and returns its path."""
        return urllib.parse.urlparse(self.uploader(content).create_url()).path

    def look(self, path):
        """The fields of the answer to HEAD."""
        request = urllib.request.Request(self.url(path), method="HEAD", headers={**FIELDS, "Tus-Resumable": "1.0.0"})
        with urllib.request.urlopen(request, timeout=60) as answer:
            return answer.headers

    def offset(self, path):
        return int(self.look(path)["Upload-Offset"])

    def holds(self, path, content):
        """Whether the finished upload at `path` is an asset of exactly these bytes."""
        name = self.look(path)["Veduta-Asset"]
        if name is None:
            return False
        status, data = self.server.get("/assets/%s/original" % name, patience=120)
        return status == 200 and hashlib.sha256(data).digest() == hashlib.sha256(content).digest()

    def patch(self, path, data, offset, length):
        """A connection on which a PATCH of `length` bytes has begun and `bytes` were sent."""
        connection = socket.create_connection(self.server.address, timeout=60)
        lines = [
            "PATCH %s HTTP/1.1" % path,
            "Host: localhost",
            "Authorization: Bearer " + TOKEN,
            "Tus-Resumable: 1.0.0",
            "Content-Type: application/offset+octet-stream",
            "Upload-Offset: %d" % offset,
            "Content-Length: %d" % length,
            "",
            "",
        ]
        connection.sendall("\r\n".join(lines).encode() + data)
        return connection

    def go_on(self, content, path, patience=60, **options):
        """Lets tuspy go on with the upload at `path`; waits while the server does not know yet that the last one left."""
        end = time.monotonic() + patience
        while True:
            try:
                return self.uploader(content, path, **options).upload()
            except TusUploadFailed as error:
                if error.status_code not in (409, 423) or time.monotonic() > end:
                    raise
                time.sleep(0.1)


def sizes(case):
    """Pictures of many sizes, in one piece and in several, with checksums and without."""
    with Place(case) as place:
        for byte_count in (9, 1000, 65_536, 1_000_001, 20_000_000):
            content = picture(byte_count, byte_count)
            for chunk_size in (byte_count, 4096, 70_001, 3_000_000):
                if chunk_size > byte_count or byte_count // chunk_size > 300:
                    continue
                for checksum in (False, True):
                    path = place.begin(content)
                    place.uploader(content, path, chunk_size=chunk_size, upload_checksum=checksum).upload()
                    case.check(
                        place.holds(path, content),
                        "%d bytes in pieces of %d%s" % (byte_count, chunk_size, ", with checksums" if checksum else ""),
                    )


def broken(case):
    """The connection breaks in the middle of a piece; what came is there, and tuspy goes on behind it."""
    with Place(case) as place:
        for number, sent in enumerate((1, 70_000, 500_000, 999_999)):
            for by_reset in (False, True):
                content = picture(1_000_000, number * 2 + by_reset)
                path = place.begin(content)
                connection = place.patch(path, content[:sent], 0, len(content))
                if by_reset:
                    # What the server has not read yet goes with the reset, so it gets the time to read most of it.
                    servers.eventually(lambda path=path, sent=sent: place.offset(path) >= sent - 90_000)
                    connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
                connection.close()
                if not by_reset:
                    case.check(
                        servers.eventually(lambda path=path, sent=sent: place.offset(path) == sent),
                        "all %d bytes were kept" % sent,
                    )
                place.go_on(content, path)
                case.check(place.holds(path, content), "%d bytes, then %s" % (sent, "a reset" if by_reset else "the end"))


def killed(case):
    """The server is killed with SIGKILL at any moment of an upload and started again; tuspy goes on."""
    numbers = random.Random(case.seed)
    with Place(case) as place:
        kept = 0
        for number in range(case.times):
            content = picture(3_000_000, 1000 + number)
            path = place.begin(content)
            sent = numbers.randrange(1, len(content) + 1)
            connection = place.patch(path, content[:sent], 0, len(content))
            time.sleep(numbers.choice((0, 0.002, 0.02, 0.1)))
            place.kill()
            connection.close()
            place.start()
            offset = place.offset(path)
            kept += offset
            case.check(0 <= offset <= sent, "killed after %d bytes: %d are there" % (sent, offset))
            if offset < len(content):
                place.go_on(content, path, chunk_size=1_000_000)
            case.check(place.holds(path, content), "the picture is whole")
        case.check(kept > 0, "%d bytes in all were not sent again" % kept)
        left = os.listdir(os.path.join(place.folder, "resumable"))
        case.check(not [name for name in left if not name.endswith(".info")], "nothing unfinished is left on disk")


def parallel(case):
    """Eight clients at once, two of them with the same picture."""
    with Place(case) as place:

        def upload(number):
            content = picture(5_000_000, number % 7)
            path = place.begin(content)
            place.uploader(content, path, chunk_size=300_000).upload()
            return place.holds(path, content)

        with concurrent.futures.ThreadPoolExecutor(8) as pool:
            case.check(all(pool.map(upload, range(8))), "all are whole")


def endings(case):
    """What is ended, has expired or is no picture is not there any more."""
    with Place(case, "--upload-expiry", "3") as place:
        content = picture(100_000, 5)

        def fails(path, status):
            try:
                place.uploader(content, path).upload()
            except (TusCommunicationError, TusUploadFailed) as error:
                return error.status_code == status
            return False

        ended = place.begin(content)
        place.uploader(content, ended, chunk_size=50_000).upload(stop_at=50_000)
        request = urllib.request.Request(place.url(ended), method="DELETE", headers={**FIELDS, "Tus-Resumable": "1.0.0"})
        with urllib.request.urlopen(request, timeout=60) as answer:
            case.check(answer.status == 204, "DELETE ends an upload")
        case.check(fails(ended, 404), "which is 404 then")
        expired = place.begin(content)
        case.check(servers.eventually(lambda: fails_to_look(place, expired), 20), "an upload expires")
        try:
            place.uploader(b"no picture at all").upload()
            case.check(False, "text was taken for a picture")
        except TusUploadFailed as error:
            case.check(error.status_code == 415, "text is refused: %s" % error.status_code)
        place.begin(content)
        left = os.listdir(os.path.join(place.folder, "resumable"))
        case.check(len(left) == 2, "%d files are left, those of one upload" % len(left))


def fails_to_look(place, path):
    try:
        place.look(path)
    except urllib.error.HTTPError as error:
        return error.code == 404
    return False


TRIALS = {"sizes": sizes, "broken": broken, "killed": killed, "parallel": parallel, "endings": endings}


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--binary", required=True)
    parser.add_argument("--json", required=True)
    parser.add_argument("--seed", type=int, default=2026)
    parser.add_argument("names", nargs="*")
    arguments = parser.parse_args()
    names, times = trials.names_and_times(parser, arguments.names, TRIALS, 12)

    def prepare(case):
        case.seed, case.times = arguments.seed, times

    trials.run(TRIALS, names, arguments.binary, arguments.json, LIMIT, prepare)


if __name__ == "__main__":
    main()
