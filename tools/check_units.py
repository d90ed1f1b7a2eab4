#!/usr/bin/env python3
"""Fails on units of a module that depend on each other in a large knot: check_units.py BUILD

A unit is one source file of src/. It depends on the units whose functions or data it refers to, as the symbol tables of its object
file in the folder of the build tell: what is called, not what is included. A knot is a set of units that all reach each other; one
of more than LARGEST units cannot be read, tested or moved in parts. Knots of one unit or of units of several modules are refused
by tools/check_layers.py.
"""
import collections
import pathlib
import subprocess
import sys

LARGEST = 3


def objects_of(build):
    """{unit: its object file}, a unit named as its source is below src/, without .c"""
    found = {}
    for target in ("routh_varied", "routh_objects"):
        folder = build / "CMakeFiles" / f"{target}.dir" / "src"
        for path in sorted(folder.rglob("*.c.o")):
            found[str(path.relative_to(folder))[:-len(".c.o")]] = path
    return found


def symbols(objects):
    """{unit: (names that it defines, names that it refers to)} of {unit: its object file}"""
    unit_of = {str(path): unit for unit, path in objects.items()}
    text = subprocess.run(["nm", "-A", *unit_of], capture_output=True, text=True, check=True).stdout
    table = {unit: (set(), set()) for unit in objects}
    for line in text.splitlines():
        path, rest = line.split(":", 1)
        kind, name = rest.split()[-2:]
        if kind == "U":
            table[unit_of[path]][1].add(name)
        elif kind.isupper():
            table[unit_of[path]][0].add(name)
    return table


def edges_of(table):
    """{unit: units that it refers to} of {unit: (defined, wanted)}"""
    owner = {name: unit for unit, (defined, _) in table.items() for name in defined}
    return {unit: {owner[name] for name in wanted if owner.get(name, unit) != unit} for unit, (_, wanted) in table.items()}


def knots(edges):
    """Sets of more than one unit that all reach each other (Tarjan's algorithm), each as a sorted list."""
    index, low, stack, found = {}, {}, [], []

    def visit(unit):
        index[unit] = low[unit] = len(index)
        stack.append(unit)
        for other in sorted(edges[unit]):
            if other not in index:
                visit(other)
                low[unit] = min(low[unit], low[other])
            elif other in stack:
                low[unit] = min(low[unit], index[other])
        if low[unit] == index[unit]:
            at = stack.index(unit)
            if len(stack) - at > 1:
                found.append(sorted(stack[at:]))
            del stack[at:]
    sys.setrecursionlimit(10000)
    for unit in sorted(edges):
        if unit not in index:
            visit(unit)
    return found


def complaints(edges):
    """What is wrong with the units, as sentences."""
    found = []
    for knot in knots(edges):
        modules = sorted({unit.split("/")[0] for unit in knot})
        if len(knot) > LARGEST:
            found.append(f"{len(knot)} units reach each other ({', '.join(knot)}); move what the lower ones need of the upper ones "
                         f"into a unit below both, until no more than {LARGEST} do")
        if len(modules) > 1:
            found.append(f"the modules {' and '.join(modules)} call each other: {', '.join(knot)}")
    return found


def check(build):
    objects = objects_of(build)
    if not objects:
        return [f"{build} holds no object files of the library; build it first"]
    return complaints(edges_of(symbols(objects)))


def main():
    found = check(pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else "build"))
    print("\n".join(found) if found else f"no more than {LARGEST} units reach each other")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
