"""Installs the add-on Weir for the Blender that runs this file, and enables it:

  blender -b --python tools/blender/weir_install.py

It copies the files of its folder to the user's add-ons. Run it again after an update.
"""

import glob
import os
import shutil
import sys

import addon_utils
import bpy

NAME = "weir"


def install():
    """Copies and enables the add-on. Returns its folder."""
    here = os.path.dirname(os.path.abspath(__file__))
    folder = os.path.join(bpy.utils.user_resource("SCRIPTS", path="addons", create=True), NAME)
    os.makedirs(folder, exist_ok=True)
    for path in glob.glob(os.path.join(here, "*.py")):
        shutil.copy(path, folder)
    bpy.utils.refresh_script_paths()  # the folder may be new
    addon_utils.modules_refresh()
    if not addon_utils.enable(NAME, default_set=True, persistent=True):
        raise OSError("the add-on in %s cannot be enabled; Blender's messages above say why" % folder)
    bpy.ops.wm.save_userpref()
    return folder


if __name__ == "__main__":
    try:
        print("weir: the add-on is installed in %s and enabled" % install())
    except OSError as error:
        print("weir: %s" % error, file=sys.stderr)
        sys.exit(1)
