"""Many pictures, what each of them must be, and clients that ask for them at once."""

import concurrent.futures
import hashlib
import os

import server as servers


def targets(count):
    """Different pictures: small ones, large ones, of every format."""
    found = []
    for number in range(count):
        width = 40 + 7 * number
        if number % 12 == 0:
            # Incompressible: some hundreds of kilobytes, which are sent from the file.
            found.append("/asset?id=noise.png&width=%d&format=png" % (330 + number))
        else:
            form = ("jpeg", "webp", "png", "jpeg")[number % 4]
            name = "badge.png" if number % 5 == 0 else "lagoon.jpg"
            found.append("/asset?id=%s&width=%d&format=%s" % (name, min(width, 900), form))
    return found


def originals(binary, library, wanted):
    """What a server without a folder for its cache answers."""
    with servers.Server(binary, library) as server:
        return {target: digest(server.get(target)) for target in wanted}


def digest(answer):
    return answer[0], hashlib.sha256(answer[1]).hexdigest(), len(answer[1])


def ask(server, wanted, expected, at_once=4):
    """Asks for all; what was not answered, or not as it must be, in words."""

    def one(target):
        try:
            answer = digest(server.get(target))
        except OSError as error:
            return "%s: %s" % (target, error)
        if answer != expected[target]:
            return "%s: %s, not %s" % (target, answer, expected[target])
        return None

    with concurrent.futures.ThreadPoolExecutor(at_once) as pool:
        return [text for text in pool.map(one, wanted) if text]


def entry_files(folder):
    """The files of the entries below the folder of a cache."""
    found = []
    for base, _, names in os.walk(os.path.join(folder, "entries")):
        found += [os.path.join(base, name) for name in names]
    return sorted(found)
