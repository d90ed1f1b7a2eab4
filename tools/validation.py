#!/usr/bin/env python3
"""Keeps the tables of docs/validation.md in step with the tests: validation.py [--update] [RECORDS], default build/records.

The tests write what they compare with the papers to RECORDS (tests/support/record.h). The page asks for tables:
    <!-- summary -->  <!-- table: PAPER; TABLE -->  <!-- wide: PAPER; TABLE -->     ...     <!-- end -->
and what stands between is made here. Of a table, what tests of all coordinate sets and methods recorded is one line:
what is printed, the reference, the number by the program's own choice, the largest difference of all exact methods and
the bound that the penalty method gives itself. "wide" tables have a line for what comes before ": " in the quantity, and
a column for what comes after.

Differences are rounding, and vary from machine to machine: the page claims a round number that they stay below. A line
of the page stays as it is while its claims hold and its numbers agree in every digit but the last.
"""
import json
import math
import pathlib
import re
import sys

PAGE = "docs/validation.md"
TABLE = re.compile(r"(<!-- (summary|table|wide)(?:: ([^;>]+); (.+?))? -->\n).*?(<!-- end -->)", re.DOTALL)
DIGITS = 10
ROUNDING = 1e-12  # no difference below this is told


# ---- cells that know whether what the page shows still holds --------------------------------------------------------


class Text:
    def __init__(self, text):
        self.text = text

    def holds(self, shown):
        return shown == self.text


class Number(Text):
    """Printed with so many digits, of which the last may differ."""

    def __init__(self, value, digits=DIGITS):
        # next to zero a number is rounding
        self.value = value if abs(value) > 1e-9 or digits < DIGITS else 0.0
        self.text = f"{self.value:.{digits}g}"
        self.last = 10.0 ** (math.floor(math.log10(abs(self.value))) + 1 - digits) if self.value else 0

    def holds(self, shown):
        try:
            return abs(float(shown) - self.value) <= 1.01 * self.last
        except ValueError:
            return False


class Below(Text):
    """A claim that a difference stays below a power of ten, written with a margin of ten."""

    def __init__(self, measured):
        self.measured = measured
        power = math.ceil(math.log10(max(measured, 1e-99))) + 1
        self.text = f"< {10.0 ** power if power > math.log10(ROUNDING) else ROUNDING:.0e}"

    def holds(self, shown):
        claim = claimed(shown)
        return claim is not None and self.measured <= claim <= 1e4 * max(self.measured, 0.1 * ROUNDING)


class Bound(Below):
    """A claim about a number that does not vary much: below the next of 1, 2, 5, 10, ..."""

    def __init__(self, measured):
        self.measured = max(measured, 10 * ROUNDING)
        steps = [step * 10.0 ** power for power in range(-12, 12) for step in (1, 2, 5)]
        self.text = f"< {next(step for step in steps if step > 1.1 * self.measured):.0e}"

    def holds(self, shown):
        claim = claimed(shown)
        return claim is not None and self.measured <= claim <= 5 * self.measured


def claimed(shown):
    match = re.fullmatch(r"< ([-+.e\d]+)", shown)
    return float(match.group(1)) if match else None


# ---- records --------------------------------------------------------------------------------------------------------


class Row:
    """One quantity of a table, from all the cells that computed it."""

    def __init__(self, first):
        self.published, self.reference = first["published"], first["reference"]
        self.computed = first["computed"]
        self.own = False  # computed by the program's own choice of coordinates and method
        self.cells = set()
        self.exact = self.bound = None

    def add(self, record, where):
        if record["published"] != self.published or not same(record["reference"], self.reference):
            raise ValueError(f"{where}: two tests disagree on what is printed or right")
        if record["computed"] is None:
            raise ValueError(f"{where}: what was computed is not a number")
        cell = (record["coordinates"] or "absolute", record["method"] or "augmented")
        self.cells.add(cell)
        if cell == ("absolute", "augmented") and not self.own:
            self.computed, self.own = record["computed"], True
        if self.reference is None:
            return
        scale = record["scale"] or abs(self.reference) or 1
        if record["bound"]:
            self.bound = max(self.bound or 0, record["bound"] / scale)
        else:
            self.exact = max(self.exact or 0, abs(record["computed"] - self.reference) / scale)

    def printed_wrong(self):
        """Digits that are printed and are not those of the reference."""
        if not is_number(self.published) or self.reference is None:
            return False
        last = 10.0 ** -len(self.published.partition(".")[2])
        return abs(float(self.published) - self.reference) > 0.5000001 * last


def same(a, b):
    return a is b if a is None or b is None else abs(a - b) <= 1e-9 * max(abs(a), abs(b), 1e-9)


def is_number(text):
    return bool(text) and bool(re.fullmatch(r"[-+]?\d+\.?\d*", text))


def read_records(folder, root):
    """{(paper, table): {quantity: Row}}, of the tests that there are."""
    tables = {}
    tests = {path.stem for path in (root / "tests").glob("*/test_*.c")}
    for path in sorted(folder.glob("*.jsonl")):
        if path.stem not in tests:
            continue
        for line in path.read_text().splitlines():
            record = json.loads(line)
            rows = tables.setdefault((record["paper"], record["table"]), {})
            row = rows.setdefault(record["quantity"], Row(record))
            row.add(record, f"{path.name}, {record['paper']}, {record['table']}, {record['quantity']}")
    return tables


