#!/usr/bin/env python3
"""Counts tests: tally.py FOLDER prints 'N passed, N failed, N skipped' and exits 1 where one failed.

FOLDER holds ctest's JUnit files (*.xml) and steps.txt ("passed NAME", ... by ./dev). A cmocka program and a
unittest script count as the tests they hold, any other entry of ctest as one.
"""
import pathlib
import re
import sys
import xml.etree.ElementTree as tree


def total(pattern, text):
    return sum(int(number) for number in re.findall(pattern, text, re.MULTILINE))


def counts_in(text):
    """(passed, failed, skipped) told by the program's own output, or None where it tells nothing."""
    if re.search(r"^\[=+\] \d+ test\(s\) run\.", text, re.MULTILINE):
        return [total(rf"\[  {word} \] (\d+) test\(s\)", text) for word in ("PASSED ", "FAILED ", "SKIPPED")]
    ran = total(r"^Ran (\d+) tests? in ", text)
    if ran:
        failed = total(r"(?:failures|errors|unexpected successes)=(\d+)", text)
        skipped = total(r"(?:skipped|expected failures)=(\d+)", text)
        return [ran - failed - skipped, failed, skipped]
    return None


def count_case(case):
    """(passed, failed, skipped) of one entry of ctest."""
    name, status = case.get("name"), case.get("status")
    output = (case.findtext("system-out") or "").strip()
    told = counts_in(output)
    skip = case.find("skipped")
    if skip is not None and skip.get("message", "").startswith("SKIP_"):
        print(f"skipped: {name} ({output.splitlines()[-1] if output else 'it does not say why'})")
        return [0, 0, 1]
    if status != "run":  # failed, ended by a signal or its time limit, or could not be started
        print(f"failed: {name}")
        return told if told and told[1] else [told[0] if told else 0, 1, told[2] if told else 0]
    if told and told[2]:
        print(f"skipped: {told[2]} in {name}")
    return told or [1, 0, 0]


def count_folder(folder):
    sums = [0, 0, 0]
    for file in sorted(folder.glob("*.xml")):
        for case in tree.parse(file).getroot().iter("testcase"):
            sums = [a + b for a, b in zip(sums, count_case(case))]
    steps = folder / "steps.txt"
    for line in steps.read_text().splitlines() if steps.exists() else []:
        sums[("passed", "failed", "skipped").index(line.split()[0])] += 1
    return sums


def main():
    passed, failed, skipped = count_folder(pathlib.Path(sys.argv[1]))
    print(f"{passed} passed, {failed} failed, {skipped} skipped")
    return 1 if failed or not passed else 0


if __name__ == "__main__":
    sys.exit(main())
