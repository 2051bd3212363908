"""Hostile texts on everything that draws texts of requests; called by `scripts/conformance texts`."""

import argparse
import collections
import concurrent.futures
import http.client
import io
import itertools
import json
import multiprocessing
import os
import re
import socket
import threading
import urllib.parse

import corpus
import numpy
import PIL.Image
import trials

USUAL_COUNT = 10_000
PARALLEL = 4
# Megabytes that the server may take beyond what it has after the first texts and its cache.
MEMORY_SLACK = 100
CACHE = 16
GREY = 200
TEMPLATE = {
    "width": 400,
    "height": 200,
    "fields": {"title": {"limit": 2000, "required": True}},
    "elements": [
        {"type": "text", "text": "{title}", "left": 60, "top": 60, "width": 280, "height": 80, "size": [8, 20], "lines": 4}
    ],
}


class Client:
    """Connections that are kept, one for each thread."""

    def __init__(self, address):
        self.address = address
        self.threads = threading.local()

    def get(self, target):
        """Status, media type and content."""
        for is_last in (False, True):
            connection = getattr(self.threads, "connection", None) or http.client.HTTPConnection(*self.address, timeout=60)
            self.threads.connection = connection
            try:
                connection.request("GET", target)
                answer = connection.getresponse()
                return answer.status, answer.getheader("Content-Type"), answer.read()
            except (http.client.HTTPException, OSError):
                # The server may have ended a connection that was idle.
                self.threads.connection = None
                if is_last:
                    raise


def query(path, *pairs):
    return path + "?" + urllib.parse.urlencode(pairs, quote_via=urllib.parse.quote)


def escaped(text):
    return re.sub(r"([\\|])", r"\\\1", text)


def pixels(content):
    return numpy.asarray(PIL.Image.open(io.BytesIO(content)).convert("RGBA"), dtype=numpy.uint8)


def outside(picture, margins, ground):
    """How many pixels beyond `margins` (left, top, right, bottom) are not `ground`."""
    left, top, right, bottom = margins
    differs = (picture != numpy.array(ground, dtype=numpy.uint8)).any(axis=2)
    height, width = differs.shape
    return int(differs.sum() - differs[top : height - bottom, left : width - right].sum())


class Poll:
    """The second option looks as it does below an ordinary one, and nothing reaches the edge."""

    def __init__(self, client):
        self.client = client
        picture, box = self._drawn("Which one?", "One")
        self.neighbour = self._cut(picture, box)

    @staticmethod
    def _pairs(question, label):
        options = (("option", "votes:1|label:" + escaped(label)), ("option", "votes:1|Plain"))
        return (("question", question), *options, ("language", "en"), ("width", "360"), ("format", "png"))

    def _drawn(self, question, label):
        pairs = self._pairs(question, label)
        status, _, content = self.client.get(query("/poll", *pairs))
        assert status == 200, content[:300]
        return pixels(content), self._box(pairs)

    def _box(self, pairs):
        status, _, content = self.client.get(query("/poll.json", *pairs))
        assert status == 200, content[:300]
        return json.loads(content)["options"][1]

    @staticmethod
    def _cut(picture, box):
        x, y, width, height = (round(box[name]) for name in ("x", "y", "width", "height"))
        return picture[y : y + height, x : x + width]

    def target(self, text):
        return query("/poll", *self._pairs(text, text[:60]))

    def faults(self, text, picture):
        status, _, content = self.client.get(query("/poll.json", *self._pairs(text, text[:60])))
        if status != 200:
            return "poll.json: %d" % status
        told = json.loads(content)
        if picture.shape[:2] != (told["height"], told["width"]) or told["height"] > 600:
            return "%s pixels, %d x %d told" % (picture.shape, told["width"], told["height"])
        second = self._cut(picture, told["options"][1])
        if second.shape != self.neighbour.shape:
            return "the second option is %s" % (second.shape,)
        return count(int((second != self.neighbour).any(axis=2).sum()), "of the other option") or count(
            outside(picture, (4, 4, 4, 4), (255, 255, 255, 255)), "at the edge"
        )


