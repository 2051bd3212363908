#!/usr/bin/env python3
"""Drives the pages of a running server in headless Chromium.

suite.py SERVER CLOSED CHROMIUM OUT [NAME…]

SERVER is its address; it has the token `playground`. CLOSED is that of one that wants signatures and has the same token. Both
have the files of documents.py and the sample pictures. Writes pictures of the pages into OUT. Exits 1 when a trial fails.

  film      widths and places of the film strip at 20 positions and three rates are those of the specification.
  big       shifts, masks and gaps of the big strip at 20 positions.
  lead      either strip leads the other, which is not listened to; the film strip stops at a page; its rate goes to 0 and back.
  elements  a walk through 200 pages needs at most 40 elements, and has its frames and first paint reported.
  turn      page 137 is page 137 after the window was turned.
  change    the model's removal of the first, a middle and the last page, and an insertion.
  keys      Tab and arrows reach everything.
  zoom      tiles of the original, each of which comes.
  touch     two fingers zoom and drag, in the viewer and in a map.
  pairs     two pages side by side, turned, and with a look.
  plain     without a script, a list of pages.
  closed    a server that wants signatures says so on the page.
  access    axe-core finds nothing, in light and dark.
  pictures  the page at three widths, in light and dark.

Of the playground:

  line      a misspelt word is marked, explained and corrected by one click.
  controls  every parameter of the contract has a control, and is completed.
  crop      dragged and moved by arrows.
  focus     a point in the address, and one that is stored.
  map       dragged, zoomed, pinned.
  take      the address as URL, curl, <picture>, Swift, signed; the steps of its making.
  upload    a picture that is dropped.
  weight    the bytes that come before anything is opened.
  tabs      Tab reaches everything.
  links     without a script, links to try.
  front     the page at three widths, in light and dark.
  atlas     the page at /maps: panned, in another style, at three widths.
  signed    the same where URLs are signed, by a signed set.
  token     a server that lists for its token alone asks for it.
"""

import math
import pathlib
import sys
import time

import axe_core_python
from browser import Browser, near, require
from documents import shape
from playground import MAP, PICTURE, PlaygroundTrials

# Of the specification; viewer-geometry.js has its own.
WIDTH, HEIGHT, GAP, ROOM, BETWEEN, LAG = 40, 56, 4, 10, 44, 0.3
PITCH = WIDTH + GAP
V = "vedutaViewer"
SETTLED = f"!!globalThis.{V} && {V}.film.isBound && {V}.big.isBound && {V}.film.rate === 1"


