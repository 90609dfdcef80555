#!/usr/bin/env python3
"""Tests the packages: unpacks each in a Debian that has nothing but a Vulkan driver, and runs it there."""
import glob
import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
SKIPPED = 77
NEWEST_C_LIBRARY = (2, 34)  # of Ubuntu 22.04 and Red Hat 9
LARGEST_WHEEL = 15e6  # bytes
LARGEST_TARBALL = 25e6
VULKAN = "usr/lib/x86_64-linux-gnu/libvulkan.so.1"
X11 = "usr/lib/x86_64-linux-gnu/libX11.so.6"
RUN = "weir check {scenes}/drop.json && weir run {scenes}/drop.json -o /tmp/out --force --frames 2 --mesh obj -q && " \
      "ls /tmp/out/mesh/surface_0002.obj && weir help --format man | head -n 1"


def run(*arguments, **more):
    done = subprocess.run(arguments, capture_output=True, text=True, cwd=ROOT, **more)
    if done.returncode != 0:
        sys.exit("%s: status %d\n%s%s" % (" ".join(arguments), done.returncode, done.stdout[-2000:],
                                          done.stderr[-2000:]))
    return done.stdout


def check_needs(program, *more):
    """Checks that the program needs only the C library, and `more`, and none newer than NEWEST_C_LIBRARY."""
    needed = set(re.findall(r"NEEDED +(\S+)", run("objdump", "-p", program)))
    assert needed <= {"libc.so.6", "libm.so.6", "ld-linux-x86-64.so.2", *more}, needed
    versions = [tuple(map(int, v.split("."))) for v in re.findall(r"GLIBC_([0-9.]+)", run("objdump", "-T", program))]
    assert max(versions) <= NEWEST_C_LIBRARY, max(versions)


def in_root(root, command):
    return run("chroot", root, "/bin/sh", "-ec", command, env={"PATH": "/usr/sbin:/usr/bin:/sbin:/bin", "HOME": "/root"})


def make_root(folder):
    root = os.path.join(folder, "root")
    run("debootstrap", "--variant=minbase", "--include=mesa-vulkan-drivers", "bookworm", root)
    return root


def try_tarball(root, tarball):
    assert os.path.getsize(tarball) <= LARGEST_TARBALL, os.path.getsize(tarball)
    start = time.monotonic()
    run("tar", "xzf", tarball, "-C", os.path.join(root, "opt"))
    unpacked = glob.glob(os.path.join(root, "opt", "weir-*"))[0]
    place = "/opt/" + os.path.basename(unpacked)
    in_root(root, "%s/bin/weir run %s/share/weir/scenes/dam_break.json -o /tmp/first --images --frames 1 -q && "
            "ls /tmp/first/images/image_0001.png" % (place, place))
    print("from the tarball to the first picture: %.0f s" % (time.monotonic() - start))
    check_needs(os.path.join(unpacked, "bin", "weir"))
    licences = os.listdir(os.path.join(unpacked, "share", "doc", "weir", "licences"))
    assert {"libglfw3-dev.txt", "libimgui-dev.txt", "libmeshoptimizer-dev.txt", "libopenexr-dev.txt"} <= set(licences), licences
    print(in_root(root, "PATH=%s/bin:$PATH; " % place + RUN.format(scenes=place + "/share/weir/scenes")))
    print(in_root(root, "%s/bin/weir mesh /tmp/out --frames 2 --decimate-ratio 0.3 -o /tmp/thin && "
                  "%s/bin/weir render /tmp/out --frames 2 --exr -o /tmp/exr && ls /tmp/thin /tmp/exr/*.exr" % (place, place)))
    try_viewer(root, place + "/bin/weir")


def try_viewer(root, weir):
    """Tests the viewer of the tarball, which brings GLFW but not X11: without it, everything else still runs."""
    in_root(root, "mv /%s /tmp/hidden.so" % X11)
    said = in_root(root, "%s --version; if %s view --script quit 2>&1; then exit 1; fi" % (weir, weir))
    assert "cannot be loaded: libX11.so.6: cannot open" in said and "apt-get install libglfw3 libx11-6" in said, said
    in_root(root, "mv /tmp/hidden.so /" + X11)
    in_root(root, "apt-get update -qq && apt-get install -y -qq --no-install-recommends xvfb xauth")
    print(in_root(root, "xvfb-run -a %s view --paused --set spacing=0.1 --script 'step 2; shot /tmp/shot.png; quit' && "
                  "ls -l /tmp/shot.png && ! ls /usr/lib/x86_64-linux-gnu/libglfw*" % weir))


def try_deb(root, deb):
    shutil.copy(deb, os.path.join(root, "tmp"))
    in_root(root, "apt-get update -qq && apt-get install -y -qq --no-install-recommends /tmp/" + os.path.basename(deb))
    print(in_root(root, RUN.format(scenes="/usr/share/weir/scenes")))


