"""routh modes --blades: what is no steady motion of a rotor, whether or not it shows where the search begins, and what couples
modes without moving one alone, is refused; blades that no hub carries; and frequencies that blades see."""
import json
import math
import os
import pathlib
import subprocess
import tempfile
import unittest

ROUTH = os.environ["ROUTH"]


def rotor(N=3, rate="10", hub="1, 1, 1.5", loads=(), drive="rate*time"):
    """A hub with N flapping blades in a nacelle that springs hold about two axes, alike."""
    bodies = ["  nacelle: {mass: 1, inertia: [1, 1, 1]}",
              f"  hub: {{mass: 1, inertia: [{hub}], angular_velocity: [0, 0, rate]}}"]
    joints = ["  ball: {type: spherical, between: [nacelle, ground], at: [0, 0, 0]}",
              "  bearing: {type: revolute, between: [hub, nacelle], at: [0, 0, 0], axis: z}",
              f"  drive: {{type: motion, joint: bearing, function: \"{drive}\"}}"]
    springs = ["  mount: {type: bushing, between: [nacelle, ground], rotation: {stiffness: [300, 300, 1e4]}}", *loads]
    for k in range(N):
        c, s = math.cos(2 * math.pi * k / N), math.sin(2 * math.pi * k / N)
        at = f"at: [{0.1 * c:.17g}, {0.1 * s:.17g}, 0], axis: [{-s:.17g}, {c:.17g}, 0]"
        bodies.append(f"  b{k}: {{mass: 0.5, inertia: [0.1, 0.1, 0.1], position: [{c:.17g}, {s:.17g}, 0], "
                      f"angular_velocity: [0, 0, rate], velocity: [{-s:.17g}*rate, {c:.17g}*rate, 0]}}")
        joints.append(f"  h{k}: {{type: revolute, between: [b{k}, hub], {at}}}")
        springs.append(f"  s{k}: {{type: torsion_spring, between: [b{k}, hub], {at}, stiffness: 100}}")
    return "\n".join(["gravity: [0, 0, 0]", f"parameters: {{rate: {rate}}}", "bodies:", *bodies, "joints:", *joints, "loads:",
                      *springs, "operating_point: {type: given}", ""])


