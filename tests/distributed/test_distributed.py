"""--distributed: the numbers of one process from several, and one voice whatever happens. Skipped where the component
is not built, but for its refusal."""
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

PROGRAM = os.path.abspath(os.environ.get("ROUTH", "build/routh"))
SOURCE = pathlib.Path(os.environ.get("ROUTH_SOURCE") or pathlib.Path(__file__).parents[2])
EXAMPLES = SOURCE / "examples"
# Ranks that wait leave their core to others: the machine may be a busy one.
MPIRUN = ["mpirun", "-q", "--allow-run-as-root", "--oversubscribe", "--bind-to", "none", "--mca", "mpi_yield_when_idle", "1", "-n"]

# Bodies that float, each on a bushing to the next: twelve zeros, K symmetric.
FLOATING = "gravity: [0, 0, 0]\nbodies:\n" + "".join(
    f"  b{k}: {{mass: {1 + 0.3 * k}, inertia: [1, {1 + 0.1 * k}, {1.2 + 0.1 * k}], position: [{k}, 0, 0]}}\n" for k in range(6)
) + "loads:\n" + "".join(
    f"  s{k}: {{type: bushing, between: [b{k}, b{k + 1}], at: [{k + 0.5}, 0, 0],\n"
    "       translation: {stiffness: [100, 120, 90], damping: 0.01},\n"
    "       rotation: {stiffness: [10, 20, 30], damping: 0.01}}\n" for k in range(5))

# Two rods under a force that follows the second: K is not symmetric.
FOLLOWER = """gravity: [0, 0, 0]
bodies:
  a: {mass: 2, inertia: [0.1, 0.1, 0.1], position: [0.5, 0, 0]}
  b: {mass: 1, inertia: [0.1, 0.1, 0.1], position: [1.5, 0, 0]}
markers:
  tip: {body: b, at: [2, 0, 0]}
joints:
  one: {type: revolute, between: [ground, a], at: [0, 0, 0], axis: [0, 0, 1]}
  two: {type: revolute, between: [a, b], at: [1, 0, 0], axis: [0, 0, 1]}
loads:
  k1: {type: torsion_spring, between: [ground, a], axis: z, at: [0, 0, 0], stiffness: 10, damping: 0.2}
  k2: {type: torsion_spring, between: [a, b], axis: z, at: [1, 0, 0], stiffness: 10, damping: 0.1}
  push: {type: force, on: tip, components: [-8, 0, 0], resolved_in: tip}
"""


def run(*args, ranks=None, folder=None):
    line = [*(MPIRUN + [str(ranks)] if ranks else []), PROGRAM, *map(str, args)]
    return subprocess.run(line, capture_output=True, text=True, cwd=folder, timeout=120)


def built():
    return "built without" not in run("modes", "x.yaml", "--wanted", "1", "--distributed").stderr


BUILT = built()


@unittest.skipIf(BUILT, "the component is built")
class Refused(unittest.TestCase):
    def test_without_the_component_it_is_refused_by_name(self):
        for line in (["modes", "x.yaml", "--wanted", "2"], ["check", "x.yaml", "y.yaml"]):
            done = run(*line, "--distributed")
            self.assertEqual(done.returncode, 2)
            self.assertEqual(done.stdout, "")
            self.assertRegex(done.stderr, r"\Aerror: [^\n]*without --distributed[^\n]*-DROUTH_DISTRIBUTED=ON[^\n]*\n\Z")


class Case(unittest.TestCase):
    def setUp(self):
        holder = tempfile.TemporaryDirectory()
        self.addCleanup(holder.cleanup)
        self.folder = pathlib.Path(holder.name)

    def file(self, name, text):
        path = self.folder / name
        path.write_text(text)
        return path

    def template(self, name, *settings):
        return self.file(f"{name}.yaml", run("template", name, *settings).stdout)

    def good(self, *args, **more):
        done = run(*args, **more)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        return done.stdout

    def refused(self, status, *args, **more):
        """One message of one line on standard error, by one rank; nothing on standard output."""
        done = run(*args, **more)
        self.assertEqual(done.returncode, status, done.stderr)
        self.assertEqual(done.stdout, "")
        self.assertRegex(done.stderr, r"\Aerror: [^\n]+\n\Z")
        return done.stderr


