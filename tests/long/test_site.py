#!/usr/bin/env python3
"""The documentation site: it is made without warnings, no link is broken, its search and its pages work in a browser
without a server, and every key, option and public function is on one reference page. Exit 77: MkDocs is not installed.

test_site.py WEIR
"""
import html
import html.parser
import json
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest
import urllib.parse

ROOT = pathlib.Path(__file__).resolve().parents[2]
BROWSER = shutil.which("chromium") or shutil.which("google-chrome")
REFERENCE = ["parameters.html", "commands.html", "exit-statuses.html", "compatibility.html", "file-formats.html",
             "limits.html", "words.html", "equations.html", "experiments.html"]
PROBE = """<script>setTimeout(() => {
  const said = { copies: document.querySelectorAll(".md-code__button, .md-clipboard").length, blocks: document.querySelectorAll("pre").length,
    wider: document.documentElement.scrollWidth - document.documentElement.clientWidth };
  const input = document.querySelector(".md-search__input");
  input.focus();
  input.value = "QUERY";
  input.dispatchEvent(new KeyboardEvent("keyup", { bubbles: true }));
  setTimeout(() => {
    said.found = [...document.querySelectorAll(".md-search-result__item")].map(item => item.textContent);
    document.body.replaceChildren(JSON.stringify(said));
  }, 3000);
}, 2000);</script></body>"""


class Page(html.parser.HTMLParser):
    """The links and the anchors of a page."""

    def __init__(self, path):
        super().__init__()
        self.links, self.anchors = set(), set()
        self.feed(path.read_text(encoding="utf-8", errors="replace"))

    def handle_starttag(self, tag, attributes):
        for name, value in attributes:
            if name in ("href", "src") and value:
                self.links.add(value)
            if name in ("id", "name") and value:
                self.anchors.add(value)


def broken(site):
    """Returns the links to files and anchors of the site that do not exist, and how many were followed."""
    pages = {path: Page(path) for path in site.rglob("*.html")}
    faults, followed = [], 0
    for path, page in pages.items():
        for link in page.links:
            url = urllib.parse.urlsplit(link)
            if url.scheme or url.netloc or path.name == "404.html":
                continue
            target = (path.parent / urllib.parse.unquote(url.path)).resolve() if url.path else path
            followed += 1
            if not target.is_file() and not (target / "index.html").is_file():
                faults.append(f"{path.name}: {link}")
            elif url.fragment and target in pages and urllib.parse.unquote(url.fragment) not in pages[target].anchors:
                faults.append(f"{path.name}: {link}: no such place")
    return faults, followed


def keys_of(schema, found=None):
    """Returns the names of all keys in a schema."""
    found = set() if found is None else found
    if isinstance(schema, dict):
        found |= set(schema.get("properties", {}))
        for value in schema.values():
            keys_of(value, found)
    elif isinstance(schema, list):
        for value in schema:
            keys_of(value, found)
    return found


