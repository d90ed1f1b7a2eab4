#!/usr/bin/env python3
"""Writes src/entry/names.h and src/entry/inner.h from the public headers and the functions that src/entry defines:
write_entry.py [ROOT]; tools/renew.py does so too.

A public function that src/entry defines looks at its arguments there, and the one that does the work has the name ri_...
for routh_...: names.h gives it that name in all other sources, inner.h declares it.
"""
import pathlib
import re
import sys
import textwrap

COMMENT = re.compile(r"/\*.*?\*/", re.DOTALL)
DIRECTIVE = re.compile(r"^[ \t]*#(?:[^\n\\]|\\.|\\\n)*", re.MULTILINE)
PROTOTYPE = re.compile(r"ROUTH_API\s+([^;{}]*?)\b(routh_\w+)\(([^;{}]*)\)\s*;")
PARAMETER = re.compile(r"(.*?)(\w+)((?:\[\w*\])?)$", re.DOTALL)
DEFINED = re.compile(r"^(?:[a-z][\w *]*?[ *]|WRITES\w*\()(routh_\w+)[(,]", re.MULTILINE)


def declared(root):
    """[(header, returned type, name, [(type, name, "[n]" or "")])] of all public functions, in the order of the headers."""
    found = []
    for header in sorted((root / "include/routh").glob("*.h")):
        text = DIRECTIVE.sub("", COMMENT.sub("", header.read_text("utf-8")))
        for kind, name, inside in PROTOTYPE.findall(text):
            words = [" ".join(word.split()) for word in inside.split(",")]
            parameters = [] if words == ["void"] else [PARAMETER.match(word).groups() for word in words]
            found.append((header.name, kind.strip(), name, [(t.strip(), n, tail) for t, n, tail in parameters]))
    return found


def guarded(root):
    """Names of the public functions that src/entry defines."""
    return {name for source in (root / "src/entry").glob("*.c") for name in DEFINED.findall(source.read_text("utf-8"))}


def inside(name):
    return re.sub("^routh_", "ri_", name)


def join(kind, name):
    return kind + ("" if kind.endswith("*") else " ") + name


def prototype(kind, name, parameters):
    whole = [(join(t, n) + tail).replace(" ", "\0") for t, n, tail in parameters]  # no line ends within
    text = join(kind, inside(name)).replace(" ", "\0") + "(" + ", ".join(whole) + ");"
    lines = textwrap.wrap(text, 100, subsequent_indent="    ", break_long_words=False, break_on_hyphens=False)
    return "\n".join(lines).replace("\0", " ")


def files(root):
    """{path in the tree: text} of both headers."""
    known = guarded(root)
    functions = [f for f in declared(root) if f[2] in known]
    missing = known - {f[2] for f in functions}
    if missing:
        sys.exit(f"src/entry defines what no public header declares: {', '.join(sorted(missing))}")
    head = "/* Made by tools/write_entry.py. {} */\n#ifndef {}\n#define {}\n\n"
    names = head.format("Names of what does the work of public functions.",
                        "RT_ENTRY_NAMES_H", "RT_ENTRY_NAMES_H")
    names += "".join(f"#define {name} {inside(name)}\n" for _, _, name, _ in functions) + "\n#endif\n"
    inner = "/* clang-format off */\n" + head.format("What does the work of public functions.",
                                                     "RT_ENTRY_INNER_H", "RT_ENTRY_INNER_H")
    inner += '#include "routh/routh.h"\n\n/* not seen outside the library */\n#pragma GCC visibility push(hidden)\n'
    last = ""
    for header, kind, name, parameters in functions:
        inner += ("" if header == last else f"\n/* {header} */\n") + prototype(kind, name, parameters) + "\n"
        last = header
    return {"src/entry/names.h": names, "src/entry/inner.h": inner + "\n#pragma GCC visibility pop\n#endif\n"}


def main():
    root = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else pathlib.Path(__file__).resolve().parents[1])
    for path, text in files(root).items():
        if not (root / path).exists() or (root / path).read_text("utf-8") != text:
            (root / path).write_text(text, "utf-8")


if __name__ == "__main__":
    main()
