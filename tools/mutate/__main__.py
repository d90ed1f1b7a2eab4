"""Measures the power of the tests by mutations of the sources: python3 tools/mutate (README.md beside it says how)."""
import argparse
import collections
import fnmatch
import json
import os
import pathlib
import sys

import candidates
import choose
import places
import table
import tiers
import tree

ROOT = pathlib.Path(__file__).resolve().parents[2]


def say(text):
    print(text, flush=True)


def read_arguments():
    parser = argparse.ArgumentParser(prog="tools/mutate", description=__doc__)
    parser.add_argument("--mutants", type=int, default=400, help="how many (400)")
    parser.add_argument("--files", type=int, default=150, help="in how many files at most (150)")
    parser.add_argument("--in", nargs="+", default=["*"], metavar="PATTERN", dest="within", help="of files that match one (all)")
    parser.add_argument("--tests", nargs="+", default=["*"], metavar="PATTERN", help="that hunt, in this order (all)")
    parser.add_argument("--seed", type=int, default=1, help="of the choice (1)")
    parser.add_argument("--folder", type=pathlib.Path, default=ROOT / "build-mutate", help="what is made goes here")
    parser.add_argument("--output", type=pathlib.Path, help="the table (mutations.csv in the folder)")
    parser.add_argument("--jobs", type=int, default=os.cpu_count(), help="how many at a time")
    parser.add_argument("--effort", type=float, default=10, help="of the full tier (10)")
    parser.add_argument("--short", type=float, default=10, help="tests of more seconds come last (10)")
    parser.add_argument("--minutes", type=float, default=float("inf"), help="after so many the fast tier begins no run more")
    parser.add_argument("--full-minutes", type=float, default=float("inf"), help="the same of the full tier")
    parser.add_argument("--no-full", action="store_true", help="the fast tier only")
    parser.add_argument("--list", action="store_true", help="say which mutants there are, and stop")
    parser.add_argument("--again", nargs="+", default=[], metavar="TEST", help="forget what is known of these tests")
    return parser.parse_args()


def make_mutants(arguments):
    commands = tree.configure(ROOT, arguments.folder)
    paths, idle = places.choose_files(tree.git_files(ROOT))
    for pattern in idle:
        say(f"no file matches {pattern}")
    paths = [p for p in paths if any(fnmatch.fnmatchcase(p, pattern) for pattern in arguments.within)]
    by_file = {}
    for path in choose.choose_files(paths, arguments.files, arguments.seed):
        by_file[path] = tree.find_candidates(ROOT, commands, path)
    say(f"{sum(map(len, by_file.values()))} candidates in {sum(map(bool, by_file.values()))} of {len(paths)} files")
    return choose.choose(by_file, arguments.mutants, arguments.seed)


def forget_what_was(arguments, mutants):
    """Runs of other mutants are of no use, nor are those of tests that are named."""
    was, log = arguments.folder / "mutants.json", arguments.folder / "runs.jsonl"
    now = json.dumps([vars(m) for m in mutants], indent=1)
    if not was.exists() or was.read_text() != now:
        log.unlink(missing_ok=True)
        was.write_text(now)
    elif arguments.again and log.exists():
        lines = [line for line in log.read_text().splitlines() if json.loads(line)["test"] not in arguments.again]
        log.write_text("".join(line + "\n" for line in lines))


def say_of(tier, runner):
    tests = runner.tests
    say(f"{tier}: {len(tests)} tests pass in {sum(t.seconds for t in tests):.0f} s; left out: {runner.what_was_left_out()}")


def hunt_fast(arguments, mutants):
    """What the fast tier catches, the mutants that are alive after it, and its runner."""
    runner = tiers.Runner(arguments.folder, 1, "fast", 60 * arguments.minutes)
    tests = tiers.in_order_of(arguments.tests, tiers.list_tests(arguments.folder / "tree" / "build", {"full"}))
    groups = tiers.nearest_first(tests, {m.file for m in mutants})
    hunt = tiers.Hunt(runner, range(1, len(mutants) + 1), say)
    hunt.recall()
    tiers.hunt_in_order(runner, hunt, groups, len(mutants), arguments.jobs, arguments.short)
    say_of("fast tier", runner)
    return hunt.caught, hunt.alive, runner


def hunt_full(arguments, count, alive, fast):
    """What the full tier catches of what is alive: its tests that the effort changes, and those it alone has. Of the fast tier's
    those come first that reach most of what is alive."""
    known = {t.name: t for t in fast.tests}
    others = {t.name for t in fast.left_out}  # they failed or were skipped with nothing mutated
    tests = [t for t in tiers.in_order_of(arguments.tests, tiers.list_tests(arguments.folder / "tree" / "build", set()))
             if t.name not in others and (t.name not in known or known[t.name].asks_effort and known[t.name].may_reach & alive)]
    tests.sort(key=lambda t: -len(known[t.name].may_reach & alive) if t.name in known else 0)
    runner = tiers.Runner(arguments.folder, arguments.effort, "full", 60 * arguments.full_minutes)
    hunt = tiers.Hunt(runner, alive, say)
    hunt.recall()
    hunt.width = tiers.MOST
    tiers.hunt_in_order(runner, hunt, [tests], count, arguments.jobs, 0)
    say_of("full tier", runner)
    return hunt, runner


def main():
    arguments = read_arguments()
    if candidates.load_clang() is None:
        say("clang.cindex is missing: Debian's package python3-clang-14, and /usr/bin/python3 to find it")
        return 77
    arguments.folder.mkdir(parents=True, exist_ok=True)
    arguments.folder = arguments.folder.resolve()
    mutants = make_mutants(arguments)
    kinds = collections.Counter(m.kind for m in mutants)
    say(f"{len(mutants)} mutants in {len({m.file for m in mutants})} files: "
        + ", ".join(f"{kinds[kind]} {kind}" for kind in sorted(kinds)))
    if arguments.list:
        for number, m in enumerate(mutants, 1):
            say(f"{number:4} {m.file}:{m.line} {m.kind}: {(m.shown or (m.before,))[0]} -> {(m.shown or (m.after,))[-1]}")
        return 0
    forget_what_was(arguments, mutants)
    tree.write_tree(ROOT, arguments.folder / "tree", mutants)
    if not tree.build(arguments.folder / "tree", arguments.jobs):
        say(f"the mutated tree does not compile: {arguments.folder / 'build.log'}")
        return 1
    caught, alive, fast = hunt_fast(arguments, mutants)
    reached = fast.reached
    output = arguments.output or arguments.folder / "mutations.csv"
    table.write(output, table.rows(mutants, caught, {}, reached))
    more = {}
    if not arguments.no_full:
        hunt, full = hunt_full(arguments, len(mutants), alive, fast)
        more, reached = hunt.caught, reached | full.reached
    result = list(table.rows(mutants, caught, more, reached))
    table.write(output, result)
    (arguments.folder / "summary.md").write_text(table.summary(result, not arguments.no_full) + "\n")
    say(table.summary(result, not arguments.no_full))
    say(f"The table is {output}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
