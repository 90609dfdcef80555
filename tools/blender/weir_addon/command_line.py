"""Options and errors of the scripts that Blender runs without a window. Every error is one line and exit status 1."""

import argparse
import difflib
import re
import sys


class BadOption(Exception):
    """Reports an option that cannot be used, with what was expected."""


class Parser(argparse.ArgumentParser):
    """Parses what follows `--`. An unknown option is reported with the most similar one."""

    def __init__(self, script, needs="", text=None):
        super().__init__(prog="blender -b %s--python %s --" % (needs, script), description=text, allow_abbrev=False,
                         formatter_class=argparse.RawDescriptionHelpFormatter)

    def error(self, message):
        raise BadOption("%s; %s --help lists the options" % (message, self.prog))

    def parse_args(self, args=None, namespace=None):
        options, unknown = self.parse_known_args(args, namespace)
        if unknown:
            known = [name for action in self._actions for name in action.option_strings]
            near = difflib.get_close_matches(unknown[0].split("=")[0], known, 1)
            self.error("unknown option %s%s" % (unknown[0], ", did you mean %s?" % near[0] if near else ""))
        return options


def read_size(text):
    """Parses WIDTHxHEIGHT, in pixels."""
    found = re.fullmatch(r"(\d+)x(\d+)", text)
    size = tuple(map(int, found.groups())) if found else (0, 0)
    if not all(4 <= side <= 65536 for side in size):
        raise BadOption("--size is %s, expected width and height in pixels, 4 to 65536, such as 960x540" % text)
    return size


def read_count(name, text, most):
    """Parses a whole number from 1 to `most`."""
    if not text.isdigit() or not 1 <= int(text) <= most:
        raise BadOption("%s is %s, expected a whole number from 1 to %d" % (name, text, most))
    return int(text)


def read_frames(text, first, last):
    """Parses "A:B" or "A", within the frames first to last."""
    found = re.fullmatch(r"(-?\d+)(?::(-?\d+))?", text)
    if not found:
        raise BadOption("--frames is %s, expected a number or two such as 10:20" % text)
    low, high = int(found.group(1)), int(found.group(2) or found.group(1))
    if low > high:
        raise BadOption("--frames is %s: no frames, because the first is after the last" % text)
    if low < first or high > last:
        raise BadOption("--frames is %s, but the run has frames %d to %d" % (text, first, last))
    return low, high


def run(main, faults):
    """Runs main with the arguments after `--`, or with all of them if Python runs the script. Exceptions of the
    types in `faults` become one line and exit status 1.
    """
    try:
        main(sys.argv[sys.argv.index("--") + 1:] if "--" in sys.argv else sys.argv[1:])
    except (BadOption, *faults) as error:
        words = " ".join(str(error).split())
        print("weir: %s" % words.removeprefix("Error: "), file=sys.stderr)
        sys.exit(1)