# ---- tables ---------------------------------------------------------------------------------------------------------


def shown_print(row):
    if row.published is None:
        return Text("")
    return Text(f"**{row.published}** (wrong)" if row.printed_wrong() else row.published)


def plain_table(rows):
    printed = any(row.published for row in rows.values())
    compared = any(row.reference is not None for row in rows.values())
    bounded = any(row.bound is not None for row in rows.values())
    head = ["quantity"] + ["printed"] * printed + ["reference"] * compared + ["Routh"]
    head += ["exact within"] * compared + ["penalty within"] * bounded
    lines = [[Text(name) for name in head]]
    for quantity, row in rows.items():
        cells = [Text(quantity)] + [shown_print(row)] * printed
        if compared:
            cells += [Number(row.reference), Number(row.computed), Below(row.exact)]
        else:
            cells.append(Number(row.computed, 2))
        if bounded:
            cells.append(Bound(row.bound) if row.bound is not None else Text(""))
        lines.append(cells)
    return lines


def worst_of(rows, what):
    values = [getattr(row, what) for row in rows if getattr(row, what) is not None]
    return max(values) if values else None


def wide_table(rows):
    lines, columns = {}, []
    for quantity, row in rows.items():
        line, _, column = quantity.partition(": ")
        lines.setdefault(line, {})[column] = row
        if column not in columns:
            columns.append(column)
    compared = any(row.reference is not None for row in rows.values())
    bounded = any(row.bound is not None for row in rows.values())
    head = ["", *columns] + ["exact within"] * compared + ["penalty within"] * bounded
    table = [[Text(name) for name in head]]
    for name, cells in lines.items():
        numbers = [cells[column] for column in columns]
        table.append([Text(name)] + [Number(row.computed, 2 if row.reference is None else 7) for row in numbers]
                     + ([Below(worst_of(numbers, "exact"))] if compared else [])
                     + ([Bound(worst_of(numbers, "bound"))] if bounded else []))
    return table


def summary(tables, papers):
    head = ["source", "numbers printed", "of them wrong", "further numbers", "coordinates x methods",
            "exact within", "penalty within"]
    lines = [[Text(name) for name in head]]
    for paper in papers:
        rows = [row for (of, _), table in tables.items() if of == paper for row in table.values()]
        printed = [row for row in rows if is_number(row.published)]
        wrong = sum(row.printed_wrong() for row in printed)
        cells = max(len(row.cells) for row in rows)
        bound = worst_of(rows, "bound")
        lines.append([Text(paper), Text(str(len(printed) or "none")), Text(str(wrong or "")),
                      Text(str(len(rows) - len(printed))), Text(str(cells)), Below(worst_of(rows, "exact")),
                      Bound(bound) if bound is not None else Text("")])
    return lines


# ---- the page -------------------------------------------------------------------------------------------------------


def split_line(line):
    return [cell.strip() for cell in line.strip().strip("|").split("|")]


def renew_table(old, cells):
    """The lines of the table; those of the page where they still hold."""
    shown = [line for line in old.splitlines() if line.startswith("|")]
    del shown[1:2]  # the rule under the head
    lines, changed = [], len(shown) != len(cells)
    for k, row in enumerate(cells):
        before = split_line(shown[k]) if k < len(shown) else []
        if len(before) == len(row) and all(cell.holds(text) for cell, text in zip(row, before)):
            lines.append(shown[k])
        else:
            lines.append("| " + " | ".join(cell.text for cell in row) + " |")
            changed = True
        if k == 0:
            lines.append("|---" + "|--:" * (len(row) - 1) + "|")
    return "\n" + "\n".join(lines) + "\n\n", changed


def renew_page(page, tables):
    """(the page with its tables renewed, what was not in step)"""
    found, asked = [], set()
    papers = dict.fromkeys(match[2] for match in TABLE.findall(page) if match[2] in {paper for paper, _ in tables})

    def renew(match):
        start, kind, paper, name, end = match.groups()
        old = match.group(0)[len(start):-len(end)]
        asked.add((paper, name))
        if kind != "summary" and (paper, name) not in tables:
            found.append(f"no test records {paper}; {name}")
            return match.group(0)
        cells = summary(tables, papers) if kind == "summary" else \
            (wide_table if kind == "wide" else plain_table)(tables[paper, name])
        new, changed = renew_table(old, cells)
        if changed:
            found.append("the summary is out of step" if kind == "summary" else f"{paper}; {name} is out of step")
        return start + new + end

    new = TABLE.sub(renew, page)
    found += [f"{paper}; {name} is recorded and not shown" for paper, name in tables if (paper, name) not in asked]
    return new, found


def check(root, records, update=False):
    """What is not in step; with update, the page is written anew."""
    page = root / PAGE
    tables = read_records(records, root)
    if not tables:
        return [f"{records} has no records: run the tests first (./dev validation does)"]
    old = page.read_text()
    new, found = renew_page(old, tables)
    if update and new != old:
        page.write_text(new)
    return [f"{PAGE}: {line}" for line in found]


def main(arguments):
    root = pathlib.Path(__file__).resolve().parents[1]
    names = [word for word in arguments if word != "--update"]
    update = "--update" in arguments
    found = check(root, pathlib.Path(names[0]) if names else root / "build/records", update)
    print("\n".join(found) if found else f"{PAGE} is in step with the tests")
    return 1 if found and not update else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
