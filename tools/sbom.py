#!/usr/bin/env python3
"""Writes the software bill of materials of a release, as CycloneDX 1.5: what each package contains beside Weir.

tools/sbom.py FOLDER

FOLDER holds the packages that tools/package has made; the bill is written there, as weir-VERSION-sbom.cdx.json. Versions
are those of the packages of Debian that were linked on this machine, or built for Windows from their sources.
"""
import hashlib
import json
import pathlib
import re
import subprocess
import sys
import uuid

ROOT = pathlib.Path(__file__).resolve().parent.parent
# The package of Debian, the component's name, its licence by SPDX, and the packages of a release that contain it.
LINKED = [
    ("libjansson-dev", "jansson", "MIT", "tarball kit wheel zip"),
    ("zlib1g-dev", "zlib", "Zlib", "tarball kit wheel zip"),
    ("libpng-dev", "libpng", "libpng-2.0", "tarball kit wheel zip"),
    ("libvulkan-volk-dev", "volk", "MIT", "tarball kit wheel zip deb"),
    ("libmeshoptimizer-dev", "meshoptimizer", "MIT", "tarball kit wheel zip"),
    ("libopenexr-dev", "OpenEXR", "BSD-3-Clause", "tarball kit wheel zip"),
    ("libimath-dev", "Imath", "BSD-3-Clause", "wheel"),
    ("libglfw3-dev", "GLFW", "Zlib", "tarball zip"),
    ("libimgui-dev", "Dear ImGui", "MIT", "tarball kit zip deb"),
    ("libstb-dev", "stb", "MIT", "tarball kit zip"),
    ("libgcc-s1", "libgcc", "GPL-3.0-or-later WITH GCC-exception-3.1", "zip"),
]
MODULES = ("weir-openmpi", "weir-mpich")  # packages of Debian that link nothing but their MPI
KINDS = {"tarball": "-linux-x86_64.tar.gz", "deb": "_amd64.deb", "zip": "-windows-x86_64.zip", "wheel": ".whl",
         "kit": "-gpu-kit.tar.gz", "blender": "-blender.zip", "site": "-docs.tar.gz"}


def version():
    text = (ROOT / "src/include/weir/core.h").read_text()
    return ".".join(re.findall(r"#define WEIR_VERSION_(?:MAJOR|MINOR|PATCH) (\d+)", text))


def installed(package):
    """Returns the version of a package of Debian; None if it is not installed."""
    done = subprocess.run(["dpkg-query", "-W", "-f", "${Version}", package], capture_output=True, text=True)
    return done.stdout if done.returncode == 0 and done.stdout else None


def component(package, name, licence, number):
    upstream = re.sub(r"^\d+:|[-+~].*$", "", number)
    return {"type": "library", "bom-ref": name, "name": name, "version": upstream, "licenses": [{"expression": licence}],
            "purl": f"pkg:deb/debian/{package}@{number}?distro=debian"}


def release_file(path):
    digest = hashlib.sha256(path.read_bytes()).hexdigest()
    return {"type": "file", "bom-ref": path.name, "name": path.name, "hashes": [{"alg": "SHA-256", "content": digest}]}


def main():
    folder = pathlib.Path(sys.argv[1])
    number = version()
    paths = [path for path in sorted(folder.glob("weir*")) if number in path.name]
    files = {kind: [path for path in paths if path.name.endswith(ending)] for kind, ending in KINDS.items()}
    if not any(files.values()):
        sys.exit(f"sbom: {folder} has no package of Weir {number}: run tools/package first")
    made = sorted(path for each in files.values() for path in each)
    components, depends = [], {path.name: [] for path in made}
    for package, name, licence, kinds in LINKED:
        holders = [path.name for kind in kinds.split() for path in files[kind] if not path.name.startswith(MODULES)]
        found = installed(package)
        if not holders or not found:
            continue
        components.append(component(package, name, licence, found))
        for holder in holders:
            depends[holder].append(name)
    bill = {
        "bomFormat": "CycloneDX", "specVersion": "1.5", "version": 1,
        "serialNumber": f"urn:uuid:{uuid.uuid5(uuid.NAMESPACE_DNS, 'weir ' + json.dumps(depends, sort_keys=True))}",
        "metadata": {"component": {"type": "application", "bom-ref": "weir", "name": "weir", "version": number,
                                   "licenses": [{"license": {"id": "MIT"}}]}},
        "components": components + [release_file(path) for path in made],
        "dependencies": [{"ref": "weir", "dependsOn": sorted(depends)}] +
                        [{"ref": name, "dependsOn": sorted(libraries)} for name, libraries in sorted(depends.items())],
    }
    path = folder / f"weir-{number}-sbom.cdx.json"
    path.write_text(json.dumps(bill, indent=1) + "\n", encoding="utf-8")
    print(path)


if __name__ == "__main__":
    main()
