"""The table of all mutants, and what is counted in it."""
import collections
import csv

COLUMNS = ("file", "line", "function", "kind", "before", "after", "verdict", "test", "seconds")
VERDICTS = ("fast", "full", "survived", "unreached")


def rows(mutants, caught_fast, caught_full, reached):
    for number, c in enumerate(mutants, 1):
        if number in caught_fast:
            verdict, (test, seconds, late) = "fast", caught_fast[number]
        elif number in caught_full:
            verdict, (test, seconds, late) = "full", caught_full[number]
        else:
            verdict, test, seconds, late = "survived" if number in reached else "unreached", "", "", False
        yield {"file": c.file, "line": c.line, "function": c.function, "kind": c.kind, "before": (c.shown or (c.before,))[0],
               "after": (c.shown or (c.after,))[-1],
               "verdict": verdict, "test": test + (" (time)" if late else ""),
               "seconds": f"{seconds:.2f}" if seconds != "" else ""}


def write(path, table):
    with open(path, "w", newline="") as stream:
        writer = csv.DictWriter(stream, COLUMNS, lineterminator="\n")
        writer.writeheader()
        writer.writerows(table)


def read(path):
    with open(path, newline="") as stream:
        return list(csv.DictReader(stream))


def percentage(table):
    """Of what anything catches, how much the fast tier does."""
    fast = sum(row["verdict"] == "fast" for row in table)
    full = sum(row["verdict"] == "full" for row in table)
    return 100 * fast / (fast + full) if fast + full else 0.0


def count_by(table, key):
    counts = collections.defaultdict(collections.Counter)
    for row in table:
        counts[key(row)][row["verdict"]] += 1
    return counts


def summary(table, full=True):
    """Markdown: by folder, by kind, and the closing sentence. full: whether the full tier was run too; where it was not, nothing
    is said of it."""
    lines, verdicts = [], [v for v in VERDICTS if full or v != "full"]
    for title, key in (("folder", lambda row: row["file"].rsplit("/", 1)[0]), ("kind", lambda row: row["kind"])):
        lines += [f"| {title} | mutants | {' | '.join(verdicts)} |", "|---|" + "---:|" * (1 + len(verdicts))]
        for name, counts in sorted(count_by(table, key).items()):
            lines.append(f"| {name} | {sum(counts.values())} | {' | '.join(str(counts[v]) for v in verdicts)} |")
        lines.append("")
    total = collections.Counter(row["verdict"] for row in table)
    ends = [f"{total['fast']} caught by the fast tier", f"{total['survived']} by none", f"{total['unreached']} reached by none"]
    if full:
        ends.insert(1, f"{total['full']} by the full tier alone")
    lines.append(f"{len(table)} mutants in {len({row['file'] for row in table})} files: {', '.join(ends)}."
                 + (f" The fast tier catches {percentage(table):.1f} % of what anything catches." if full else ""))
    return "\n".join(lines)
