#!/usr/bin/env python3
"""Drives the pages of a running server in headless Chromium.

suite.py SERVER CLOSED CHROMIUM SEADRAGON OUT [NAME…]

SERVER is its address; it has the token `playground`. CLOSED is that of one that wants signatures and has the same token. Both
have the files of documents.py and the sample pictures. SEADRAGON is the file openseadragon.js, or empty. Writes pictures of the
pages into OUT. Exits 1 when a trial fails.

Of the viewer:

  film      widths and places of the film strip at 20 positions and three rates are those of the specification.
  big       shifts, masks and gaps of the big strip at 20 positions.
  lead      either strip leads the other, which is not listened to; the film strip stops at a page; its rate goes to 0 and back.
  pace      the rate takes 150 ms for all of its way, from where it is, a page that goes 250 ms; both are eased.
  elements  a walk through 200 pages needs at most 40 elements, which are laid out once a frame, none over 33 ms where
            nothing else keeps the machine busy; the first paint is reported.
  turn      page 137 is page 137 after the window was turned.
  change    the model's removal of the first, a middle and the last page, and an insertion.
  keys      Tab and arrows reach everything.
  zoom      tiles of the original, each of which comes.
  sharp     what is zoomed step by step is drawn again at its scale.
  wide      tiles cover a large screen; a look with a vignette is not cut into tiles.
  touch     two fingers zoom and drag.
  swipe     a finger drags the film strip further than the page that it touched is kept.
  mouse     a click in the film strip, and either strip dragged.
  pairs     two pages side by side, turned, and with a look.
  load      a page comes as its ThumbHash, in half of its size, then whole; two on each side are fetched ahead.
  copy      the URL of a page, or of the part in view, as it is shown.
  still     nothing moves for those who want less movement.
  light     the bytes of the page with its scripts.
  plain     without a script, a list of pages.
  closed    a server that wants signatures says so on the page.
  pictures  the page at three widths, in light and dark.

Of the playground:

  line      a misspelt word is marked, explained and corrected by one click.
  controls  every parameter of the contract has a control, and is completed.
  kinds     avatars, polls and cards from their buttons, changed by a control.
  crop      dragged and moved by arrows.
  focus     a point in the address, and one that is stored.
  map       dragged, zoomed, pinned.
  looks     looks and filters by their thumbnails and sliders.
  take      the address as URL, curl, <picture>, Swift, signed; the steps of its making.
  upload    a picture that is dropped; two clicks further, its <picture> is copied, and works.
  weight    the bytes that come before anything is opened.
  tabs      Tab reaches everything.
  links     without a script, links to try.
  front     the page at three widths, in light and dark.
  atlas     the page at /maps: panned, in another style, at three widths.
  fingers   two fingers zoom and drag a map.
  signed    the same where URLs are signed, by a signed set.
  token     a server that lists for its token alone asks for it.

Of all of them:

  access    axe-core finds nothing, in light and dark.

Of IIIF:

  seadragon OpenSeadragon on a page of another origin draws every tile of info.json in its place, of both versions.
"""

import pathlib
import sys

import axe_core_python
from browser import Browser, require
from playground import KINDS, MAP, PICTURE, PlaygroundTrials
from seadragon import SeadragonTrials
from viewer import ViewerTrials

#: Of a page, its style sheets, scripts and tables, compressed, before anything is opened.
BUDGET = 30_000


class Suite(ViewerTrials, PlaygroundTrials, SeadragonTrials):
    """`browser` is that of the trial that runs."""

    browser: Browser

    def __init__(self, server, closed, seadragon, out):
        self.server, self.closed_server = f"http://{server}", f"http://{closed}"
        self.seadragon_script = seadragon
        self.out = pathlib.Path(out)
        self.out.mkdir(parents=True, exist_ok=True)

    def run(self, script):
        return self.browser.run(script)

    def box(self, selector):
        """Left, top, width and height."""
        script = f"(() => {{ const b = document.querySelector('{selector}').getBoundingClientRect(); return [b.left, b.top, b.width, b.height]; }})()"
        return self.run(script)

    def click(self, x, y):
        for kind in ("mousePressed", "mouseReleased"):
            self.browser.mouse(kind, x, y, button="left", clickCount=1)

    def click_on(self, element):
        """A click of the mouse on the middle of what a script finds."""
        self.run(f"{element}.scrollIntoView({{ block: 'center' }})")
        found = f"(({{ x, y, width, height }}) => [x + width / 2, y + height / 2])({element}.getBoundingClientRect())"
        self.click(*self.run(found))

    def drag(self, start, end):
        self.browser.mouse("mousePressed", *start, button="left", clickCount=1)
        for step in range(1, 6):
            at = [a + (b - a) * step / 5 for a, b in zip(start, end)]
            self.browser.mouse("mouseMoved", *at, button="left", buttons=1)
        self.browser.mouse("mouseReleased", *end, button="left", clickCount=1)

    def pinch(self, middle, apart, factor=1.0, by=(0, 0)):
        """Two fingers beside `middle`, which spread by `factor` and move by `by`."""
        (x, y), (dx, dy) = middle, by
        start = [(x - apart, y), (x + apart, y)]
        self.browser.fingers(start, [(x + dx - apart * factor, y + dy), (x + dx + apart * factor, y + dy)])

    def weighed(self):
        """What the page has loaded of scripts and styles is within the budget."""
        weights = self.run("""[performance.getEntriesByType('navigation')[0], ...performance.getEntriesByType('resource')]
            .filter(one => new URL(one.name).pathname === location.pathname || one.name.includes('/pages/'))
            .map(one => [new URL(one.name).pathname, one.encodedBodySize])""")
        total = sum(size for _, size in weights)
        require(total <= BUDGET and all(size for _, size in weights), f"{total} bytes: {weights}")
        return f"{total} bytes in {len(weights)} files"

    def access(self):
        axe = pathlib.Path(axe_core_python.__file__).with_name("axe.min.js").read_text()
        found = []
        for scheme in ["light", "dark"]:
            self.browser.media(prefers_color_scheme=scheme)
            pages = ["/view?id=book.pdf#page=8", "/view?ids=lagoon.jpg,night.jpg", PICTURE, MAP, "/maps"]
            for target in pages + [one[2] for one in KINDS]:
                self.visit(target)
                # By the protocol: the page itself would refuse the script.
                self.run(axe + ";0")
                violations = self.run("axe.run().then(result => result.violations.map(({ id, nodes }) => [id, nodes[0].html]))")
                found += [f"{scheme} {target}: {name}: {html[:120]}" for name, html in violations]
        self.browser.media()
        require(not found, "; ".join(found))
        return "axe-core finds nothing"

    def visit(self, target):
        if target.startswith("/view"):
            self.open(target)
        elif target == "/maps":
            self.browser.go(self.server + target)
            self.browser.wait("!!globalThis.vedutaMaps")
        else:
            self.play(target)


TRIALS = ViewerTrials.TRIALS + PlaygroundTrials.TRIALS + ["access"] + SeadragonTrials.TRIALS


def main():
    server, closed, chromium, seadragon, out, *names = sys.argv[1:]
    suite = Suite(server, closed, seadragon, out)
    failed = 0
    for name in names or TRIALS:
        try:
            # One for each trial: headless Chromium has touch events only on the first page that it visits.
            with Browser(chromium) as suite.browser:
                said = getattr(suite, name)()
                require(not suite.browser.console, f"the console has {suite.browser.console}")
            print(f"{name}: {said}", flush=True)
        except Exception as error:
            failed += 1
            print(f"FAILED: {name}: {error}", flush=True)
    sys.exit(1 if failed else 0)


main()
