"""Reads the public headers: what they declare, by pycparser, and the comment that each declaration has.

A comment belongs to a declaration when it stands directly above it, on its line, or among its arguments. Functions that
follow one another without an empty line share the comment above the first, unless one has a comment of its own.
"""
import dataclasses
import pathlib
import re
import subprocess
import tempfile

import pycparser
from pycparser import c_ast

COMMENT = re.compile(r"/\*.*?\*/", re.DOTALL)
DIRECTIVE = re.compile(r"^[ \t]*#(?:[^\n\\]|\\.|\\\n)*", re.MULTILINE)
FOR_CXX = re.compile(r"^#ifdef __cplusplus$.*?^#endif$", re.MULTILINE | re.DOTALL)
# What the headers take from the system, in few words: pycparser reads no extensions of a compiler.
SYSTEM = {"stddef.h": "typedef unsigned long size_t;\n", "stdint.h": "typedef long int64_t;\n",
          "stdio.h": "typedef struct FILE FILE;\n", "stdbool.h": ""}


@dataclasses.dataclass
class Member:
    names: list
    text: str        # as declared
    comment: str = ""
    section: str = ""  # a divider above it


@dataclasses.dataclass
class Item:
    kind: str        # function, struct, enum, type, constant, macro
    names: list      # several where functions share a comment
    texts: list      # the declarations, without ROUTH_API and comments
    header: str      # "routh/linear.h"
    line: int
    comment: str = ""
    section: str = ""
    notes: list = dataclasses.field(default_factory=list)    # (argument, comment)
    members: list = dataclasses.field(default_factory=list)


@dataclasses.dataclass
class Header:
    name: str
    about: str
    items: list


class HeaderError(Exception):
    pass


# ---- text -----------------------------------------------------------------------------------------------------------


def blank(match):
    return re.sub(r"[^\n]", " ", match.group(0))


def words(comment):
    """The text of a comment without its frame; lines keep their indentation against the others."""
    lines = comment[2:-2].rstrip().split("\n")
    rest = [re.sub(r"^\s*\* ?", "", line) if re.match(r"\s*\*", line) else line for line in lines[1:]]
    starred = any(re.match(r"\s*\*", line) for line in lines[1:])
    if not starred:
        depth = min((len(line) - len(line.lstrip()) for line in rest if line.strip()), default=0)
        rest = [line[depth:] for line in rest]
    return "\n".join([lines[0].strip()] + [line.rstrip() for line in rest]).strip()


def divider(text):
    """The title of a comment that divides: ---- title ----."""
    match = re.match(r"-{4,}\s*(.*?)[\s-]*$", text, re.DOTALL)
    return match.group(1) if match else None


def squeeze(text):
    text = " ".join(text.split()).replace("ROUTH_API ", "")
    return re.sub(r"\s*([(),;])\s*", lambda m: m.group(1) + (" " if m.group(1) == "," else ""), text).strip(" ;,") \
        if not text.startswith("typedef") else text


# ---- statements -----------------------------------------------------------------------------------------------------


def statements(code, first, last, ends):
    """[(start, end)] of what ends with one of `ends` at the outer level of code[first:last]."""
    found, depth, start = [], 0, None
    for k in range(first, last):
        c = code[k]
        if start is None and not c.isspace():
            start = k
        depth += (c in "({[") - (c in ")}]")
        if c in ends and depth == 0:
            found.append((start, k + 1))
            start = None
    if start is not None:
        found.append((start, last))
    return found