class Card:
    """Letters reach out of the box by less than an em."""

    def __init__(self, client):
        pass

    def target(self, text):
        return query("/card", ("template", "lines"), ("title", text), ("format", "png"))

    def faults(self, text, picture):
        if picture.shape[:2] != (200, 400):
            return "%s pixels" % (picture.shape,)
        return count(outside(picture, (40, 40, 40, 40), (255, 255, 255, 255)), "more than an em out of the box")


class Avatar:
    """There is something in the disc, nothing around it, and one color along its edge."""

    def __init__(self, client):
        down, across = numpy.mgrid[0:96, 0:96] + 0.5 - 48
        distance = numpy.hypot(down, across)
        self.around, self.edge, self.disc = distance > 49, (distance > 46) & (distance < 47), distance < 46

    def target(self, text):
        return query("/avatar", ("person", "name:" + escaped(text[:60])), ("size", "96"), ("initials", "3"), ("format", "png"))

    def faults(self, text, picture):
        if picture.shape[:2] != (96, 96):
            return "%s pixels" % (picture.shape,)
        if len(numpy.unique(picture[self.disc], axis=0)) < 2:
            return "an empty disc"
        edge = picture[self.edge]
        return count(int((edge != edge[0]).any(axis=1).sum()), "at the edge of the disc") or count(
            int((picture[self.around][:, 3] > 0).sum()), "around the disc"
        )


class Overlay:
    """Letters reach out of their lines by two ems at most, and lines are as wide as was asked for."""

    def __init__(self, client):
        pass

    def target(self, text):
        words = text.replace("\\", "\\\\").replace("|", "\\|") + "|size:16|width:120|lines:3|color:black"
        return query("/asset", ("id", "plain.png"), ("text", words), ("format", "png"))

    def faults(self, text, picture):
        if picture.shape[:2] != (160, 240):
            return "%s pixels" % (picture.shape,)
        return count(outside(picture, (24, 14, 24, 14), (GREY, GREY, GREY, 255)), "out of the lines")


def count(number, where):
    return "%d pixels %s" % (number, where) if number else None


def random_texts(case):
    """10,000 texts of 28 scripts on polls, cards, avatars and images stay in their boxes, and memory is bounded"""
    wanted = case.times or USUAL_COUNT
    PIL.Image.new("RGB", (240, 160), (GREY,) * 3).save(os.path.join(case.library.folder, "plain.png"))
    templates = os.path.join(case.library.folder, "templates")
    os.makedirs(templates, exist_ok=True)
    with open(os.path.join(templates, "lines.json"), "w") as file:
        json.dump(TEMPLATE, file)
    with case.server("--card-templates", templates, "--cache-memory", "%dm" % CACHE) as server:
        client = Client(server.address)
        kinds = [kind(client) for kind in (Poll, Card, Avatar, Overlay)]
        answers, found = collections.Counter(), []

        def play(entry):
            script, text = entry
            for kind in kinds:
                name = type(kind).__name__.lower()
                try:
                    status, media, content = client.get(kind.target(text))
                    if status == 200:
                        fault = kind.faults(text, pixels(content))
                    else:
                        fault = refusal(status, media, content)
                except Exception as error:  # What is wrong with one must not keep the others from being asked for.
                    status, fault = type(error).__name__, "%s: %s" % (type(error).__name__, error)
                yield name, status, fault and "%s, %s: %s: %s" % (name, script, fault, ascii(text[:60]))

        entries = corpus.texts(wanted)
        # Fonts are read when the first text needs them.
        first = list(itertools.islice(entries, 4 * len(corpus.SCRIPTS)))
        with concurrent.futures.ThreadPoolExecutor(PARALLEL) as pool:
            note(pool.map(lambda entry: list(play(entry)), first), answers, found)
            before = server.resident_mb()
            while batch := list(itertools.islice(entries, 1000)):
                note(pool.map(lambda entry: list(play(entry)), batch), answers, found)
        for name in sorted({name for name, _ in answers}):
            told = {str(status): number for (kind, status), number in answers.items() if kind == name}
            case.check(told.get("200", 0) > 0.6 * wanted, "answers to %s: %s" % (name, told))
        case.check(
            not found, "%d pictures and answers are wrong%s" % (len(found), "".join("\n        " + text for text in found[:8]))
        )
        bound = before + CACHE + MEMORY_SLACK
        peak = server.resident_mb(peak=True)
        case.check(
            peak < bound, "resident %.0f MB at most, %.0f MB after the first texts, %.0f MB allowed" % (peak, before, bound)
        )


