"""Which of the candidates become mutants: spread over files and kinds, the same ones for the same seed and sources."""
import collections
import math
import random

# How many of each kind are wanted, to each other.
SHARES = {"sign": 5, "term": 4, "factor": 4, "index": 4, "comparison": 3, "arguments": 1, "statement": 2}


def apart(candidate, others):
    return all(candidate.end <= o.begin or o.end <= candidate.begin for o in others)


def choose_in_file(candidates, count, made, rng):
    """Up to `count` of one file that do not overlap; `made` counts the kinds so far."""
    left = sorted(candidates, key=lambda c: (c.begin, c.end, c.kind, c.after))
    rng.shuffle(left)
    chosen = []
    while left and len(chosen) < count:
        kind = min({c.kind for c in left}, key=lambda kind: (made[kind] / SHARES[kind], kind))
        candidate = next(c for c in left if c.kind == kind)
        left.remove(candidate)
        if apart(candidate, chosen):
            chosen.append(candidate)
            made[kind] += 1
    return chosen


def choose_files(paths, count, seed):
    """Some of the paths, from each folder its part."""
    rng = random.Random(seed)
    folders = collections.defaultdict(list)
    for path in sorted(paths):
        folders[path.rsplit("/", 1)[0]].append(path)
    for inside in folders.values():
        rng.shuffle(inside)
    chosen = []
    for folder in sorted(folders):
        part = math.ceil(count * len(folders[folder]) / len(paths))
        chosen += folders[folder][:part]
    rng.shuffle(chosen)
    return sorted(chosen[:count])


def choose(by_file, count, seed):
    """`count` mutants, sorted by place: each file in turn gives one more while it can."""
    rng = random.Random(seed)
    files = sorted(file for file in by_file if by_file[file])
    rng.shuffle(files)
    quota = collections.Counter()
    wanted, most = count, max((len(by_file[f]) for f in files), default=0)
    for turn in range(most):
        for file in files:
            if wanted and len(by_file[file]) > 3 * turn:
                quota[file] += 1
                wanted -= 1
    made = collections.Counter({kind: 0 for kind in SHARES})
    chosen = []
    for file in files:
        chosen += choose_in_file(by_file[file], quota[file], made, rng)
    return sorted(chosen, key=lambda c: (c.file, c.begin))
