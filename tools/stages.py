#!/usr/bin/env python3
"""Runs the stages of ./dev test, independent ones side by side: stages.py [--all | --list | STAGE...]

Without arguments: the fast tier. --all: the full tier. STAGE...: these, with what they stand on. Each stage is `./dev stage NAME`;
what it says is kept in build/results/NAME.log and shown where it fails. At the end: the time of each stage, the slowest tests,
and the line that counts all tests (tools/tally.py). Exits 1 where something failed.
"""
import dataclasses
import os
import pathlib
import shutil
import subprocess
import sys
import time

import tally

ROOT = pathlib.Path(__file__).resolve().parents[1]
RESULTS = ROOT / "build" / "results"
SLOWEST = 20
LINES = 60  # of the log of what failed


@dataclasses.dataclass(frozen=True)
class Stage:
    name: str
    about: str
    after: tuple = ()
    tiers: str = "fast full"


STAGES = (
    Stage("build", "the optimised build, by gcc, with the tests"),
    Stage("viewer", "types and lint of the report's page", ("build",)),
    Stage("sanitize-build", "the build by clang with the address and undefined-behaviour sanitizers", ("build",)),
    Stage("python", "the Python package: wheel, tests, types", ("build",)),
    Stage("tests", "all tests at effort 1", ("viewer",), "fast"),
    Stage("sanitize", "the quick C tests and the stored inputs of the fuzzers under the sanitizers", ("sanitize-build",), "fast"),
    Stage("tests-full", "all tests at effort 10", ("viewer",), "full"),
    Stage("sanitize-full", "all tests that exercise the library under every sanitizer", ("build",), "full"),
    Stage("fuzz", "each fuzzer for 20 s from the stored inputs on, side by side", ("build",), "full"),
    Stage("threads", "tests in which threads meet, under the thread sanitizer", ("build",), "full"),
    Stage("kernels", "the quick C tests with OpenBLAS's oldest kernels", ("build",), "full"),
    Stage("clang", "the optimised build by clang", ("build",), "full"),
    Stage("valgrind", "the examples under valgrind", ("build",), "full"),
    Stage("wheel", "the wheel for other machines: what it brings, and that it works", ("build",), "full"),
    Stage("site", "the site of the documentation with its tutorials, without pictures", ("python",), "full"),
)
BY_NAME = {stage.name: stage for stage in STAGES}


def with_what_they_need(names):
    """The stages in the order of the table."""
    wanted = set()

    def add(name):
        if name not in wanted:
            wanted.add(name)
            for other in BY_NAME[name].after:
                add(other)
    for name in names:
        add(name)
    return [stage for stage in STAGES if stage.name in wanted]


def chosen(arguments):
    if not arguments:
        return [stage for stage in STAGES if "fast" in stage.tiers]
    if arguments == ["--all"]:
        return [stage for stage in STAGES if "full" in stage.tiers]
    unknown = [a for a in arguments if a not in BY_NAME]
    if unknown:
        sys.exit(f"./dev test: there is no stage '{unknown[0]}'; ./dev test --list names them")
    return with_what_they_need(arguments)


def show_list():
    for tier in ("fast full", "fast", "full"):
        print({"fast full": "Always", "fast": "Fast tier (./dev test)", "full": "Full tier (./dev test --all)"}[tier])
        for stage in STAGES:
            if stage.tiers == tier:
                print(f"  {stage.name:15} {stage.about}")


class Run:
    """Stages on their way: at most `width` at a time, each once what it stands on has passed."""

    def __init__(self, stages, width):
        self.waiting, self.width = list(stages), width
        self.names = {stage.name for stage in stages}
        self.running, self.status, self.seconds, self.work = {}, {}, {}, {}

    def start(self, stage):
        log = open(RESULTS / f"{stage.name}.log", "wb")
        print(f"== {stage.name}: {stage.about}", flush=True)
        process = subprocess.Popen(["./dev", "stage", stage.name], cwd=ROOT, stdin=subprocess.DEVNULL, stdout=log,
                                   stderr=subprocess.STDOUT)
        self.running[stage.name] = (process, time.monotonic(), log)

    def end(self, name, status, usage):
        _, began, log = self.running.pop(name)
        log.close()
        self.status[name], self.seconds[name] = status, time.monotonic() - began
        self.work[name] = usage.ru_utime + usage.ru_stime
        print(f"== {name}: {'done' if status == 0 else 'FAILED'} in {self.seconds[name]:.0f} s", flush=True)
        if status:
            lines = (RESULTS / f"{name}.log").read_text(errors="replace").splitlines()
            print("\n".join("   " + line for line in lines[-LINES:]), flush=True)

    def drop(self, stage, why):
        self.status[stage.name] = 1
        tally.note(RESULTS, stage.name, "failed", f"stage {stage.name}", why)
        print(f"== {stage.name}: not run, as {why}", flush=True)

    def begin_what_can(self):
        for stage in list(self.waiting):
            before = [self.status.get(name) for name in stage.after if name in self.names]
            if any(before):
                self.waiting.remove(stage)
                self.drop(stage, f"{next(n for n in stage.after if self.status.get(n))} failed")
            elif None not in before and len(self.running) < self.width:
                self.waiting.remove(stage)
                self.start(stage)

    def go(self):
        while self.waiting or self.running:
            self.begin_what_can()
            time.sleep(0.1)
            for name, (process, _, _) in list(self.running.items()):
                pid, status, usage = os.wait4(process.pid, os.WNOHANG)
                if pid:
                    process.returncode = os.waitstatus_to_exitcode(status)
                    self.end(name, process.returncode, usage)


def show_times(run, whole):
    print("== Seconds a stage (they overlap), and of processors")
    for name, seconds in run.seconds.items():
        print(f"{seconds:8.0f} {run.work[name]:8.0f}  {name}")
    print(f"{whole:8.0f} {sum(run.work.values()):8.0f}  from beginning to end")
    slowest = tally.slowest(RESULTS, SLOWEST)
    if slowest:
        print(f"== The {len(slowest)} slowest tests, seconds")
        for seconds, name in slowest:
            print(f"{seconds:8.1f}  {name}")


def main(arguments):
    if arguments == ["--list"]:
        show_list()
        return 0
    stages = chosen(arguments)
    shutil.rmtree(RESULTS, ignore_errors=True)
    RESULTS.mkdir(parents=True)
    began = time.monotonic()
    run = Run(stages, max(3, os.cpu_count() or 1))
    run.go()
    show_times(run, time.monotonic() - began)
    failed = tally.close(RESULTS)
    return 1 if failed or any(run.status.values()) else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
