#!/usr/bin/env python3
"""Checks the documentation against the program: check_docs.py [--update] [PROGRAM], default build/routh.

- a relative link in a Markdown file leads to a file that exists, and to a heading of it where it names one;
- docs/reference/model-file.md is what `routh reference` writes;
- in every block ```console ... ```, the lines after "$ command" are what the command prints. A line of "..." stands for
  any number of lines; blanks are not compared, and numbers agree when they differ by less than the digits matter. How
  often something was solved may differ by a tenth, since rounding of another processor decides on single steps.

A block is run in a folder of its own page that holds build/ and examples/, and each file that the page shows: a block
after the comment <!-- file: NAME --> is the file NAME. --update writes what the program prints into the pages; it leaves
blocks alone that agree already, so lines of "..." stay.
"""
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

LINK = re.compile(r"(?<!!)\[[^\]]*\]\(([^)\s]+)\)")
FENCE = re.compile(r"^```(\w*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
FILE = re.compile(r"<!-- file: (\S+) -->\n+```\w*\n(.*?)^```$", re.MULTILINE | re.DOTALL)
NUMBER = re.compile(r"[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?")
WORK = re.compile(r"\d+(?= times,| operating points in all)")  # how often, which rounding may change
REFERENCE = "docs/reference/model-file.md"
RELATIVE, TINY = 1e-4, 1e-8  # below TINY a printed number is rounding
MORE_WORK = 0.1


def pages(root):
    skipped = {"node_modules", "build"}
    for path in sorted(root.rglob("*.md")):
        parts = path.relative_to(root).parts
        if not any(part in skipped or part.startswith((".", "build-")) for part in parts):
            yield path


# ---- links ----------------------------------------------------------------------------------------------------------


def prose(text):
    return FENCE.sub("", text)


def anchors(text):
    """The names GitHub gives to the headings of a page."""
    names = set()
    for heading in re.findall(r"^#+ +(.*)$", prose(text), re.MULTILINE):
        name = re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-")
        names.add(name)
    return names


def check_links(root):
    found = []
    for page in pages(root):
        name = page.relative_to(root)
        for target in LINK.findall(prose(page.read_text())):
            if re.match(r"[a-z]+:", target):
                continue
            path, _, anchor = target.partition("#")
            goal = page.parent / path if path else page
            if not goal.exists():
                found.append(f"{name}: the link {target} leads nowhere")
            elif anchor and goal.suffix == ".md" and anchor not in anchors(goal.read_text()):
                found.append(f"{name}: {target} names a heading that is not there")
    return found


# ---- what commands print --------------------------------------------------------------------------------------------


def same_number(a, b):
    return abs(a - b) <= max(RELATIVE * max(abs(a), abs(b)), TINY)


def same_work(shown, printed):
    pairs = zip(WORK.findall(shown), WORK.findall(printed))
    return all(abs(int(x) - int(y)) <= MORE_WORK * int(x) for x, y in pairs)


def same_line(shown, printed):
    if not same_work(shown, printed):
        return False
    shown, printed = [WORK.sub("often", line) for line in (shown, printed)]
    a, b = ["".join(NUMBER.sub("#", line).split()) for line in (shown, printed)]
    if a != b:
        return False
    pairs = zip(NUMBER.findall(shown), NUMBER.findall(printed))
    return all(same_number(float(x), float(y)) for x, y in pairs)


def same_text(shown, printed):
    """Do the lines agree, "..." standing for any number of lines?"""
    if not shown:
        return not printed
    if shown[0].strip() == "...":
        return any(same_text(shown[1:], printed[k:]) for k in range(len(printed) + 1))
    return bool(printed) and same_line(shown[0], printed[0]) and same_text(shown[1:], printed[1:])


def split_block(text):
    """[(command, [line, ...]), ...]; blank lines at the end of an output do not count."""
    steps = []
    for line in text.splitlines():
        if line.startswith("$ "):
            steps.append((line[2:], []))
        elif steps:
            steps[-1][1].append(line)
    return [(command, without_end(lines)) for command, lines in steps]


def without_end(lines):
    while lines and not lines[-1].strip():
        lines = lines[:-1]
    return lines


class Place:
    """The folder in which the commands of one page run."""

    def __init__(self, root, program, text):
        self.holder = tempfile.TemporaryDirectory()
        self.folder = pathlib.Path(self.holder.name)
        self.environment = dict(os.environ, LC_ALL="C", OPENBLAS_NUM_THREADS="1")
        self.missing = None
        (self.folder / "build").mkdir()
        (self.folder / "build/routh").symlink_to(program)
        (self.folder / "examples").symlink_to(root / "examples")
        for name, content in FILE.findall(text):
            (self.folder / name).write_text(content)
        if re.search(r"^\$ cc ", text, re.MULTILINE):
            self.install(program.parent)

    def install(self, build):
        """Gives the page's own C programs an installed library."""
        if not shutil.which("pkg-config") or not shutil.which("cc"):
            self.missing = "pkg-config or cc"
            return
        prefix = self.folder / ".prefix"
        subprocess.run(["cmake", "--install", build, "--prefix", prefix], check=True, capture_output=True)
        library = next(prefix.rglob("librouth.so")).parent
        self.environment.update(PKG_CONFIG_PATH=str(library / "pkgconfig"), LD_LIBRARY_PATH=str(library))

    def run(self, command):
        """What the command prints, or None where it cannot be tried here."""
        if self.missing and not command.startswith("build/routh"):
            return None
        done = subprocess.run(["bash", "-c", command], cwd=self.folder, env=self.environment, text=True,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=120)
        if "page of the report was not built" in done.stdout:
            return None
        return without_end(done.stdout.splitlines())


def check_block(place, text, where, found):
    """The block with what its commands print now."""
    lines = []
    for command, shown in split_block(text):
        printed = place.run(command)
        lines += [""] * bool(lines) + [f"$ {command}"]
        if printed is None or same_text(shown, printed):
            lines += shown
            continue
        found.append(f"{where}: `{command}` prints something else than is shown:\n  " + "\n  ".join(printed))
        lines += printed
    return "".join(line.rstrip() + "\n" for line in lines)


def check_page(root, program, page, update):
    found, text = [], page.read_text()
    if "```console\n" not in text:
        return found
    place = Place(root, program, text)

    def renew(match):
        if match.group(1) != "console":
            return match.group(0)
        line = text.count("\n", 0, match.start()) + 1
        return f"```console\n{check_block(place, match.group(2), f'{page.relative_to(root)}:{line}', found)}```"

    with place.holder:
        new = FENCE.sub(renew, text)
    if update and found:
        page.write_text(new)
    return found


# ---- all ------------------------------------------------------------------------------------------------------------


def check_reference(root, program, update):
    printed = subprocess.run([program, "reference"], check=True, capture_output=True, text=True).stdout
    page = root / REFERENCE
    if page.exists() and page.read_text() == printed:
        return []
    if update:
        page.write_text(printed)
    return [f"{REFERENCE} is not what `routh reference` writes; `tools/check_docs.py --update` renews it"]


def check(root, program, update=False):
    program = pathlib.Path(program).resolve()
    found = check_links(root) + check_reference(root, program, update)
    for page in pages(root):
        found += check_page(root, program, page, update)
    return found


def main(arguments):
    root = pathlib.Path(__file__).resolve().parents[1]
    update = "--update" in arguments
    names = [word for word in arguments if word != "--update"]
    found = check(root, names[0] if names else root / "build/routh", update)
    print("\n".join(found) if found else "the documentation agrees with the program")
    return 1 if found and not update else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
