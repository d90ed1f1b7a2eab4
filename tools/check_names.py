#!/usr/bin/env python3
"""Fails on a name that the library defines twice: check_names.py [ROOT].

Types (struct, enum, typedef, in headers and sources of src/ and include/) and static functions have each a name of their own, so
that a word means one thing and a profile or a debugger's list of frames can be read.
"""
import collections
import pathlib
import re
import sys

COMMENT = re.compile(r"/\*.*?\*/", re.DOTALL)
TAG = re.compile(r"^(?:typedef )?(?:struct|enum|union) (\w+) \{", re.MULTILINE)
ALIAS = re.compile(r"^\} (\w+);", re.MULTILINE)
POINTER = re.compile(r"^typedef [^;{}]*\(\*(\w+)\)\(", re.MULTILINE)
FUNCTION = re.compile(r"^static (?!const\b[^(]*=)[^=;{}()#]*?\b(\w+)\([^;{}]*\)\s*\{", re.MULTILINE)


def names_in(text):
    """(types, static functions) that a source defines, each once."""
    text = COMMENT.sub("", text)
    types = set(TAG.findall(text)) | set(ALIAS.findall(text)) | set(POINTER.findall(text))
    return types, set(FUNCTION.findall(text))


def check(root):
    """All complaints about the tree at root, as sentences."""
    types, functions = collections.defaultdict(list), collections.defaultdict(list)
    for top in ("src", "include"):
        for file in sorted((root / top).rglob("*.[ch]")):
            found_types, found_functions = names_in(file.read_text())
            for name in found_types:
                types[name].append(str(file.relative_to(root)))
            for name in found_functions:
                functions[name].append(str(file.relative_to(root)))
    found = []
    for what, table in (("type", types), ("static function", functions)):
        for name, files in sorted(table.items()):
            if len(files) > 1:
                found.append(f"the {what} {name} is defined in {' and '.join(files)}; give each a name of its own")
    for name in sorted(set(types) & set(functions)):
        found.append(f"{name} is a type in {types[name][0]} and a function in {functions[name][0]}")
    return found


def main():
    found = check(pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else pathlib.Path(__file__).parent.parent))
    print("\n".join(found) if found else "every name is defined once")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
