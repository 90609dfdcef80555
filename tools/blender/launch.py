"""Runs a module of weir_addon as a script, from this folder, whether or not the add-on is installed."""

import importlib
import sys

import bpy
import addon_utils  # found once bpy is imported

PACKAGE = "weir_addon"
# The modules of an installed add-on: as a file of 3.4, as an extension, and before it was a package.
INSTALLED = (PACKAGE, ".weir", "weir")


def set_installed_aside():
    """Disables an installed add-on in this session, so that the package in this folder is used."""
    for name in list(bpy.context.preferences.addons.keys()):
        if name in INSTALLED or name.startswith("bl_ext.") and name.endswith(INSTALLED[1]):
            addon_utils.disable(name, default_set=False)
    for name in [n for n in sys.modules if n == PACKAGE or n.startswith(PACKAGE + ".")]:
        del sys.modules[name]


def script(name):
    """Registers the package and, with options, runs main of one of its modules. An error is one line and exit
    status 1.
    """
    set_installed_aside()
    package = importlib.import_module(PACKAGE)
    package.register()
    module = importlib.import_module("%s.%s" % (PACKAGE, name))
    if "--" in sys.argv or not bpy.app.binary_path:  # without a path, Python runs the script
        importlib.import_module(PACKAGE + ".command_line").run(module.main, module.FAULTS)
