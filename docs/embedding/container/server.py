"""A server without a window: simulates the scene that it receives and answers with a picture.

    server.py [PORT]

POST /picture?seconds=1&width=640&height=360 with a scene as JSON returns a PNG; GET /health the device. One simulation
runs at a time. A wrong scene is answered with 400 and Weir's message, one that is too large with 413.
"""
import http.server
import os
import sys
import tempfile
import urllib.parse

import weir

MOST_BYTES = 1 << 20  # of a scene
MOST_PARTICLES = 200_000
LIMITS = {"seconds": (0.0, 10.0, 1.0), "width": (16, 1920, 640), "height": (16, 1080, 360)}  # least, most, default


class Refused(Exception):
    """An answer with this status and text."""

    def __init__(self, status, text):
        super().__init__(text)
        self.status = status


def settings_of(query):
    given, settings = dict(urllib.parse.parse_qsl(query)), {}
    for name, (least, most, default) in LIMITS.items():
        try:
            value = type(default)(given.pop(name, default))
        except ValueError:
            value = None
        if value is None or not least <= value <= most:
            raise Refused(400, "%s: expected a number from %g to %g" % (name, least, most))
        settings[name] = value
    if given:
        raise Refused(400, "%s: unknown; expected %s" % (", ".join(given), ", ".join(LIMITS)))
    return settings


def draw(device, text, seconds, width, height):
    """Returns the PNG of the scene after some seconds."""
    scene = weir.Scene.parse(text.decode("utf-8"))
    sim = weir.Simulation(device, scene)
    if len(sim) > MOST_PARTICLES:
        raise Refused(413, "the scene has %d particles, this server simulates at most %d: use a larger spacing" %
                      (len(sim), MOST_PARTICLES))
    sim.run(seconds)
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "picture.png")
        weir.Renderer(device, scene).save(path, sim.points(), width=width, height=height)
        with open(path, "rb") as file:
            return file.read()


class Handler(http.server.BaseHTTPRequestHandler):
    device = None

    def answer(self, status, kind, content):
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    def do_GET(self):
        found = self.path == "/health"
        self.answer(200 if found else 404, "text/plain", (self.device.info["name"] if found else "POST /picture, GET /health").encode())

    def do_POST(self):
        url = urllib.parse.urlsplit(self.path)
        try:
            if url.path != "/picture":
                raise Refused(404, "POST /picture")
            size = int(self.headers.get("Content-Length") or 0)
            if not 0 < size <= MOST_BYTES:
                raise Refused(413, "a scene of %d bytes: expected 1 to %d" % (size, MOST_BYTES))
            png = draw(self.device, self.rfile.read(size), **settings_of(url.query))
        except Refused as refused:
            self.answer(refused.status, "text/plain", str(refused).encode())
        except (ValueError, weir.SceneError, weir.ArgumentError, weir.FileError) as error:
            self.answer(400, "text/plain", str(error).encode())
        except weir.Error as error:
            self.answer(500, "text/plain", str(error).encode())
        else:
            self.answer(200, "image/png", png)


def main():
    Handler.device = weir.Device()
    server = http.server.HTTPServer(("", int(sys.argv[1]) if len(sys.argv) > 1 else 8080), Handler)
    print("Weir %s on %s, port %d" % (weir.__version__, Handler.device.info["name"], server.server_port), flush=True)
    server.serve_forever()


if __name__ == "__main__":
    main()