def try_wheel(root, wheel):
    """Tests a wheel in a Python environment that has cffi and NumPy from Debian and no network; runs the notebook,
    with its pictures, and the program that the wheel contains.
    """
    assert os.path.getsize(wheel) <= LARGEST_WHEEL, os.path.getsize(wheel)
    assert re.search(r"-py3-none-manylinux_2_\d+_x86_64\.whl$", wheel), wheel
    assert tuple(map(int, re.search(r"manylinux_(\d+)_(\d+)", wheel).groups())) <= NEWEST_C_LIBRARY, wheel
    shutil.copy(wheel, os.path.join(root, "tmp"))
    shutil.copy(os.path.join(ROOT, "docs", "python", "dam_break.py"), os.path.join(root, "tmp"))
    in_root(root, "apt-get update -qq && apt-get install -y -qq --no-install-recommends python3-venv python3-cffi python3-numpy")
    in_root(root, "python3 -m venv --system-site-packages /opt/python && "
            "/opt/python/bin/pip install --no-index /tmp/" + os.path.basename(wheel))
    said = in_root(root, "/opt/python/bin/python /tmp/dam_break.py /tmp/notebook && "
                   "ls /tmp/notebook /opt/python/lib/python3*/site-packages/weir/licences")
    assert "triangles" in said and "weir.txt" in said, said
    print(said)
    in_root(root, "mv /%s /tmp/hidden.so" % VULKAN)
    said = in_root(root, "if /opt/python/bin/python -c 'import weir; weir.Device()' 2>&1; then exit 1; fi")
    assert "Unsupported: no Vulkan loader found" in said and "apt-get install libvulkan1" in said, said
    in_root(root, "mv /tmp/hidden.so /" + VULKAN)
    scenes = in_root(root, "/opt/python/bin/python -c \"import os, weir; print(os.path.dirname(weir.example('drop')))\"")
    print(in_root(root, "PATH=/opt/python/bin:$PATH; " + RUN.format(scenes=scenes.strip())))


def try_kit(root, kit):
    """Rehearses the measurement, including gates and one of the kernel tests, with the Python of the wheel's test."""
    run("tar", "xzf", kit, "-C", os.path.join(root, "opt"))
    for program in ("weir", "weir_validate", "weir_kernel_tests"):
        check_needs(os.path.join(root, "opt", "weir-gpu-kit", program), "libcmocka.so.0")
    said = in_root(root, "cd /opt/weir-gpu-kit && tools/gpu-report measure --small --device 0 -o /tmp/report")
    assert "\nlaws: done, " in said and "\nkernel-tests: 1 of 1 passed\n" in said and "commit unknown" not in said, said
    print(said)


def check_bill(folder):
    """Checks that the bill of materials names every package with its checksum, and what the program is linked with."""
    with open(run(os.path.join(ROOT, "tools", "sbom.py"), folder).strip(), encoding="utf-8") as file:
        bill = json.load(file)
    found = {each["name"]: each for each in bill["components"]}
    for path in glob.glob(os.path.join(folder, "weir*")):
        if not path.endswith(".json"):
            with open(path, "rb") as file:
                assert found[os.path.basename(path)]["hashes"][0]["content"] == hashlib.sha256(file.read()).hexdigest(), path
    tarball = next(each for each in bill["dependencies"] if each["ref"].endswith(".tar.gz") and "linux" in each["ref"])
    assert {"jansson", "libpng", "zlib", "volk", "GLFW", "Dear ImGui", "meshoptimizer"} <= set(tarball["dependsOn"]), tarball
    assert all(each["version"][0].isdigit() for each in bill["components"] if each["type"] == "library")


def main():
    if os.geteuid() != 0 or not shutil.which("debootstrap"):
        print("skipped: a bare Debian takes root and debootstrap; tools/setup --with-checks installs the second")
        return SKIPPED
    with tempfile.TemporaryDirectory(prefix="weir-packages-") as folder:
        run(os.path.join(ROOT, "tools", "package"), "tarball", "deb", "wheel", "kit", "--out", folder)
        check_bill(folder)
        root = make_root(folder)
        proc = os.path.join(root, "proc")
        run("mount", "-t", "proc", "proc", proc)  # where a program reads its own folder
        try:
            try_tarball(root, glob.glob(os.path.join(folder, "*-linux-*.tar.gz"))[0])
            try_wheel(root, glob.glob(os.path.join(folder, "*.whl"))[0])
            try_kit(root, glob.glob(os.path.join(folder, "*-gpu-kit.tar.gz"))[0])
            try_deb(root, glob.glob(os.path.join(folder, "weir_*.deb"))[0])
        finally:
            run("umount", proc)
    return 0


sys.exit(main())
