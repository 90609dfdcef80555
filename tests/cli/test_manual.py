#!/usr/bin/env python3
"""The man page and shell completions, generated from the tables of options."""
import functools
import shutil
import subprocess
import sys
import unittest

WEIR = sys.argv[1]
COMMANDS = ["run", "mesh", "info", "check", "explain", "render", "view", "bench", "validate", "report"]
COMPLETE = """%s
COMP_WORDS=(%s); COMP_CWORD=$((${#COMP_WORDS[@]} - 1)); _weir; echo "${COMPREPLY[@]}"
"""


@functools.lru_cache()
def page(form):
    return subprocess.run([WEIR, "help", "--format", form], capture_output=True, text=True, check=True).stdout


def completed(words):
    done = subprocess.run(["bash", "-c", COMPLETE % (page("bash"), words)], capture_output=True, text=True)
    assert done.stderr == "", done.stderr
    return done.stdout.split()


class Manual(unittest.TestCase):
    def test_every_command_and_option_has_its_place(self):
        for command in COMMANDS:
            text = subprocess.run([WEIR, "help", command], capture_output=True, text=True, check=True).stdout
            options = [word.rstrip(",") for line in text.splitlines() if line.startswith("  ")
                       for word in line.split()[:2] if word.startswith("--") and word != "--help"]
            self.assertIn(".SH WEIR %s\n" % command, page("man"))
            for option in options:
                self.assertIn(option.replace("-", "\\-"), page("man"))
                for form in ("bash", "zsh"):
                    self.assertIn(option, page(form))
                self.assertIn("-l " + option[2:], page("fish"))

    @unittest.skipUnless(shutil.which("groff"), "groff is not installed")
    def test_the_man_page_has_no_fault(self):
        done = subprocess.run(["groff", "-man", "-ww", "-z"], input=page("man"), capture_output=True, text=True)
        self.assertEqual((done.returncode, done.stderr), (0, ""))

    def test_bash_completes_commands_options_values_and_files(self):
        self.assertEqual(completed("weir re"), ["render", "report"])
        self.assertEqual(completed("weir run --par"), ["--particles"])
        self.assertEqual(completed("weir run --particles v"), ["vtk"])
        self.assertEqual(completed("weir run scenes/dam_"), ["scenes/dam_break.json"])

    def test_another_format_is_refused(self):
        done = subprocess.run([WEIR, "help", "--format", "fis"], capture_output=True, text=True)
        self.assertEqual(done.returncode, 2)
        self.assertIn('did you mean "fish"?', done.stderr)
        self.assertIn("takes text, man, bash, zsh or fish", done.stderr)


unittest.main(argv=sys.argv[:1])
