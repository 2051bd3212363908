"""One fault: what is checked, and the server and steady client that it runs with."""

import contextlib

import server as servers
import steady


class Impossible(Exception):
    """What a case needs is not available here; the text says what."""


class Case:
    def __init__(self, name, binary, library):
        self.name = name
        self.binary = binary
        self.library = library
        self.failures = []
        self.notes = []
        # How often, or for how many seconds, something is done; None: as the case sees fit.
        self.times = None

    def check(self, holds, text):
        """Something that must hold; `text` says what was found."""
        print("    %s %s" % ("ok    " if holds else "FAILED", text), flush=True)
        if not holds:
            self.failures.append(text)

    def note(self, text):
        print("           " + text, flush=True)
        self.notes.append(text)

    @contextlib.contextmanager
    def server(self, *options, may_refuse=(), kinds=steady.KINDS, ends_by_itself=False, **process):
        """A server with a steady client; `process` is what `Server` takes. Whatever happens in between, the client must have
        had good answers, but for 503 to the kinds in `may_refuse`, and SIGTERM must end the server with 0 (unless it
        `ends_by_itself`)."""
        with servers.Server(self.binary, self.library, *options, **process) as server:
            if "cached" in kinds:
                server.get(steady.CACHED)
            client = steady.SteadyClient(server.address, kinds).start() if not ends_by_itself else None
            try:
                yield server
            finally:
                found = client.stop() if client else {}
            for kind, entry in found.items():
                errors = entry["errors"]
                refused = 0 if kind in may_refuse else entry["refused"]
                self.check(
                    not errors and not refused and entry["count"] > 0,
                    "steady %-8s %4d answers, %d errors, %d times 503, p50 %.1f ms, p99 %.0f ms, worst %.0f ms%s"
                    % (
                        kind,
                        entry["count"],
                        len(errors),
                        entry["refused"],
                        entry["p50"],
                        entry["p99"],
                        entry["worst"],
                        ": " + errors[0] if errors else "",
                    ),
                )
            if not ends_by_itself:
                self.check(server.is_running(), "the server still runs")
                code = server.stop() if server.is_running() else server.wait(0)
                self.check(code == 0, "SIGTERM ends it with %s" % code)
            for line in server.log().splitlines():
                if "Fatal error" in line or "crash" in line.lower():
                    self.check(False, "log: " + line[:200])
