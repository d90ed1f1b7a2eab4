"""From the JSON Schemas of results: the attributes of Python's results and the types and columns of the report's page
(tools/renew.py writes the files)."""
import json
import re
import textwrap

# Definition in the schema: class of one row in Python, class of all rows, interface of the page, its list of columns; None where
# there is none.
TABLES = {
    "mode": ("ModeValues", "ModeColumns", "ModeValues", "modeColumns"),
    "floquet_mode": (None, "MultiplierColumns", "MultiplierValues", None),
}

# Definition in the schema: class of one row in Python with its numbers and texts, for results that are lists of objects.
ROWS = {
    "finding": "FindingValues",
    "cell": "CheckCellValues",
    "verified_mode": "VerifiedModeValues",
    "optimum_variable": "VariableValues",
    "optimum_goal": "GoalValues",
}

# Attributes that Python has otherwise.
OTHERWISE = {("optimum_variable", "at_bound")}

# Attributes of all rows whose name is not that of the member.
PLURAL = {
    ("mode", "eigenvalue"): "eigenvalues",
    ("floquet_mode", "multiplier"): "multipliers",
    ("floquet_mode", "exponent"): "exponents",
    ("floquet_mode", "error"): "multiplier_errors",
}

COMPLEX = {"#/$defs/complex", "#/$defs/complex_or_null"}
NUMBERS = {"number", "integer", "boolean"}


def kind_of(member):
    """"number", "integer", "boolean", "complex"; None of what is no number."""
    if member.get("$ref") in COMPLEX:
        return "complex"
    types = member.get("type", [])
    types = {types} if isinstance(types, str) else set(types)
    found = types & NUMBERS
    return found.pop() if len(found) == 1 else None


def numbers(table):
    """[(name, member, kind)] of the numbers of a table, in their order."""
    found = [(name, member, kind_of(member)) for name, member in table["properties"].items()]
    return [entry for entry in found if entry[2] is not None]


def texts_too(table):
    """The same with texts, "string"."""
    found = []
    for name, member in table["properties"].items():
        types = member.get("type", [])
        kind = kind_of(member) or ("string" if "string" in ([types] if isinstance(types, str) else types) else None)
        found += [(name, member, kind)] if kind else []
    return found


def sentence(member):
    """The description without links, with its unit."""
    text = re.sub(r"\[([^\]]+)\]\([^)]*\)", r"\1", member["description"])
    unit = member.get("unit")
    return f"{text} [{unit}]" if unit else text


def tables_of(schemas, wanted=None):
    """(name, table) of the definitions that have classes, each once."""
    wanted = TABLES if wanted is None else wanted
    found = {}
    for schema in schemas:
        for name, table in schema["$defs"].items():
            if name in wanted:
                found.setdefault(name, table)
    return sorted(found.items())


# ---- Python -----------------------------------------------------------------------------------

HEAD = '''"""The numbers of results, an attribute each; written by tools/renew.py from the tables by which the library writes
results.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

from routh._api import Array, ComplexArray, IntArray
'''

ARRAYS = {"number": "Array", "integer": "IntArray", "boolean": "IntArray", "complex": "ComplexArray"}
SCALARS = {"number": "float", "integer": "int", "boolean": "bool", "complex": "complex", "string": "str"}


def filled(text, indent):
    lead = " " * indent
    text = text.replace("\\", "\\\\").replace("`", "``")
    return textwrap.fill(text, 100, initial_indent=lead, subsequent_indent=lead, break_long_words=False)


def python_dataclass(name, head, members):
    lines = ["", "", "@dataclass(frozen=True)", f"class {name}:", f'    """{head}', "", "    Attributes", "    ----------"]
    for member, what, kind in members:
        lines += [f"    {member} : {SCALARS[kind]}", filled(sentence(what) + ".", 8)]
    lines += ['    """', ""]
    return lines + [f"    {member}: {SCALARS[kind]}" for member, _, kind in members]


def python_row(name, table):
    if TABLES[name][0] is None:
        return []
    return python_dataclass(TABLES[name][0], "The numbers of one.", numbers(table))


def python_item(name, table):
    """Numbers and texts of one: of a number NaN, of a text "" where there is none."""
    members = [entry for entry in texts_too(table) if (name, entry[0]) not in OTHERWISE]
    head = "Numbers and texts of one; NaN, or an empty text, where JSON has ``null`` or nothing."
    return python_dataclass(ROWS[name], head, members)


