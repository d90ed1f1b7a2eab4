"""Runs the benchmarks that are built in $ROUTH_BUILD/bench and writes bench/results/*.csv.

Each size runs in a process of its own, whose peak memory is that size's; times are medians over repeats.
Lines that begin with # say what machine it was and how busy. Draw and judge them by bench/plot.py. Words after the
program's name choose parts: steps, repeated, methods, evaluate."""
import csv
import os
import pathlib
import platform
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
BUILD = pathlib.Path(os.environ.get("ROUTH_BUILD", ROOT / "build"))
RESULTS = ROOT / "bench/results"

FOUR_BAR = (1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10000)
PENDULUM_CHAIN = (1, 2, 5, 10, 20, 50, 100, 200, 300)

# Every coordinate set by every method: a cell is left out of sizes after one where it took longer than this, seconds.
METHODS_LIMIT = 0.5
METHODS_FOUR_BAR = (1, 2, 5, 10, 15, 20, 40, 100, 200, 400, 1000)
METHODS_CHAIN = (1, 2, 5, 10, 20, 50, 100, 200)
METHODS_CONTROL = (1, 2, 5, 10, 20, 50, 100)


def cpu_model():
    try:
        for line in pathlib.Path("/proc/cpuinfo").read_text().splitlines():
            if line.startswith("model name"):
                return line.split(":", 1)[1].strip()
    except OSError:
        pass
    return platform.machine()


def cached(name):
    for line in (BUILD / "CMakeCache.txt").read_text().splitlines():
        if line.startswith(name + ":"):
            return line.split("=", 1)[1]
    return ""


def compiler():
    first = subprocess.run([cached("CMAKE_C_COMPILER") or "cc", "--version"], capture_output=True, text=True).stdout
    return f"{first.splitlines()[0]}, {cached('CMAKE_C_FLAGS_RELEASE')}"


def machine():
    return [f"# {cpu_model()}, {len(os.sched_getaffinity(0))} cores",
            f"# {compiler()}, one thread of OpenBLAS",
            f"# load average at the start: {os.getloadavg()[0]:.1f}"]


def run(name, *arguments):
    result = subprocess.run([BUILD / "bench" / name, *map(str, arguments)], check=True, capture_output=True, text=True,
                            env={**os.environ, "OPENBLAS_NUM_THREADS": "1"})
    return result.stdout.splitlines()


def write(name, lines):
    path = RESULTS / name
    path.write_text("\n".join(lines) + "\n")
    print(path.relative_to(ROOT))


def growth(template, key, sizes):
    lines = machine() + run("bench_growth")
    for size in sizes:
        lines += run("bench_growth", template, key, size)
        print("  " + lines[-1], flush=True)
    write(template + ".csv", lines)


def methods(name, template, key, sizes, *others):
    heading = run("bench_methods")
    fields = heading[0].split(",")
    lines, slow = machine() + heading, {}
    for size in sizes:
        skipped = ["-" + cell for cell in slow]
        for line in run("bench_methods", METHODS_LIMIT, template, f"{key}={size}", *others, *skipped):
            lines.append(line)
            row = next(csv.DictReader([line], fieldnames=fields))
            if float(row["linearize_and_modes_us"] or 0) > 1e6 * METHODS_LIMIT:
                slow[row["coordinates"] + "/" + row["method"]] = \
                    f"left out: {key}={size} took more than {METHODS_LIMIT:g} s"
        for cell in skipped:
            coordinates, method = cell[1:].split("/")
            lines.append(f"{template},{size},{','.join(others)},{coordinates},{method},,,,,,,\"{slow[cell[1:]]}\"")
        print(f"  {template} {key}={size}", flush=True)
    write(name, lines)


def main(parts):
    RESULTS.mkdir(exist_ok=True)
    if "steps" in parts:
        write("templates.csv", machine() + run("bench_templates"))
        growth("four-bar", "N", FOUR_BAR)
        growth("pendulum-chain", "n", PENDULUM_CHAIN)
    if "repeated" in parts:
        write("joint-space.csv", machine() + run("bench_joint_space"))
        write("linearizer.csv", machine() + run("bench_linearizer"))
    if "methods" in parts:
        methods("methods-four-bar.csv", "four-bar", "N", METHODS_FOUR_BAR)
        methods("methods-chain.csv", "pendulum-chain", "n", METHODS_CHAIN, "k=100")
        methods("methods-control.csv", "pendulum-chain", "n", METHODS_CONTROL, "kp=100")
    if "evaluate" in parts:
        write("evaluate.csv", machine() + run("bench_evaluate"))


if __name__ == "__main__":
    main(sys.argv[1:] or ("steps", "repeated", "methods", "evaluate"))
