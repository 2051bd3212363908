"""Trials of the viewer at /view; suite.py runs them."""

import math
import pathlib
import time
import urllib.parse

from browser import near, require
from documents import shape
from PIL import Image, ImageChops, ImageFilter, ImageStat

# Of the specification; viewer-geometry.js has its own.
WIDTH, HEIGHT, GAP, ROOM, BETWEEN, LAG = 40, 56, 4, 10, 44, 0.3
PITCH = WIDTH + GAP
V = "vedutaViewer"
SETTLED = f"!!globalThis.{V} && {V}.film.isBound && {V}.big.isBound && {V}.film.rate === 1"


def paths(told):
    """What was told of a value, split where it begins a way: it is told there once more."""
    parts = []
    for row in told:
        if not parts or row[1] == parts[-1][-1][1]:
            parts.append([])
        parts[-1].append(row)
    return [part for part in parts if len(part) > 1]


#: The most that other work may use of the processors where frames are judged.
IDLE = 0.1


def busy_share():
    """The share of the processors that was in use for the last second, also by others on the same hardware; while it is more than
    `IDLE`, that of the next, five times at most: what the page asked for comes to its end."""

    def ticks():
        fields = [int(one) for one in pathlib.Path("/proc/stat").read_text().split("\n", 1)[0].split()[1:9]]
        return sum(fields), fields[3] + fields[4]

    for _ in range(5):
        (all_before, rest_before), _, (everything, rest) = ticks(), time.sleep(1), ticks()
        share = 1 - (rest - rest_before) / max(1, everything - all_before)
        if share <= IDLE:
            break
    return share


