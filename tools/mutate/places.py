"""Where mutations are made. Folders may move: patterns that match nothing are named by the tool, and cost nothing else."""
import fnmatch
import re

# Sources that hold equations and algorithms, as patterns of paths from the root of the sources.
EQUATIONS = [f"src/{module}/*.[ch]" for module in (
    "answers", "base", "coordinates", "elements", "expression", "flexible", "linear", "methods", "motion", "operating", "oracles",
    "studies", "symbolic", "system")] + [f"src/model/{name}" for name in (
        "controllers/*.c", "measures/*.c", "beam*.c", "contact*.c", "friction.c", "limit.c", "made_slopes.c", "placing*.c",
        "rod_*.c", "tyre*.c")]

# Of them, files that read, write, name or store.
OTHERS = [f"*/{name}.[ch]" for name in (
    "*arena*", "*csv*", "*error*", "*file*", "*folder*", "*holder*", "*json*", "*names*", "*number*", "*print*", "*save*",
    "*scan*", "*suggest*", "*text*", "*utf8*", "*varied_names*", "*watch*", "*write*", "*latex*", "*code*", "absent",
    "transform_fftw", "methods")]

# Functions that make, free, copy or name things, and those of tolerances, hold no equation.
FUNCTIONS = re.compile(r"alloc|free|destroy|release|reserve|print|text|write|_name|label|fail|copy|clone|toleran|hash|message|"
                       r"describe|unlock|parse")

# Calls whose arguments are left alone, and which are not removed.
CALLS = re.compile(r"alloc|free|destroy|release|arena|fail|^mem|^str|printf|assert|lock|qsort|^omp_|name|text")


def is_left_alone(call):
    return CALLS.search(call or "") is not None


def is_place(path):
    return (any(fnmatch.fnmatchcase(path, pattern) for pattern in EQUATIONS)
            and not any(fnmatch.fnmatchcase(path, pattern) for pattern in OTHERS))


def choose_files(paths):
    """The paths that are places, sorted, and the patterns that match none."""
    chosen = sorted(path for path in paths if is_place(path))
    idle = [pattern for pattern in EQUATIONS if not any(fnmatch.fnmatchcase(path, pattern) for path in paths)]
    return chosen, idle
