"""The scenes that come with Weir."""
import os
from typing import List

from ._values import nearest

_PACKAGE = os.path.dirname(os.path.abspath(__file__))


def _folder() -> str:
    """Returns the folder of the scenes: the package's own copy, or that of the source tree."""
    copy = os.path.join(_PACKAGE, "scenes")
    return copy if os.path.isdir(copy) else os.path.abspath(os.path.join(_PACKAGE, "..", "..", "..", "scenes"))


def example_names() -> List[str]:
    """Returns the names of the scenes that come with Weir, such as "dam_break"."""
    folder = _folder()
    names = os.listdir(folder) if os.path.isdir(folder) else []
    return sorted(name[:-5] for name in names if name.endswith(".json") and name != "scene.schema.json")


def example(name: str) -> str:
    """Returns the path of the scene file of this name: weir.run(weir.example("dam_break")). Raises ValueError."""
    names = example_names()
    if name not in names:
        raise ValueError("no example %r%s; examples: %s" % (name, nearest(name, names), ", ".join(names) or "none"))
    return os.path.join(_folder(), name + ".json")