class ViewerTrials:
    """Of a suite with `browser`, `server`, `closed_server`, `out` and what suite.py defines."""

    TRIALS = ["film", "big", "lead", "pace", "elements", "turn", "change", "keys", "zoom", "sharp", "wide", "touch", "swipe"]
    TRIALS += ["mouse", "pairs", "load", "copy", "still", "light", "plain", "closed", "pictures"]

    def open(self, target, size=(1000, 800), server=None, ratio=1):
        self.browser.size(*size, ratio)
        self.browser.go((server or self.server) + target)
        self.browser.wait(SETTLED)

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

    def pace(self):
        """The page in the middle is expanded in 150 ms for all of the way, eased, from where it is; a page goes in 250 ms."""
        self.open("/view?id=leaflet.pdf#page=6")
        self.run(f"""(() => {{ globalThis.told = {{ rate: [], change: [] }}; for (const name in told) {{ let value = {V}.film[name];
            Object.defineProperty({V}.film, name, {{ get: () => value, set: given => {{ value = given;
              if (given !== null) told[name].push([document.timeline.currentTime, given.share ?? given]); }} }}); }} }})()""")
        [x, y, width, height] = self.box(".film")
        for _ in range(5):
            self.browser.mouse("mouseWheel", x + width / 2, y + height / 2, deltaX=60, deltaY=0)
            # To another page while it is on its way.
            self.run(f"""new Promise(resolve => {{ const watch = () => {{ const {{ rate }} = {V}.film;
                if (rate > 0.8) return requestAnimationFrame(watch);
                if (rate > 0.2) {V}.goTo(({V}.model.active + 6) % 12);
                resolve(); }}; watch(); }})""")
            self.settle()
            parts = paths(self.run("told.rate"))
            if any(0 < part[0][1] < 1 for part in parts):
                break
        else:
            require(False, f"the rate never turned back on its way: {parts}")
        self.run(f"{V}.remove(2).then(() => true)")
        gone = paths(self.run("told.change"))
        require(len(gone) == 1 and gone[0][-1][1] == 0, f"the page went by {gone}")
        for part, whole in [*((part, 150) for part in parts), (gone[0], 250)]:
            (start, first), target = part[0], 0 if part[-1][1] < part[0][1] else 1
            for now, value in part:
                t = min(1, (now - start) / (whole * abs(target - first)))
                eased = 2 * t * t if t < 0.5 else 1 - 2 * (1 - t) ** 2
                what = f"{whole} ms from {first:.2f} to {target}, after {now - start:.0f}"
                near(value, first + (target - first) * eased, what, 0.01)
        return f"{len(parts)} ways of the rate, one from {min(part[0][1] for part in parts if part[0][1] > 0):.2f}; 250 ms for a page"

    def elements(self):
        """At most 40 elements, whatever is shown, which are laid out once a frame, and no frame over 33 ms: once while the server
        draws the pages, on the same processors as the browser, and once more while it has their pictures. Where other work keeps
        the machine busy before or behind a walk, its frames are told and not judged."""
        self.open("/view?id=book.pdf", (1600, 1000))
        paint = self.run(
            "performance.getEntriesByType('paint').find(entry => entry.name === 'first-contentful-paint')?.startTime"
        )
        told = []
        self.browser.send("Performance.enable")
        for cache in ["drawn", "kept"]:
            busy = busy_share()
            before = self.browser.count("LayoutCount")
            self.run("""(() => { globalThis.frames = []; globalThis.most ??= 0; let last = performance.now(); const mine = frames;
                const watch = now => { if (mine !== frames) return;
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
            # Another list ends the watch.
            frames = self.run("(() => { const mine = frames; globalThis.frames = []; return mine; })()")
            layouts = (self.browser.count("LayoutCount") - before) / len(frames)
            require(layouts < 1.5, f"{layouts:.1f} layouts a frame")
            slow = [round(frame) for frame in frames if frame > 33.4]
            self.run(f"{V}.goTo(0)")
            self.settle()
            busy = max(busy, busy_share())
            verdict = "" if busy <= IDLE else f", not judged, as {busy:.0%} of the processors are busy without the walk"
            told.append(
                f"{len(slow)} of {len(frames)} frames over 33 ms ({cache}{verdict}), the longest {max(frames):.0f} ms, "
                f"{layouts:.1f} layouts each"
            )
            require(not slow or busy > IDLE, f"{told[-1]}: {slow} ms, none is allowed on an idle machine ({busy:.0%} busy)")
        most = self.run("most")
        require(most <= 40, f"{most} elements")
        return f"{most} elements at most; first paint {paint:.0f} ms; {'; '.join(told)}"

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

    def sharp(self):
        """A page that is zoomed step by step is as sharp as one that is zoomed at once."""
        details = []
        for steps in [[3], [1.1, 1.5, 3 / 1.1 / 1.5]]:
            self.open("/view?ids=lagoon.jpg,night.jpg")
            self.browser.wait(f"!!{V}.model.size(0)")
            for factor in steps:
                self.run(f"{V}.zoom.by({factor})")
                self.browser.wait("[...document.querySelectorAll('.sheet img')].every(tile => tile.complete)", 60)
                self.run(
                    "Promise.all([...document.querySelectorAll('.sheet img')].map(tile => tile.decode())).then(() => true)"
                )
                time.sleep(0.7)
            path = self.out / f"sharp-{len(details)}.png"
            self.browser.picture(path)
            picture = Image.open(path).convert("L").crop((50, 100, 950, 650))
            [detail] = ImageStat.Stat(ImageChops.difference(picture, picture.filter(ImageFilter.GaussianBlur(1)))).rms
            details.append(detail)
        require(details[1] > 0.9 * details[0], f"details of {details[0]:.1f} levels, and step by step of {details[1]:.1f}")
        return f"details of {details[0]:.1f} levels, and step by step of {details[1]:.1f}"

    def wide(self):
        """Tiles cover all of a large screen; a page whose look shades its edges comes as one."""
        self.open("/view?ids=scans/quilt.jpg", (3840, 2160))
        self.browser.wait(f"!!{V}.model.size(0)")
        self.run(f"{V}.zoom.by(1.05)")
        tiles = "[...document.querySelectorAll('.sheet img')].slice(1)"
        self.browser.wait(f"{tiles}.length > 0 && {tiles}.every(tile => tile.complete && tile.naturalWidth)", 120)
        bare = self.run(f"""(() => {{ const boxes = {tiles}.map(tile => tile.getBoundingClientRect());
            const {{ left, top, width, height }} = document.querySelector('.stage').getBoundingClientRect();
            const sheet = document.querySelector('.sheet').getBoundingClientRect(), bare = [];
            for (let x = left + 1; x < left + width; x += 100) for (let y = top + 1; y < top + height; y += 100)
              if (x > sheet.left && x < sheet.right - 1 && y > sheet.top && y < sheet.bottom - 1
                && !boxes.some(box => x >= box.left && x <= box.right && y >= box.top && y <= box.bottom)) bare.push([x, y]);
            return bare; }})()""")
        require(not bare, f"no tile at {len(bare)} places such as {bare[:1]}")
        count = self.run(f"{tiles}.length")
        self.open("/view?ids=lagoon.jpg,night.jpg")
        self.browser.wait(f"!!{V}.model.size(0)")
        # Before the page itself is there.
        self.run(f"(() => {{ {V}.change({{ look: 'look:noir' }}); {V}.zoom.by(3); }})()")
        self.browser.wait("document.querySelector('.sheet img').naturalWidth > 500", 60)
        self.browser.wait(f"{tiles}.length > 0 && {tiles}.every(tile => tile.complete && tile.naturalWidth)", 60)
        self.run(f"Promise.all({tiles}.map(tile => tile.decode())).then(() => true)")
        self.browser.picture(self.out / "zoom-look.png")
        [shown, size, width] = self.run(f"[{tiles}.map(tile => tile.naturalWidth), {V}.model.size(0), {V}.zoom.box.width]")
        require(len(shown) == 1 and shown[0] > 1.4 * width, f"pictures of {shown} px for a page of {size}")
        return f"{count} tiles; with a vignette one picture, {shown[0]} px wide"

    def touch(self):
        """Two fingers zoom and drag a page of the viewer."""
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
        return "zoomed and dragged"

    def swipe(self):
        """A finger drags the film strip so far that the page which it touched first is no element any more."""
        self.open("/view?id=book.pdf#page=100")
        [x, y, width, height] = self.box(".film")
        touched = self.run(f"document.elementFromPoint({x + width - 60}, {y + height / 2}).dataset.index")
        self.browser.fingers([(x + width - 60, y + height / 2)], [(x - 90, y + height / 2)], steps=12)
        self.settle()
        require(not self.run(f"{V}.film.cells.has({touched})"), f"page {touched} is still there")
        page = self.page()
        # A finger that is lifted in motion has the strip go on.
        require(page >= 100 + (width + 30) / PITCH - 2, f"the finger went further than page {page}")
        near(self.run(f"{V}.film.box.scrollLeft"), (page - 1) * PITCH, "the strip stops at a page", 0.01)
        return f"from page 100 to {page}"

    def mouse(self):
        """A click on a page of the film strip, and either strip dragged."""
        self.open("/view?id=book.pdf#page=20")
        self.click_on(f"{V}.film.cells.get(22).element")
        self.browser.wait(f"{V}.model.active === 22")
        self.settle()
        [x, y, width, height] = self.box(".film")
        middle = (x + width / 2, y + height / 2)
        self.drag(middle, (middle[0] - 150, middle[1]))
        self.settle()
        page = self.page()
        near(page, 23 + 150 / PITCH, "the film strip was dragged", 1)
        near(self.run(f"{V}.film.box.scrollLeft"), (page - 1) * PITCH, "the strip stops at a page", 0.01)
        self.drag((800, 300), (200, 300))
        self.settle()
        require(self.page() == page + 1, f"from page {page} the big strip was dragged to {self.page()}")
        near(self.run(f"{V}.film.box.scrollLeft"), page * PITCH, "the film strip follows", 0.01)
        return f"pages 20, 23, {page}, {page + 1}"

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

    # MARK: Pictures

    def load(self):
        """A page comes as its ThumbHash, in half of its size, then whole; two on each side are fetched ahead."""
        # Fetches of pictures wait until they are let go. A question mark alone stands for any letter.
        hold = [{"urlPattern": "*/asset\\?*"}]
        self.browser.send("Fetch.enable", patterns=hold)
        self.browser.size(1000, 800)
        self.browser.send("Page.navigate", url=f"{self.server}/view?id=book.pdf#page=10")
        self.browser.wait(SETTLED)
        image = f"{V}.big.cells.get(9).boxes[0].image"
        backgrounds = f"[{image}, {V}.film.cells.get(9).element].map(it => getComputedStyle(it).backgroundImage)"
        require(all(it.startswith("url(") for it in self.run(backgrounds)), "there is no ThumbHash")
        sizes = self.run(f"(({{ width, height }}) => [width, height])({V}.big.rectangles(9)[0])")
        whole, half = (f"/asset?{self.sized(10, *[length / by for length in sizes])}" for by in (1, 2))
        asked = [url.removeprefix(self.server) for url in self.browser.requests]
        require(half in asked and whole in asked, f"neither {half} nor {whole} among {asked}")
        self.browser.send("Fetch.disable")
        self.browser.wait(f"{image}.src.endsWith('{whole}') && !{image}.style.backgroundImage")
        ahead = self.run(
            f"[7, 8, 10, 11].flatMap(at => {V}.big.rectangles(at).map(box => {V}.big.address(box.index, box.width, box.height)))"
        )
        self.browser.wait("performance.getEntriesByType('resource').filter(one => one.name.includes('/asset?')).length > 8")
        self.settle()
        missing = [url for url in ahead if self.server + url not in self.browser.requests]
        require(len(ahead) == 4 and not missing, f"not fetched ahead: {missing}")
        # Of a page that the list of the server does not have, as soon as its facts are there.
        self.browser.send("Fetch.enable", patterns=hold)
        self.run(f"{V}.goTo(136)")
        self.browser.wait(f"{V}.model.pages[136].hash", 60)
        image = f"{V}.big.cells.get(136).boxes[0].image"
        backgrounds = f"[{image}, {V}.film.cells.get(136).element].map(it => getComputedStyle(it).backgroundImage)"
        self.browser.wait(f"{backgrounds}.every(it => it.startsWith('url('))")
        called = self.run(f"[{image}, {V}.film.cells.get(136).element].map(it => it.alt)")
        require(called == ["Page 137 of 200 of book.pdf, labelled B-37"] * 2, f"page 137 is called {called}")
        self.browser.send("Fetch.disable")
        return f"{whole}, after {half}; four more ahead"

    def sized(self, page, width, height):
        width, height = (math.ceil(length / 64) * 64 for length in (width, height))
        return f"id=book.pdf&page={page}&width={width}&height={height}&fit=inside"

    def copy(self):
        """The URL of a page as it is shown: turned, with its look, and the part that is in view."""
        self.open("/view?ids=lagoon.jpg,night.jpg")
        self.browser.wait(f"!!{V}.model.size(0)")
        self.run("document.querySelector('.turn').click()")
        self.run("(() => { const look = document.querySelector('.bar select'); look.value = 'sepia'; look.onchange(); })()")
        self.settle()
        whole = self.copied()
        require(whole["rotate"] == "90" and whole["filter"] == "sepia" and "crop" not in whole, f"copied {whole}")
        self.run(f"{V}.zoom.by(3, {{ x: 500, y: 200 }})")
        [left, top, stage_width, stage_height] = self.box(".stage")
        [x, y, sheet_width, sheet_height] = self.box(".zoom .sheet")
        wanted = [(left - x) / sheet_width, (top - y) / sheet_height, stage_width / sheet_width, stage_height / sheet_height]
        found = self.copied()["crop"].split(",")
        for name, share, text in zip(["left", "top", "width", "height"], wanted, found):
            near(float(text), share, f"{name} of the part in view", 0.001)
            require(0 < share < 1, f"{name} is {share}: all is in view")
        fetched = f"fetch('{self.browser.pasted()}').then(answer => answer.blob()).then(createImageBitmap)"
        size = self.run(f"{fetched}.then(it => [it.width, it.height])")
        near(size[0] / size[1], stage_width / stage_height, "the shape of the part", 0.05)
        return f"{whole}, then {','.join(found)}"

    def copied(self):
        """The parameters of the URL that the button copies."""
        self.click_on("document.querySelector('.bar .copy')")
        self.browser.wait("document.querySelector('.bar .copy').textContent === 'Copied'")
        self.browser.wait("document.querySelector('.bar .copy').textContent !== 'Copied'")
        return dict(urllib.parse.parse_qsl(urllib.parse.urlsplit(self.browser.pasted()).query))

    def still(self):
        """Nothing moves for those who want less movement."""
        self.browser.media(prefers_reduced_motion="reduce")
        self.open("/view?id=leaflet.pdf#page=3")
        at = self.run(
            f"(() => {{ {V}.goTo(3); return [{V}.film.box.scrollLeft, {V}.big.box.scrollLeft / {V}.big.box.clientWidth]; }})()"
        )
        require(at == [3 * PITCH, 3], f"the strips are at {at}")
        self.run(f"""(() => {{ globalThis.rates = new Set(); const watch = () => {{ rates.add({V}.film.rate);
            requestAnimationFrame(watch); }}; watch(); }})()""")
        [x, y, width, _] = self.box(".film")
        self.browser.mouse("mouseWheel", x + width / 2, y + 40, deltaX=90, deltaY=0)
        self.browser.wait(f"{V}.model.active > 3")
        self.settle()
        [rates, running] = self.run("[[...rates], document.getAnimations().length]")
        require(set(rates) <= {0, 1} and 0 in rates, f"rates {rates}")
        require(running == 0, f"{running} transitions")
        return "no steps between"

    def light(self):
        """The bytes of the page with its scripts."""
        self.open("/view?id=book.pdf")
        return self.weighed()

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

    def pictures(self):
        for scheme in ["light", "dark"]:
            self.browser.media(prefers_color_scheme=scheme)
            for width, height in [(390, 844), (900, 700), (1600, 1000)]:
                self.open("/view?id=book.pdf#page=8", (width, height))
                time.sleep(1)
                self.browser.picture(self.out / f"viewer-{width}-{scheme}.png")
        self.browser.media()
        return f"in {self.out}"
