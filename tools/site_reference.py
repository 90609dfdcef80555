"""The reference page of the site that the program generates: the commands from their help."""
import re
import subprocess

COMMAND_PAGE = """# Commands

Every option of every command, as `weir COMMAND --help-all` prints it. [Exit statuses](exit-statuses.md) are the same for
all commands.
"""


def command_pages(program):
    """Returns the page of all commands."""
    parts = [COMMAND_PAGE]
    listed = subprocess.run([program, "--help"], capture_output=True, text=True, check=True).stdout
    commands = re.findall(r"^  weir (?!help)([a-z]+) ", listed, re.MULTILINE)
    for words in [["--help"]] + [[command, "--help-all"] for command in dict.fromkeys(commands)]:
        said = subprocess.run([program, *words], capture_output=True, text=True, check=True).stdout
        title = " ".join(["weir", *words[:-1]])
        parts.append(f"## {title}\n\n```text\n{re.sub(r'[ ]+$', '', said, flags=re.MULTILINE).rstrip()}\n```\n")
    return "\n".join(parts)
