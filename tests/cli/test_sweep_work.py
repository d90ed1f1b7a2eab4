"""How much a sweep does, in which order, and how it is stopped: the grid first, a bound on what follows, signals."""
import json
import os
import pathlib
import random
import signal
import subprocess
import sys
import time
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / "support"))
from model_case import ROUTH, ModelCase  # noqa: E402
from working import has_worked  # noqa: E402

SOURCE = pathlib.Path(os.environ["ROUTH_SOURCE"])
BLADE = SOURCE / "examples/helicopter-blade.yaml"
EXTRA = 24  # ROUTH_SWEEP_EXTRA


def sliders(seed, n):
    """n sliders without coupling and their stiffnesses k = a + b p, as pairs (a, b)."""
    r = random.Random(seed)
    k = [(10 + 3 * i, r.uniform(-4, 4)) for i in range(n)]
    lines = ["parameters: {p: 0}", "bodies:"]
    lines += [f"  m{i}: {{mass: 1, inertia: [1, 1, 1], position: [0, {i}, 0]}}" for i in range(n)]
    lines += ["joints:"] + [f"  j{i}: {{type: translational, between: [m{i}, ground], at: [0, {i}, 0], axis: x}}"
                            for i in range(n)]
    lines += ["loads:"] + [f'  f{i}: {{type: force, on: m{i}, components: ["-({a!r}+({b!r})*p)*DX(m{i})-0.01*VX(m{i})", 0, 0]}}'
                           for i, (a, b) in enumerate(k)]
    return "\n".join(lines + ["operating_point: {type: given}", ""]), k


def crossings(k, low, high):
    """Where two of the stiffnesses are equal."""
    at = [(a - c) / (d - b) for i, (a, b) in enumerate(k) for c, d in k[i + 1:]]
    return sorted(p for p in at if low < p < high)