def note(played, answers, found):
    for name, status, fault in itertools.chain.from_iterable(played):
        answers[name, status] += 1
        if fault:
            found.append(fault)


def refusal(status, media, content):
    """What is wrong with an answer that is no picture: it has to say which parameter cannot be drawn."""
    if status == 400 and media == "application/problem+json" and b'"parameter"' in content and len(content) < 16_384:
        return None
    return "%d %s %r" % (status, media, content[:120])


def long_texts(case):
    """texts of up to 1 MB get a clear problem, and the server takes little memory for them"""
    with case.server() as server:
        for path in ("/poll?question=", "/card?template=quote&quote=", "/avatar?names=", "/asset?id=lagoon.jpg&text="):
            for size, expected in ((9_000, 414), (1_000_000, 414)):
                status, content = exchange(server, "GET " + path + "a" * size)
                case.check(
                    status == expected and b"application/problem+json" in content,
                    "%s and %d letters: %s" % (path, size, status),
                )
        letters = {"ascii": "a", "emoji": "\U0001f600", "marks": "\u0301", "directions": "\u202e", "controls": "\u0001"}
        before = server.resident_mb()
        for (name, letter), (path, make) in itertools.product(letters.items(), CONTENTS.items()):
            for size, expected in ((200_000, 400), (1_000_000, 413)):
                text = letter * (size // len(json.dumps(letter, ensure_ascii=False).encode().strip(b'"')))
                body = json.dumps(make("x" + text), ensure_ascii=False).encode()
                fields = "Content-Type: application/json\r\nContent-Length: %d\r\n" % len(body)
                status, content = exchange(server, "POST " + path, fields, body)
                case.check(
                    status == expected and b"application/problem+json" in content and len(content) < 16_384,
                    "%s, %d bytes of %s: %s, %d bytes" % (path, size, name, status, len(content)),
                )
        peak = server.resident_mb(peak=True)
        case.check(peak < before + MEMORY_SLACK, "resident %.0f MB at most, %.0f MB before" % (peak, before))


CONTENTS = {
    "/poll": lambda text: {"question": text, "option": ["a", "b"]},
    "/card": lambda text: {"template": "quote", "quote": text},
    "/avatar": lambda text: {"person": [{"name": text}]},
}


def exchange(server, line, fields="", body=b""):
    """Status and the whole answer; the server may refuse before everything was sent."""
    with socket.create_connection(server.address, timeout=30) as connection:
        head = "%s HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n%s\r\n" % (line, fields)
        try:
            connection.sendall(head.encode() + body)
        except OSError:
            pass
        data = bytearray()
        try:
            while piece := connection.recv(1 << 16):
                data += piece
        except OSError as error:
            if not data:
                return type(error).__name__, b""
    return int(data[9:12] or 0), bytes(data)


TRIALS = {"random": random_texts, "long": long_texts}


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--binary", required=True)
    parser.add_argument("--json", required=True)
    parser.add_argument("words", nargs="*")
    arguments = parser.parse_args()
    names, times = trials.names_and_times(parser, arguments.words, TRIALS, USUAL_COUNT)
    # The steady client must not carry copies of sockets that are open here.
    multiprocessing.set_start_method("spawn")

    def prepare(case):
        case.times = times

    trials.run(TRIALS, names, arguments.binary, arguments.json, 120 + times // 4, prepare)


if __name__ == "__main__":
    main()
