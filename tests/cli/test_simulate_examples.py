"""Every example, pushed aside by a gravity of another direction, for a short time by every integrator in two coordinate
sets: all come to the same place, on the constraints, in a sensible number of steps."""
import concurrent.futures
import csv
import os
import pathlib
import re
import subprocess
import tempfile
import unittest

ROUTH = os.environ["ROUTH"]
SOURCE = pathlib.Path(os.environ.get("ROUTH_SOURCE") or pathlib.Path(__file__).parents[2])
INTEGRATORS = ["hht", "generalized-alpha", "explicit-runge-kutta", "adams", "bdf"]
COORDINATES = ["absolute", "relative"]
TOLERANCE = 1e-7
END = {"andrews-squeezer": 5e-3, "crank-slider": 2e-2, "elastic-link": 1e-3,  # s: these are fast
       "helicopter-blade": 1e-2, "blade-segments": 1e-2, "swept-blade": 1e-2, "steel-strip": 1e-3}
USUAL_END = 0.1
EFFORT = float(os.environ.get("ROUTH_TEST_EFFORT", "1"))
SUMMARY = re.compile(r"; (\d+) steps of .* constraints within (\S+) m and (\S+) m/s")
MOST_STEPS = 4000


def pushed(text):
    """The model under a gravity that leaves nothing at rest."""
    text, given = re.subn(r"(?m)^gravity:.*$", "gravity: [0.8, 0.5, -8]", text)
    return text if given else "gravity: [0.8, 0.5, -8]\n" + text


def positions(table):
    """Places of the bodies at the end, m."""
    with open(table, newline="", encoding="utf-8") as file:
        rows = list(csv.reader(file))
    return {head: float(last) for head, last in zip(rows[0], rows[-1]) if "/position " in head}


def run(job, folder=None):
    """One run: its exit status, what it said, and the table it wrote."""
    model, integrator, coordinates = job
    end = END.get(model.stem, USUAL_END)
    out = pathlib.Path(folder or model.parent, f"{model.stem}.{integrator}.{coordinates}.csv")
    done = subprocess.run([ROUTH, "simulate", model, "--at", "given", "--integrator", integrator, "--coordinates",
                           coordinates, "--tolerance", str(TOLERANCE), "--end", str(end), "--every", str(end / 4),
                           "--channels", "bodies", "-o", out], capture_output=True, text=True, check=False)
    return done.returncode, done.stderr, out


class Examples(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        models = []
        pathlib.Path(cls.folder.name, "flexible").symlink_to(SOURCE / "examples" / "flexible")
        for example in sorted((SOURCE / "examples").glob("*.yaml")):
            models.append(pathlib.Path(cls.folder.name, example.name))
            models[-1].write_text(pushed(example.read_text(encoding="utf-8")), encoding="utf-8")
        kinds = [(i, c) for i in INTEGRATORS for c in COORDINATES]
        others = kinds[1:]  # each model meets one of them beside the first; all at full effort
        jobs = [(m, *kind) for k, m in enumerate(models)
                for kind in (kinds if EFFORT > 1 else [kinds[0], others[k % len(others)]])]
        with concurrent.futures.ThreadPoolExecutor(2) as pool:
            cls.runs = {(job[0].stem, *job[1:]): done for job, done in zip(jobs, pool.map(run, jobs))}
        cls.models = [m.stem for m in models]

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    def runs_that_can_be(self):
        """Without those by SUNDIALS where the build has none."""
        return {job: done for job, done in self.runs.items() if "SUNDIALS, and this build" not in done[1]}

    def test_all_come_to_the_end_on_the_constraints(self):
        self.assertGreater(len(self.models), 30)
        for job, (status, said, _) in self.runs_that_can_be().items():
            with self.subTest(job=job):
                self.assertEqual(status, 0, said)
                steps, position, velocity = SUMMARY.search(said).groups()
                self.assertLess(int(steps), MOST_STEPS)
                self.assertLess(float(position), 1e-10)
                self.assertLess(float(velocity), 1e-10)

    def test_what_rests_takes_few_steps(self):
        """As written many are at rest or go straight on; rounding of what is zero there must choose no steps."""
        models = [m for m in sorted((SOURCE / "examples").glob("*.yaml")) if m.stem not in END]
        jobs = [(m, "hht", "absolute") for m in models]
        with concurrent.futures.ThreadPoolExecutor(2) as pool:
            for job, (status, said, _) in zip(jobs, pool.map(lambda job: run(job, self.folder.name), jobs)):
                with self.subTest(model=job[0].stem):
                    self.assertEqual(status, 0, said)
                    self.assertLess(int(SUMMARY.search(said).group(1)), 1000)

    def test_all_come_to_the_same_place(self):
        first = {}
        for job, (status, said, out) in self.runs_that_can_be().items():
            with self.subTest(job=job):
                self.assertEqual(status, 0, said)
                places = positions(out)
                reference = first.setdefault(job[0], places)
                self.assertEqual(places.keys(), reference.keys())
                for name, value in places.items():
                    self.assertLess(abs(value - reference[name]), 1e3 * TOLERANCE, name)


if __name__ == "__main__":
    unittest.main()
