"""Installs the add-on Weir for the Blender that runs this file, and enables it:

  blender -b --python tools/blender/weir_install.py

It makes the zip of the add-on and installs that. Run it again after an update.
"""

import os
import shutil
import sys
import tempfile

import bpy
import addon_utils  # found once bpy is imported

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)
import make_zip  # noqa: E402

sys.path.remove(HERE)  # whose weir_addon would be enabled in place of the installed one
FORMER = "weir"  # the add-on before it was a package: one folder of modules


def remove_former():
    """Removes an add-on of an earlier version, whose operators have the same names."""
    folder = os.path.join(bpy.utils.user_resource("SCRIPTS", path="addons"), FORMER)
    if os.path.exists(os.path.join(folder, "weir_bake.py")):
        addon_utils.disable(FORMER, default_set=True)
        shutil.rmtree(folder)


def install(path):
    """Installs and enables a zip. Returns the folder of the add-on."""
    if bpy.app.version >= (4, 2, 0):
        bpy.ops.extensions.package_install_files(filepath=path, repo="user_default", enable_on_install=True)
        name = "bl_ext.user_default.weir"
    else:
        bpy.utils.user_resource("SCRIPTS", path="addons", create=True)
        bpy.utils.refresh_script_paths()  # the folder may be new
        bpy.ops.preferences.addon_install(filepath=path)
        name = make_zip.PACKAGE
        addon_utils.enable(name, default_set=True, persistent=True)
    if name not in bpy.context.preferences.addons:
        raise OSError("the add-on cannot be enabled; Blender's messages above say why")
    bpy.ops.wm.save_userpref()
    return os.path.dirname(sys.modules[name].__file__)


if __name__ == "__main__":
    try:
        remove_former()
        with tempfile.TemporaryDirectory() as made:
            print("weir: the add-on is installed in %s and enabled" % install(make_zip.make(made)))
    except (OSError, RuntimeError) as error:
        print("weir: %s" % error, file=sys.stderr)
        sys.exit(1)
