#!/usr/bin/env python3
"""Writes python/routh/_literals.py: write_literals.py --library LIBROUTH.so --schema schema/routh-model.schema.json --output FILE

The words that calls of Python take, as Literal types: from the functions of the library that list them, which its own
code goes by too, and from the JSON Schema of models.
"""

import argparse
import ctypes
import json
import pathlib
import textwrap

# Type, function of the library that gives the name of number k (NULL past the last), what it is.
TABLES = (
    ("Coordinates", "routh_coordinate_name", "Coordinate sets."),
    ("Method", "routh_method_name", "Methods of linearization; a family's name alone is its first variant."),
    ("Integrator", "routh_integrator_name", "Integrators of motions; not every build has all of them."),
    ("Format", "routh_exchange_format_name", "Formats of files of linear models."),
    ("Algorithm", "routh_optimum_algorithm_name", "Algorithms of optimisation."),
)

HEAD = '''"""The words that calls take, as types; written by python/write_literals.py from the tables of the library."""

from __future__ import annotations

from typing import Literal

'''


def names(library, function):
    name = getattr(library, function)
    name.argtypes, name.restype = [ctypes.c_int], ctypes.c_char_p
    found = []
    while (word := name(len(found))) is not None:
        found.append(word.decode())
    return found


def literal(name, words, about):
    text = "".join(f"    {json.dumps(word)},\n" for word in words)
    return f'{name} = Literal[\n{text}]\n"""{textwrap.dedent(about)}"""\n'


def text_of(library, schema):
    """library: path of the shared library."""
    loaded = ctypes.CDLL(str(library))
    made = []
    for name, function, about in TABLES:
        words = names(loaded, function)
        if name == "Method":
            families = list(dict.fromkeys(word.partition(":")[0] for word in words))
            words = ["auto", *families, *(word for word in words if ":" in word)]
        made.append(literal(name, words, about))
    solve = loaded.routh_sweep_solve_name
    solve.argtypes, solve.restype = [ctypes.c_int], ctypes.c_char_p
    made.append(literal("Solve", [*filter(None, (solve(1 << k).decode() for k in range(16))), "all", "none"], "What a sweep solves for."))
    types = schema["properties"]["operating_point"]["properties"]["type"]["enum"]
    made.append(literal("PointType", types, "Types of operating points."))
    return HEAD + "\n".join(made)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--library", required=True, type=pathlib.Path)
    parser.add_argument("--schema", required=True, type=pathlib.Path)
    parser.add_argument("--output", required=True, type=pathlib.Path)
    given = parser.parse_args()
    given.output.write_text(text_of(given.library, json.loads(given.schema.read_text("utf-8"))), "utf-8")


if __name__ == "__main__":
    main()
