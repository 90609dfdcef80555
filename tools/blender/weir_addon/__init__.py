"""The add-on Weir: Properties > Physics > Weir gives objects their roles and bakes the fluid; File > Import >
Weir surface sequence and Weir bodies, File > Export > Weir scene. tools/package blender makes its zip.
"""

bl_info = {  # blender_manifest.toml says the same to Blender 4.2 and later
    "name": "Weir",
    "author": "the Weir project",
    "version": (1, 0, 0),
    "blender": (3, 4, 0),
    "location": "Properties > Physics > Weir, File > Import, File > Export",
    "description": "Simulate fluids with Weir, import its surfaces and bodies, export scenes",
    "category": "Physics",
}

import atexit

import bpy

from . import (attribute_materials, bake_operators, export_scene, import_bodies, import_sequence,  # noqa: E402
               panels, program, properties)

MODULES = (program, properties, import_sequence, import_bodies, export_scene, bake_operators,
           attribute_materials, panels)

registered = False


def register():
    global registered
    for module in MODULES:
        module.register()
    registered = True
    if not bpy.app.binary_path:  # Python with bpy 4.5.15 hangs at exit while there are handlers
        atexit.register(unregister)


def unregister():
    global registered
    if not registered:
        return
    registered = False
    for module in reversed(MODULES):
        module.unregister()