class Work(ModelCase):
    def kinds(self, sweep):
        return [e["kind"] for line in sweep["lines"] for e in line["events"]]

    def test_crossings_are_solved_for_when_asked_for(self):
        text, k = sliders(3, 8)
        wanted = crossings(k, 0, 4)
        self.assertGreater(len(wanted), 5)
        plain = self.run_it("sweep", text, "--over", "p=0:4:9")
        self.assertEqual(self.kinds(plain), [])
        self.assertEqual(plain["solve"], ["limits", "critical"])
        found = self.run_it("sweep", text, "--over", "p=0:4:9", "--solve", "crossings")
        self.assertEqual(found["bounded"], 0)
        values = [e["value"] for e in found["lines"][0]["events"]]
        self.assertEqual(self.kinds(found), ["crossing"] * len(wanted))
        for a, b in zip(values, wanted, strict=True):
            self.assertAlmostEqual(a, b, delta=1e-9)
        # those of modes below a frequency alone
        hertz = 3.9 / (2 * 3.141592653589793)
        below = self.run_it("sweep", text, "--over", "p=0:4:9", "--solve", "crossings", "--below", str(hertz))
        self.assertEqual(below["below"], hertz)
        own = [e["value"] for e in below["lines"][0]["events"]]
        self.assertTrue(0 < len(own) < len(wanted))
        self.assertTrue(all(abs(e["eigenvalue"][1]) < 4.2 for e in below["lines"][0]["events"]))
        self.assertTrue(set(own) <= set(values))

    def test_the_operating_points_are_bounded(self):
        text, k = sliders(3, 14)
        wanted = len(crossings(k, 0, 4))
        for points, values in (("1", 3), ("2", 3), ("4", 9)):
            for threads in ("1", "2"):
                sweep = self.run_it("sweep", text, "--over", f"p=0:4:{values}", "--solve", "all", "--points", points,
                                    "--threads", threads)
                # the two stores, that of telling modes apart, the grid with its ends once more, and derivatives once
                most = 3 * int(points) * (values - 1 + EXTRA) + values + 2
                self.assertLessEqual(sweep["computed"], most)
                if threads == "1":
                    first = sweep
                self.assertEqual(sweep, first)
            grid = [p["value"] for p in first["lines"][0]["points"] if p["on_grid"]]
            self.assertEqual(grid, [4 * i / (values - 1) for i in range(values)])
            if points == "1":
                self.assertLess(self.kinds(first).count("crossing"), wanted)
                self.assertGreater(first["bounded"], 0)
                table = self.try_it("sweep", text, "--over", f"p=0:4:{values}", "--solve", "all", "--points", points).stdout
                self.assertIn("the bound on operating points was met", table)
                self.assertIn("--points above 1", table)

    def test_a_limit_that_the_bound_leaves_is_said(self):
        rows = [(0.05 + 0.1 * i) for i in range(7)]
        text = sliders(3, 7)[0]
        for i, p in enumerate(rows):
            text = text.replace(f"-0.01*VX(m{i})", f"-({p!r}-p)*VX(m{i})")
        whole = self.run_it("sweep", text, "--over", "p=0:0.7:2", "--points", "64")
        self.assertEqual([round(e["value"], 9) for e in whole["lines"][0]["events"] if e["kind"] == "flutter"],
                         [round(p, 9) for p in rows])
        part = self.run_it("sweep", text, "--over", "p=0:0.7:2", "--points", "1")
        events = [e for e in part["lines"][0]["events"] if e["kind"] in ("flutter", "not resolved")]
        self.assertLess(self.kinds(part).count("flutter"), len(rows))
        self.assertEqual(part["bounded"], 1)
        for p in rows:
            self.assertTrue(any(abs(e["value"] - p) <= e["error"] + 1e-12 for e in events), p)

    def test_the_grid_alone_is_that_of_single_runs(self):
        done = subprocess.run([ROUTH, "sweep", BLADE, "--over", "EI=4.8:72:9", "--solve", "none", "--json"],
                              capture_output=True, text=True, check=True)
        sweep = json.loads(done.stdout)
        self.assertLessEqual(sweep["computed"], 11)
        self.assertEqual(sweep["solve"], [])
        points = sweep["lines"][0]["points"]
        self.assertEqual(len(points), 9)
        one = subprocess.run([ROUTH, "modes", BLADE, "--set", f"EI={points[3]['value']!r}", "--json"], capture_output=True,
                             text=True, check=True)
        single = sorted((m["eigenvalue"] for m in json.loads(one.stdout)["modes"]), key=lambda s: (s[1], s[0]))
        own = sorted((e["eigenvalue"] for e in points[3]["eigenvalues"]), key=lambda s: (s[1], s[0]))
        for a, b in zip(single, own, strict=True):
            self.assertLess(abs(complex(*a) - complex(*b)), 1e-6 * abs(complex(*a)) + 1e-6)

    def test_a_blade_takes_few_operating_points(self):
        done = subprocess.run([ROUTH, "sweep", BLADE, "--over", "EI=20:30:2", "--json"], capture_output=True, text=True,
                              check=True)
        # crossings of 60 modes took hundreds
        self.assertLess(json.loads(done.stdout)["computed"], 40)

    def test_what_was_not_sought_is_said(self):
        text = sliders(3, 2)[0]
        for options, words in (([], "crossings, veerings (--solve)"), (["--solve", "limits,veerings"], "crossings (--solve)"),
                               (["--solve", "none"], "stability limits, crossings, veerings (--solve)"),
                               (["--solve", "crossings", "--speed", "p"], "stability limits, critical speeds, veerings")):
            table = self.try_it("sweep", text, "--over", "p=0.1:1:3", *options).stdout
            self.assertIn(f"not sought            {words}", table)
        self.assertNotIn("not sought", self.try_it("sweep", text, "--over", "p=0.1:1:3", "--solve", "all").stdout)
        for wrong in ("limit", "", "limits,", "all,some"):
            done = self.try_it("sweep", text, "--over", "p=0.1:1:3", "--solve", wrong)
            self.assertEqual(done.returncode, 2)
            self.assertIn("--solve takes limits", done.stderr)

    def test_a_value_that_fails_leaves_no_limit_unsaid(self):
        # the force is no number from 0.8 to 1.2, and the damping is lost at 1
        force = "-(4+sqrt((p-1)^2-0.04))*DX(a)+(p-{})*VX(a)"
        text = ("parameters: {p: 0}\nbodies: {a: {mass: 1, inertia: [1, 1, 1]}}\n"
                "joints: {slide: {type: translational, between: [a, ground], at: [0, 0, 0], axis: x}}\n"
                'loads: {on: {type: force, on: a, components: ["FORCE", 0, 0]}}\noperating_point: {type: given}\n')
        for at, wanted in ((1, [("not resolved", 1, 0.25)]), (9, [])):
            for over in ("p=0:2:9", "p=2:0:9"):
                line = self.run_it("sweep", text.replace("FORCE", force.format(at)), "--over", over)["lines"][0]
                self.assertEqual([(e["kind"], e["value"], e["error"]) for e in line["events"]], wanted)
                lost = [p for p in line["points"] if p["message"]]
                self.assertEqual([p["value"] for p in lost], [1])
                self.assertIn("load 'on'", lost[0]["message"])
                self.assertEqual([p["unstable"] for p in line["points"] if not p["message"]],
                                 [2 * (p["value"] > at) for p in line["points"] if not p["message"]])


class Signals(unittest.TestCase):
    def start(self):
        """A sweep that has its grid and solves for thousands of crossings between."""
        run = subprocess.Popen([ROUTH, "sweep", BLADE, "--over", "EI=4.8:72:5", "--solve", "all", "--points", "4096", "--json"],
                               stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        has_worked(run, 0.8)
        return run

    def test_a_signal_ends_it_with_the_grid(self):
        with self.start() as run:
            begun = time.monotonic()
            run.send_signal(signal.SIGINT)
            out, said = run.communicate(timeout=60)
        self.assertLess(time.monotonic() - begun, 20)  # it has work for hours
        self.assertEqual(run.returncode, 130, said)
        self.assertIn("interrupted", said)
        data = json.loads(out)
        self.assertTrue(data["interrupted"])
        self.assertGreater(data["left"], 0)
        self.assertEqual([p["value"] for p in data["lines"][0]["points"] if p["on_grid"]],
                         [4.8 + 16.8 * k for k in range(5)])

    def test_a_second_signal_is_not_waited_for(self):
        ends = []
        while len(ends) < 5 and -signal.SIGINT not in ends:
            with self.start() as run:
                run.send_signal(signal.SIGINT)
                caught = True
                while caught and run.poll() is None:  # until the first is heard
                    status = pathlib.Path(f"/proc/{run.pid}/status").read_text().split("SigCgt:")
                    caught = len(status) > 1 and int(status[1].split()[0], 16) & 1 << (signal.SIGINT - 1)
                run.send_signal(signal.SIGINT)
                run.communicate(timeout=60)
                ends.append(run.returncode)
        self.assertIn(-signal.SIGINT, ends)


if __name__ == "__main__":
    unittest.main()
