"""The tests of the tiers, and runs of them with mutants on.

A tier is ctest's tests at an effort. Which mutants a test may catch is recorded in a run of it with all of them off; a test that
fails then, or is skipped, is left out. A test then runs with the mutants it may catch and that are still alive, one at a time
while most are caught, and more at a time while none is: where it passes, none of them is caught; where it fails, halves of them
are tried, so that what is caught is caught alone.
"""
import collections
import dataclasses
import fnmatch
import json
import math
import os
import pathlib
import resource
import signal
import subprocess
import tempfile
import threading
import time

MOST = 64  # mutants at a time
LIMITED = 8 << 30  # bytes of address space, of what is not a browser
SKIPPED = 77


@dataclasses.dataclass
class Test:
    name: str
    command: list
    environment: dict
    folder: str
    script: bool
    seconds: float = 0
    may_reach: frozenset = frozenset()
    may_catch: frozenset = frozenset()
    asks_effort: bool = False


def list_tests(build, excluded):
    """ctest's tests, without those labelled `excluded` and those that need what others leave behind."""
    out = subprocess.run(["ctest", "--test-dir", str(build), "--show-only=json-v1"], check=True, capture_output=True).stdout
    tests = []
    for t in json.loads(out)["tests"]:
        properties = {p["name"]: p["value"] for p in t["properties"]}
        labels = properties.get("LABELS", [])
        if excluded & set(labels) or "FIXTURES_REQUIRED" in properties or t["name"].startswith(("house.", "install.")):
            continue
        environment = dict(e.split("=", 1) for e in properties.get("ENVIRONMENT", []))
        tests.append(Test(t["name"], t["command"], environment, properties.get("WORKING_DIRECTORY", str(build)),
                          "script" in labels))
    return tests


def asks_for_effort(test):
    """Of a script; what C tests ask is recorded."""
    return test.script and any(word.endswith((".py", ".mjs")) and "TEST_EFFORT" in pathlib.Path(word).read_text()
                               for word in test.command)


class OutOfTime(Exception):
    pass


class Runner:
    """Runs tests of one tier; what was run once with the same mutants is taken from the log. After `seconds` no run is begun."""

    def __init__(self, folder, effort, tier, seconds=float("inf")):
        self.folder, self.effort, self.tier = folder, effort, tier
        self.end = time.monotonic() + seconds
        self.lock = threading.Lock()
        self.log = folder / "runs.jsonl"
        self.known, self.passed = {}, collections.defaultdict(list)
        self.tests, self.left_out, self.reached = [], [], set()  # of what was recorded
        if self.log.exists():
            for line in self.log.read_text().splitlines():
                run = json.loads(line)
                key = (run["tier"], run["test"], tuple(run["mutants"]), run.get("attempt", 1))
                self.keep(key, run["status"], run["seconds"])

    def keep(self, key, status, seconds):
        self.known[key] = (status, seconds)
        if status in (0, SKIPPED) and key[2]:
            self.passed[key[:2]].append(frozenset(key[2]))

    def recall(self, key):
        """What is known of this run: a test that passed with more mutants on passes with some of them."""
        if key not in self.known and key[2] and any(more.issuperset(key[2]) for more in self.passed[key[:2]]):
            return 0, 0.0
        return self.known.get(key)

    def run(self, test, mutants, record=None, attempt=1, longest=3600):
        """(status, seconds) of the test with these mutants on; a status of None is a time over the limit, which is `longest`
        where none is on: then nothing is known of it."""
        key = (self.tier, test.name, tuple(mutants), attempt)
        with self.lock:
            known = self.recall(key) if record is None else None
        if known:
            return known
        if time.monotonic() >= self.end:
            raise OutOfTime
        status, seconds = self.start(test, mutants, record, longest)
        if status is None and not mutants:
            return status, seconds
        with self.lock:
            self.keep(key, status, seconds)
            with open(self.log, "a") as stream:
                stream.write(json.dumps({"tier": self.tier, "test": test.name, "mutants": list(mutants),
                                         "attempt": attempt, "status": status, "seconds": round(seconds, 3)}) + "\n")
        return status, seconds

    def start(self, test, mutants, record, longest):
        with tempfile.TemporaryDirectory(prefix="mutate-") as scratch:
            os.chmod(scratch, 0o755)  # some tests write there as somebody else
            environment = {**os.environ, **test.environment, "TMPDIR": scratch, "ROUTH_RECORD": scratch,
                           "ROUTH_TEST_EFFORT": str(self.effort), "OMP_WAIT_POLICY": "passive", "PYTHONHASHSEED": "0"}
            environment.pop("ROUTH_MUTANT", None)
            environment.pop("ROUTH_MUTANT_RECORD", None)
            if mutants:
                environment["ROUTH_MUTANT"] = ",".join(map(str, mutants))
            if record is not None:
                environment["ROUTH_MUTANT_RECORD"] = str(record)
            limit = 10 * test.seconds + 10 if mutants else longest

            def confine():
                resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
                if not test.command[-1].endswith(".mjs"):
                    resource.setrlimit(resource.RLIMIT_AS, (LIMITED, LIMITED))
            began = time.monotonic()
            process = subprocess.Popen(test.command, cwd=test.folder, env=environment, stdin=subprocess.DEVNULL,
                                       stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True,
                                       preexec_fn=confine)
            try:
                status = process.wait(limit)
            except subprocess.TimeoutExpired:
                os.killpg(process.pid, signal.SIGKILL)
                process.wait()
                status = None
            return status, time.monotonic() - began

    # ---- what may be caught -----------------------------------------------------------------------------------

    def record(self, test, count, longest=3600):
        """Fills what the test may catch and its seconds. Whether it passes with nothing mutated; None where it takes longer."""
        kept = self.folder / f"reached-{self.tier}"
        kept.mkdir(exist_ok=True)
        file, key = kept / test.name, (self.tier, test.name, (), 1)
        if not file.exists() or key not in self.known:
            file.write_bytes(bytes(count + 1))
            try:
                if self.run(test, (), file, longest=longest)[0] is None:
                    file.unlink()
                    return None
            except OutOfTime:
                file.unlink()
                with self.lock:
                    self.left_out.append(test)
                return False
        status, test.seconds = self.known[key]
        marks = file.read_bytes()
        test.asks_effort = marks[0] != 0 or asks_for_effort(test)
        test.may_reach = frozenset(k for k in range(1, count + 1) if marks[k])
        test.may_catch = frozenset(k for k in test.may_reach if marks[k] & 2)
        with self.lock:
            self.reached |= test.may_reach
            those = self.tests if status == 0 else self.left_out
            if test not in those:
                those.append(test)
        return status == 0

    def what_was_left_out(self):
        return ", ".join(sorted(f"{t.name} ({self.why_left_out(t)})" for t in self.left_out)) or "none"

    def why_left_out(self, test):
        status = self.known.get((self.tier, test.name, (), 1), (None,))[0]
        return "no time" if status is None else "skipped" if status == SKIPPED else "fails"