def python_columns(name, table):
    row, columns = TABLES[name][:2]
    lines = ["", "", f"class {columns}:", '    """The numbers of all, an array each."""', "",
             "    def _member(self, name: str) -> Any:", "        raise NotImplementedError", ""]
    for member, what, kind in numbers(table):
        lines += ["    @cached_property", f"    def {PLURAL.get((name, member), member)}(self) -> {ARRAYS[kind]}:"]
        text = filled("Shape (n,): " + sentence(what) + ".", 8).lstrip()
        lines += [f'        """{text}"""', f"        values: {ARRAYS[kind]} = self._member(\"{member}\")",
                  "        return values", ""]
    if row is None:
        return lines[:-1]
    lines += ["    def _row(self, k: int) -> dict[str, Any]:", f'        """Of row k, by the names of {row}."""', "        return {"]
    for member, _, kind in numbers(table):
        lines.append(f'            "{member}": {SCALARS[kind]}(self.{PLURAL.get((name, member), member)}[k]),')
    return [*lines, "        }"]


def python_of(schemas):
    """python/routh/_results.py"""
    lines = []
    for name, table in tables_of(schemas):
        lines += python_row(name, table) + python_columns(name, table)
    for name, table in tables_of(schemas, ROWS):
        lines += python_item(name, table)
    return HEAD + "\n".join(lines) + "\n"


# ---- TypeScript -------------------------------------------------------------------------------

PAGE_HEAD = '''/* The numbers of results, and the columns of tables that show them; written by tools/renew.py from the tables by which the
 * library writes results. */

/** A column of numbers: a member of a row, or a part of a complex one. */
export interface Column<Row> {
  member: keyof Row;
  /** 0: real, 1: imaginary part. */
  part?: 0 | 1;
  title: string;
  unit: string;
  help: string;
  /** Significant digits. */
  digits: number;
  /** Shown as per cent. */
  percent?: true;
}
'''

PAGE_TYPES = {"number": "number", "integer": "number", "boolean": "boolean", "complex": "[number, number]"}


def quoted(text):
    return "'" + text.replace("\\", "\\\\").replace("'", "\\'") + "'"


def typescript_interface(name, table):
    lines = ["", f"export interface {TABLES[name][2]} {{"]
    for member, what, kind in numbers(table):
        optional = "" if member in table["required"] else "?"
        null = " | null" if "null" in what.get("type", "") else ""
        pair = "[number | null, number | null]" if what.get("$ref", "").endswith("_or_null") else PAGE_TYPES[kind]
        lines += [f"  /** {sentence(what)} */", f"  {member}{optional}: {pair}{null};"]
    return [*lines, "}"]


def typescript_columns(name, table):
    _, _, row, columns = TABLES[name]
    if columns is None:
        return []
    lines = ["", f"export const {columns}: Column<{row}>[] = ["]
    for column in sorted((c for c in table["columns"] if "title" in c), key=lambda c: c["rank"]):
        parts = [f"member: {quoted(column['member'])}"]
        if "part" in column:
            parts.append(f"part: {column['part']}")
        unit = "%" if column.get("percent") else column.get("unit", "")
        parts += [f"title: {quoted(column['title'])}", f"unit: {quoted(unit)}", f"help: {quoted(column['help'])}",
                  f"digits: {column['digits']}"]
        if column.get("percent"):
            parts.append("percent: true")
        lines.append(f"  {{ {', '.join(parts)} }},")
    return [*lines, "];"]


def typescript_of(schemas):
    """viewer/src/results.ts"""
    lines = []
    for name, table in tables_of(schemas):
        lines += typescript_interface(name, table) + typescript_columns(name, table)
    return PAGE_HEAD + "\n".join(lines) + "\n"


# ---- the schema of the page's data --------------------------------------------------------------

PAIR = '{ "type": "array", "items": { "type": "number" }, "minItems": 2, "maxItems": 2'


def page_member(member, what, kind):
    types = what.get("type")
    opened = PAIR if kind == "complex" else '{ "type": ' + json.dumps(types)
    return f'        {json.dumps(member)}: {opened}, "description": {json.dumps(sentence(what))} }}'


def page_schema_of(schemas, text):
    """viewer/data.schema.json with the numbers of each table as its definition ..._values."""
    for name, table in tables_of(schemas):
        members = ",\n".join(page_member(*entry) for entry in numbers(table))
        block = f'    "{name}_values": {{\n      "type": "object",\n      "properties": {{\n{members}\n      }}\n    }},\n'
        text = re.sub(rf'    "{name}_values": \{{\n.*?^    \}},\n', lambda _: block, text, flags=re.DOTALL | re.MULTILINE)
    return text