@unittest.skipUnless(BUILT and shutil.which("mpirun"), "--distributed is not built, or mpirun is missing")
class OneProblem(Case):
    def compare(self, model, *args, digits, all_ranks=(None, 2)):
        """Eigenvalues of one process by KLU and ARPACK, and of ranks by MUMPS and SLEPc."""
        line = ("modes", model, "-q", "--json", *args)
        serial = json.loads(self.good(*line))
        expected = [complex(*x) for x in serial["eigenvalues"]]
        for ranks in all_ranks:
            with self.subTest(model=model.name, ranks=ranks):
                found = json.loads(self.good(*line, "--distributed", ranks=ranks))
                values = [complex(*x) for x in found["eigenvalues"]]
                self.assertEqual(len(values), len(expected))
                self.assertEqual(found["zero_eigenvalues"], serial["zero_eigenvalues"])
                for x, y in zip(values, expected):
                    self.assertLessEqual(abs(x - y), digits * abs(y))
                self.assertLess(found["wanted"]["constraint_violation"], 1e-12)
                for mode in found["modes"]:
                    self.assertLess(mode["residual"], 1e-9)
        return serial

    # Each path has an error of some 1e-16 of the highest frequency: 1e2 to 1e4 of the wanted ones.
    def test_a_mechanism_of_loops(self):
        self.compare(self.template("four-bar", "N=60", "c=1"), "--wanted", "2", digits=1e-12, all_ranks=(None, 1, 2, 3))

    def test_a_chain_near_other_shifts(self):
        chain = self.template("pendulum-chain", "n=30")
        self.compare(chain, "--wanted", "10", digits=1e-12)
        self.compare(chain, "--wanted", "5", "--near", "-2.5", digits=1e-12, all_ranks=(2,))

    def test_zeros_are_counted(self):
        serial = self.compare(self.file("floating.yaml", FLOATING), "--wanted", "20", digits=1e-12, all_ranks=(2,))
        self.assertEqual(serial["zero_eigenvalues"], 12)

    def test_an_undamped_mechanism_is_counted(self):
        floating = re.sub("damping: 0.01", "damping: 0", FLOATING)
        serial = self.compare(self.file("undamped.yaml", floating), "--wanted", "20", digits=1e-12, all_ranks=(None, 2))
        self.assertEqual(serial["zero_eigenvalues"], 12)

    def test_a_stiffness_that_is_not_symmetric(self):
        self.compare(self.file("follower.yaml", FOLLOWER), "--wanted", "4", "--at", "given", digits=1e-12)

    def test_a_rank_without_constraints(self):
        line = ("modes", self.template("slider-pendulum", "c=20"), "--wanted", "2", "-q", "--json")
        one = json.loads(self.good(*line))["eigenvalues"]
        many = json.loads(self.good(*line, "--distributed", ranks=7))["eigenvalues"]
        for x, y in zip(one, many):
            self.assertLessEqual(abs(complex(*x) - complex(*y)), 1e-12 * abs(complex(*x)))

    def test_several_points_in_one_run(self):
        line = ("modes", self.template("slider-pendulum", "c=20"), "--wanted", "2", "-q", "--json", "--at", "static",
                "--at", "static", "--distributed")
        points = json.loads(self.good(*line, ranks=2))["points"]
        self.assertEqual(len(points), 2)
        self.assertLessEqual(abs(complex(*points[0]["eigenvalues"][0]) - complex(*points[1]["eigenvalues"][0])), 1e-12)

    def test_what_is_wrong_is_said_once(self):
        broken = self.file("broken.yaml", "bodies: {")
        loops = self.template("four-bar", "N=3")
        for ranks in (None, 2):
            with self.subTest(ranks=ranks):
                self.assertIn("broken.yaml:", self.refused(1, "modes", broken, "--wanted", "2", "--distributed", ranks=ranks))
                self.assertIn("ask for that many at most",
                              self.refused(2, "modes", loops, "--wanted", "9", "--distributed", ranks=ranks))
                self.assertIn("--wanted N", self.refused(2, "modes", loops, "--distributed", ranks=ranks))
                self.assertIn("did you mean", self.refused(2, "modes", loops, "--wantd", "2", "--distributed", ranks=ranks))
                self.assertIn("cannot write no/such", self.refused(1, "modes", loops, "--wanted", "2", "--distributed", "--output",
                                                     "no/such/folder/x", ranks=ranks, folder=self.folder))

    def test_a_shift_without_answers_ends_with_a_message(self):
        chain = self.template("pendulum-chain", "n=30")
        said = self.refused(1, "modes", chain, "--wanted", "3", "--near", "1e12", "--distributed", ranks=2)
        self.assertIn("eigenvalue", said)


def lattice(nx, ny):
    """Free masses in the plane, springs between neighbours: (order, entries of K, entries of M), lower triangles."""
    n, diagonal, below = nx * ny, [0.0] * (nx * ny), {}
    for k in range(n):
        for other, stiffness in ((k + 1, 3.0 if (k + 1) % nx else 0), (k + nx, 2.0 if k + nx < n else 0)):
            if stiffness:
                diagonal[k] += stiffness
                diagonal[other] += stiffness
                below[other, k] = -stiffness
    K = [(k, k, diagonal[k]) for k in range(n)] + [(r, c, v) for (r, c), v in below.items()]
    return n, K, [(k, k, 1 + 0.001 * k) for k in range(n)]


def write_matrix(path, n, entries):
    lines = [f"{r + 1} {c + 1} {v!r}\n" for r, c, v in sorted(entries, key=lambda e: (e[1], e[0]))]
    path.write_text(f"%%MatrixMarket matrix coordinate real symmetric\n{n} {n} {len(lines)}\n" + "".join(lines))


