#!/usr/bin/env python3
"""Makes the zip of the add-on: make_zip.py FOLDER writes FOLDER/weir-VERSION-blender.zip and prints its path.

The zip has one folder, weir_addon, with the modules, the schema of scenes and the licence. Blender 3.4 to 4.1
installs it by Preferences > Add-ons > Install, and Blender 4.2 and later as an extension. Equal sources give
equal bytes.
"""

import os
import re
import sys
import zipfile

HERE = os.path.dirname(os.path.abspath(__file__))
PACKAGE = "weir_addon"
TIME = (2020, 1, 1, 0, 0, 0)  # of every file in the zip
# Files from elsewhere: in the repository, and where Weir is installed.
OTHERS = {"scene.schema.json": ("../../scenes/scene.schema.json", "../scenes/scene.schema.json"),
          "LICENSE": ("../../LICENSE", "../../doc/weir/copyright")}


def sources():
    """Returns [(name in the package, path)], sorted."""
    folder = os.path.join(HERE, PACKAGE)
    names = [name for name in os.listdir(folder) if name.endswith((".py", ".toml"))]
    found = [(name, os.path.join(folder, name)) for name in names]
    for name, places in OTHERS.items():
        paths = [os.path.join(HERE, *place.split("/")) for place in places]
        found.append((name, next((path for path in paths if os.path.exists(path)), paths[0])))
    return sorted(found)


def version():
    with open(os.path.join(HERE, PACKAGE, "blender_manifest.toml"), encoding="utf-8") as file:
        return re.search(r'^version = "(.*)"$', file.read(), re.MULTILINE).group(1)


def make(folder):
    """Writes the zip into a folder. Returns its path."""
    path = os.path.join(folder, "weir-%s-blender.zip" % version())
    with zipfile.ZipFile(path + ".part", "w", zipfile.ZIP_DEFLATED) as archive:
        for name, source in sources():
            with open(source, "rb") as file:
                entry = zipfile.ZipInfo("%s/%s" % (PACKAGE, name), TIME)
                entry.compress_type, entry.create_system = zipfile.ZIP_DEFLATED, 3  # Unix
                entry.external_attr = 0o100644 << 16
                archive.writestr(entry, file.read())
    os.replace(path + ".part", path)
    return path


if __name__ == "__main__":
    if len(sys.argv) != 2 or sys.argv[1].startswith("-"):
        sys.exit(__doc__)
    os.makedirs(sys.argv[1], exist_ok=True)
    print(make(sys.argv[1]))
