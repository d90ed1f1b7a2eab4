#!/usr/bin/env python3
"""Fails on what no file of the project may hold: check_text.py [ROOT].

Absolute paths of somebody's machine, hosts of package registries (lock files name packages and hashes, not where
they came from), lines of C longer than 100 columns (110 where a string
alone stands there: a line of a model file), tabs and trailing blanks in C and Python, conflict marks.
"""
import pathlib
import re
import subprocess
import sys

COLUMNS = 100
TEXT_COLUMNS = 110
TEXT = re.compile(r'\s*"(?:[^"\\]|\\.)*"[,;)]*')
CODE = {".c", ".h", ".py", ".cmake"}
SKIPPED_FOLDERS = {".git", "node_modules", "dist", "__pycache__", ".cache"}

EVERYWHERE = [
    (re.compile(r"(?<![\w.}/-])/(?:home|root|work|workspace|tmp|mnt|Users)/\w"), "names a path of one machine"),
    (re.compile(r"registry\.(?:npmj[s]|yarnpkg)\b|\bdeb\.debia[n]\b|\bdeb\.nodesourc[e]\b|\bfiles\.pythonhoste[d]\b"),
     "names a package registry's host"),
    (re.compile(r"^(?:<{7}|>{7}) "), "is a mark of a merge conflict"),
]


def files_of(root):
    """What git would keep; without git, all but what a build leaves."""
    listed = subprocess.run(["git", "-C", root, "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
                            capture_output=True, text=True)
    if listed.returncode == 0:
        return sorted(root / name for name in listed.stdout.split("\0") if name and (root / name).is_file())
    return sorted(f for f in root.rglob("*") if f.is_file()
                  and not any(p in SKIPPED_FOLDERS or p.startswith("build") for p in f.relative_to(root).parts[:-1]))


def wrong_in_line(line, suffix):
    for pattern, what in EVERYWHERE:
        if pattern.search(line):
            yield what
    columns = TEXT_COLUMNS if TEXT.fullmatch(line) else COLUMNS
    if suffix in (".c", ".h") and len(line) > columns:
        yield f"has {len(line)} columns, {columns} are allowed"
    if suffix in CODE and "\t" in line:
        yield "holds a tab"
    if suffix in CODE and line != line.rstrip():
        yield "ends in blanks"


def check(root):
    found = []
    for file in files_of(root):
        try:
            text = file.read_text(encoding="utf-8")
        except UnicodeDecodeError:
            continue # a picture, or a broken model file of the tests
        for number, line in enumerate(text.split("\n"), 1):
            found += [f"{file.relative_to(root)}:{number}: {what}" for what in wrong_in_line(line, file.suffix)]
        if file.suffix in CODE and text and not text.endswith("\n"):
            found.append(f"{file.relative_to(root)}: the last line has no end")
    return found


def main():
    root = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else pathlib.Path(__file__).parent.parent)
    found = check(root)
    print("\n".join(found) if found else "no file holds what it should not")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
