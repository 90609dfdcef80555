"""Generated pages of the site: the commands from their help, and a gallery of the scenes."""
import json
import re
import subprocess

COMMAND_PAGE = """# Commands

Every option of every command, as `weir COMMAND --help-all` prints it. [Exit statuses](exit-statuses.md) are the same for
all commands.
"""
GALLERY_PAGE = """# Gallery

Scenes of the folder `scenes`. Each is a file to read, change and run:

```text
weir view scenes/dam_break.json
weir run scenes/dam_break.json -o out --images
```

With more particles (a smaller `--set spacing=`) they look as here, in the default look; `tools/make-gallery` makes the
pictures.
"""


def gallery_page(root):
    """Returns the page of all scenes that have a picture: what each shows, its solver, its file."""
    parts = [GALLERY_PAGE]
    for path in sorted((root / "scenes").glob("*.json"), key=lambda path: (path.stem != "dragon_flood", path.stem)):
        name = "hero" if path.stem == "dragon_flood" else path.stem
        picture = root / "docs/pictures" / (name + ".jpg")
        if picture.exists():
            scene = json.loads(path.read_text(encoding="utf-8"))
            title = path.stem.replace("_", " ").capitalize()
            parts.append(f"## {title}\n\n{scene['description']} [{path.name}](scenes/{path.name})\n\n"
                         f"![{title}](pictures/{picture.name}){{ loading=lazy }}\n")
    return "\n".join(parts)


def command_page(program):
    """Returns the page of all commands."""
    parts = [COMMAND_PAGE]
    listed = subprocess.run([program, "--help"], capture_output=True, text=True, check=True).stdout
    commands = re.findall(r"^  weir (?!help)([a-z]+) ", listed, re.MULTILINE)
    for words in [["--help"]] + [[command, "--help-all"] for command in dict.fromkeys(commands)]:
        said = subprocess.run([program, *words], capture_output=True, text=True, check=True).stdout
        title = " ".join(["weir", *words[:-1]])
        parts.append(f"## {title}\n\n```text\n{re.sub(r'[ ]+$', '', said, flags=re.MULTILINE).rstrip()}\n```\n")
    return "\n".join(parts)