class Suite(PlaygroundTrials):
    def __init__(self, server, closed, chromium, out):
        self.server, self.closed_server = f"http://{server}", f"http://{closed}"
        self.browser = Browser(chromium)
        self.out = pathlib.Path(out)
        self.out.mkdir(parents=True, exist_ok=True)

    def open(self, target, size=(1000, 800), server=None, ratio=1):
        self.browser.size(*size, ratio)
        self.browser.go((server or self.server) + target)
        self.browser.wait(SETTLED)

    def run(self, script):
        return self.browser.run(script)

    def page(self):
        return self.run(f"{V}.model.active") + 1

    def settle(self):
        time.sleep(0.2)
        self.browser.wait(SETTLED)

    # MARK: Formulas

    def film(self):
        self.open("/view?id=book.pdf#page=20")
        self.browser.wait(f"{V}.model.pages.slice(0, 24).every(page => page.width && !page.isGuess)")
        strip = self.run(f"{V}.film.box.clientWidth")
        length = self.run(f"{V}.film.box.scrollWidth")
        near(length, strip - WIDTH + 200 * WIDTH + 199 * GAP, "length")
        count = 0
        for rate in [0, 0.5, 1]:
            for step in range(20):
                offset = 1.3 * PITCH + step * 1.11 * PITCH
                cells = self.run(f"""(() => {{ const film = {V}.film, left = film.box.getBoundingClientRect().left;
                    film.unbind(); film.rate = {rate}; film.scrollTo({offset}); film.render();
                    return [...film.cells].map(([index, {{ element }}]) => {{ const box = element.getBoundingClientRect();
                      return [index, box.left - left, box.width]; }}); }})()""")
                ratio = {index: shape(index + 1)[0] / shape(index + 1)[1] for index in range(200)}
                e = {index: max(0, 1 - abs(offset - index * PITCH) / PITCH) for index in range(200)}
                width = {index: WIDTH + (HEIGHT * ratio[index] - WIDTH) * e[index] * rate for index in range(200)}
                extra = {index: width[index] - WIDTH + 2 * ROOM * e[index] * rate for index in range(200)}
                wide = [index for index in range(200) if e[index] > 0]
                for index, left, found in cells:
                    center = (strip - WIDTH) / 2 + index * PITCH + WIDTH / 2 - offset
                    center += sum(math.copysign(extra[other] / 2, index - other) for other in wide if other != index)
                    near(found, width[index], f"width of page {index + 1} at {offset:.0f}")
                    near(left + found / 2, center, f"middle of page {index + 1} at {offset:.0f}")
                    count += 1
                seen = {index for index, _, _ in cells}
                missing = [index for index in range(200) if abs(index * PITCH - offset) < strip / 2 and index not in seen]
                require(not missing, f"no cells for {missing} at {offset:.0f}")
        return f"{count} cells at 60 positions and rates, within 1 px"

    def big(self):
        self.open("/view?id=book.pdf#page=20")
        self.browser.wait(f"{V}.model.pages.slice(0, 24).every(page => page.width && !page.isGuess)")
        [width, height] = self.run(f"[{V}.big.box.clientWidth, {V}.big.box.clientHeight]")
        count = 0
        for step in range(20):
            scroll = (2 + step * 0.97) * width
            found = self.run(f"""(() => {{ const {{ big, stage }} = {V}, left = big.box.getBoundingClientRect().left;
                const rect = it => {{ const {{ left: x, width, height }} = it.getBoundingClientRect(); return [x - left, width, height]; }};
                stage.classList.add('led'); big.unbind(); big.scrollTo({scroll}); big.render();
                return [...big.cells].map(([screen, {{ cell, boxes }}]) => [screen, ...rect(cell), ...rect(boxes[0].mask), ...rect(boxes[0].image)]);
                }})()""")
            seen = []
            for screen, cell, cell_width, _, mask, mask_width, mask_height, image, image_width, _ in found:
                p = (screen * width - scroll) / width
                shifted = abs(p) < 1
                near(cell, p * width + (BETWEEN * p if shifted else 0), f"cell {screen} at {scroll:.0f}")
                ratio = shape(screen + 1)[0] / shape(screen + 1)[1]
                fit = min(width - 32, (height - 32) * ratio)
                near(mask_width, fit, f"mask of {screen}")
                near(mask_height, fit / ratio, f"height of the mask of {screen}")
                near(mask - cell, (width - fit) / 2, f"place of the mask of {screen}")
                near(image - mask, -LAG * width * p if shifted else 0, f"picture of {screen} at {scroll:.0f}")
                near(image_width, fit, f"picture of {screen}")
                if shifted:
                    seen.append((cell, cell_width))
                count += 1
            seen.sort()
            for (one, one_width), (other, _) in zip(seen, seen[1:]):
                near(other - one - one_width, BETWEEN, f"gap at {scroll:.0f}")
        return f"{count} pages at 20 positions, within 1 px"

    # MARK: Behaviour

    def lead(self):
        self.open("/view?id=book.pdf#page=20")
        self.run(f"""(() => {{ globalThis.seen = []; const watch = () => {{ const v = {V};
            const cell = v.film.cells.get(v.model.active)?.element.getBoundingClientRect();
            const box = v.film.box.getBoundingClientRect();
            seen.push([v.film.isBound, v.big.isBound, v.film.rate, v.film.offset, v.big.offset / v.big.width,
              cell.left + cell.width / 2 - box.left - box.width / 2]);
            if (!globalThis.seenAll) requestAnimationFrame(watch); }}; watch(); }})()""")
        [x, y] = self.run(
            f"(() => {{ const b = {V}.film.box.getBoundingClientRect(); return [b.left + b.width / 2, b.top + 40]; }})()"
        )
        for delta in [90, 130, 75]:
            self.browser.mouse("mouseWheel", x, y, deltaX=delta, deltaY=0)
            time.sleep(0.06)
        self.settle()
        seen = self.run("(globalThis.seenAll = true, seen)")
        led = [row for row in seen if row[2] < 1]
        require(led, "the rate stayed 1")
        require(min(row[2] for row in seen) < 0.2, f"the rate went to {min(row[2] for row in seen)} only")
        for film, big, _, offset, screen, _ in seen:
            require(not (film and big) or abs(offset / PITCH - screen) < 0.02, "both strips are heard while they differ")
            near(offset / PITCH, screen, "the big strip follows", 0.03)
        require(all(not row[1] for row in led), "the follower is heard")
        page = self.page()
        require(page > 20, f"page {page}")
        near(self.run(f"{V}.film.box.scrollLeft"), (page - 1) * PITCH, "the strip stops at a page", 0.01)
        rising = [row for row in seen if abs(row[3] - (page - 1) * PITCH) < 0.01]
        for row in rising:
            near(row[5], 0, "the page in the middle stays there", 0.5)
        # The other way round.
        self.browser.mouse("mouseWheel", 500, 300, deltaX=900, deltaY=0)
        self.browser.wait(f"{V}.model.active + 1 > {page}")
        self.settle()
        now = self.page()
        near(self.run(f"{V}.film.box.scrollLeft"), (now - 1) * PITCH, "the film strip follows", 0.01)
        require(self.run("location.hash") == f"#page={now}", self.run("location.hash"))
        require(self.run("document.title").startswith(f"{now} of 200"), self.run("document.title"))
        return f"pages 20, {page}, {now}; {len(seen)} frames"

    def elements(self):
        self.open("/view?id=book.pdf", (1600, 1000))
        paint = self.run(
            "performance.getEntriesByType('paint').find(entry => entry.name === 'first-contentful-paint')?.startTime"
        )
        self.run("""(() => { globalThis.frames = []; globalThis.most = 0; let last = performance.now(); const watch = now => {
            frames.push(now - last); last = now;
            most = Math.max(most, document.querySelectorAll('.big, .big *, .film, .film *').length);
            requestAnimationFrame(watch); }; requestAnimationFrame(watch); })()""")
        for page in [2, 3, 4, 40, 41, 137, 199, 200]:
            self.run(f"{V}.goTo({page - 1})")
            self.settle()
        [x, y] = self.run(
            f"(() => {{ const b = {V}.film.box.getBoundingClientRect(); return [b.left + b.width / 2, b.top + 40]; }})()"
        )
        for _ in range(30):
            self.browser.mouse("mouseWheel", x, y, deltaX=-220, deltaY=0)
            time.sleep(0.02)
        self.settle()
        [most, frames] = self.run("[most, frames]")
        require(most <= 40, f"{most} elements")
        slow = sum(frame > 33.4 for frame in frames)
        return f"{most} elements at most; first paint {paint:.0f} ms; {slow} of {len(frames)} frames over 33 ms, the longest {max(frames):.0f} ms"

    def turn(self):
        self.open("/view?id=book.pdf#page=137", (390, 844))
        for size in [(844, 390), (390, 844), (1600, 900), (500, 700)]:
            self.browser.size(*size)
            self.settle()
            require(self.page() == 137, f"{size}: page {self.page()}")
            require(self.run("location.hash") == "#page=137", self.run("location.hash"))
            near(self.run(f"{V}.film.box.scrollLeft"), 136 * PITCH, f"film strip at {size}", 0.5)
            near(self.run(f"{V}.big.box.scrollLeft / {V}.big.box.clientWidth"), 136, f"big strip at {size}", 0.01)
        return "137 after four turns"

    def change(self):
        said = []
        for active, removed, after in [(1, 1, 1), (6, 6, 6), (12, 12, 11), (6, 3, 5), (6, 9, 6)]:
            self.open(f"/view?id=leaflet.pdf#page={active}")
            shown = self.run(f"{V}.model.pages[{active - 1}].page")
            self.run(f"""(() => {{ globalThis.widths = []; const watch = () => {{ if ({V}.film.change) {{
                widths.push([{V}.film.change.share, {V}.film.cells.get({removed - 1})?.element.getBoundingClientRect().width ?? -1]);
                }} requestAnimationFrame(watch); }}; watch(); }})()""")
            gone = self.run(f"{V}.remove({removed - 1}).then(page => page.page)")
            require(gone == removed, f"page {gone} is gone, not {removed}")
            self.settle()
            require(self.run(f"{V}.model.count") == 11, "a page too many")
            require(self.page() == after, f"after page {removed} of {active}: page {self.page()}, not {after}")
            if active != removed:
                require(self.run(f"{V}.model.pages[{V}.model.active].page") == shown, "another page is shown")
            near(self.run(f"{V}.film.box.scrollLeft"), (after - 1) * PITCH, "film strip", 0.5)
            widths = self.run("widths")
            require(len(widths) > 2 and widths[-1][0] < widths[0][0], f"the cell did not shrink: {widths}")
            said.append(f"{removed} of {active}")
        self.run(f"{V}.insert(2, {{ ...{V}.model.pages[2] }}).then(() => true)")
        self.settle()
        require(self.run(f"{V}.model.count") == 12 and self.page() == 7, f"after the insertion page {self.page()}")
        return "removed " + ", ".join(said) + "; inserted one"

    def keys(self):
        self.open("/view?id=leaflet.pdf")
        reached = []
        for _ in range(14):
            self.browser.key("Tab")
            reached.append(self.run("document.activeElement.getAttribute('aria-label') ?? document.activeElement.textContent"))
        for wanted in [
            "Next page (→)",
            "Zoom in (+)",
            "Pages side by side",
            "Turn the page",
            "Look of the page",
            "Copy URL",
            "Pages",
        ]:
            require(wanted in reached, f"Tab does not reach {wanted}: {reached}")
        self.run(f"{V}.film.box.focus()")
        pages = [self.page()]
        for _ in range(11):
            self.browser.key("ArrowRight")
            self.settle()
            pages.append(self.page())
            active = self.run(
                f"document.getElementById({V}.film.box.getAttribute('aria-activedescendant'))?.getAttribute('aria-selected')"
            )
            require(active == "true", "the active option is not selected")
        require(pages == list(range(1, 13)), f"arrows reach {pages}")
        self.browser.key("Home")
        self.settle()
        require(self.page() == 1, "Home")
        self.browser.key("End")
        self.settle()
        require(self.page() == 12, "End")
        self.browser.key("+", "Equal", "+")
        require(self.run(f"{V}.zoom.isOpen"), "+ does not zoom")
        self.browser.key("Escape")
        require(not self.run(f"{V}.zoom.isOpen"), "Escape does not end the zoom")
        return f"{len(set(reached))} stops of Tab, 12 pages by arrows"

    def zoom(self):
        said = []
        for target, scale in [("/view?ids=lagoon.jpg,night.jpg", None), ("/view?id=leaflet.pdf", 6)]:
            self.open(target, ratio=2)
            self.browser.wait(f"!!{V}.model.size(0)")
            for count in (1, 2):
                for kind in ("mousePressed", "mouseReleased"):
                    self.browser.mouse(kind, 500, 400, button="left", clickCount=count)
            require(self.run(f"{V}.zoom.isOpen"), "a double click does not zoom")
            if scale:
                self.run(f"{V}.zoom.by({scale} / {V}.zoom.scale)")
            tiles = "[...document.querySelectorAll('.sheet img')].slice(1)"
            self.browser.wait(f"{tiles}.length > 0 && {tiles}.every(tile => tile.complete)", 60)
            shown = self.run(f"{tiles}.map(tile => [tile.naturalWidth, tile.src.includes('crop=')])")
            require(all(width and cut for width, cut in shown), f"a tile did not come: {shown}")
            require(max(width for width, _ in shown) <= 512, f"a tile is {max(shown)} px wide")
            self.browser.picture(self.out / f"zoom-{len(said)}.png")
            said.append(f"{len(shown)} tiles")
        return ", ".join(said)

    def pinch(self, middle, apart, factor=1.0, by=(0, 0)):
        """Two fingers beside `middle`, which spread by `factor` and move by `by`."""
        (x, y), (dx, dy) = middle, by
        start = [(x - apart, y), (x + apart, y)]
        self.browser.fingers(start, [(x + dx - apart * factor, y + dy), (x + dx + apart * factor, y + dy)])

    def touch(self):
        """Two fingers zoom and drag, in the viewer and in a map."""
        self.open("/view?ids=lagoon.jpg,night.jpg")
        self.browser.wait(f"!!{V}.model.size(0)")
        [left, top, width, height] = self.box(".stage")
        middle = (left + width / 2, top + height / 2)
        self.pinch(middle, 100, 1.5)
        require(self.run(f"{V}.zoom.isOpen"), "two fingers do not zoom")
        near(self.run(f"{V}.zoom.scale"), 1.5, "the zoom of the viewer", 0.1)
        # What is shown lies under the fingers.
        across = "new DOMMatrix(getComputedStyle(document.querySelector('.zoom .sheet')).transform).e"
        before = self.run(across)
        self.pinch(middle, 100, by=(40, 0))
        near(self.run(across) - before, 40, "two fingers drag the page", 3)
        self.browser.fingers([middle], [(middle[0] - 40, middle[1])])
        near(self.run(across), before, "one finger drags it back", 3)
        self.pinch(middle, 200, 0.3)
        require(not self.run(f"{V}.zoom.isOpen"), "fingers that close do not end the zoom")
        self.visit("/maps")
        [left, top, width, height] = self.box(".pane")
        middle = (left + width / 2, top + height / 2)
        [zoom, lon] = self.run("[vedutaMaps.zoom, vedutaMaps.center.lon]")
        self.pinch(middle, 50, 2.0)
        near(self.run("vedutaMaps.zoom"), zoom + 1, "the zoom of the map", 0.1)
        near(self.run("vedutaMaps.center.lon"), lon, "what is between the fingers stays", 1)
        self.pinch(middle, 50, by=(-60, 0))
        near(self.run("vedutaMaps.zoom"), zoom + 1, "two fingers that stay apart do not zoom", 0.1)
        moved = self.run("vedutaMaps.center.lon - " + str(lon)) % 360
        near(moved, 60 * 360 / self.run("vedutaMaps.size"), "two fingers drag the map", 2)
        return "zoomed and dragged in both"

    def pairs(self):
        self.open("/view?id=book.pdf#page=20", (1600, 1000))
        self.run("document.querySelector('.pair').click()")
        self.settle()
        require(self.run(f"{V}.big.cells.get(10).boxes.length") == 2, "one page")
        [one, other] = self.run(f"{V}.big.cells.get(10).boxes.map(box => box.mask.getBoundingClientRect().toJSON())")
        near(one["right"], other["left"], "pages side by side")
        require(self.page() == 20, f"page {self.page()}")
        count = self.run("document.querySelectorAll('.big, .big *, .film, .film *').length")
        self.browser.key("ArrowRight")
        self.settle()
        require(self.page() == 21 or self.page() == 22, f"after an arrow page {self.page()}")
        self.run("document.querySelector('.pair').click()")
        self.run("document.querySelector('.turn').click()")
        self.run("(() => { const look = document.querySelector('.bar select'); look.value = 'sepia'; look.onchange(); })()")
        self.settle()
        shown = self.run("[...document.querySelectorAll('.big .screen[aria-hidden=false] img')].map(image => image.currentSrc)")
        self.browser.wait(
            "[...document.querySelectorAll('.big img')].some(image => /rotate=90&filter=sepia/.test(image.currentSrc))"
        )
        return f"{count} elements for pairs; {len(shown)} page turned"

    def plain(self):
        self.browser.send("Emulation.setScriptExecutionDisabled", value=True)
        try:
            self.browser.size(900, 700)
            self.browser.go(self.server + "/view?id=book.pdf")
            time.sleep(1)
            self.browser.picture(self.out / "plain.png")
            [items, first, alt, link] = (
                self.run("""(() => { const items = [...document.querySelectorAll('.pages li')], image = items[0].querySelector('img');
                return [items.length, getComputedStyle(image).visibility === 'visible' && image.naturalWidth, image.alt,
                  document.querySelector('nav a')?.getAttribute('href')]; })()""")
            )
            require(items == 24 and first > 100, f"{items} pages, the first {first} px wide")
            require(alt == "Page 1 of 200 of book.pdf", alt)
            require(link and "after=24" in link, f"the link is {link}")
        finally:
            self.browser.send("Emulation.setScriptExecutionDisabled", value=False)
        return f"{items} pages, and a link to the next"

    def closed(self):
        before = len(self.browser.console)
        self.browser.size(900, 700)
        self.browser.go(self.closed_server + "/view?id=book.pdf")
        self.browser.wait("!!document.querySelector('.notice') && !document.querySelector('.notice').hidden")
        said = self.run("document.querySelector('.notice').textContent")
        require("refuses" in said, said)
        self.browser.picture(self.out / "closed.png")
        # Refusals are in the console too, and are what this is about.
        del self.browser.console[before:]
        return said

    def access(self):
        axe = pathlib.Path(axe_core_python.__file__).with_name("axe.min.js").read_text()
        found = []
        for scheme in ["light", "dark"]:
            self.browser.media(prefers_color_scheme=scheme)
            for target in ["/view?id=book.pdf#page=8", "/view?ids=lagoon.jpg,night.jpg", PICTURE, MAP, "/maps"]:
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

    def pictures(self):
        for scheme in ["light", "dark"]:
            self.browser.media(prefers_color_scheme=scheme)
            for width, height in [(390, 844), (900, 700), (1600, 1000)]:
                self.open("/view?id=book.pdf#page=8", (width, height))
                time.sleep(1)
                self.browser.picture(self.out / f"viewer-{width}-{scheme}.png")
        self.browser.media()
        return f"in {self.out}"


TRIALS = ["film", "big", "lead", "elements", "turn", "change", "keys", "zoom", "touch", "pairs"]
TRIALS += ["plain", "closed", "access", "pictures"] + PlaygroundTrials.TRIALS


def main():
    server, closed, chromium, out, *names = sys.argv[1:]
    suite = Suite(server, closed, chromium, out)
    failed = 0
    with suite.browser:
        for name in names or TRIALS:
            try:
                print(f"{name}: {getattr(suite, name)()}", flush=True)
            except Exception as error:
                failed += 1
                print(f"FAILED: {name}: {error}", flush=True)
        for text in suite.browser.console:
            failed += 1
            print(f"FAILED: console: {text}", flush=True)
    sys.exit(1 if failed else 0)


main()
