"""Trials of the playground at /; suite.py runs them."""

import base64
import hmac
import html
import re
import time
import urllib.parse
import urllib.request

from browser import near, require

P = "vedutaPlayground"
PICTURE = "/#/asset?id=lagoon.jpg&width=400"
#: Of the server that wants signatures; the script `run` has it too.
KEY = "a:MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY="
#: Of each other kind of picture: the words of its button, its path, an address, and a control with a value that makes it so wide.
KINDS = [
    ("Avatars", "/avatar", "/#/avatar?names=Anna%20Bell,Bo%20Li&size=128", "size", 96),
    ("Polls", "/poll", "/#/poll?question=Where%3F&option=votes:3%7CHere&option=votes:1%7CThere&width=320", "width", 300),
    ("Cards", "/card", "/#/card?template=article&title=Any%20picture", "scale", 2400),
]
MAP = "/#/map?latitude=45.4&longitude=12.3&zoom=5&width=400&height=300"


class PlaygroundTrials:
    """Of a suite with `browser`, `server`, `closed_server`, `out` and what suite.py defines."""

    TRIALS = [
        "line",
        "controls",
        "kinds",
        "crop",
        "focus",
        "map",
        "looks",
        "take",
        "upload",
        "weight",
        "tabs",
        "links",
        "front",
        "atlas",
        "fingers",
        "signed",
        "token",
    ]

    def play(self, target="/", size=(1600, 1000)):
        self.browser.size(*size)
        self.browser.go(self.server + target)
        self.browser.wait(f"!!globalThis.{P}?.controls[{P}.path]")
        self.shown()

    def shown(self):
        """Waits until the answer to the address is there."""
        time.sleep(0.3)
        self.browser.wait(f"!{P}.stage.box.classList.contains('waiting')", 60)

    def text(self):
        return self.run(f"{P}.text")

    def value(self, name):
        return self.run(f"{P}.values('{name}')")

    def line(self):
        """A misspelt word is marked, explained and corrected by one click."""
        self.play(PICTURE)
        before = len(self.browser.console)
        self.run(
            "(() => { const line = document.getElementById('address'); line.value = '/asset?id=lagoon.jpg&'; line.focus(); })()"
        )
        height = self.box(".area")[3]
        self.browser.send("Input.insertText", text="widht=100")
        self.browser.wait("document.querySelectorAll('.told').length === 1")
        # The last picture stays in its place.
        near(self.box(".area")[3], height, "the height of the picture", 0.5)
        require(self.box(".result")[3] > 100 and self.box(".notice")[3] > 20, "there is no picture, or nothing is said of it")
        said = self.run("document.querySelector('.told').textContent")
        require(self.run("document.querySelector('.mirror mark').textContent") == "widht=100", "another word is marked")
        word, told = self.box(".mirror mark"), self.box(".told")
        near(told[0], word[0], "the explanation is under its word", 16)
        self.browser.picture(self.out / "playground-fault.png")
        self.click(*[told[0] + told[2] - 30, told[1] + told[3] / 2])
        self.shown()
        require(self.text() == "/asset?id=lagoon.jpg&width=100", self.text())
        require(self.run("document.querySelector('.result').naturalWidth") == 100, "the picture is not 100 wide")
        # At the control that caused it, too.
        self.run(f"{P}.set('/asset?id=lagoon.jpg&fit=covr')")
        self.browser.wait("document.querySelectorAll('.control.wrong').length === 1")
        require("cover" in self.run("document.querySelector('.control.wrong').textContent"), "the control says nothing")
        del self.browser.console[before:]
        return said

    def controls(self):
        """Every parameter of the contract has a control and is completed."""
        counts = []
        for target, path in [(PICTURE, "/asset"), (MAP, "/map"), *((one[2], one[1]) for one in KINDS)]:
            self.play(target)
            file = "parameters" if path == "/asset" else "parameters-more"
            names = self.run(
                f"fetch('/pages/{file}.json').then(answer => answer.json()).then(all => all['{path}'].map(one => [one.name, one.min, one.max]))"
            )
            for name, low, high in names:
                self.run(f"{P}.reveal('{name}')")
                require(self.run(f"document.activeElement.id === '{path[1:]}-{name}'"), f"{name} has no control")
                [left, top, width, height] = self.box(f"#{path[1:]}-{name}")
                require(width > 0 and 0 <= top < 1000, f"the control of {name} is not seen")
                self.run(
                    f"(() => {{ const line = document.getElementById('address'); line.value = '{path}?{name}'; line.focus(); line.onclick(); }})()"
                )
                offered = self.run("[...document.querySelectorAll('.completions code')].map(one => one.textContent)")
                require(f"{name}=" in offered, f"{name} is not completed: {offered}")
                told = self.run(f"document.querySelectorAll('.completions span')[{offered.index(name + '=')}].textContent")
                require(low is None or told.startswith(f"{low} – {high}"), f"of {name} its completion says {told}")
            counts.append(f"{len(names)} of {path}")
        return ", ".join(counts)

    def kinds(self):
        """A button for each kind of picture begins with one, a control changes it, and each kind keeps its address."""
        self.play(PICTURE)
        said = []
        for words, path, _, name, wide in KINDS:
            self.run(f"[...document.querySelectorAll('.top button')].find(one => one.textContent === '{words}').click()")
            self.browser.wait(f"{P}.text.startsWith('{path}?') && !!{P}.controls['{path}']")
            self.shown()
            require(self.run("document.querySelector('.notice').hidden"), f"{self.text()} is refused")
            value = wide // 1200 if name == "scale" else wide
            self.run(
                f"(() => {{ const field = document.getElementById('{path[1:]}-{name}'); field.value = '{value}'; field.oninput(); }})()"
            )
            require(self.value(name) == [str(value)], f"{name} is {self.value(name)}")
            self.shown()
            self.browser.wait(f"document.querySelector('.result').naturalWidth === {wide}")
            require(not self.run("document.querySelectorAll('.control.wrong').length"), "a control is wrong")
            said.append(self.text())
        # Values of pictures are none of others.
        require(not self.run("document.querySelectorAll('.controls:not([hidden]) .chips').length"), "chips of /asset")
        self.run(f"{P}.tabs[0].button.click()")
        require(self.text() == PICTURE.removeprefix("/#"), self.text())
        self.run(f"{P}.tabs[2].button.click()")
        require(self.text() == said[0], f"{self.text()}, not {said[0]}")
        return "; ".join(said)

    def crop(self):
        self.play(PICTURE)
        self.run(f"{P}.stage.setMode('crop')")
        self.browser.wait("document.querySelector('.whole').complete && document.querySelector('.whole').clientWidth > 100")
        [left, top, width, height] = self.box(".whole")
        self.drag((left + width * 0.25, top + height * 0.25), (left + width * 0.75, top + height * 0.5))
        self.shown()
        [x, y, across, down] = [float(number) for number in self.value("crop")[0].split(",")]
        [whole, tall] = self.run(f"[{P}.facts.width, {P}.facts.height]")
        near(x / whole, 0.25, "left", 0.01)
        near(y / tall, 0.25, "top", 0.01)
        near(across / whole, 0.5, "width", 0.01)
        near(down / tall, 0.25, "height", 0.01)
        self.browser.picture(self.out / "playground-crop.png")
        self.run("document.querySelector('.sheet').focus()")
        self.browser.key("ArrowRight")
        self.shown()
        require(float(self.value("crop")[0].split(",")[0]) > x, "an arrow does not move it")
        return self.text()

    def focus(self):
        """Without the token a click writes the address; with it, the point is stored and used."""
        self.play(PICTURE)
        for token in ["", "playground"]:
            self.run(f"(() => {{ {P}.library.token.value = '{token}'; {P}.stage.setMode('focus'); }})()")
            self.browser.wait("document.querySelector('.whole').complete && document.querySelector('.whole').clientWidth > 100")
            [left, top, width, height] = self.box(".whole")
            self.click(left + width * 0.25, top + height * 0.75)
            self.browser.wait(f"{P}.values('gravity')[0]?.startsWith('{'focus' if token else '0.2'}')")
            self.shown()
            if not token:
                [x, y] = [float(number) for number in self.value("gravity")[0].split("x")]
                near(x, 0.25, "x", 0.01)
                near(y, 0.75, "y", 0.01)
        point = self.run(
            "fetch('/assets/lagoon.jpg', { cache: 'reload' }).then(answer => answer.json()).then(facts => facts.focalPoint)"
        )
        require(point["isStored"] and abs(point["x"] - 0.25) < 0.01 and abs(point["y"] - 0.75) < 0.01, f"stored: {point}")
        self.browser.picture(self.out / "playground-focus.png")
        self.run(f"{P}.storeFocus(undefined)")
        self.browser.wait(f"{P}.facts && !{P}.facts.focalPoint.isStored")
        return f"{point['x']}, {point['y']}"

    def map(self):
        self.play(MAP)
        self.browser.wait("document.querySelectorAll('.tiles .here').length > 0", 60)
        [left, top, width, height] = self.box(".pane")
        middle = (left + width / 2, top + height / 2)
        self.drag(middle, (middle[0] - 100, middle[1]))
        self.browser.wait(f"{P}.values('longitude')[0] !== '12.3'")
        # 100 pixels of a world that is 256 × 2⁵ wide.
        near(float(self.value("longitude")[0]), 12.3 + 100 * 360 / (256 * 32), "longitude", 0.2)
        self.browser.mouse("mouseWheel", *middle, deltaX=0, deltaY=-100)
        self.browser.wait(f"Number({P}.values('zoom')[0]) > 5")
        self.run("[...document.querySelectorAll('.mapping button')].find(one => one.textContent === 'Set pins').click()")
        self.click(middle[0] + 50, middle[1])
        self.browser.wait(f"{P}.values('marker').length === 1")
        self.shown()
        pin = self.box(".pin")
        near(pin[0] + pin[2] / 2, middle[0] + 50, "the pin", 3)
        require(self.run("document.querySelector('.result').naturalWidth") == 400, "no map came")
        return self.text()

    def looks(self):
        """Looks and filters by their thumbnails and sliders."""
        self.play(PICTURE)
        self.run(f"{P}.reveal('filter')")
        self.browser.wait("document.querySelectorAll('.look').length > 8")
        self.run("document.querySelector('.looks').scrollIntoView()")
        self.browser.wait("[...document.querySelectorAll('.look img')].slice(0, 4).every(one => one.naturalWidth === 96)", 60)
        self.run("[...document.querySelectorAll('.look')].find(one => one.textContent === 'noir').click()")
        self.shown()
        require(self.value("filter") == ["look:noir"], f"filter is {self.value('filter')}")
        self.run("(() => { const one = document.getElementById('tune-brightness'); one.value = one.max; one.oninput(); })()")
        self.shown()
        [value] = self.value("filter")
        require(value.startswith("look:noir,brightness:"), f"filter is {value}")
        require(self.run("document.querySelector('.result').naturalWidth") == 400, "no picture came")
        return value

    def take(self):
        self.play("/#/asset?id=lagoon.jpg&width=400&height=300&fit=cover&gravity=attention")
        said = []
        for kind, wanted in [
            ("URL", "http://"),
            ("curl", "curl -o"),
            ("<picture>", "<picture"),
            ("Swift", "AssetURL("),
            ("Signed", "veduta sign"),
        ]:
            self.run(
                f"[...document.querySelectorAll('.export .segments button')].find(one => one.textContent === '{kind}').click()"
            )
            self.browser.wait(f"document.querySelector('.code').textContent.includes('{wanted}')", 30)
            said.append(kind)
        self.run("(() => { document.querySelector('.details').open = true; })()")
        self.browser.wait("document.querySelectorAll('.step').length > 0", 60)
        self.run("[...document.querySelectorAll('.details button')].find(one => one.textContent === 'Compare formats').click()")
        self.browser.wait("document.querySelectorAll('.compared tbody tr').length >= 4", 60)
        rows = self.run(
            "[...document.querySelectorAll('.compared tbody tr')].map(row => [...row.children].map(one => one.textContent))"
        )
        require(all(len(row) == 5 and all(row) for row in rows), f"the formats are {rows}")
        return (
            ", ".join(said) + f"; {self.run('document.querySelectorAll(`.step`).length')} steps explained; {len(rows)} formats"
        )

    def upload(self):
        """The address that scripts/serve prints, and a picture that is dropped; two clicks further, its <picture> is copied, and
        works."""
        drop = """(async () => {
            const picture = await fetch('/asset?id=night.jpg&width=600&format=png').then(answer => answer.blob());
            const given = new DataTransfer(); given.items.add(new File([picture], 'mine.png', { type: 'image/png' }));
            dispatchEvent(new DragEvent('drop', { dataTransfer: given })); })()"""
        # On the map, and without a token: the page asks for it where it can be entered.
        self.play(MAP)
        self.run(drop)
        self.browser.wait("document.activeElement.id === 'token' && document.activeElement.clientWidth > 0")
        self.play("/#token=playground")
        require("token" not in self.run("location.href"), "the token stays in the address")
        # A server that takes no more of it: the browser tells that nothing was sent.
        said = self.run(f"""(async () => {{ const real = fetch; globalThis.fetch = () => Promise.reject(new TypeError('reset'));
            await {P}.library.upload(new File(['a'], 'mine.png')); globalThis.fetch = real; return {P}.library.said.textContent; }})()""")
        require(said == "mine.png was not sent.", said)
        self.run(drop)
        self.browser.wait(f"{P}.values('id')[0] !== 'lagoon.jpg'", 30)
        self.shown()
        require(self.run("document.querySelector('.result').naturalWidth") > 0, "the upload is not shown")
        [id] = self.value("id")
        for words in ["<picture>", "Copy"]:
            button = f"[...document.querySelectorAll('.export button')].find(one => one.textContent === '{words}')"
            self.click_on(button)
            self.browser.wait("document.querySelector('.code').textContent.startsWith('<picture')", 30)
        self.browser.wait("document.querySelector('.export .primary').textContent === 'Copied'")
        code = self.browser.pasted()
        addresses = {html.unescape(found) for found in re.findall(rf"{self.server}/asset[^\s\"]+", code)}
        for address in addresses:
            with urllib.request.urlopen(address, timeout=60) as answer:
                require(answer.headers["Content-Type"].startswith("image/"), f"{address} is no image")
        require(len(addresses) > 2 and all(id in address for address in addresses), code)
        return f"{id}; {len(addresses)} images in its <picture>"

    def weight(self):
        self.browser.send("Network.clearBrowserCache")
        self.play("/", (1600, 1000))
        return self.weighed()

    def tabs(self):
        """Tab alone reaches everything."""
        self.play(PICTURE)
        self.run("document.body.focus()")
        reached = set()
        for _ in range(150):
            self.browser.key("Tab")
            reached.add(self.run("document.activeElement.id || document.activeElement.textContent"))
        for wanted in [
            "address",
            "asset-id",
            "asset-width",
            "Crop",
            "Focal point",
            "Copy",
            "Maps",
            "<picture>",
            "How it was made",
        ]:
            require(wanted in reached, f"Tab does not reach {wanted}: {sorted(reached)[:60]}")
        return f"{len(reached)} stops of Tab"

    def links(self):
        """Without a script, links to try."""
        self.browser.send("Emulation.setScriptExecutionDisabled", value=True)
        try:
            self.browser.size(900, 700)
            self.browser.go(self.server + "/")
            time.sleep(1)
            self.browser.picture(self.out / "playground-plain.png")
            [count, width] = self.run(
                "[document.querySelectorAll('.plain figure').length, document.querySelector('.plain img').getBoundingClientRect().width]"
            )
            require(count > 6 and width > 50, f"{count} links, the first {width} px wide")
        finally:
            self.browser.send("Emulation.setScriptExecutionDisabled", value=False)
        return f"{count} links"

    def atlas(self):
        """The page at /maps: panned, in another style, at three widths."""
        for scheme in ["light", "dark"]:
            self.browser.media(prefers_color_scheme=scheme)
            for width, height in [(390, 844), (900, 800), (1600, 1000)]:
                self.browser.size(width, height)
                self.browser.go(self.server + "/maps")
                self.browser.wait("!!globalThis.vedutaMaps && document.querySelectorAll('.tiles .here').length > 0", 60)
                time.sleep(1)
                wide = self.run("document.documentElement.scrollWidth")
                require(wide <= width, f"/maps at {width} px is {wide} wide")
                self.browser.picture(self.out / f"maps-{width}-{scheme}.png")
        self.browser.media()
        self.run("document.querySelector('[data-style=dark] .show').click()")
        self.browser.wait("document.querySelector('.tiles img')?.src.includes('/tiles/dark/')")
        self.browser.wait("location.hash.split('/').length === 3")
        [left, top, width, height] = self.box(".pane")
        [before, size] = self.run("[location.hash, vedutaMaps.size]")
        self.drag((left + width / 2, top + height / 2), (left + width / 2 - 120, top + height / 2))
        self.browser.wait(f"location.hash !== '{before}'")
        [from_lon, to_lon] = [float(text.split("/")[2]) for text in (before, self.run("location.hash"))]
        near((to_lon - from_lon) % 360, 120 * 360 / size, "the map follows the mouse", 3)
        require(self.run("document.querySelector('.credit').textContent") != "", "nobody is credited")
        hash = self.run("location.hash")
        # Licences want a link; of other HTML the text is shown.
        said = """<a href="https://example.org/">Some</a> · <b>others</b> <a href="javascript:0">more</a>"""
        answer = f"new Response(JSON.stringify({{ attribution: `{said}` }}))"
        credited = self.run(f"""(async () => {{ const real = fetch; globalThis.fetch = async () => {answer};
            await vedutaMaps.attribute('light'); globalThis.fetch = real; return document.querySelector('.credit').innerHTML; }})()""")
        require(credited == '<a href="https://example.org/">Some</a> · others more', credited)
        [left, top, width, height] = self.box(".credit a")
        above = self.run(f"document.elementFromPoint({left + width / 2}, {top + height / 2}).href")
        require(above == "https://example.org/", f"a click goes to {above}")
        return hash

    def fingers(self):
        """Two fingers zoom and drag a map."""
        self.browser.size(1000, 800)
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
        return "zoomed and dragged"

    def signed(self):
        """The page at /maps of a server that wants signatures, by a set that the operator signed."""
        rules, secret = "path=/maps|/tiles/*", base64.b64decode(KEY.partition(":")[2])
        code = base64.urlsafe_b64encode(hmac.digest(secret, f"veduta-set-1\n{rules}\n".encode(), "sha256")).decode().rstrip("=")
        self.browser.size(900, 800)
        self.browser.go(f"{self.closed_server}/maps?allow={urllib.parse.quote(rules, safe='')}&sig=a.{code}")
        self.browser.wait("!!globalThis.vedutaMaps && document.querySelectorAll('.tiles .here').length > 0", 60)
        require(self.run("document.querySelector('.credit').textContent") != "", "nobody is credited")
        self.browser.wait(
            "[...document.querySelectorAll('.styles img')].every(one => one.complete && one.naturalWidth > 0)", 60
        )
        return f"{self.run('document.querySelectorAll(`.tiles .here`).length')} tiles"

    def token(self):
        """A server that lists for its token alone asks for it, keeps it for the tab, and never has it in an address."""
        before = len(self.browser.console)
        self.browser.size(900, 800)
        self.browser.go(self.closed_server + "/")
        self.browser.wait("!!document.querySelector('form #token')")
        refused = "document.querySelector('[role=alert]').textContent.includes('does not accept')"
        for token, shown in [("wrong", refused), ("playground", f"!!globalThis.{P} && {P}.ids.length > 0")]:
            self.run("document.getElementById('token').select()")
            self.browser.send("Input.insertText", text=token)
            self.browser.key("Enter", text="\r")
            self.browser.wait(shown)
        require(self.run("sessionStorage.getItem('veduta-token')") == "playground", "the token is not kept")
        require(self.run("localStorage.length + document.cookie.length") == 0, "the token is kept for longer than the tab")
        # The scripts of the page have names with these words.
        named = "[location.href, ...performance.getEntriesByType('resource').map(one => one.name)]"
        require(not self.run(f"{named}.some(one => /[?&#=]playground/.test(one))"), "an address has the token")
        self.browser.go(self.closed_server + "/")
        self.browser.wait(f"!!globalThis.{P} && {P}.ids.length > 0")
        count = self.run(f"{P}.ids.length")
        # The page of maps knows the token of the tab; its tiles want signatures.
        self.browser.go(self.closed_server + "/maps")
        self.browser.wait("!!document.querySelector('#maps .note') && !!document.querySelector('#maps .styles li')")
        self.run("sessionStorage.clear()")
        # Refusals are in the console, and so are the pictures, which want signatures.
        del self.browser.console[before:]
        return f"{count} listed with the token"

    def front(self):
        """The page at three widths, in light and dark."""
        for scheme in ["light", "dark"]:
            self.browser.media(prefers_color_scheme=scheme)
            for name, target in [("pictures", PICTURE), ("maps", MAP), *((one[0].lower(), one[2]) for one in KINDS)]:
                for width, height in [(390, 844), (900, 800), (1600, 1000)]:
                    self.play(target, (width, height))
                    time.sleep(1)
                    wide = self.run("document.documentElement.scrollWidth")
                    require(wide <= width, f"{name} at {width} px is {wide} wide")
                    self.browser.picture(self.out / f"playground-{name}-{width}-{scheme}.png")
        self.browser.media()
        return f"in {self.out}"
