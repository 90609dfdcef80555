"""The add-on: File > Import > Weir surface sequence and Weir bodies, File > Export > Weir scene, and the panel
Weir in the scene's properties. weir_install.py installs it.
"""

bl_info = {
    "name": "Weir",
    "author": "the Weir project",
    "version": (1, 1, 0),
    "blender": (3, 4, 0),
    "location": "File > Import, File > Export, Properties > Scene > Weir",
    "description": "Simulate fluids with Weir, import its surfaces and bodies, export scenes",
    "category": "Physics",
}

import os
import sys

sys.path.append(os.path.dirname(os.path.abspath(__file__)))
import weir_bake
import weir_bodies
import weir_export
import weir_sequence

MODULES = (weir_sequence, weir_bodies, weir_export, weir_bake)


def register():
    for module in MODULES:
        module.register()


def unregister():
    for module in reversed(MODULES):
        module.unregister()
