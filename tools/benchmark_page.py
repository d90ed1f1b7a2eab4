#!/usr/bin/env python3
"""Keeps docs/benchmark.md in step with the program: benchmark_page.py [--update] [PROGRAM], default build/routh.

What stands between "<!-- summary -->" or "<!-- problems -->" and "<!-- end -->" is made from `routh benchmark --json`. Times
and last digits differ from machine to machine: the page is stale where anything else does, or where a number differs in more
than its last digit or a count of digits by more than one.
"""
import json
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[1]
PAGE = "docs/benchmark.md"
SHOWN = 9  # digits of a number; of agreement, more are not told apart
LONG = 30  # lines of a table from which on it is folded
PART = re.compile(r"(<!-- (summary|problems) -->\n).*?(<!-- end -->)", re.DOTALL)
NUMBER = re.compile(r"-?\d+(?:\.\d+)?(?:e-?\d+)?")


def cell(text):
    return str(text).replace("|", "\\|")


def number(x):
    return "" if x is None else f"{x:.{SHOWN}g}"


def digits(value):
    if value["computed"] is None:
        return ""
    return f"{SHOWN}+" if value["digits"] >= SHOWN else str(value["digits"])


def summary(data):
    lines = ["", "| problem | numbers | agree | fewest digits | time, ms |", "|---|--:|--:|--:|--:|"]
    for problem in data["problems"]:
        values = problem["values"]
        agree = sum(value["verdict"] == "yes" for value in values)
        fewest = min(values, key=lambda value: value["digits"])
        lines.append(f"| [{problem['name']}](#{problem['name']}) | {len(values)} | {agree} | {digits(fewest)} "
                     f"| {1e3 * problem['seconds']:.1f} |")
    return "\n".join([*lines, "", f"{len(data['problems'])} problems, {data['numbers']} numbers, of which {data['agree']} agree "
                      "with their sources.", "", ""])


def published(value):
    if value["published"] is None:
        return ""
    return f"**{value['published']}** (wrong)" if value["misprint"] else value["published"]


def table(problem):
    lines = ["| number | published | reference | Routh | digits |", "|---|--:|--:|--:|--:|"]
    notes = []
    for value in problem["values"]:
        name = (value["case"] + ": " if value["case"] else "") + value["quantity"] + (f", {value['unit']}" if value["unit"] else "")
        if value["note"]:
            notes.append(f"- {name}: {value['note']}.")
        reference = number(value["reference"])
        lines.append(f"| {cell(name)} | {published(value)} | {reference} | {number(value['computed'])} | {digits(value)} |")
    formulas = list(dict.fromkeys(f"- {value['quantity']}: `{value['formula']}`" for value in problem["values"] if value["formula"]))
    text = "\n".join(lines)
    if len(lines) > LONG:
        text = f"<details><summary>{len(lines) - 2} numbers</summary>\n\n{text}\n\n</details>"
    if formulas:
        text += "\n\nFormulas, in the parameters of the model:\n\n" + "\n".join(formulas)
    if notes:
        text += "\n\nRemarks:\n\n" + "\n".join(notes)
    return text


def problems(data):
    parts = [""]
    for problem in data["problems"]:
        where = f", {problem['where']}" if problem["where"] else ""
        model = "" if problem["model"] == "its own" else f" The model is {problem['model'].replace(' ', ' `')}`."
        parts.append(f"### {problem['name']}\n\n{problem['title']}. {problem['source']}{where}.{model}\n\n{table(problem)}\n")
    return "\n".join(parts) + "\n"


def filled(page, data):
    made = {"summary": summary(data), "problems": problems(data)}
    return PART.sub(lambda m: m.group(1) + made[m.group(2)] + m.group(3), page)


# ---- is it what the program prints now? ------------------------------------------------------------------------------


def step(text):
    """One unit of the last of SHOWN digits of a number, 0 of those that are printed with fewer."""
    x = abs(float(text))
    written = re.sub(r"e.*|[-.]", "", text).lstrip("0")
    return 0 if len(written) < SHOWN - 2 or x == 0 else x * 10.0 ** (1 - SHOWN)


def same_cell(a, b, column):
    if a == b or column == "time, ms":
        return True
    if column in ("digits", "fewest digits"):
        return abs(int(a.rstrip("+") or -9) - int(b.rstrip("+") or -9)) <= 1
    if column != "Routh" or not (NUMBER.fullmatch(a) and NUMBER.fullmatch(b)):
        return False
    return abs(float(a) - float(b)) <= 1.01 * max(step(a), step(b))


def same_line(a, b, head):
    """A row of a table by its cells, any other line as it is."""
    if a == b:
        return True
    cells = [[part.strip() for part in re.split(r"(?<!\\)\|", line)] for line in (a, b)]
    if not head or len(cells[0]) != len(head) or len(cells[1]) != len(head):
        return False
    return all(same_cell(*pair) for pair in zip(*cells, head))


def stale(shown, made):
    """The first line of the page that is not as it should be; None."""
    shown, made, head = shown.splitlines(), made.splitlines(), None
    for k in range(max(len(shown), len(made))):
        a, b = (lines[k] if k < len(lines) else "" for lines in (shown, made))
        if not same_line(a, b, head):
            return f"line {k + 1} is \"{a}\" and should be \"{b}\""
        if not b.startswith("|"):
            head = None
        elif head is None:
            head = [part.strip() for part in b.split("|")]
    return None


def check(root, data, update=False):
    path = root / PAGE
    page = path.read_text("utf-8")
    made = filled(page, data)
    found = stale(page, made)
    if found and update:
        path.write_text(made, "utf-8")
        print(f"{PAGE} is renewed")
        return []
    return [f"{PAGE}: {found}; tools/benchmark_page.py --update writes it"] if found else []


def main(arguments):
    names = [word for word in arguments if word != "--update"]
    program = pathlib.Path(names[0] if names else ROOT / "build/routh").resolve()
    done = subprocess.run([program, "benchmark", "--json"], capture_output=True, text=True, check=False)
    found = check(ROOT, json.loads(done.stdout), "--update" in arguments)
    print(*found, sep="\n", end="\n" if found else "")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
