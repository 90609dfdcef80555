"""The program `weir`, which an installed package contains: the console script, and its path."""
import os
import sys
from typing import NoReturn

_FOLDER = os.path.dirname(os.path.abspath(__file__))


def program_path() -> str:
    """Returns the path of the program: the package's own, or the one next to the library that WEIR_LIBRARY names. Raises
    FileNotFoundError."""
    name = "weir.exe" if os.name == "nt" else "weir"
    folders = [os.path.join(_FOLDER, "bin"), os.path.dirname(os.path.abspath(os.environ.get("WEIR_LIBRARY", "")))]
    for folder in folders:
        path = os.path.join(folder, name)
        if os.path.isfile(path):
            return path
    raise FileNotFoundError("this package has no program `weir`: it is neither in %s nor next to the library of "
                            "WEIR_LIBRARY; install the wheel, or build Weir" % folders[0])


def main() -> NoReturn:
    """Runs the program in place of this process: the console script `weir`, and python -m weir."""
    try:
        path = program_path()
    except FileNotFoundError as fault:
        sys.exit("weir: %s" % fault)
    os.execv(path, [path, *sys.argv[1:]])