class Motion(unittest.TestCase):
    def run_modes(self, text, *arguments):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "model.yaml"
            path.write_text(text)
            return subprocess.run([ROUTH, "modes", str(path), *arguments, "--json"], capture_output=True, text=True, check=False)

    def blades(self, text, N=3):
        return self.run_modes(text, "--blades", ",".join(f"b{k}" for k in range(N)))

    def refused(self, done, *words):
        self.assertNotEqual(done.returncode, 0, done.stdout[-500:])
        for word in words:
            self.assertIn(word, done.stderr)

    def test_a_hub_that_differs_in_two_directions_couples_modes_though_it_moves_none_alone(self):
        """At a critical speed, where the hub sees the springs' mode at rest, two unlike moments of inertia make it grow by a part
        of the speed that is in proportion to their difference; in multi-blade coordinates eigenvalues change by its square."""
        text = rotor(rate="11.1954023", hub="2.5, 2.50025, 0.6")
        seen = self.run_modes(text, "--reference", "hub")
        growth = max(x[0] for x in json.loads(seen.stdout)["eigenvalues"])
        self.assertGreater(growth, 1e-4)
        self.refused(self.blades(text), "changes with the azimuth", "floquet")
        self.assertEqual(self.blades(rotor(rate="11.1954023", hub="2.5, 2.5, 0.6")).returncode, 0)

    def test_loads_by_time_are_refused_also_where_they_begin_at_zero(self):
        for on, direction in (("nacelle", '["50*{}", 0, 0]'), ("hub", '["50*{}", 0, 0]')):
            for function in ("sin(7*time)", "cos(7*time)"):
                load = f"  push: {{type: torque, on: {on}, components: {direction.format(function)}}}"
                self.refused(self.blades(rotor(loads=[load])), "after a rotation by", "loads by time", "floquet")
        self.assertEqual(self.blades(rotor(loads=["  push: {type: torque, on: nacelle, components: [50, 0, 0]}"])).returncode, 0)

    def test_a_drive_whose_speed_changes_is_refused_by_that(self):
        for drive in ("rate*time + 0.5*time^2", "rate*time + 0.5*time^3", "rate*time + 0.01*sin(20*time)"):
            done = self.blades(rotor(drive=drive))
            self.refused(done, "floquet")
            self.assertRegex(done.stderr, "moves or accelerates against|whose speed changes")
            self.assertNotIn("error: the state", done.stderr)

    def test_a_rotor_without_a_drive_is_in_balance_at_any_azimuth(self):
        done = self.blades(rotor().replace('  drive: {type: motion, joint: bearing, function: "rate*time"}\n', ""))
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(sum(mode["rigid"] for mode in json.loads(done.stdout)["modes"]), 2)

    def test_states_of_controllers_are_named_where_they_are_the_cause(self):
        def text(name, rate):
            states = "".join(f"  {name.format(k)}: {{type: differential, rate: \"{rate.format(k)}\", initial: 0}}\n" for k in range(3))
            pushes = [f"  act{k}: {{type: force, on: b{k}, components: [0, 0, {name.format(k)}]}}" for k in range(3)]
            return rotor(loads=pushes) + "controllers:\n" + states

        self.assertEqual(self.blades(text("b{}_lag", "DZ(b{0}, hub, hub) - 9*b{0}_lag")).returncode, 0)
        self.refused(self.blades(text("lag{}", "DZ(b{0}, hub, hub) - 9*lag{0}")), "known by its name", "b0_lag")
        self.refused(self.blades(text("b{}_way", "1")), "the controller's state b")

    def test_blades_that_their_support_carries_without_a_hub_have_their_own_speed(self):
        """One rigid rotor: I w^2 -+ Iz W w - k = 0 of both axes."""
        text = rotor()
        for line in text.splitlines():
            if line.startswith(("  hub:", "  s0", "  s1", "  s2", "  h0", "  h1", "  h2")):
                text = text.replace(line + "\n", "")
        text = text.replace("[hub, nacelle]", "[b0, nacelle]").replace(
            "joints:\n", "joints:\n" + "".join(f"  h{k}: {{type: fixed, between: [b{k}, b0], at: [0, 0, 0]}}\n" for k in (1, 2)))
        done = self.blades(text)
        self.assertEqual(done.returncode, 0, done.stderr)
        answer = json.loads(done.stdout)
        self.assertAlmostEqual(answer["rotor"]["speed"], 10, places=12)
        spin, I = 10 * 1.8, 2.05
        expected = sorted((sign * spin + math.sqrt(spin**2 + 4 * I * 300)) / (2 * I) for sign in (1, -1))
        for x, y in zip(expected, sorted(x[1] for x in answer["eigenvalues"] if x[1] > 0)):
            self.assertAlmostEqual(x, y, places=10)
        for mode in answer["modes"]:
            if mode["blades"] == "cyclic":
                self.assertAlmostEqual(mode["rotating_frequency_hz"],
                                       abs(mode["eigenvalue"][1] + 10 * mode["blade_order"]) / (2 * math.pi), places=10)

    def test_alternating_blades_see_the_frequency_that_the_hub_sees(self):
        for N in (4, 6):
            text = rotor(N)
            hub = [abs(x[1]) / (2 * math.pi) for x in json.loads(self.run_modes(text, "--reference", "hub").stdout)["eigenvalues"]]
            modes = json.loads(self.blades(text, N).stdout)["modes"]
            self.assertIn(N // 2, [mode["blade_order"] for mode in modes])
            for mode in modes:
                self.assertLess(min(abs(x - mode["rotating_frequency_hz"]) for x in hub), 1e-9, mode)


if __name__ == "__main__":
    unittest.main()
