#!/usr/bin/env python3
"""The man page and shell completions, generated from the tables of options."""
import functools
import re
import shutil
import subprocess
import sys
import unittest

WEIR = sys.argv[1]
COMMANDS = ["run", "mesh", "whitewater", "info", "check", "explain", "render", "view", "bench", "summary", "report"]
SCREEN = 40, 100  # lines and columns
COMPLETE = """%s
COMP_WORDS=(%s); COMP_CWORD=$((${#COMP_WORDS[@]} - 1)); _weir; echo "${COMPREPLY[@]}"
"""


@functools.lru_cache()
def page(form):
    return subprocess.run([WEIR, "help", "--format", form], capture_output=True, text=True, check=True).stdout


def help_lines(*words):
    return subprocess.run([WEIR, *words], capture_output=True, text=True, check=True).stdout.splitlines()


def listed(lines):
    """The options that a page of help lists."""
    rows = [line.split() for line in lines if line.startswith("  ")]
    words = [word.split("[")[0] for row in rows for word in row[:2]]  # "--resume[=auto]"
    return [word for word in words if word.startswith("--") and not word.startswith("--help")]


def completed(words):
    done = subprocess.run(["bash", "-c", COMPLETE % (page("bash"), words)], capture_output=True, text=True)
    assert done.stderr == "", done.stderr
    return done.stdout.split()


class Manual(unittest.TestCase):
    def test_every_command_and_option_has_its_place(self):
        for command in COMMANDS:
            options = listed(help_lines(command, "--help-all"))
            self.assertIn(".SH WEIR %s\n" % command, page("man"))
            for option in options:
                self.assertIn(option.replace("-", "\\-"), page("man"))
                for form in ("bash", "zsh"):
                    self.assertIn(option, page(form))
                self.assertIn("-l " + option[2:], page("fish"))

    def test_help_fits_a_screen_and_has_examples(self):
        for words in [[]] + [[command] for command in COMMANDS]:
            lines = help_lines(*words, "--help")
            self.assertLessEqual(len(lines), SCREEN[0], words)
            for line in lines:
                self.assertLessEqual(len(line), SCREEN[1], line)
            start = "  " + " ".join(["weir", *words])
            self.assertTrue([line for line in lines[1:] if line.startswith(start)], words)

    def test_help_all_lists_every_option_and_help_says_how_many_more(self):
        for command in COMMANDS:
            known = re.search(r"'%s '\*\) words='([^']*)'" % command, page("bash")).group(1).split()
            short, whole = help_lines(command, "--help"), help_lines(command, "--help-all")
            self.assertEqual(listed(whole), [word for word in known if not word.startswith("--help")])
            self.assertEqual(help_lines("help", command), short)
            more = len(listed(whole)) - len(listed(short))
            said = "weir %s --help-all lists %d more option%s." % (command, more, "" if more == 1 else "s")
            self.assertEqual([line for line in short if "--help-all lists" in line], [said] if more else [])

    @unittest.skipUnless(shutil.which("groff"), "groff is not installed")
    def test_the_man_page_has_no_fault(self):
        done = subprocess.run(["groff", "-man", "-ww", "-z"], input=page("man"), capture_output=True, text=True)
        self.assertEqual((done.returncode, done.stderr), (0, ""))

    def test_bash_completes_commands_options_values_and_files(self):
        self.assertEqual(completed("weir re"), ["render", "report"])
        self.assertEqual(completed("weir run --par"), ["--particles"])
        self.assertEqual(completed("weir run --particles v"), ["vtk", "vtp"])
        self.assertEqual(completed("weir run scenes/dam_"), ["scenes/dam_break.json"])

    def test_another_format_is_refused(self):
        done = subprocess.run([WEIR, "help", "--format", "fis"], capture_output=True, text=True)
        self.assertEqual(done.returncode, 2)
        self.assertIn('did you mean "fish"?', done.stderr)
        self.assertIn("accepts text, man, bash, zsh or fish", done.stderr)


unittest.main(argv=sys.argv[:1])
