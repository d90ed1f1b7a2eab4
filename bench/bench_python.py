"""What a call from Python takes beyond the call of C: bench/results/python.csv, microseconds
of the processor, which other processes do not take part in.

The same chain of five pendulums (ten states) is linearized by bench_python.c and by the Python package, in turn,
some rounds; each figure is the median of the rounds' medians. The package is the one of ./dev python. Memory that is
freed is not given back to the system in either, as it would be after each call in the small program of C alone.
"""
import os
import pathlib
import statistics
import subprocess
import sys
import time

import measure

ROOT = pathlib.Path(__file__).resolve().parent.parent
PACKAGE = ROOT / "build/python/venv/bin/python"
ROUNDS, BATCHES, CALLS = 7, 100, 20
CALL_OVERHEAD = 20  # microseconds, at most, of linearize


def in_python():
    """{name: microseconds} of this process; garbage is collected as in any program."""
    import routh

    model = routh.template("pendulum-chain", n=5)
    point = model.equilibrium()
    linear = model.linearize(point)
    linearizer = model.linearizer(point)
    assert linear.n_states == 10

    def median(call):
        times = []
        for _ in range(BATCHES):
            start = time.process_time()
            for _ in range(CALLS):
                call()
            times.append((time.process_time() - start) / CALLS)
        return 1e6 * statistics.median(times)

    return {
        "linearize": median(lambda: model.linearize(point)),
        "linearizer": median(lambda: linearizer.run(point)),
        "modes": median(linear.modes),
        "linearize and look at A": median(lambda: model.linearize(point).A),
    }


def rows_of(command):
    environment = dict(os.environ, OMP_NUM_THREADS="1", OPENBLAS_NUM_THREADS="1",
                       MALLOC_TRIM_THRESHOLD_="100000000", MALLOC_MMAP_THRESHOLD_="100000000")
    text = subprocess.run(command, check=True, capture_output=True, text=True, env=environment).stdout
    return {name: float(value) for name, value in (line.split(",") for line in text.splitlines())}


def main():
    if not PACKAGE.exists():
        print("the Python package is not built: ./dev python builds it")
        return
    c, python = [], []
    for _ in range(ROUNDS):
        c.append(rows_of([measure.BUILD / "bench/bench_python"]))
        python.append(rows_of([PACKAGE, __file__, "--here"]))

    def median(rounds, name):
        return statistics.median(values[name] for values in rounds)

    lines = [*measure.machine(), "call,c_us,python_us,overhead_us"]
    for name in python[0]:
        from_c = median(c, name if name in c[0] else "linearize")
        from_python = median(python, name)
        lines.append(f"{name},{from_c:.2f},{from_python:.2f},{from_python - from_c:.2f}")
    (measure.RESULTS / "python.csv").write_text("\n".join(lines) + "\n")
    print("\n".join(lines))
    overhead = median(python, "linearize") - median(c, "linearize")
    print(f"linearize: {overhead:.1f} microseconds over C, {CALL_OVERHEAD} allowed: "
          + ("met" if overhead < CALL_OVERHEAD else "missed"))


if __name__ == "__main__":
    if "--here" in sys.argv:
        for name, value in in_python().items():
            print(f"{name},{value:.2f}")
    else:
        main()
