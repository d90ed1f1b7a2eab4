#!/usr/bin/env python3
"""Fails on an #include that runs against the floors: check_layers.py [ROOT].

tools/allowed_edges.txt names, for every room under src/ (and cli, include), what it may include. Besides, a room
may not include by a path relative to the file ("../x.h"), and src/ must hold no room the list does not know.
What distributed/ declares may not have a name that src/ declares too: both are linked into one program, which most
builds are without.
"""
import pathlib
import re
import sys

DECLARED = re.compile(r'^[a-z][\w *]*?\b(rt_\w+)\(', re.MULTILINE)
INCLUDE = re.compile(r'^\s*#\s*include\s*"([^"]+)"', re.MULTILINE)


def read_edges(text):
    """{room: set of rooms and public headers it may include}"""
    edges = {}
    for line in text.splitlines():
        line = line.split("#")[0].strip()
        if line:
            room, allowed = line.split(":")
            edges[room.strip()] = set(allowed.split())
    return edges


def cycles(edges):
    """Rooms that can reach themselves: the list itself must have floors."""
    reach = {room: set(allowed) for room, allowed in edges.items()}
    for middle in edges:
        for room in edges:
            if middle in reach[room]:
                reach[room] |= reach[middle]
    return sorted(room for room in edges if room in reach[room])


def room_of(path):
    parts = path.parts
    if parts[0] == "src":
        return parts[1] if len(parts) > 2 else None
    return parts[0]


def complaint(room, included, edges, own):
    """What is wrong with one #include of a room, or None."""
    first = included.split("/")[0]
    if included.startswith((".", "/")):
        return "is relative; write it from src/ or include/"
    if "/" not in included:
        return None if included in own else "names no room; write \"room/header.h\""
    if first == room or first in edges[room] or included in edges[room]:
        return None
    return f"is above or beside it; {room} may include {', '.join(sorted(edges[room]))}"


def check(root):
    """All complaints about the tree at root, as sentences."""
    edges = read_edges((root / "tools" / "allowed_edges.txt").read_text())
    found = [f"tools/allowed_edges.txt: {room} can reach itself" for room in cycles(edges)]
    files = sorted(f for top in ("src", "distributed", "cli", "include") for f in (root / top).rglob("*.[ch]"))
    for file in files:
        path = file.relative_to(root)
        room = room_of(path)
        if room not in edges:
            found.append(f"{path}: the room is not in tools/allowed_edges.txt")
            continue
        own = {f.name for f in file.parent.glob("*.h")} if room == "cli" else set()
        text = file.read_text()
        for match in INCLUDE.finditer(text):
            wrong = complaint(room, match[1], edges, own)
            if wrong:
                line = text.count("\n", 0, match.start(1)) + 1
                found.append(f'{path}:{line}: #include "{match[1]}" {wrong}')
    return found


def twice(root):
    """Functions that src/ and distributed/ both declare, as sentences."""
    src, distributed = ({(name, file.relative_to(root)) for file in (root / top).rglob("*.h")
                         for name in DECLARED.findall(file.read_text())} for top in ("src", "distributed"))
    return [f"{there}: {name} is declared in {here} too" for name, there in sorted(distributed)
            for other, here in sorted(src) if other == name]


def main():
    root = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else pathlib.Path(__file__).parent.parent)
    found = check(root) + twice(root)
    print("\n".join(found) if found else "every #include runs down")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
