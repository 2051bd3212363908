"""Headless Chromium over the DevTools protocol."""

import base64
import json
import subprocess
import tempfile
import time
import urllib.request

import websocket


def require(holds, text):
    if not holds:
        raise AssertionError(text)


def near(found, wanted, what, within=1.0):
    require(abs(found - wanted) <= within, f"{what}: {found:.2f}, not {wanted:.2f}")


class Browser:
    """One Chromium with a tab; a context manager. `console` has what pages complained about, `requests` what they asked for."""

    def __init__(self, chromium):
        self.profile = tempfile.TemporaryDirectory(ignore_cleanup_errors=True)
        self.process = subprocess.Popen(
            [
                chromium,
                "--headless=new",
                "--no-sandbox",
                "--hide-scrollbars",
                "--disable-dev-shm-usage",
                "--remote-debugging-port=0",
                "--remote-allow-origins=*",
                f"--user-data-dir={self.profile.name}",
                "about:blank",
            ],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            text=True,
        )
        for line in self.process.stderr:
            if "DevTools listening on" in line:
                port = line.split("127.0.0.1:")[1].split("/")[0]
                break
        else:
            raise AssertionError("the browser did not start")
        with urllib.request.urlopen(f"http://127.0.0.1:{port}/json", timeout=30) as answer:
            [tab] = [tab for tab in json.load(answer) if tab["type"] == "page"]
        self.socket = websocket.create_connection(tab["webSocketDebuggerUrl"], timeout=60, max_size=None)
        self.number = 0
        self.console = []
        self.requests = []
        for domain in ["Page", "Runtime", "Log", "Network"]:
            self.send(f"{domain}.enable")
        self.send("Browser.grantPermissions", permissions=["clipboardReadWrite", "clipboardSanitizedWrite"])

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.socket.close()
        self.process.kill()
        self.process.wait()
        self.process.stderr.close()
        self.profile.cleanup()

    def send(self, method, **parameters):
        """Calls a method of the protocol and waits for its result."""
        self.number += 1
        self.socket.send(json.dumps({"id": self.number, "method": method, "params": parameters}))
        while True:
            message = json.loads(self.socket.recv())
            if message.get("id") == self.number:
                if "error" in message:
                    raise AssertionError(f"{method}: {message['error']}")
                return message["result"]
            self._note(message)

    def _note(self, message):
        method, parameters = message.get("method"), message.get("params", {})
        if method == "Network.requestWillBeSent":
            self.requests.append(parameters["request"]["url"])
        if method == "Log.entryAdded" and parameters["entry"]["level"] in ("error", "warning"):
            self.console.append(parameters["entry"]["text"])
        if method == "Runtime.exceptionThrown":
            details = parameters["exceptionDetails"]
            self.console.append(details.get("exception", {}).get("description", details["text"]))
        if method == "Runtime.consoleAPICalled" and parameters["type"] in ("error", "warning"):
            self.console.append(str([argument.get("value") for argument in parameters["args"]]))

    def run(self, script):
        """The value of an expression, which may be a promise."""
        result = self.send("Runtime.evaluate", expression=script, awaitPromise=True, returnByValue=True)
        if "exceptionDetails" in result:
            details = result["exceptionDetails"]
            raise AssertionError(details.get("exception", {}).get("description", details["text"]))
        return result["result"].get("value")

    def wait(self, condition, seconds=20):
        end = time.monotonic() + seconds
        while not self.run(condition):
            if time.monotonic() > end:
                raise AssertionError(f"in {seconds} s it did not become true: {condition}")
            time.sleep(0.05)

    def size(self, width, height, ratio=1, is_mobile=False):
        self.send("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=ratio, mobile=is_mobile)

    def media(self, **features):
        """Such as `prefers_color_scheme="dark"`."""
        named = [{"name": name.replace("_", "-"), "value": value} for name, value in features.items()]
        self.send("Emulation.setEmulatedMedia", features=named)

    def go(self, address):
        self.send("Page.navigate", url="about:blank")
        self.send("Page.navigate", url=address)
        self.wait(f"location.href !== 'about:blank' && document.readyState === 'complete' && !!{json.dumps(address)}", 90)

    def key(self, name, code=None, text=None):
        codes = {"Tab": 9, "ArrowLeft": 37, "ArrowRight": 39, "Home": 36, "End": 35, "Escape": 27, "Enter": 13}
        common = {"key": name, "code": code or name, "windowsVirtualKeyCode": codes.get(name, 0)}
        if text:
            common["text"] = text
        self.send("Input.dispatchKeyEvent", type="keyDown", **common)
        self.send("Input.dispatchKeyEvent", type="keyUp", **common)

    def mouse(self, kind, x, y, **more):
        self.send("Input.dispatchMouseEvent", type=kind, x=x, y=y, **more)

    def fingers(self, start, end, steps=6):
        """Puts a finger on each place of `start`, moves them to those of `end`, and lifts them."""
        self.send("Emulation.setTouchEmulationEnabled", enabled=True, maxTouchPoints=2)
        for step in range(steps + 1):
            at = [[a + (b - a) * step / steps for a, b in zip(*pair)] for pair in zip(start, end)]
            points = [{"x": x, "y": y, "id": number} for number, (x, y) in enumerate(at)]
            self.send("Input.dispatchTouchEvent", type="touchMove" if step else "touchStart", touchPoints=points)
        self.send("Input.dispatchTouchEvent", type="touchEnd", touchPoints=[])
        self.send("Emulation.setTouchEmulationEnabled", enabled=False)

    def count(self, metric):
        """What the browser counted so far, such as `LayoutCount`; after `Performance.enable`."""
        metrics = self.send("Performance.getMetrics")["metrics"]
        return next(one["value"] for one in metrics if one["name"] == metric)

    def pasted(self):
        """What was copied last."""
        return self.run("navigator.clipboard.readText()")

    def picture(self, path):
        data = self.send("Page.captureScreenshot", format="png")["data"]
        with open(path, "wb") as file:
            file.write(base64.b64decode(data))
