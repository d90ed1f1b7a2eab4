"""routh reduce: a body in order, and what each kind of broken file or option is told."""
import json
import os
import pathlib
import subprocess
import tempfile
import unittest

PROGRAM = os.path.abspath(os.environ.get("ROUTH", "build/routh"))
SOURCE = pathlib.Path(os.environ.get("ROUTH_SOURCE") or pathlib.Path(__file__).parents[2])
LINK = SOURCE / "examples/flexible"
UNITS = ["--length-unit", "mm", "--mass-unit", "t"]
FACES = ["--interface", "1001=LEFT", "--interface", "1002=RIGHT"]
USAGE, MODEL = 2, 1


class Reduce(unittest.TestCase):
    def setUp(self):
        holder = tempfile.TemporaryDirectory()
        self.addCleanup(holder.cleanup)
        self.folder = pathlib.Path(holder.name)
        for name in ("link.sti", "link.mas", "link.inp", "link.dof"):
            (self.folder / name).write_bytes((LINK / name).read_bytes())

    def run_reduce(self, *args):
        return subprocess.run([PROGRAM, "reduce", "link.sti", "link.mas", "--nodes", "link.inp", *UNITS, *args],
                              cwd=self.folder, capture_output=True, text=True, timeout=120)

    def good(self, *args):
        done = self.run_reduce(*args)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        return done.stdout

    def refused(self, status, message, *args):
        done = self.run_reduce(*args)
        self.assertEqual((done.returncode, done.stdout), (status, ""), done.stderr)
        self.assertRegex(done.stderr, r"\Aerror: [^\n]+\n\Z")
        self.assertIn(message, done.stderr)
        self.assertEqual([f for f in os.listdir(self.folder) if f.endswith(".json")], [])

    def edit(self, name, change):
        path = self.folder / name
        path.write_text(change(path.read_text()))

    def test_the_report_is_of_the_block_that_was_meshed(self):
        text = self.good("--modes", "4", *FACES)
        lines = dict(line.split("  ", 1) for line in text.splitlines() if "  " in line.strip())
        # 120 x 20 x 10 mm of 7800 kg/m^3
        self.assertAlmostEqual(float(lines["mass"].split()[0]), 0.12 * 0.02 * 0.01 * 7800, delta=1e-9)
        self.assertEqual(lines["size"].split()[:3], ["0.12", "0.02", "0.01"])

    def test_products_of_inertia_come_in_the_order_that_models_take(self):
        """Five masses on bars between all: Ixy, Ixz, Iyz = -sum m x y, -sum m x z, -sum m y z about the centre."""
        masses = [1, 2, 0.5, 3, 1.5]
        points = [[0, 0, 0], [1, 0.2, 0.1], [0.3, 1.1, -0.4], [-0.2, 0.5, 0.9], [0.7, -0.6, 0.4]]
        n = 3 * len(points)
        K = [[0.0] * n for _ in range(n)]
        for a, p in enumerate(points):
            for b, q in enumerate(points[:a]):
                along = [x - y for x, y in zip(p, q)]
                square = sum(x * x for x in along)
                for i in range(3):
                    for j in range(3):
                        k = 1e6 * along[i] * along[j] / square
                        for row, column, sign in ((a, a, 1), (b, b, 1), (a, b, -1), (b, a, -1)):
                            K[3 * row + i][3 * column + j] += sign * k
        lower = [(i + 1, j + 1, K[i][j]) for i in range(n) for j in range(i + 1) if K[i][j]]
        head = "%%MatrixMarket matrix coordinate real symmetric\n"
        (self.folder / "k.mtx").write_text(head + f"{n} {n} {len(lower)}\n" + "".join(f"{i} {j} {x!r}\n" for i, j, x in lower))
        (self.folder / "m.mtx").write_text(head + f"{n} {n} {n}\n" + "".join(
            f"{i + 1} {i + 1} {masses[i // 3]}\n" for i in range(n)))
        (self.folder / "nodes.txt").write_text("".join(
            f"{k + 1} {x} {y} {z}\n" for k, (x, y, z) in enumerate(points)))
        done = subprocess.run([PROGRAM, "reduce", "k.mtx", "m.mtx", "--nodes", "nodes.txt", "--modes", "2"],
                              cwd=self.folder, capture_output=True, text=True, timeout=120)
        self.assertEqual(done.returncode, 0, done.stderr)
        whole = sum(masses)
        centre = [sum(m * p[i] for m, p in zip(masses, points)) / whole for i in range(3)]

        def product(i, j):
            return -sum(m * (p[i] - centre[i]) * (p[j] - centre[j]) for m, p in zip(masses, points))

        line = next(line for line in done.stdout.splitlines() if line.startswith("inertia xy"))
        self.assertTrue(line.startswith("inertia xy xz yz "), line)
        for printed, exact in zip(line.split()[4:7], (product(0, 1), product(0, 2), product(1, 2))):
            self.assertAlmostEqual(float(printed), exact, 4)

    def test_the_body_goes_to_a_file_and_the_report_to_standard_output(self):
        report = self.good("--modes", "4", *FACES)
        self.assertEqual(self.good("--modes", "4", *FACES, "--output", "b.json"), report)
        self.assertEqual(self.good("--modes", "4", *FACES, "--output", "q.json", "--quiet"), "")
        text = (self.folder / "b.json").read_text()
        self.assertEqual((self.folder / "q.json").read_text(), text)
        self.assertEqual(self.good("--modes", "4", *FACES, "--output", "-"), text)
        body = json.loads(text)
        self.assertEqual(body["schema"], "routh-flexible/1")
        n = len(body["coordinates"])
        self.assertEqual((n, len(body["K"])), (10, n * (n + 1) // 2))  # 4 + 2 * 6 - 6
        self.assertTrue({1001, 1002} <= {node["number"] for node in body["nodes"]})

    def test_broken_files_are_told_by_file_and_line(self):
        broken = [
            ("link.sti", lambda s: s[:100] + "\n7\n", "link.sti:"),
            ("link.sti", lambda s: s.replace("1 ", "0 ", 1), "rows and columns count from 1"),
            ("link.sti", lambda s: "", "no matrix entry"),
            ("link.mas", lambda s: "", "no matrix entry"),
            ("link.inp", lambda s: "", "contains no node"),
            ("link.inp", lambda s: s.replace("1,", "x,", 1), "link.inp:"),
            ("link.dof", lambda s: s + "9\n", "link.dof:"),
            ("link.dof", lambda s: s.splitlines()[0] + "\n", "the list has 1 degrees of freedom"),
        ]
        for name, change, message in broken:
            with self.subTest(name=name, message=message):
                before = (self.folder / name).read_text()
                self.edit(name, change)
                self.refused(MODEL, message, "--output", "b.json")
                (self.folder / name).write_text(before)

    def test_bodies_and_interfaces_that_cannot_be_are_refused(self):
        self.refused(MODEL, "NOWHERE", "--output", "b.json", "--interface", "1001=NOWHERE")
        self.refused(MODEL, "99999", "--output", "b.json", "--interface", "99999")

    def test_a_file_that_is_not_there_is_named(self):
        os.remove(self.folder / "link.mas")
        self.refused(MODEL, "link.mas", "--output", "b.json")

    def test_options_of_another_form_are_errors_of_usage(self):
        self.refused(USAGE, "--interface takes", "--interface", "1001=3;4")
        self.refused(USAGE, "--interface takes", "--interface", "LEFT")
        self.refused(USAGE, "--time-unit takes", "--time-unit", "hour")

    def test_frequencies_below_a_limit_are_those_of_the_whole_model(self):
        text = self.good("--frequencies-below", "11000", *FACES)
        self.assertIn("frequencies below      11000 Hz: 4, counted in the whole model, to 0.", text)
        modes = [line for line in text.splitlines() if line.startswith("  mode ")]
        told = [float(line.split(", ")[1].split()[0]) for line in modes if "above the whole model's" in line]
        self.assertEqual(len(told), 4)
        self.assertTrue(all(0 < error <= 0.1 for error in told), told)
        # as the example's own record of CalculiX has them
        record = (LINK / "link-frequencies.txt").read_text().split("\n")
        right = [float(row.split()[3]) for row in record if len(row.split()) == 5 and row.split()[0].isdigit()]
        for line, frequency in zip(modes[:4], [f for f in right if f > 100]):
            self.assertLess(abs(float(line.split()[2]) / frequency - 1), 1e-3)

    def test_a_body_that_keeps_no_node_says_so(self):
        self.good("--modes", "2", "--draw", "0", "--output", "b.json")
        (self.folder / "m.yaml").write_text("bodies: {b: {type: modal, file: b.json}}\nmarkers: {p: {body: b, node: 1}}\n")
        done = subprocess.run([PROGRAM, "modes", "m.yaml"], cwd=self.folder, capture_output=True, text=True, timeout=120)
        self.assertEqual(done.returncode, MODEL)
        self.assertIn("there is no node 1 in b: it keeps no nodes; reduce it with an interface there", done.stderr)

    def test_shapes_of_the_user_are_kept(self):
        (self.folder / "s.txt").write_text("1 1 1\n2 1 -1\n")
        self.assertIn("coordinates            1\n", self.good("--shapes", "s.txt"))
        self.assertIn("shapes of the user     1\n", self.good("--shapes", "s.txt", "--modes", "2"))
        (self.folder / "s.txt").write_text("1 1 1\n2 9 -1\n")
        self.refused(MODEL, "s.txt:2:1: direction 9 of node 2", "--shapes", "s.txt")

    def test_options_that_do_not_go_together_are_wrong_usage(self):
        self.refused(USAGE, "do not combine it with --modes or --cut", "--frequencies-below", "100", "--modes", "2")
        self.refused(USAGE, "--accuracy needs --frequencies-below", "--accuracy", "0.1", *FACES)
        self.refused(USAGE, "--free-modes needs --interface", "--free-modes")


if __name__ == "__main__":
    unittest.main()
