#!/usr/bin/env python3
"""Writes python/routh/_elements.py, and measures.py: write_elements.py --schema schema/routh-model.schema.json --output FILE

One method for each kind of thing that a model file may hold, from the JSON Schema, which the library writes from the
tables that its reader works by. So none is missing, and what help() says is what the reference says.
"""

import argparse
import json
import keyword
import pathlib
import re
import textwrap

WIDTH = 100

# Methods whose kind has no name of its own for a method: section, type, method.
NAMES = {
    ("bodies", "rigid"): "body",
    ("bodies", "beam"): "beam_body",
    ("bodies", "modal"): "modal_body",
    ("beams", "material"): "beam",
    ("beams", "sections"): "beam_of_sections",
    ("loads", "beam"): "beam_element",
    ("joints", "expression"): "expression_joint",
    ("joints", "orientation"): "orientation_joint",
}
SUFFIX = {"controllers": "_controller"}

# What a method returns.
CLASSES = {
    "bodies": "Body",
    "beams": "Body",
    "markers": "Marker",
    "joints": "Joint",
    "loads": "Load",
    "inputs": "Signal",
    "outputs": "Signal",
    "variables": "Signal",
    "controllers": "Controller",
    "events": "Event",
    "parts": "Part",
    "variants": "Variant",
}

# Of these fields the first that a kind has (and needs, where marked) is given by position.
POSITIONAL = (
    "between! body! joint on! joints! expressions! expression! rate! equation! inputs! input! states! when! file! value type"
).split()

TYPES = {
    "number": "Number",
    "positive": "Number",
    "notNegative": "Number",
    "notZero": "Number",
    "text": "str",
    "axis": "Axis",
    "orientation": "Orientation",
    "between": "Sequence[Point]",
    "markers": "Sequence[Point]",
    "joints": "Sequence[JointName]",
    "triple": "Number | Numbers",
    "profile": "Number | Numbers",
    "states": "Sequence[str | Expression]",
    "signals": "Sequence[str | Expression]",
    "names": "Sequence[str]",
    "parameters": "Fields",
    "words": "Fields",
}
POINTS = {"body", "on", "resolved_in", "reaction_on", "reference"}


def of_definition(field: dict) -> str:
    reference = field.get("$ref") or next((a["$ref"] for a in field.get("allOf", ()) if "$ref" in a), "")
    return reference.rsplit("/", 1)[-1]


def type_of(name: str, field: dict) -> str:
    definition = of_definition(field)
    if definition == "word":
        return "Point" if name in POINTS else "JointName" if name == "joint" else "str"
    if definition:
        return TYPES.get(definition, "Numbers")
    if "enum" in field:
        return f"Literal[{', '.join(json.dumps(e) for e in field['enum'])}]"
    if "anyOf" in field:
        return "Number"
    if field.get("type") == "boolean":
        return "bool"
    if field.get("type") == "array":
        return "Sequence[Any]"
    return "Fields"


def positional(fields: dict, required: list) -> list:
    if "variants" in fields:
        required = [*required, "file"]  # of a part, where its variants do not bring files of their own
    for entry in POSITIONAL:
        name = entry.rstrip("!")
        if name in fields and (name == entry or name in required):
            return ["first", "second"] if name == "between" else [name]
    return []


def argument(name: str) -> str:
    return name + "_" if keyword.iskeyword(name) else name


def filled(text: str, indent: int) -> str:
    lead = " " * indent
    text = text.replace("\\", "\\\\")
    return textwrap.fill(text, WIDTH, initial_indent=lead, subsequent_indent=lead, break_long_words=False)


def inner(field: dict) -> dict:
    """The fields within a field, or within each of the things in it."""
    each = field.get("additionalProperties")
    if isinstance(each, dict):
        field = next((a for a in each.get("anyOf", ()) if "properties" in a), each)
    return field.get("properties", {})


def described(name: str, field: dict) -> list:
    if name in ("first", "second") and not field:
        return [f"        {name} : Point", filled(f"The {name} of the two in `between`.", 12)]
    lines = [f"        {argument(name)} : {type_of(name, field)}"]
    lines.append(filled(field.get("description", "") + ".", 12))
    for part, what in inner(field).items():
        lines.append(filled(f"- ``{part}``: {what.get('description', '')}.", 12))
    return lines


def method(name: str, decorator: str, about: str, fields: dict, required: list, result: str, named: bool) -> str:
    if named:
        fields = {f: what for f, what in fields.items() if f != "type"}
    first = positional(fields, required)
    keys = [f for f in fields if f not in first]
    kinds = {end: "Point" for end in ("first", "second")}
    lines = [f"    @{decorator}", f"    def {name}(", "        self,"]
    lines += ["        name: str,"] if named else []
    lines += [f"        {argument(f)}: {kinds.get(f) or type_of(f, fields[f])} | None = None," for f in first]
    lines += ["        *,"] if keys else []
    lines += [f"        {argument(f)}: {type_of(f, fields[f])} | None = None," for f in keys]
    lines.append(f"    ) -> {result}:")
    summary = about[:1].upper() + about[1:] + ("" if about.endswith(".") else ".")
    text = filled(f'"""{summary}', 8).split("\n")
    text += ["", "        Parameters", "        ----------"]
    text += ["        name : str", "            Its own."] if named else []
    for field in first + keys:
        text += described(field, fields.get(field, {}))
    text.append('        """')
    return "\n".join([*lines, *text, "        raise NotImplementedError", ""])


