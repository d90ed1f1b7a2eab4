"""A car of 22 bodies on magic-formula tyres: straight on, in turns, to the limit; what a sweep finds is what each run finds."""
import itertools
import json
import math
import os
import pathlib
import subprocess
import tempfile
import unittest

ROUTH = os.environ["ROUTH"]
EFFORT = float(os.environ.get("ROUTH_TEST_EFFORT", "1"))
CAR = pathlib.Path(os.environ["ROUTH_SOURCE"]) / "examples" / "car" / "driving.yaml"
G = 9.81
MASSES = {"chassis": 1320, "rack": 4, "knuckle": 22, "wheel": 18, "lower": 6, "upper": 3, "tie_rod": 1}


def cross(a, b):
    return [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]


class Car(unittest.TestCase):
    def run_it(self, command, *options):
        done = subprocess.run([ROUTH, command, CAR, "--json", *options], capture_output=True, text=True, check=False)
        self.assertEqual(done.returncode, 0, done.stderr)
        return json.loads(done.stdout)

    def point(self, **values):
        settings = [x for name, value in values.items() for x in ("--set", f"{name}={value!r}")]
        return self.run_it("equilibrium", *settings)

    def check_balance(self, point, speed, lateral):
        """Tyres, air and weight give each body's m Omega x v, all bodies together; nothing else reaches the ground."""
        self.assertLess(point["residual"], 1e-12)
        self.assertLess(point["constraint_error"], 1e-12)
        force = [0.0, 0.0, 0.0]
        for load in point["loads"]:
            if load["name"].endswith(".tyre") or load["name"] == "air":
                force = [a + b for a, b in zip(force, load["force"])]
        needed, mass = [0.0, 0.0, 0.0], 0.0
        for body in point["bodies"]:
            m = MASSES[body["name"].split(".")[-1]]
            a = cross([0, 0, lateral / speed], body["velocity"])
            needed = [x + m * y for x, y in zip(needed, a)]
            mass += m
        needed[2] += mass * G
        for have, want in zip(force, needed):
            self.assertAlmostEqual(have, want, delta=1e-9 * mass * G)
        found = point["steady"]["prescribed"][0]["value"]
        self.assertAlmostEqual(found, speed, delta=1e-11 * speed)

    def test_straight_on_and_in_turns(self):
        """To 0.98 of the limit, which is near 7.4 m/s^2."""
        for speed, lateral in ((5, 0), (60, 0), (20, 5.0), (20, 7.2), (20, 1.0), (30, 5.0), (40, 6.5))[:None if EFFORT > 1 else 4]:
            with self.subTest(speed=speed, lateral=lateral):
                self.check_balance(self.point(speed=float(speed), lateral=float(lateral)), speed, lateral)

    def test_it_brakes_and_accelerates(self):
        """Without air its wheels keep their slips: s'/s = a/v, and the tyres give m a. The heading is open, so what is prescribed is
        the acceleration along the chassis, which may be pitched: |a| is that over its cosine. Small ones last for minutes, in which
        the height may not change: there is none across."""
        text = CAR.read_text("utf-8").replace("-0.42*VX", "0*VX").replace("  turn_rate: lateral/speed", "  turn_rate: 0\n  accelerated: true")
        text = text.replace("value: speed, unit: m/s}", "value: speed, unit: m/s}\n    a: {expression: 'ACCX(chassis, ground, chassis)', value: acc, unit: m/s^2}")
        text = text.replace("lateral: 0 ", "acc: 0\n  lateral: 0 ").replace('{drive: "0"}', "{drive: drive}").replace("wishbone.yaml", f"{CAR.parent}/wishbone.yaml")
        with tempfile.TemporaryDirectory() as folder:
            file = pathlib.Path(folder) / "car.yaml"
            file.write_text(text.replace(f"{CAR.parent}/", ""), "utf-8")
            (file.parent / "wishbone.yaml").write_bytes((CAR.parent / "wishbone.yaml").read_bytes())
            every = itertools.product((5.0, 10.0, 20.0, 30.0, 40.0, 50.0, 60.0),
                                      (-5.0, -3.0, -2.943, -1.0, -0.3, -0.1, -0.05, 0.05, 0.1, 0.3, 1.0, 2.943, 3.0, 5.0))
            for speed, acc in every if EFFORT > 1 else ((20.0, -2.943), (40.0, 2.943), (20.0, 0.3), (60.0, -0.05), (5.0, 0.05)):
                done = subprocess.run([ROUTH, "equilibrium", file, "--json", "--set", f"acc={acc}", "--set", f"speed={speed}"],
                                      capture_output=True, text=True, check=False)
                self.assertEqual(done.returncode, 0, done.stderr)
                point = json.loads(done.stdout)
                self.assertLess(point["residual"], 1e-12)
                self.assertLess(point["steady"]["drift"], 1e-10)
                a = point["steady"]["frame_acceleration"]
                self.assertLess(abs(a[2]), 1e-15 * G)
                chassis = next(b for b in point["bodies"] if b["name"] == "chassis")
                ahead = chassis["orientation"][0::3]  # the first column
                self.assertAlmostEqual(sum(x * y for x, y in zip(a, ahead)), acc, delta=1e-12 * G)
                size = math.copysign(math.hypot(*a), acc)
                for spin in point["steady"]["spins"]:
                    self.assertAlmostEqual(spin["acceleration"] / spin["rate"], size / speed, delta=1e-8 * abs(acc / speed))
                mass = sum(MASSES[b["name"].split(".")[-1]] for b in point["bodies"])
                for k in range(2):
                    pull = sum(load["force"][k] for load in point["loads"] if load["name"].endswith(".tyre"))
                    self.assertAlmostEqual(pull, mass * a[k], delta=1e-8 * mass * G)

    def test_a_turn_to_the_right_is_the_image_of_one_to_the_left(self):
        left, right = self.point(lateral=4.0), self.point(lateral=-4.0)
        for a, b, sign in zip(left["steady"]["found"], right["steady"]["found"], (-1, 1)):
            self.assertAlmostEqual(a["value"], sign * b["value"], delta=1e-10 * abs(a["value"]))
        spins = [{x["body"]: x["rate"] for x in p["steady"]["spins"]} for p in (left, right)]
        for axle in ("front", "rear"):
            self.assertAlmostEqual(spins[0][axle + "_left.wheel"], spins[1][axle + "_right.wheel"], delta=1e-9)

    def test_beyond_the_limit_the_way_ends(self):
        """At 8 m/s^2 tyres cannot hold the car; the message says where motions end, and no other cause."""
        for lateral, way in (("8", "92."), ("7.6", "97."), ("7.5", "98."))[:None if EFFORT > 1 else 0]:
            command = [ROUTH, "equilibrium", CAR, "--set", f"lateral={lateral}"]
            done = subprocess.run(command, capture_output=True, text=True, check=False)
            self.assertEqual(done.returncode, 1)
            self.assertIn(f"the motion ends after {way}", done.stderr)
            self.assertNotIn("instant", done.stderr)

    def test_a_sweep_finds_what_each_run_finds(self):
        sweep = self.run_it("sweep", "--over", "speed=10:40:7", "--solve", "none")
        points = [p for p in sweep["lines"][0]["points"] if p["on_grid"]]
        self.assertEqual([p["value"] for p in points], [10, 15, 20, 25, 30, 35, 40])
        for p in points[1::3]:
            alone = self.run_it("modes", "--set", f"speed={p['value']!r}")
            left = [complex(*m["eigenvalue"]) for m in alone["modes"]]
            left += [x.conjugate() for x in left if x.imag]
            for e in p["eigenvalues"]:
                z = complex(*e["eigenvalue"])
                nearest = min(left, key=lambda x: abs(x - z))
                self.assertLess(abs(nearest - z), 1e-8 * max(1, abs(z)), p["value"])

    def test_the_states_are_those_of_a_car(self):
        """14 degrees of freedom: six of the chassis, four of the suspension, four wheels; a slip state each."""
        point = self.point()
        self.assertEqual(point["degrees_of_freedom"], 14)
        self.assertEqual(sum(s["kind"] == "state" for s in point["signals"]), 4)
        rolling = point["steady"]["spins"][0]["rate"] * 0.31
        self.assertTrue(math.isclose(rolling, 20, rel_tol=0.01), rolling)


if __name__ == "__main__":
    unittest.main()
