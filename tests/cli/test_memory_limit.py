#!/usr/bin/env python3
"""Under a limit of address space (ulimit -v) the program says that memory is short, or prints what it prints without a limit;
it neither spins nor crashes. OpenBLAS tries without end for the 128 MiB that each thread of it works in."""

import os
import resource
import subprocess
import unittest

ROUTH = os.environ["ROUTH"]
EXAMPLES = os.path.join(os.environ["ROUTH_SOURCE"], "examples")
MIB = 1 << 20


def run(limit, *arguments):
    def bound():
        resource.setrlimit(resource.RLIMIT_AS, (limit, limit))

    environment = {k: v for k, v in os.environ.items() if k != "OPENBLAS_NUM_THREADS"}
    return subprocess.run([ROUTH, *arguments], preexec_fn=bound if limit else None, env=environment, capture_output=True,
                          text=True, timeout=120)


def not_begun(done):
    """The loader could not map the libraries, or OpenBLAS not start its threads: no line of the program has run."""
    return done.returncode == 127 or "blas_thread_init" in done.stderr


class Limited(unittest.TestCase):
    def ends(self, *arguments):
        free = run(0, *arguments)
        self.assertEqual(free.returncode, 0, free.stderr)
        n_done = n_refused = 0
        for mib in (100, 130, 160, 200, 240, 280, 320, 400, 520, 700, 1000, 2000):
            done = run(mib * MIB, *arguments)
            if done.returncode == 0:
                self.assertEqual(done.stdout, free.stdout, f"{mib} MiB")
                n_done += 1
            elif not not_begun(done):
                self.assertEqual(done.returncode, 1, f"{mib} MiB: {done.stderr}")
                self.assertRegex(done.stderr, "memory|no room")
                n_refused += 1
        self.assertGreaterEqual(n_done, 3)
        self.assertGreaterEqual(n_refused, 1)

    def test_of_one_thread(self):
        self.ends("modes", f"{EXAMPLES}/four-bar.yaml")

    def test_of_two_threads(self):
        self.ends("sweep", f"{EXAMPLES}/rotor-stator.yaml", "--over", "spin=0:10:8", "--threads", "2")


if __name__ == "__main__":
    unittest.main()
