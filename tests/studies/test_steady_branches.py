"""Sweeps of steady motions: each value is its own single run."""
import json
import math
import os
import pathlib
import subprocess
import tempfile
import unittest

ROUTH = os.environ["ROUTH"]
EXAMPLES = pathlib.Path(os.environ["ROUTH_SOURCE"]) / "examples"


def run_it(*arguments):
    done = subprocess.run([ROUTH, *map(str, arguments), "--json"], capture_output=True, text=True, check=False)
    if done.returncode:
        raise AssertionError(done.stderr)
    return json.loads(done.stdout)


def sweep(model, axis, *options):
    found = run_it("sweep", EXAMPLES / model, "--over", axis, *options)["lines"][0]
    return [p for p in found["points"] if p["on_grid"]], found["events"]


def ordered(values):
    return sorted(values, key=lambda x: (round(abs(x), 6), round(x.imag, 6)))

# A slider on an arm that rotates, whose centrifugal force a force takes away, in a gap of 2 g: pressed on an end of it by 1 - g, and free
# in it from g = 1 on.
GAP = """
parameters: {g: 0}
bodies:
  hub: {mass: 1, inertia: [1, 1, 1]}
  slider: {mass: 1, inertia: [1, 1, 1], position: [1, 0, 0]}
joints:
  axle: {type: revolute, between: [hub, ground], at: [0, 0, 0], axis: z}
  arm: {type: translational, between: [slider, hub], at: [0, 0, 0], axis: x}
variables: {r: "DX(slider, hub, hub)"}
loads:
  stops:
    type: force
    on: slider
    resolved_in: hub
    components: ["-100*(max(r - 1 - g, 0) + min(r - 1 + g, 0)) - WZ(hub)^2*r + max(1 - g, 0)", 0, 0]
operating_point: {type: steady}
steady: {turn_rate: 2}
"""

ARM = """
parameters: {{p: 0}}
bodies:
  hub: {{mass: 1, inertia: [1, 1, 1]}}
  slider: {{mass: 2, inertia: [0.01, 0.01, 0.01]}}
joints:
  axle: {{type: revolute, between: [hub, ground], at: [0, 0, 0], axis: z}}
  arm: {{type: translational, between: [slider, hub], at: [0, 0, 0], axis: x}}
loads:
  k: {{type: bushing, between: [slider, hub], at: [0, 0, 0], translation: {{stiffness: ["(p-1)^{power}+8", 0, 0], damping: [0.3, 0, 0]}}}}
operating_point: {{type: steady}}
steady: {{turn_rate: 2}}
"""