class Source:
    """One header, cut into declarations with their comments."""

    def __init__(self, text):
        self.text = text
        self.comments = [(m.start(), m.end(), words(m.group(0))) for m in COMMENT.finditer(text)]
        bare = COMMENT.sub(blank, text)
        self.directives = [(m.start(), m.group(0)) for m in DIRECTIVE.finditer(bare)]
        self.code = DIRECTIVE.sub(blank, FOR_CXX.sub(blank, bare))
        self.bare = bare
        self.top = statements(self.code, 0, len(text), ";")

    def line(self, place):
        return self.text.count("\n", 0, place) + 1

    def alone(self, place):
        """Does the comment at this place begin its line?"""
        return not self.bare[self.text.rfind("\n", 0, place) + 1:place].strip()

    def gap(self, a, b):
        """Is there an empty line between two places?"""
        return self.text[a:b].count("\n") > 1

    def body(self, start, end):
        """(first, last) of what is between the braces of a declaration, or None."""
        opened = self.code.find("{", start, end)
        return None if opened < 0 else (opened + 1, self.code.rindex("}", start, end))

    def above(self, start, earliest):
        """(comment, section): directly above a place, and the last divider since `earliest`."""
        comment, section, near = "", "", start
        for a, b, text in reversed([c for c in self.comments if earliest <= c[0] and c[1] <= start]):
            if not self.alone(a):
                break
            if divider(text) is not None:
                section = divider(text)
                break
            if not self.gap(b, near):
                comment = text + ("\n\n" + comment if comment else "")
                near = a
            else:
                near = -1  # further up only a divider counts
        return comment, section

    def behind(self, end, stop):
        """The comment that follows on the line of a place."""
        for a, b, text in self.comments:
            if end <= a < stop and "\n" not in self.text[end:a]:
                return text
        return ""

    def inside(self, start, end):
        """[(argument, comment)] of the comments among arguments."""
        notes = []
        for a, b, text in self.comments:
            if not start < a < end:
                continue
            piece = self.code[b:end] if self.alone(a) else self.code[start:a].rstrip().rstrip(",")
            declared = piece.split(",")[0] if self.alone(a) else piece.split(",")[-1]
            name = re.findall(r"\w+", declared.split("[")[0])
            notes.append((name[-1] if name else "", text))
        return notes


def join(*texts):
    return "\n\n".join(text for text in texts if text)


def members_of(source, start, end, ends):
    first, last = source.body(start, end)
    found, before = [], first
    parts = statements(source.code, first, last, ends)
    for k, (a, b) in enumerate(parts):
        b = a + len(source.code[a:b].rstrip())
        until = parts[k + 1][0] if k + 1 < len(parts) else last + 1
        comment, section = source.above(a, before)
        text = squeeze(source.code[a:b])
        names = [text.split("=")[0].strip()] if ends == "," else declared_names(text)
        found.append(Member(names, text, join(comment, source.behind(b, until)), section))
        before = b
    return found


def declared_names(text):
    """Of 'double *a, b[3]' a and b; of a pointer to a function its name."""
    pointer = re.match(r"[^(]*\(\*(\w+)\)", text)
    if pointer:
        return [pointer.group(1)]
    return [re.findall(r"\w+", part.split("[")[0].split(":")[0])[-1] for part in text.split(",")]


# ---- macros ---------------------------------------------------------------------------------------------------------


def macros_of(source, name):
    found, before = [], 0
    gone = {name for _, text in source.directives for name in re.findall(r"#\s*undef\s+(\w+)", text)}
    for place, text in source.directives:
        match = re.match(r"\s*#\s*define\s+(\w+)(\([^)]*\))?(.*)", text, re.DOTALL)
        if match and match.group(3).strip() and match.group(1) not in gone:
            if any(old.names[0] == match.group(1) for old in found):
                continue
            end = place + len(text)
            stop = source.text.find("\n", end)
            comment, section = source.above(place, before)
            found.append(Item("macro", [match.group(1)], [match.group(1) + (match.group(2) or "")], name,
                              source.line(place), join(comment, source.behind(end, stop)), section))
            before = end
    return found


def listed_meanings(source):
    """Of a list X(NAME, "meaning") in a macro, the meanings by name."""
    return {f"ROUTH_{name}": meaning for _, text in source.directives
            for name, meaning in re.findall(r'\bX\((\w+), *"([^"]*)"\)', text)}


# ---- the parser -----------------------------------------------------------------------------------------------------


def parse(include, names):
    """{header: [declaration]} by pycparser, in the order of the text."""
    with tempfile.TemporaryDirectory() as folder:
        for name, text in SYSTEM.items():
            (pathlib.Path(folder) / name).write_text(text)
        text = "".join(f'#include "{name}"\n' for name in names)
        done = subprocess.run(["gcc", "-E", "-nostdinc", "-D__attribute__(x)=", "-I", folder, "-I", str(include), "-"],
                              input=text, capture_output=True, text=True)
    if done.returncode:
        raise HeaderError(done.stderr)
    tree = pycparser.CParser().parse(done.stdout)
    found = {name: [] for name in names}
    for node in tree.ext:
        name = str(node.coord.file).removeprefix(f"{include}/")
        if name in found:
            found[name].append(node)
    return found


