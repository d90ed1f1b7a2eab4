#!/usr/bin/env python3
"""Writes the C of the extension module routh._routh: binding.py --compiler CC --include DIR --output FILE.c

What the library offers is read from its public headers, which the C preprocessor makes plain; nothing is
declared here a second time but the functions that C calls back.
"""

import argparse
import pathlib
import re
import subprocess
import tempfile

import cffi

# Callbacks of the library that arrive in Python: `data` is a handle of an object that is called.
CALLBACKS = """
extern "Python" int routh_py_on_progress(void *data, int done, int all);
extern "Python" int routh_py_on_step(void *data, const routh_progress *progress);
extern "Python" void routh_py_on_event(void *data, const routh_event *event);
extern "Python" int routh_py_on_record(void *data, const routh_history_progress *progress);
extern "Python" int routh_py_on_evaluation(void *data, int evaluation, double objective,
                                           double violation);
extern "Python" routh_status routh_py_compare_at(void *context, double t, routh_compared *there,
                                                 routh_error *error);
extern "Python" int routh_py_function_value(void *user, const double *arguments, double *out);
extern "Python" int routh_py_function_gradient(void *user, const double *arguments, double *out);
extern "Python" int routh_py_function_hessian(void *user, const double *arguments, double *out);
extern "Python" int routh_py_function_complex(void *user, const double *arguments, double *out);
extern "Python" int routh_py_heard(void *data, int done, int all);

typedef struct routh_py_watch {
    void *handle;       /* of the object that hears */
    double pause, next; /* s */
} routh_py_watch;
static int routh_py_ask(void *data, int done, int all);
"""

SOURCE = '#include "routh/routh.h"\n'

# A call asks often; Python hears of it after each pause, and not before the first.
ASKING = """
#include <time.h>

typedef struct routh_py_watch {
    void *handle;
    double pause, next;
} routh_py_watch;

static int routh_py_heard(void *data, int done, int all);

static int routh_py_ask(void *data, int done, int all)
{
    routh_py_watch *watch = data;
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    const double time = (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
    if (watch->next == 0) watch->next = time + watch->pause;
    if (time < watch->next) return 0;
    watch->next = time + watch->pause;
    return routh_py_heard(watch->handle, done, all);
}
"""


def declarations(compiler: str, include: pathlib.Path) -> str:
    """The public interface as declarations alone. System headers are empty: cffi knows size_t."""
    with tempfile.TemporaryDirectory() as empty:
        (pathlib.Path(empty) / "stddef.h").touch()
        command = [compiler, "-E", "-P", "-nostdinc", "-U__GNUC__", "-I", empty, "-I", str(include)]
        done = subprocess.run(
            [*command, "-x", "c", "-"], input=SOURCE, capture_output=True, text=True, check=False
        )
    if done.returncode:
        raise SystemExit(f"the headers in {include} cannot be read:\n{done.stderr}")
    return done.stdout


def repair(written: str) -> str:
    """cffi writes `int(const * *tmp)[2]` where the header has a member `const int (*)[2]`."""
    return re.sub(r"\b(\w+)\(const \* \*tmp\)", r"\1 const(* *tmp)", written)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--compiler", required=True)
    parser.add_argument("--include", required=True, type=pathlib.Path)
    parser.add_argument("--output", required=True)
    given = parser.parse_args()
    ffi = cffi.FFI()
    ffi.cdef(declarations(given.compiler, given.include) + CALLBACKS)
    ffi.set_source("routh._routh", SOURCE + ASKING)
    ffi.emit_c_code(given.output)
    output = pathlib.Path(given.output)
    output.write_text(repair(output.read_text()))


if __name__ == "__main__":
    main()
