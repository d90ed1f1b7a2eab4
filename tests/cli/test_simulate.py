"""routh simulate as a user meets it: files, progress, Ctrl-C, going on, wrong use."""
import csv
import os
import resource
import signal
import subprocess
import tempfile
import unittest

from working import has_worked

ROUTH = os.environ["ROUTH"]
MODEL = """
gravity: [0, 0, -9.81]
bodies:
  arm: {mass: 2, inertia: [0.1, 0.2, 0.1], position: [0.6, 0, 0.8]}
  bob: {mass: 1, inertia: [0.01, 0.02, 0.03], position: [1.2, 0, 1], angular_velocity: [0, 0, 2]}
joints:
  hinge: {type: revolute, between: [arm, ground], at: [0, 0, 0], axis: y}
  ball: {type: spherical, between: [bob, arm], at: [1.2, 0, 1.6]}
events: {low: {when: DZ(bob), direction: falling, action: record}}
"""


class Simulate(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.model = self.path("model.yaml")
        with open(self.model, "w", encoding="utf-8") as file:
            file.write(MODEL)

    def tearDown(self):
        self.folder.cleanup()

    def path(self, name):
        return os.path.join(self.folder.name, name)

    def run_it(self, status, *arguments):
        done = subprocess.run([ROUTH, "simulate", *arguments], capture_output=True, text=True, check=False)
        self.assertEqual(done.returncode, status, done.stderr)
        self.assertEqual(done.stdout, "")
        return done.stderr

    def test_a_table_has_names_units_and_equal_times(self):
        out = self.path("run.csv")
        said = self.run_it(0, self.model, "--end", "0.5", "--every", "0.1", "--channels", "bodies,energy", "-o", out)
        self.assertIn("6 records from 0 to 0.5 s", said)
        with open(out, newline="", encoding="utf-8") as file:
            rows = list(csv.reader(file))
        self.assertEqual(rows[0][:3], ["time [s]", "bodies/arm/position x [m]", "bodies/arm/position y [m]"])
        self.assertEqual(rows[0][-1], "energy/total [J]")
        self.assertEqual([float(row[0]) for row in rows[1:]], [0, 0.1, 0.2, 0.1 * 3, 0.4, 0.5])
        energies = [float(row[-1]) for row in rows[1:]]
        self.assertLess(max(energies) - min(energies), 1e-2)

    def test_quiet_says_nothing(self):
        self.assertEqual(self.run_it(0, self.model, "--end", "0.1", "-q", "-o", self.path("run.h5")), "")

    def test_an_interrupted_run_is_whole_and_goes_on(self):
        whole, part = self.path("whole.h5"), self.path("part.h5")
        arguments = [self.model, "--every", "0.02", "--tolerance", "1e-8"]
        # long enough to be met in the middle on any machine: 2.5 s of its processor
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        self.run_it(0, *arguments, "--end", "20", "-o", whole)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        end = str(max(20, round(20 * 2.5 / max(0.01, after.ru_utime - before.ru_utime))))
        self.run_it(0, *arguments, "--end", end, "-o", whole)
        with subprocess.Popen([ROUTH, "simulate", *arguments, "--end", end, "-o", part],
                              stderr=subprocess.PIPE, text=True) as process:
            has_worked(process, 0.5)
            process.send_signal(signal.SIGINT)
            said = process.communicate(timeout=60)[1]
        self.assertEqual(process.returncode, 1, said)
        self.assertIn("is complete up to", said)
        self.assertIn("--resume", said)
        self.assertEqual(sorted(os.listdir(self.folder.name)), ["model.yaml", "part.h5", "whole.h5"])
        self.run_it(0, *arguments, "--end", end, "-o", part, "--resume")
        with open(whole, "rb") as a, open(part, "rb") as b:
            self.assertTrue(a.read() == b.read(), "the files differ")

    def test_a_table_is_whole_after_termination_and_is_not_said_to_go_on(self):
        out = self.path("run.csv")
        with subprocess.Popen([ROUTH, "simulate", self.model, "--end", "1e5", "--every", "0.02", "--tolerance",
                               "1e-8", "-o", out], stderr=subprocess.PIPE, text=True) as process:
            has_worked(process, 0.5)
            process.send_signal(signal.SIGTERM)
            said = process.communicate(timeout=60)[1]
        self.assertEqual(process.returncode, 1, said)
        self.assertIn("run.csv is complete up to", said)
        self.assertNotIn("--resume", said)
        self.assertEqual(sorted(os.listdir(self.folder.name)), ["model.yaml", "run.csv"])
        with open(out, newline="", encoding="utf-8") as file:
            rows = list(csv.reader(file))
        self.assertGreater(len(rows), 2)
        self.assertEqual({len(row) for row in rows}, {len(rows[0])})

    def test_standard_output_is_refused(self):
        self.assertIn("cannot be written to standard output", self.run_it(2, self.model, "--end", "1", "-o", "-"))

    def test_other_programs_read_the_file(self):
        try:
            import h5py
        except ImportError:
            self.skipTest("python3-h5py is not installed")
        out = self.path("run.h5")
        self.run_it(0, self.model, "--end", "3", "--every", "0.01", "-o", out)
        with h5py.File(out) as run:
            self.assertEqual(run["time"].shape, (301,))
            self.assertEqual(run["bodies/bob/position"].shape, (301, 3))
            self.assertEqual(run["bodies/bob/position"].attrs["unit"], b"m")
            self.assertIn(b"angular_velocity: [0, 0, 2]", run["model/text"][()])
            self.assertEqual(run["events/name"][0], b"low")
            low = run["events/time"][0]
            heights = run["bodies/bob/position"][:, 2]
            before = [t for t, z in zip(run["time"], heights) if z < 0][0]
            self.assertLessEqual(low, before)
            self.assertGreater(low, before - 0.011)

    def test_wrong_use_is_told(self):
        out = self.path("run.h5")
        for status, words, arguments in (
                (2, "needs --output FILE", [self.model]),
                (2, "ends in .h5, .hdf5 or .csv", [self.model, "--end", "1", "-o", self.path("run.dat")]),
                (2, "has no end after its start", [self.model, "-o", out]),
                (2, "--end takes a positive number", [self.model, "--end", "-1", "-o", out]),
                (2, "the integrator \"euler\" does not exist", [self.model, "--end", "1", "--integrator", "euler", "-o", out]),
                (2, "does not exist; use one of", [self.model, "--end", "1", "--channels", "wheels", "-o", out]),
                (2, "would overwrite the model", [self.model, "--end", "1", "-o", self.model]),
                (1, "it does not exist", [self.model, "--end", "1", "--resume", "-o", out]),
        ):
            self.assertIn(words, self.run_it(status, *arguments))
            self.assertFalse(os.path.exists(out))


if __name__ == "__main__":
    unittest.main()
