"""Runs the benchmarks that are built in $ROUTH_BUILD/bench and writes bench/results/*.csv.

Each size runs in a process of its own, whose peak memory is that size's; times are medians over repeats.
Lines that begin with # say what machine it was and how busy. Draw and judge them by bench/plot.py. Words after the
program's name choose parts: steps, repeated, methods, evaluate, wanted, flexible, motion, distributed (where that is built)."""
import csv
import json
import os
import pathlib
import platform
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
BUILD = pathlib.Path(os.environ.get("ROUTH_BUILD", ROOT / "build"))
RESULTS = ROOT / "bench/results"

# Elements along an edge of a plate with 3 (n + 1)^2 unknowns: 1e3 to 1e6.
PLATE = (17, 40, 57, 100, 182, 320, 576)

FOUR_BAR = (1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10000)
PENDULUM_CHAIN = (1, 2, 5, 10, 20, 50, 100, 200, 300)

# Every coordinate set by every method: a cell is left out of sizes after one where it took longer than this, seconds.
METHODS_LIMIT = 0.5
METHODS_FOUR_BAR = (1, 2, 5, 10, 15, 20, 40, 100, 200, 400, 1000)
METHODS_CHAIN = (1, 2, 5, 10, 20, 50, 100, 200)
METHODS_CONTROL = (1, 2, 5, 10, 20, 50, 100)

# Simulations: of chains in every kind of coordinates, and by equal steps in absolute ones, where growth is judged.
INTEGRATORS = ("hht", "generalized-alpha", "explicit-runge-kutta", "adams", "bdf")
SIMULATED = (10, 30, 100, 300, 1000)
SIMULATED_LIMIT = 20  # seconds; larger chains are left out where one takes a tenth


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


WANTED_HEAD = ["edges,unknowns,entries,factor_MB,analysis_s,factor_s,solve_s,modes_s,factorizations,solves,ratio,peak_MB"]


def wanted():
    return [line for edges in ("clamped", "free") for n in PLATE for line in run("bench_wanted", edges, n)]


PENDULUM_ELEMENTS = (10, 25, 50, 100, 200, 500, 1000, 2000, 5000, 10000, 20000)
FLEXIBLE_HEAD = ["elements,unknowns,compile_s,equilibrium_s,descriptor_s,modes_s,lowest,error_bound,near_s,nearest"]


def flexible():
    return [line for n in PENDULUM_ELEMENTS for line in run("bench_flexible", n)]


def simulate(*arguments):
    """The fields of a line by their names, and the outputs; None where it fails or takes too long."""
    try:
        heading = run("bench_simulate")[0].split(",")
        done = subprocess.run([BUILD / "bench/bench_simulate", *map(str, arguments)], capture_output=True, text=True,
                              timeout=SIMULATED_LIMIT, env={**os.environ, "OPENBLAS_NUM_THREADS": "1"})
    except subprocess.TimeoutExpired:
        return None
    if done.returncode:
        return None
    values = done.stdout.strip().split(",")
    return {**dict(zip(heading, values)), "outputs": list(map(float, values[len(heading):]))}


def andrews():
    """Errors of the seven angles at 0.03 s against processor time."""
    exact = json.loads((ROOT / "tests/reference/andrews.json").read_text())["computed"]["0.03"][:7]
    lines = machine() + ["integrator,coordinates,tolerance,processor_s,steps,error"]
    for integrator in INTEGRATORS:
        for coordinates in ("absolute", "relative"):
            for k in range(3, 13):
                r = simulate(ROOT / "examples/andrews-squeezer.yaml", coordinates, integrator, f"tolerance=1e-{k}", 0.03,
                             3)
                if not r:
                    break
                error = max(abs(a - b) for a, b in zip(r["outputs"], exact))
                lines.append(f"{integrator},{coordinates},1e-{k},{r['processor_s']},{r['steps']},{error:.3g}")
                if float(r["processor_s"]) > 0.5:
                    break  # those of second order go on so
        print("  andrews " + integrator, flush=True)
    write("motion-andrews.csv", lines)


def chains():
    lines = machine() + ["n,integrator,coordinates,control,end,processor_s,steps,iterations,factorizations"]

    def one(n, model, integrator, coordinates, control, end):
        r = simulate(model, coordinates, integrator, control, end, 3 if n <= 100 else 1)
        if r:
            lines.append(f"{n},{integrator},{coordinates},{control},{end},{r['processor_s']},{r['steps']},"
                         f"{r['iterations']},{r['factorizations']}")
        return r and float(r["processor_s"]) < SIMULATED_LIMIT / 10

    with tempfile.TemporaryDirectory() as folder:
        left_out = set()
        for n in SIMULATED:
            model = pathlib.Path(folder, f"chain-{n}.yaml")
            with open(model, "w") as file:
                subprocess.run([BUILD / "routh", "template", "pendulum-chain", f"n={n}", "angle=0.5"], check=True,
                               stdout=file)
            one(n, model, "hht", "absolute", "step=1e-3", 0.1)
            for integrator in INTEGRATORS:
                for coordinates in ("absolute", "relative", "natural"):
                    cell = integrator, coordinates
                    if cell not in left_out and not one(n, model, *cell, "tolerance=1e-5", 0.2):
                        left_out.add(cell)
            print(f"  chain n={n}", flush=True)
    write("motion-chain.csv", lines)