class SteadyBranches(unittest.TestCase):
    def compare(self, point, model, parameter, bound, *options):
        """One value of a sweep against a run of its own, which begins as written."""
        own = run_it("modes", EXAMPLES / model, "--set", f"{parameter}={point['value']!r}", *options)
        here = ordered([complex(*e["eigenvalue"]) for e in point["eigenvalues"]])
        there = ordered([complex(*m["eigenvalue"]) for m in own["modes"]])
        self.assertEqual(len(here), len(there))
        largest = max(map(abs, there))
        for x, y in zip(here, there):
            self.assertLess(abs(x - y), bound * largest, (point["value"], x, y))

    def test_rates_of_a_neighbour_whose_bodies_do_not_rotate(self):
        """The ball of the conical pendulum keeps its orientation, so its velocity alone does not say how fast the frame
        rotates. Textbook: Omega^2 = g/(l cos(theta)), nutation Omega sqrt(1 + 3 cos^2(theta))."""
        for grid in ("0.3:0.8:4", "1.4:0.1:14", "0.2:1.2:6"):
            points, events = sweep("conical-pendulum.yaml", f"theta={grid}")
            self.assertEqual(len(points), int(grid.split(":")[2]))
            self.assertEqual(events, [])
            for p in points:
                c = math.cos(p["value"])
                want = math.sqrt(9.81 / (0.5 * c) * (1 + 3 * c * c))
                found = max(complex(*e["eigenvalue"]).imag for e in p["eigenvalues"])
                self.assertAlmostEqual(found, want, delta=1e-11 * want)

    def test_a_range_in_which_the_motion_is_not_unique(self):
        """Refused there at every value, however the sweep comes to it, as by itself."""
        with tempfile.TemporaryDirectory() as folder:
            model = pathlib.Path(folder) / "gap.yaml"
            model.write_text(GAP, encoding="utf-8")
            for grid in ("0.9:1.5:4", "1.5:0.4:3"):
                points, events = sweep(model, f"g={grid}")
                for p in points:
                    if p["value"] > 1:
                        self.assertRegex(p["message"], "the steady motion is not unique")
                    else:
                        stiff = max(complex(*e["eigenvalue"]).imag for e in p["eigenvalues"])
                        self.assertAlmostEqual(stiff, 10, delta=1e-9)
                self.assertEqual({e["kind"] for e in events} - {"lost"}, set())

    def test_a_branch_that_ends_in_a_kink_is_lost_there(self):
        """Its eigenvalues say nothing of the end, and the hub rotates freely; steps from a place alone fail that are longer than a
        hundredth of what is left."""
        with tempfile.TemporaryDirectory() as folder:
            model = pathlib.Path(folder) / "gap.yaml"
            model.write_text(GAP, encoding="utf-8")
            for grid in ("0.9:1.5:4", "0.9,1.5", "0.9,1.0001", "0.5,2", "0.2:1.7:7"):
                _, events = sweep(model, f"g={grid}")
                self.assertEqual([e["kind"] for e in events], ["lost"], grid)
                self.assertLessEqual(abs(events[0]["value"] - 1), events[0]["error"], grid)
                self.assertLess(events[0]["error"], 1e-8, grid)

    def test_a_limit_of_high_order_is_no_range(self):
        """A slider on an arm whose net stiffness (p - 1)^n vanishes at one value alone."""
        with tempfile.TemporaryDirectory() as folder:
            model = pathlib.Path(folder) / "arm.yaml"
            for power, axis, limit in ((1, "0.999999,1,1.000001", 1), (1, "0.5:1.5:3", 1), (3, "0:2:3", 1), (4, "0.5:1:2", None)):
                model.write_text(ARM.format(power=power), encoding="utf-8")
                points, events = sweep(model, f"p={axis}")
                self.assertEqual([p["value"] for p in points if not p.get("eigenvalues")], [], (power, axis))
                self.assertEqual([e["kind"] for e in events], ["divergence"] * (limit is not None), (power, axis))
                for e in events:
                    self.assertLessEqual(abs(e["value"] - limit), e["error"])

    def test_a_balance_to_rounding_is_no_warning(self):
        for theta in (0.3, 0.5236, 1.2):
            found = run_it("modes", EXAMPLES / "conical-pendulum.yaml", "--set", f"theta={theta}")
            self.assertLess(found["residual"], 1e-14)
            self.assertEqual(found["warnings"], [])

    def test_a_car_in_a_turn_is_the_same_along_a_sweep_and_by_itself(self):
        """A place and a heading are open: a pair +-i Omega, whatever the speed."""
        points, events = sweep("car/driving.yaml", "speed=18:30:4", "--set", "lateral=4")
        self.assertFalse([e for e in events if e["kind"] != "ambiguous"])
        for p in points[::3]:
            pair = min((complex(*e["eigenvalue"]) for e in p["eigenvalues"]), key=lambda x, p=p: abs(x - 4j / p["value"]))
            self.assertLess(abs(pair - 4j / p["value"]), 1e-9)
            self.compare(p, "car/driving.yaml", "speed", 1e-10, "--set", "lateral=4")

    def test_forwards_and_backwards_are_the_same(self):
        there, _ = sweep("steady-turn.yaml", "v=10:40:7")
        back, _ = sweep("steady-turn.yaml", "v=40:10:7")
        for p, q in zip(there, reversed(back)):
            x, y = (ordered([complex(*e["eigenvalue"]) for e in z["eigenvalues"]]) for z in (p, q))
            self.assertLess(max(abs(a - b) for a, b in zip(x, y)), 1e-9 * max(map(abs, x)))


if __name__ == "__main__":
    unittest.main()
