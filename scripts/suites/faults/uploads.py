"""Uploads as a client with the token makes them, and what is known of them for certain."""

import http.client
import json
import os
import random
import threading
import urllib.parse

TOKEN = "a-token-that-nobody-guesses"
SIGNATURE = b"\x89PNG\r\n\x1a\n"


def picture(byte_count, seed):
    """So many bytes that begin as those of a PNG do."""
    return SIGNATURE + random.Random(seed).randbytes(byte_count - len(SIGNATURE))


def options(folder):
    return ("--uploads", folder, "--token", TOKEN)


def send(address, method, path, content=b"", patience=30):
    """Status and content of the answer."""
    connection = http.client.HTTPConnection(*address, timeout=patience)
    try:
        connection.request(method, path, body=content, headers={"Authorization": "Bearer " + TOKEN})
        answer = connection.getresponse()
        return answer.status, answer.read()
    finally:
        connection.close()


def original(address, name):
    return send(address, "GET", "/assets/%s/original" % urllib.parse.quote(name))


def listed(address):
    """The ids of all assets that are no files of the library."""
    found, target = [], "/assets?limit=500"
    while target:
        status, content = send(address, "GET", target)
        if status != 200:
            raise OSError("/assets answers %d" % status)
        page = json.loads(content)
        found += [asset["id"] for asset in page["items"] if asset["id"].startswith(("~", "up-"))]
        target = page["next"]
    return found


class Writer(threading.Thread):
    """Uploads, replaces and deletes until the server is gone. `there` and `gone` are what was acknowledged, `unknown` the
    names that a request was on its way for, with the contents that may be there, None among them."""

    def __init__(self, number, seed, there, gone):
        super().__init__(daemon=True)
        self.number, self.random = number, random.Random(seed)
        self.there, self.gone, self.unknown = dict(there), set(gone), {}
        self.count = 0
        self.address = None
        self.problems = []

    def run(self):
        try:
            while True:
                self._step()
        except (OSError, http.client.HTTPException):
            pass

    def _step(self):
        self.count += 1
        name = "up-%d-%d.png" % (self.number, self.random.randrange(12))
        if self.random.random() < 0.3:
            self.unknown = {name: {self.there.get(name), None}}
            status, _ = send(self.address, "DELETE", "/assets/" + name)
            self._expect(name, status, (204, 404))
            self.there.pop(name, None)
            self.gone.add(name)
        else:
            content = picture(self.random.choice((100, 5_000, 90_000, 400_000)), self.random.random())
            self.unknown = {name: {self.there.get(name), content}}
            status, _ = send(self.address, "PUT", "/assets/" + name, content)
            self._expect(name, status, (200, 201, 204))
            self.there[name] = content
            self.gone.discard(name)
        self.unknown = {}

    def _expect(self, name, status, allowed):
        if status not in allowed:
            self.problems.append("%s: %d" % (name, status))


def compare(address, writers):
    """What is not as it was acknowledged, in words; what nobody knows is taken over from the server."""
    faults = []
    for writer in writers:
        faults += writer.problems
        for name, allowed in writer.unknown.items():
            status, content = original(address, name)
            found = content if status == 200 else None
            if found not in allowed:
                faults.append("%s: neither as before nor as sent, but %d" % (name, status))
            writer.there.pop(name, None)
            writer.gone.discard(name)
            if found is None:
                writer.gone.add(name)
            else:
                writer.there[name] = found
        for name, expected in writer.there.items():
            status, content = original(address, name)
            if status != 200 or content != expected:
                faults.append("%s was acknowledged: %d, %d of %d bytes" % (name, status, len(content), len(expected)))
        for name in writer.gone:
            if (status := original(address, name)[0]) != 404:
                faults.append("%s was deleted: %d" % (name, status))
    wanted = {name for writer in writers for name in writer.there}
    found = set(listed(address))
    if wanted != found:
        faults.append("listed: %s too many, %s missing" % (sorted(found - wanted)[:3], sorted(wanted - found)[:3]))
    return faults


def left_over(folder):
    """The names of files that no request needs any more."""
    return sorted(os.listdir(os.path.join(folder, "incoming")))