class Site(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.place = tempfile.TemporaryDirectory()
        cls.site = pathlib.Path(cls.place.name)
        done = subprocess.run([ROOT / "tools/site", "--out", cls.site], capture_output=True, text=True)
        assert done.returncode == 0, done.stdout + done.stderr

    @classmethod
    def tearDownClass(cls):
        cls.place.cleanup()

    def text(self, name):
        return html.unescape(re.sub(r"<[^>]*>", "", (self.site / name).read_text(encoding="utf-8")))

    def test_no_link_is_broken(self):
        faults, followed = broken(self.site)
        print(followed, "links")
        self.assertEqual(faults, [])
        self.assertGreater(followed, 5000)

    def test_pages_need_no_network(self):
        for path in self.site.glob("*.html"):
            loaded = re.findall(r'<(?:script|link)[^>]* (?:src|href)="(https?:[^"]*)"', path.read_text(encoding="utf-8"))
            self.assertEqual([url for url in loaded if "canonical" not in url], [], path.name)

    def test_every_key_is_on_the_page_of_keys(self):
        schema = json.loads((ROOT / "scenes/scene.schema.json").read_text())
        page = self.text("parameters.html")
        words = set(re.findall(r"\w+", page.replace("\n", " ")))
        keys = {key.removesuffix("_keyframes") for key in keys_of(schema)}
        self.assertEqual(sorted(keys - words - {"$schema"}), [])

    def test_every_option_is_on_the_page_of_commands(self):
        page = self.text("commands.html")
        manual = subprocess.run([sys.argv[1], "help", "--format", "bash"], capture_output=True, text=True, check=True).stdout
        options = set(re.findall(r"(?<![\w-])--[a-z][a-z-]+", manual))
        self.assertGreater(len(options), 100)
        self.assertEqual(sorted(option for option in options if option not in page), [])

    def test_every_public_function_is_explained_on_one_page(self):
        places = {}
        for path in self.site.rglob("*.html"):
            for name, after in re.findall(r'<h[23] id="(weir_\w+)">.*?</h[23]>(.*?)(?=<h[123] |</article>)',
                                          path.read_text(encoding="utf-8"), re.DOTALL):
                places.setdefault(name, []).append((path.name, html.unescape(re.sub(r"<[^>]*>", "", after))))
        declared = {}
        for header in (ROOT / "src/include/weir").glob("*.h"):
            text = re.sub(r"/\*.*?\*/", "", header.read_text(), flags=re.DOTALL)
            for name in re.findall(r"(?:WEIR_API|static inline)[^;{(]*?(weir_\w+)\(", text):
                declared[name] = header.name.replace(".h", ".html")
        self.assertGreater(len(declared), 150)
        for name, page in declared.items():
            self.assertEqual([found for found, _ in places.get(name, [])], [page], name)
            code, _, said = places[name][0][1].strip().partition("\n\n")
            self.assertIn(name + "(", code)
            self.assertRegex(said, r"\w+ .*\.", name)
        self.assertIn("fills the fluids with particles", places["weir_sim_create"][0][1])

    def test_other_reference_pages_have_no_keys_and_no_statuses(self):
        others = set(REFERENCE) - {"parameters.html", "exit-statuses.html"}
        for name in others:
            cells = re.findall(r"<tr>\s*<td[^>]*>(.*?)</td>", (self.site / name).read_text(encoding="utf-8"), re.DOTALL)
            self.assertGreater(len(cells) + (name == "commands.html"), 0, name)
            self.assertEqual([cell for cell in cells if re.fullmatch(r"<code>(solver|look|camera|fluids|solids)[.].*", cell)
                              or re.fullmatch(r"\d{1,2}", cell)], [], name)

    def test_the_gallery_shows_scenes(self):
        page = (self.site / "gallery.html").read_text(encoding="utf-8")
        shown = re.findall(r'<img alt="[^"]+" loading="lazy" src="pictures/(\w+)\.jpg"', page)
        self.assertGreater(len(shown), 15)
        self.assertEqual(shown[0], "hero")
        self.assertIn("A jet rises from a basin", page)

    def test_a_browser_searches_copies_and_fits_narrow_screens(self):
        if not BROWSER:
            self.skipTest("needs chromium: tools/setup --with-swiftshader installs it")
        for width in (500, 1280):
            for name, query in (("index.html", "surface tension"), ("first-splash.html", "surface tension"),
                                ("parameters.html", "surface tension"), ("performance.html", "weir_sim_step"),
                                ("api/sim.html", "weir_mesher_run"), ("gallery.html", "fountain")):
                page = self.site / name
                probed = page.with_name("probed.html")
                probed.write_text(page.read_text(encoding="utf-8").replace("</body>", PROBE.replace("QUERY", query)),
                                  encoding="utf-8")
                done = subprocess.run([BROWSER, "--headless", "--no-sandbox", "--disable-gpu", f"--window-size={width},900",
                                       "--virtual-time-budget=12000", "--dump-dom", f"file://{probed}"],
                                      capture_output=True, text=True, timeout=180)
                probed.unlink()
                said = json.loads(html.unescape(re.search(r"<body[^>]*>(.*)</body>", done.stdout, re.DOTALL).group(1)))
                print(name, width, said["copies"], said["blocks"], said["wider"], len(said["found"]))
                self.assertLessEqual(said["wider"], 0, name)
                self.assertGreaterEqual(len(said["found"]), 2, name)
                self.assertTrue(any(query in found.lower() for found in said["found"]), name)
                self.assertGreaterEqual(said["copies"], min(1, said["blocks"]), name)


if __name__ == "__main__":
    if not (ROOT / "build/site-tools/bin/mkdocs").exists() or not shutil.which("doxygen"):
        print("skipped: tools/setup --with-site installs MkDocs and Doxygen")
        sys.exit(77)
    unittest.main(argv=sys.argv[:1])