def singular(section: str) -> str:
    return section[:-1]


def kinds_of(section: dict):
    """(type or None, description, fields, required) of each kind of a section of named things."""
    each = section["additionalProperties"]
    typed = [a for a in each.get("allOf", ()) if "if" in a and "const" in a["if"]["properties"].get("type", {})]
    for a in typed:
        then = a["then"]
        yield a["if"]["properties"]["type"]["const"], then["description"], then["properties"], then.get("required", [])
    if not typed:
        each = next((a for a in each.get("anyOf", ()) if "properties" in a), each)
        yield None, section["description"].split(";")[0], each["properties"], each.get("required", [])


def methods(schema: dict):
    """(name, text) of each."""
    for section, what in schema["properties"].items():
        if section in CLASSES:
            result = CLASSES[section]
            for kind, about, fields, required in kinds_of(what):
                name = NAMES.get((section, kind)) or (kind + SUFFIX.get(section, "") if kind else singular(section))
                if kind is None:
                    about = f"One of the {section}: {about}"
                given = {f: of for f, of in fields.items() if f != "type"}
                ends = json.dumps(positional(given, required))
                written = json.dumps(kind) if kind and "type" in required else None  # else it may be left out
                decorator = f"element({json.dumps(section)}, {written}, {result}, {ends})"
                yield name, method(name, decorator, about, fields, required, result, True)
        elif "properties" in what:
            fields = what["properties"]
            name = "set_" + section
            decorator = f"section({json.dumps(section)}, {json.dumps(positional(fields, []))})"
            about = what["description"].split("; default")[0]
            yield name, method(name, decorator, about, fields, [], "None", False)


HEAD = '''"""Every kind of thing that a model may hold, a method each; written by python/write_elements.py from the
tables that the library reads model files by.

The methods are declarations, for help(), completion and type checkers: ``element`` makes what they do.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal, Union

from routh.builder import (
    Body,
    Building,
    Controller,
    Event,
    Expression,
    Fields,
    Joint,
    JointName,
    Load,
    Marker,
    Number,
    Numbers,
    Orientation,
    Part,
    Point,
    Signal,
    Variant,
    element,
    section,
)

Axis = Union[Literal["x", "y", "z", "-x", "-y", "-z"], Numbers]


class Elements(Building):
    """The methods that add something to a model that a program builds."""

'''


def text_of(schema: dict) -> str:
    found = list(methods(schema))
    names = [name for name, _ in found]
    twice = sorted({name for name in names if names.count(name) > 1})
    if twice:
        raise SystemExit(f"methods of one name: {', '.join(twice)}; give them others in NAMES")
    bad = [name for name in names if not re.fullmatch(r"[a-z_]+", name)]
    if bad:
        raise SystemExit(f"no names of methods: {', '.join(bad)}")
    return HEAD + "\n".join(text for _, text in found)


# ---- measures --------------------------------------------------------------------------------

MEASURE_HEAD = '''"""The measures of expressions: functions of a model's state; written by python/write_elements.py from the
table that the library reads them by.

Each gives an expression, for loads, joints, controllers, outputs and wherever a model file has one.
What is left out between others is the ground.

Examples
--------
>>> from routh.measures import DX, VX
>>> str(30 - 4 * DX("cart") - VX("cart", k="rail"))
'30 - 4*DX(cart) - VX(cart, ground, rail)'
"""

from __future__ import annotations

from routh.builder import Element, Point, State, measure
from routh.expressions import Expression
'''
ARGUMENTS = {"element": "Element | str", "state": "State"}  # the others are places


def function_of(measure: dict, about: dict) -> str:
    name, names = measure["const"], re.findall(r"\w+", measure["title"])[1:]
    types = {a: ARGUMENTS.get(a, "Point") for a in names}
    given = [f"{a}: {types[a]}" if k == 0 else f"{a}: {types[a]} | None = None" for k, a in enumerate(names)]
    text = measure["description"]
    lines = ["", "", f"def {name}({', '.join(given)}) -> Expression:"]
    lines += filled(f'"""{text[:1].upper() + text[1:]}.', 4).split("\n")
    lines += ["", "    Parameters", "    ----------"]
    for a in names:
        lines += [f"    {a} : {types[a]}", filled(about[a][:1].upper() + about[a][1:] + ".", 8)]
    return "\n".join([*lines, '    """', f'    return measure("{name}", {", ".join(names)})', ""])


def measures_of(schema: dict) -> str:
    definitions = schema["definitions"]
    about = {a["const"]: a["description"] for a in definitions["measureArgument"]["anyOf"]}
    found = definitions["measure"]["anyOf"]
    names = "".join(f'    "{m["const"]}",\n' for m in sorted(found, key=lambda m: m["const"]))
    return f"{MEASURE_HEAD}\n__all__ = [\n{names}]\n" + "".join(function_of(m, about) for m in found)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--schema", required=True, type=pathlib.Path)
    parser.add_argument("--output", required=True, type=pathlib.Path)
    given = parser.parse_args()
    schema = json.loads(given.schema.read_text("utf-8"))
    given.output.write_text(text_of(schema), "utf-8")
    (given.output.parent / "measures.py").write_text(measures_of(schema), "utf-8")


if __name__ == "__main__":
    main()