def kind_of(node):
    if isinstance(node, c_ast.Decl) and isinstance(node.type, c_ast.FuncDecl):
        return "function", node.name
    inner = node.type.type if isinstance(node, c_ast.Typedef) else node.type
    kind = {c_ast.Struct: "struct", c_ast.Enum: "enum"}.get(type(inner), "type")
    name = node.name or inner.name
    if kind == "enum" and not name:  # enum { ROUTH_N = 16 };
        return "constant", inner.values.enumerators[0].name
    return kind, name


def enumerators(node):
    inner = node.type.type if isinstance(node, c_ast.Typedef) else node.type
    return [e.name for e in inner.values.enumerators] if inner.values else []


# ---- all ------------------------------------------------------------------------------------------------------------


def fields_in(node):
    inner = node.type.type if isinstance(node, c_ast.Typedef) else node.type
    return [d.name for d in inner.decls] if inner.decls else []


def item_of(source, name, node, start, end, before, until):
    kind, declared = kind_of(node)
    comment, section = source.above(start, before)
    behind = source.behind(end, until)
    item = Item(kind, [declared], [squeeze(source.code[start:end])], name, source.line(start), join(comment, behind), section)
    if kind == "function":
        item.notes = source.inside(start, end)
    elif kind == "constant":
        first, last = source.body(start, end)
        item.names = enumerators(node)
        item.texts = [squeeze(part) for part in source.code[first:last].split(",") if part.strip()]
    elif source.body(start, end):
        item.members = members_of(source, start, end, "," if kind == "enum" else ";")
        if kind == "enum" and [m.names[0] for m in item.members] != enumerators(node):
            meanings = listed_meanings(source)  # made by a macro
            item.members = [Member([e], e, meanings.get(e, "")) for e in enumerators(node)]
        have = [n for m in item.members for n in m.names]
        want = enumerators(node) if kind == "enum" else fields_in(node)
        if have != want:
            raise HeaderError(f"{name}:{item.line}: {declared}: its members are {want}, the text gives {have}")
    return item


def read_header(text, name, nodes):
    source = Source(text)
    if len(source.top) != len(nodes):
        raise HeaderError(f"{name}: {len(nodes)} declarations, but {len(source.top)} statements in its text")
    about = source.comments[0][2] if source.comments and source.comments[0][0] == 0 else ""
    items, before = [], source.comments[0][1] if about else 0
    macros, last_end = macros_of(source, name), 0
    for k, (node, (start, end)) in enumerate(zip(nodes, source.top)):
        until = source.top[k + 1][0] if k + 1 < len(nodes) else len(text)
        item = item_of(source, name, node, start, end, before, until)
        if not re.search(rf"\b{item.names[0]}\b", source.code[start:end]):
            raise HeaderError(f"{name}:{item.line}: {item.names[0]} is not what its text declares")
        items.append(item)
        joins = k and item.kind == "function" == items[-2].kind and not item.comment and not source.gap(last_end, start)
        if joins and items[-2].comment:
            items.pop()
            items[-1].names += item.names
            items[-1].texts += item.texts
            items[-1].notes += item.notes
        before = last_end = end
    return Header(name, about, merge(macros, items))


def merge(macros, items):
    """In the order of their lines; the section of a macro goes on."""
    return sorted(macros + items, key=lambda item: item.line)


def read(include):
    """All public headers under the folder `include`, in the order of their names."""
    include = pathlib.Path(include).resolve()
    names = sorted(str(path.relative_to(include)) for path in include.glob("routh/*.h"))
    nodes = parse(include, names)
    return [read_header((include / name).read_text(), name, nodes[name]) for name in names]


def without_comment(headers):
    """What lacks a comment, as 'routh/x.h:12: name'."""
    return [f"{h.name}:{item.line}: {' '.join(item.names)}" for h in headers for item in h.items
            if item.kind == "function" and not item.comment]


def public_names(headers):
    """All names: of functions, types, enumerators, macros and headers."""
    found = set()
    for header in headers:
        for item in header.items:
            found.update(item.names)
            if item.kind == "enum":
                found.update(name for member in item.members for name in member.names)
    return found
