#!/usr/bin/env python3
"""Counts tests: tally.py FOLDER prints 'N passed, N failed, N skipped' and exits 1 where one failed.

FOLDER holds JUnit files (*.xml) of ctest and of pytest, and *.steps ("passed NAME", ... by ./dev), each named after its
stage (tools/stages.py). A file of cmocka tests and a unittest script count as the tests they hold, any other entry of
ctest and each of pytest as one.
"""
import pathlib
import re
import sys
import xml.etree.ElementTree as tree

OUTCOMES = ("passed", "failed", "skipped")


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


def skipped_in(text):
    """Which tests the output names as skipped, and why where it says that: of cmocka, and of unittest with -v."""
    names = dict.fromkeys(re.findall(r"^\[  SKIPPED \] (\w+)$", text, re.MULTILINE), "")
    # a test's description, where it has one, stands on the line after its name
    for name, quoted in re.findall(r"^(\w+) \([\w.]+\)(?:\n.*)? \.\.\. skipped (['\"].*['\"])$", text, re.MULTILINE):
        names[name] = quoted[1:-1]
    return names


def count_pytest(case):
    """(passed, failed, skipped) of one test of pytest: its entries have no status."""
    skip = case.find("skipped")
    if case.find("failure") is not None or case.find("error") is not None:
        print(f"failed: {case.get('classname')}.{case.get('name')}")
        return [0, 1, 0]
    if skip is not None:
        whole = re.search(r"Skipped: (.*)['\"]\)$", (skip.text or "").strip())  # a file of tests that cannot be read
        if skip.get("message") == "collection skipped" and whole:
            print(f"skipped: all of {case.get('name')} ({whole[1]})")
        else:
            print(f"skipped: {case.get('name')} ({skip.get('message')})")
        return [0, 0, 1]
    return [1, 0, 0]


def count_case(case):
    """(passed, failed, skipped) of one entry."""
    name, status = case.get("name"), case.get("status")
    if status is None:
        return count_pytest(case)
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
        names = skipped_in(output)
        for test, reason in names.items():
            print(f"skipped: {name}, {test}" + (f" ({reason})" if reason else ""))
        if len(names) != told[2]:
            print(f"skipped: {told[2]} in {name}")
    return told or [1, 0, 0]


def count_folder(folder):
    sums = [0, 0, 0]
    for file in sorted(folder.glob("*.xml")):
        for case in tree.parse(file).getroot().iter("testcase"):
            sums = [a + b for a, b in zip(sums, count_case(case))]
    for steps in sorted(folder.glob("*.steps")):
        for line in steps.read_text().splitlines():
            outcome, what = line.split(" ", 1)
            sums[OUTCOMES.index(outcome)] += 1
            if outcome != "passed":
                print(f"{outcome}: {what}")
    return sums


def note(folder, stage, outcome, name, reason=""):
    """One more outcome of a stage, beside what its tests say."""
    with open(pathlib.Path(folder, f"{stage}.steps"), "a", encoding="utf-8") as file:
        file.write(f"{outcome} {name}" + (f" ({reason})" if reason else "") + "\n")


def slowest(folder, n):
    """The n slowest entries: (seconds, stage and name)."""
    times = [(float(case.get("time") or 0), f"{file.stem}: {case.get('name')}")
             for file in sorted(folder.glob("*.xml")) for case in tree.parse(file).getroot().iter("testcase")]
    return sorted(times, reverse=True)[:n]


def close(folder):
    """Prints the line that counts; whether something failed, or nothing passed."""
    passed, failed, skipped = count_folder(folder)
    print(f"{passed} passed, {failed} failed, {skipped} skipped")
    return bool(failed or not passed)


def main():
    return 1 if close(pathlib.Path(sys.argv[1])) else 0


if __name__ == "__main__":
    sys.exit(main())