def in_order_of(patterns, tests):
    """The tests whose names match a pattern, those of the first pattern first."""
    chosen = []
    for pattern in patterns:
        chosen += [t for t in tests if t not in chosen and fnmatch.fnmatchcase(t.name, pattern)]
    return chosen


def nearest_first(tests, files):
    """The tests of the modules of the files, which are the likeliest to catch something, and the others."""
    modules = {file.split("/")[1] for file in files}
    near = [t for t in tests if t.name.split(".")[0] in modules]
    return [near, [t for t in tests if t not in near]]


def hunt_in_order(runner, hunt, groups, count, jobs, short):
    """Short tests first, a group after the other: what is recorded hunts what is still alive, from the quickest on. Tests that
    take more seconds are put off; each is then recorded, where anything is alive, and hunts at once."""
    long = []
    for group in groups:
        passed = []

        def record(test):
            passes = runner.record(test, count, short) if hunt.alive else False
            if passes is not False:
                (long if passes is None or test.seconds > short else passed).append(test)
        in_parallel(record, group, jobs)
        in_parallel(hunt.hunt, sorted(passed, key=lambda t: (t.seconds, t.name)), jobs)
    long.sort(key=lambda t: t.seconds or math.inf)
    in_parallel(lambda test: hunt.alive and runner.record(test, count) and hunt.hunt(test), long, jobs)


def in_parallel(work, items, jobs):
    """work(item) for each, in order, `jobs` at a time."""
    waiting, lock, failures = list(items), threading.Lock(), []

    def go():
        while not failures:
            with lock:
                if not waiting:
                    return
                item = waiting.pop(0)
            try:
                work(item)
            except Exception as failure:  # told by the thread that waits
                failures.append(failure)
    threads = [threading.Thread(target=go) for _ in range(jobs)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    if failures:
        raise failures[0]


class Hunt:
    """Mutants that are alive, and what caught the others: caught[k] = (test, seconds, whether by its time)."""

    def __init__(self, runner, alive, tell=lambda text: None):
        self.runner, self.alive, self.tell = runner, set(alive), tell
        self.caught, self.width, self.lock = {}, 1, threading.Lock()
        self.unfinished = []  # tests that there was no time for

    def recall(self):
        """What runs of this tier have caught before, of whatever tests."""
        for (tier, test, mutants, attempt), (status, seconds) in self.runner.known.items():
            if (tier == self.runner.tier and len(mutants) == 1 and status not in (0, SKIPPED)
                    and (attempt > 1 or status is None) and mutants[0] in self.alive):
                self.alive.discard(mutants[0])
                self.caught[mutants[0]] = (test, seconds, status is None)

    def fails(self, test, mutants):
        status, seconds = self.runner.run(test, mutants)
        failed = status not in (0, SKIPPED)
        if failed and len(mutants) == 1 and status is not None:  # what fails only once is not caught
            failed = self.runner.run(test, mutants, attempt=2)[0] not in (0, SKIPPED)
        if failed and len(mutants) == 1:
            with self.lock:
                if mutants[0] in self.alive:
                    self.alive.discard(mutants[0])
                    self.caught[mutants[0]] = (test.name, seconds, status is None)
        with self.lock:
            self.width = max(1, self.width // 2) if failed else min(MOST, 2 * self.width)
        return failed

    def split(self, test, mutants):
        """Of mutants with which the test fails, those that it fails with alone."""
        if len(mutants) == 1:
            return
        middle = len(mutants) // 2
        for half in (mutants[:middle], mutants[middle:]):
            if self.fails(test, half):
                self.split(test, half)

    def hunt(self, test):
        try:
            self.hunt_all(test)
            self.tell(f"{len(self.alive):5} alive after {test.name}")
        except OutOfTime:
            self.unfinished.append(test.name)

    def hunt_all(self, test):
        left = sorted(self.alive & test.may_catch)
        while left:
            left = [k for k in left if k in self.alive]  # another thread may have been faster
            some, left = left[:self.width], left[self.width:]
            if some and self.fails(test, some):
                self.split(test, some)