@unittest.skipUnless(BUILT and shutil.which("mpirun"), "--distributed is not built, or mpirun is missing")
class Matrices(Case):
    def setUp(self):
        super().setUp()
        n, K, M = lattice(23, 17)
        write_matrix(self.folder / "K.mtx", n, K)
        write_matrix(self.folder / "M.mtx", n, M)
        self.line = ["modes", "--mass", self.folder / "M.mtx", "--stiffness", self.folder / "K.mtx", "--json"]

    def compare(self, *args, all_ranks):
        one = json.loads(self.good(*self.line, *args))
        for ranks in all_ranks:
            with self.subTest(ranks=ranks):
                found = json.loads(self.good(*self.line, *args, "--distributed", ranks=ranks))
                self.assertTrue(found["counted"])
                self.assertEqual(len(found["modes"]), len(one["modes"]))
                for x, y in zip(found["modes"], one["modes"]):
                    self.assertEqual(x["rigid"], y["rigid"])
                    self.assertLessEqual(abs(x["frequency_hz"] - y["frequency_hz"]),
                                         (x["error_bound"] + y["error_bound"]) / 6.28)
        return one

    def test_a_few_modes_are_those_of_one_process_and_counted(self):
        one = self.compare("--wanted", "8", all_ranks=(None, 2, 3))
        self.assertEqual([mode["rigid"] for mode in one["modes"]], [True] + 7 * [False])

    def test_all_modes_between_two_frequencies_are_those_of_one_process(self):
        one = self.compare("--between", "0.05,0.3", all_ranks=(None, 2, 3))
        self.assertGreater(len(one["modes"]), 48)  # the interval is halved

    def test_what_others_cannot_do_is_refused(self):
        write_matrix(self.folder / "C.mtx", 391, [(k, k, 0.1) for k in range(391)])
        said = self.refused(2, *self.line, "--damping", self.folder / "C.mtx", "--wanted", "4", "--distributed", ranks=2)
        self.assertIn("without damping", said)


@unittest.skipUnless(BUILT and shutil.which("mpirun"), "--distributed is not built, or mpirun is missing")
class ManyCases(Case):
    MODELS = ("four-bar.yaml", "crank-slider.yaml", "quarter-car-active.yaml", "twist-axle.yaml", "joint-chain.yaml")

    def models(self):
        return [EXAMPLES / name for name in self.MODELS]

    def timeless(self, text):
        return re.sub(r'"seconds": [0-9.e+-]+', "", text)

    def test_checks_are_those_of_one_process_in_their_order(self):
        one = run("check", *self.models(), "--json", "--threads", "1")
        for ranks in (None, 3):
            many = run("check", *self.models(), "--json", "--distributed", ranks=ranks)
            self.assertEqual((many.returncode, many.stderr), (one.returncode, one.stderr))
            self.assertEqual(self.timeless(many.stdout), self.timeless(one.stdout))

    def test_a_broken_model_among_them(self):
        broken = self.file("broken.yaml", "bodies: {")
        models = [EXAMPLES / "four-bar.yaml", broken, EXAMPLES / "joint-chain.yaml"]
        for ranks in (2,):
            done = run("check", *models, "--distributed", "--quiet", "--output", self.folder / "out.txt", ranks=ranks)
            self.assertEqual(done.returncode, 1)
            self.assertEqual(done.stdout, "")
            self.assertIn("broken.yaml", done.stderr)
            self.assertEqual(re.findall(r"==== model (\d) of (\d)", (self.folder / "out.txt").read_text()),
                             [("1", "2"), ("2", "2")])

    def test_modes_are_those_of_one_process_to_the_byte(self):
        broken = self.file("broken.yaml", "bodies: {")
        models = [*self.models(), broken, *self.models()]
        for form in ([], ["--json"]):
            one = run("modes", *models, *form)
            self.assertEqual(one.returncode, 1)
            for ranks in (None, 3):
                many = run("modes", *models, *form, "--distributed", ranks=ranks)
                self.assertEqual((many.returncode, many.stdout, many.stderr), (one.returncode, one.stdout, one.stderr))

    def test_a_sweep_is_that_of_one_process_to_the_byte(self):
        rotor = EXAMPLES / "jeffcott-rotor.yaml"
        for line in (["--over", "spin=0:60:97", "--speed", "spin"], ["--over", "spin=0:60:40", "--over", "inner=0:8:3", "--json"],
                     ["--over", "spn=1,2"]):
            one = run("sweep", rotor, *line)
            for ranks in (None, 3):
                many = run("sweep", rotor, *line, "--distributed", ranks=ranks)
                self.assertEqual((many.returncode, many.stdout, many.stderr), (one.returncode, one.stdout, one.stderr))
        self.assertIn("standard input", self.refused(2, "sweep", "-", "--over", "spin=1,2", "--distributed", ranks=2))

    def test_one_model_is_no_case_for_it(self):
        self.assertIn("several models", self.refused(2, "check", EXAMPLES / "four-bar.yaml", "--distributed", ranks=2))


if __name__ == "__main__":
    if BUILT or sys.argv[1:] not in ([], ["-v"]):  # by CMake it has -v
        unittest.main()
    done = unittest.TextTestRunner().run(unittest.defaultTestLoader.loadTestsFromTestCase(Refused))
    print("the numbers of --distributed are not tested: this build is without it")
    sys.exit(77 if done.wasSuccessful() else 1)
