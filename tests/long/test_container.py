#!/usr/bin/env python3
"""The server of docs/containers.md: follows the steps of its Containerfile in a minimal Debian, in place of a container
runtime, starts it as its user, and has it draw a scene. Needs root, debootstrap and a network."""
import glob
import json
import os
import pathlib
import re
import shlex
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request

ROOT = pathlib.Path(__file__).resolve().parents[2]
CONTAINER = ROOT / "docs" / "embedding" / "container"
SKIPPED = 77
BASE = {"debian:bookworm-slim": "bookworm"}  # what debootstrap makes of an image
PORT = 8080


def run(*arguments, **more):
    done = subprocess.run([str(word) for word in arguments], capture_output=True, text=True, cwd=ROOT, **more)
    if done.returncode != 0:
        sys.exit("%s: status %d\n%s%s" % (arguments, done.returncode, done.stdout[-2000:], done.stderr[-2000:]))
    return done.stdout


def steps():
    """Yields the instructions of the Containerfile and their words."""
    text = re.sub(r"(?m)^#.*\n", "", (CONTAINER / "Containerfile").read_text()).replace("\\\n", " ")
    for line in filter(None, text.splitlines()):
        yield line.split(" ", 1)


class Container:
    """What the steps have made so far."""

    def __init__(self, context, root):
        self.context, self.root, self.user, self.entry = context, root, "root", []
        self.environment = {"PATH": "/usr/sbin:/usr/bin:/sbin:/bin"}

    def follow(self, word, rest):
        if word == "FROM":
            run("debootstrap", "--variant=minbase", BASE[rest], self.root)
        elif word == "RUN":
            run("chroot", self.root, "/bin/sh", "-ec", rest, env=self.environment)
        elif word == "COPY":
            *names, place = rest.split()
            for name in names:
                found = glob.glob(os.path.join(self.context, name))
                assert found, "COPY %s: no such file" % name
                for path in found:
                    shutil.copy(path, os.path.join(self.root, place.lstrip("/")))
        elif word == "ENV":
            name, value = rest.split("=", 1)
            self.environment[name] = value
        elif word == "USER":
            self.user = rest
        elif word == "ENTRYPOINT":
            self.entry = json.loads(rest)
        else:
            assert (word, rest) == ("EXPOSE", str(PORT)), (word, rest)

    def start(self):
        return subprocess.Popen(["chroot", "--userspec=" + self.user, self.root, *self.entry], env=self.environment)


def fetch(path, data=None):
    try:
        with urllib.request.urlopen("http://127.0.0.1:%d%s" % (PORT, path), data, timeout=300) as answer:
            return answer.status, answer.read()
    except urllib.error.HTTPError as error:
        return error.code, error.read()


def wait_for(server):
    for _ in range(120):
        assert server.poll() is None, "the server ended with status %s" % server.returncode
        try:
            return fetch("/health")[1].decode()
        except OSError:
            time.sleep(0.5)
    return sys.exit("the server does not answer")


def check_server(server):
    print("device:", wait_for(server))
    scene = (ROOT / "scenes" / "drop.json").read_bytes()
    status, png = fetch("/picture?seconds=0.1&width=320&height=200", scene)
    assert status == 200 and png.startswith(b"\x89PNG"), (status, png[:200])
    status, said = fetch("/picture", b'{"spacing": 0}')
    assert status == 400 and b"spacing: is 0" in said, (status, said)
    owner = os.stat("/proc/%d" % server.pid).st_uid
    assert owner not in (0,), owner
    print("a picture of %d bytes, as user %d" % (len(png), owner))


def main():
    if os.geteuid() != 0 or not shutil.which("debootstrap"):
        print("skipped: a bare Debian takes root and debootstrap; tools/setup --with-checks installs the second")
        return SKIPPED
    page = (ROOT / "docs" / "containers.md").read_text()
    assert "podman build -t weir-server out/container" in page
    with tempfile.TemporaryDirectory(prefix="weir-container-") as folder:
        run(ROOT / "tools" / "package", "wheel", "--out", folder)
        shutil.copy(CONTAINER / "server.py", folder)
        container = Container(folder, os.path.join(folder, "root"))
        for word, rest in steps():
            print(word, shlex.quote(rest)[:100], flush=True)
            container.follow(word, rest)
        server = container.start()
        try:
            check_server(server)
        finally:
            server.send_signal(signal.SIGKILL)
            server.wait()
    return 0


sys.exit(main())
