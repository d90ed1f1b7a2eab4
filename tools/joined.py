#!/usr/bin/env python3
"""Which sources of the library can be compiled together: joined.py LIST, a file with the path of one source a line.

Prints lines `path;group`: at most MOST sources of one folder a group. No source of a group uses a name that another one defines
for itself, so that each means what it means alone. What is not printed stays alone: sources
that ask for GNU's extensions. CMake asks where ROUTH_JOINED is set (cmake/Library.cmake).
"""
import pathlib
import re
import sys

MOST = 20
COMMENT = re.compile(r"/\*.*?\*/|//[^\n]*", re.DOTALL)
WORD = re.compile(r"[A-Za-z_]\w*")
ENUM = re.compile(r"^(?:static |typedef )?enum\b[^{;]*\{([^}]*)\}", re.MULTILINE)
MACRO = re.compile(r"^#\s*define\s+(\w+)", re.MULTILINE)
OBJECT = re.compile(r"^static [^(){};=]*?(\w+)(?:\[[^=;]*)?\s*(?:=|;)", re.MULTILINE)
SEVERAL = re.compile(r"^static [^(){};]*;", re.MULTILINE)
DECLARED = re.compile(r"(\w+)\s*(?:\[[^\]]*\])*\s*(?=[=,;])")
FUNCTION = re.compile(r"^static [^=;{}()#]*?(\w+)\(", re.MULTILINE)
TYPE = re.compile(r"^(?:\} (\w+);|typedef [^;{}]*\(\*(\w+)\)\(|typedef [^;{}(]*?(\w+);|(?:typedef )?(?:struct|union|enum) (\w+) \{)", re.MULTILINE)
PORTABLE = re.compile(r"_(POSIX_C|XOPEN)_SOURCE")  # defined for all


def own_names(text):
    """What a source defines at its top for itself."""
    names = set(MACRO.findall(text)) | set(OBJECT.findall(text)) | set(FUNCTION.findall(text))
    for several in SEVERAL.findall(text):
        names |= set(DECLARED.findall(several))
    for inside in ENUM.findall(text):
        names |= {word.split("=")[0].strip() for word in inside.split(",")}
    for found in TYPE.findall(text):
        names |= set(found)
    return {name for name in names - {""} if not PORTABLE.fullmatch(name)}


class Group:
    def __init__(self, name):
        self.name, self.size, self.own, self.used = name, 0, set(), set()

    def takes(self, own, used):
        return self.size < MOST and not self.own & used and not own & self.used

    def add(self, own, used):
        self.size += 1
        self.own |= own
        self.used |= used


def joined(sources):
    """(source, name of its group) of those that can be with others."""
    groups = {}
    for source in sources:
        text = COMMENT.sub("", source.read_text(encoding="utf-8"))
        if "_GNU_SOURCE" in text or "_DEFAULT_SOURCE" in text:
            continue
        own, used = own_names(text), set(WORD.findall(text))
        folder = source.parent.name
        there = groups.setdefault(folder, [])
        group = next((g for g in there if g.takes(own, used)), None)
        if not group:
            group = Group(f"{folder}_{len(there)}")
            there.append(group)
        group.add(own, used)
        yield source, group.name


if __name__ == "__main__":
    for path, name in joined(map(pathlib.Path, pathlib.Path(sys.argv[1]).read_text(encoding="utf-8").split())):
        print(f"{path};{name}")