# Runs by the library and by a plain IDA program on the same residual: name, settings of a template, end, tolerances.
BESIDE_IDA = (("andrews", (), 0.03, ("1e-4", "1e-5", "1e-6", "1e-7")), ("chain", ("n=10", "angle=0.5"), 0.2, ("1e-5", "1e-7")),
              ("chain", ("n=100", "angle=0.5"), 0.2, ("1e-5", "1e-7")), ("chain", ("n=1000", "angle=0.5"), 0.05, ("1e-5",)))


def beside_ida():
    lines = machine() + ["case," + run("bench_motion_ida")[0]]
    with tempfile.TemporaryDirectory() as folder:
        for name, settings, end, tolerances in BESIDE_IDA:
            model = ROOT / "examples/andrews-squeezer.yaml"
            if settings:
                model = pathlib.Path(folder, "chain.yaml")
                with open(model, "w") as file:
                    subprocess.run([BUILD / "routh", "template", "pendulum-chain", *settings], check=True, stdout=file)
            for tolerance in tolerances:
                lines += [f"{name} {' '.join(settings[:1])}".strip() + "," + line
                          for line in run("bench_motion_ida", model, "absolute", tolerance, end)]
            print(f"  {name} {' '.join(settings)} beside IDA", flush=True)
    write("motion-ida.csv", lines)


# Plates of NX x NX elements, the last of 10^6 unknowns: by the symmetric solver in one process, by factors of all ranks,
# and by the first-order pencil (SLEPc) where it is small. How often, of which the quickest counts.
PLATES = {20: 5, 60: 5, 183: 3, 579: 1}
PLATES_GENERAL = (20, 60)
MPIRUN = ("mpirun", "-q", "--allow-run-as-root", "--oversubscribe", "--bind-to", "none", "--mca", "mpi_yield_when_idle")
YIELDING = 200  # elements along an edge below which a rank that waits leaves its core: better on a machine that others use


def distributed():
    program = BUILD / "bench/bench_distributed"
    if not program.exists():
        print("  bench_distributed is not built: -DROUTH_DISTRIBUTED=ON builds it")
        return
    lines = machine() + run(program.name)
    seconds = lines[-1].split(",").index("modes_s")
    for size, times in PLATES.items():
        ways = [("symmetric", 0), ("cluster", 1), ("cluster", 2)] + [("general", 1), ("general", 2)] * (size in PLATES_GENERAL)
        for way, ranks in ways:
            line = [*(MPIRUN + (int(size < YIELDING), "-n", ranks) if ranks else ()), program, way, size, 10]
            done = [subprocess.run(list(map(str, line)), check=True, capture_output=True, text=True,
                                   env={**os.environ, "OPENBLAS_NUM_THREADS": "1"}).stdout.strip() for _ in range(times)]
            lines.append(min(done, key=lambda one: float(one.split(",")[seconds])))
            print("  " + lines[-1], flush=True)
    write("distributed.csv", lines)


def main(parts):
    RESULTS.mkdir(exist_ok=True)
    if "steps" in parts:
        write("templates.csv", machine() + run("bench_templates"))
        growth("four-bar", "N", FOUR_BAR)
        growth("pendulum-chain", "n", PENDULUM_CHAIN)
    if "repeated" in parts:
        write("joint-space.csv", machine() + run("bench_joint_space"))
        write("linearizer.csv", machine() + run("bench_linearizer"))
        write("parametric.csv", machine() + run("bench_parametric"))
        write("sensitivity.csv", machine() + run("bench_sensitivity"))
        write("sweep.csv", machine() + run("bench_sweep"))
        write("parts.csv", machine() + run("bench_parts") + [line for n in ("100", "1000", "10000") for kind in ("flat", "parts")
                                                             for line in run("bench_parts", kind, n)])
    if "methods" in parts:
        methods("methods-four-bar.csv", "four-bar", "N", METHODS_FOUR_BAR)
        methods("methods-chain.csv", "pendulum-chain", "n", METHODS_CHAIN, "k=100")
        methods("methods-control.csv", "pendulum-chain", "n", METHODS_CONTROL, "kp=100")
    if "evaluate" in parts:
        write("evaluate.csv", machine() + run("bench_evaluate"))
    if "wanted" in parts:
        write("wanted.csv", machine() + WANTED_HEAD + wanted())
    if "flexible" in parts:
        write("flexible.csv", machine() + FLEXIBLE_HEAD + flexible())
    if "motion" in parts:
        andrews()
        chains()
        beside_ida()
    if "distributed" in parts:
        distributed()


if __name__ == "__main__":
    main(sys.argv[1:] or ("steps", "repeated", "methods", "evaluate", "wanted", "flexible", "motion", "distributed"))
