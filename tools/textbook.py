#!/usr/bin/env python3
"""Measures every element against its textbook reference and writes the table of docs/validation.md:
textbook.py [--update] [--cases N] [KIND...], with $ROUTH or build/routh. Without --update it says what it measured; of kinds that are
not named the lines stay as they are.

The references are tests/textbook. The table has a line for each element: how many random cases, and a round number that
the worst errors stay below, with a margin, as rounding varies from machine to machine.
"""
import json
import math
import os
import pathlib
import re
import subprocess
import sys
from concurrent.futures import ProcessPoolExecutor

PAGE = "docs/validation.md"
CASES = 1000
WITHOUT = {"body": ["modal"]}  # elements that have none yet, and where else they are checked is said on the page
BOUND = {"values": 1e-12, "first": 1e-10, "second": 1e-8}
LEVELS = ("values", "first", "second")
TABLE = re.compile(r"(<!-- elements -->\n).*?(<!-- end -->)", re.DOTALL)


def elements_of(program):
    """What the program's schema and reference list: kind -> names."""
    def said(*command):
        return subprocess.run([program, *command], capture_output=True, text=True, check=True).stdout

    sections = json.loads(said("schema"))["properties"]
    found = {kind: sections[kind + "s" if kind != "body" else "bodies"]["additionalProperties"]["properties"]["type"]["enum"]
             for kind in ("joint", "load", "controller", "body", "beam")}
    page = said("reference")
    functions = page[page.index("| function | value |"):page.index("Functions of the state")]
    found["function"] = re.findall(r"^\| `(\w+)\(", functions, re.MULTILINE)
    measures = page[page.index("| measure | meaning | unit |"):page.index("| argument | meaning |")]
    found["measure"] = [name for line in measures.splitlines() if line.startswith("| `")
                        for name in re.findall(r"`(\w+)[(`]", line)]
    return found


def below(size, level):
    """a power of ten, with a margin of three and no more than what is asked for"""
    claim = float(f"1e{math.ceil(math.log10(max(3 * size, 1e-15)))}")
    return min(claim, BOUND[level]) if size <= BOUND[level] else claim


def shown(page):
    """(kind, name) -> cases and claims of the table"""
    lines = {}
    table = TABLE.search(page)
    for line in table.group(0).splitlines() if table else ():
        cells = [cell.strip().strip("`") for cell in line.strip("|").split("|")]
        if len(cells) == 6 and cells[2].isdigit():
            lines[cells[0], cells[1]] = {"cases": int(cells[2]), **{k: float(c[2:]) for k, c in zip(LEVELS, cells[3:])}}
    return lines


def one(key, cases):
    import run
    return key, run.measure(*key, cases)


def main():
    update = "--update" in sys.argv
    rest = [word for word in sys.argv[1:] if word != "--update"]
    cases = CASES
    if "--cases" in rest:
        at = rest.index("--cases")
        cases = int(rest[at + 1])
        del rest[at:at + 2]
    root = pathlib.Path(__file__).resolve().parents[1]
    os.environ["ROUTH"] = str(pathlib.Path(os.environ.get("ROUTH") or "build/routh").resolve())
    os.environ["ROUTH_SOURCE"] = str(root)
    os.environ["OPENBLAS_NUM_THREADS"] = "1"
    sys.path.insert(0, str(root / "tests/textbook"))
    import run

    keys = [(kind, name) for kind in run.KINDS for name in run.KINDS[kind]]
    text = "| kind | element | cases | values | first derivatives | second derivatives |\n|---|---|--:|--:|--:|--:|\n"
    lines = shown((root / PAGE).read_text())
    chosen = [key for key in keys if not rest or key[0] in rest]
    with ProcessPoolExecutor(os.cpu_count()) as pool:
        for (kind, name), (done, worst) in pool.map(one, chosen, [cases] * len(chosen)):
            lines[kind, name] = {"cases": done, **{level: below(worst[level][0], level) for level in LEVELS}}
            print(f"{kind:10s} {name:20s}", *(f"{worst[level][0]:8.1e} {worst[level][1]}" for level in LEVELS), flush=True)
    for key in keys:
        if key in lines:
            claims = [f"< {lines[key][level]:.0e}" for level in LEVELS]
            text += f"| {key[0]} | `{key[1]}` | {lines[key]['cases']} | {' | '.join(claims)} |\n"
    page = root / PAGE
    if update:
        page.write_text(TABLE.sub(lambda m: m.group(1) + "\n" + text + "\n" + m.group(2), page.read_text()))


if __name__ == "__main__":
    main()
