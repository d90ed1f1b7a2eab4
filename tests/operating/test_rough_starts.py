"""Searches for operating points from rough starts: positions, velocities and signals of the point that is known are off by 20 %, each body
by itself, and orientations by up to 0.2 rad. 99.5 % of them arrive, at what is in balance."""
import json
import math
import os
import pathlib
import random
import re
import subprocess
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / "support"))
from model_case import ROUTH, ModelCase  # noqa: E402

FULL = float(os.environ.get("ROUTH_TEST_EFFORT", "1")) > 1
EXAMPLES = pathlib.Path(os.environ["ROUTH_SOURCE"]) / "examples"
CAR, MOUNT, LARGE = "car/driving.yaml", "massless/rubber-mount.yaml", "atv/atv.yaml"
FEW = ("four-bar", "spatial-four-bar", "engine-mount", "conical-pendulum", "steady-turn", "disc-on-circle", "lagging-actuator",
       "pendulum-chain", "governor")
# Three wheels on magic-formula tyres, the front one steered, in a turn.
CURVES = ("radius: r, stiffness: 60e3, damping: 300, relaxation_length: 0.3, lateral: {stiffness_coefficient: 15, peak_load: 3000, "
          "friction: 0.9, shape: 1.4, curvature: -0.5, trail: 0.02}, longitudinal: {stiffness_coefficient: 18, friction: 1.0, shape: 1.6, "
          "curvature: 0.2}")
TRIKE = """parameters: {speed: 15, lateral: 3, r: 0.3}
gravity: [0, 0, -9.81]
inputs:
  steer: {value: 0, unit: rad}
  drive: {value: 0, unit: N m}
bodies:
  frame: {mass: 300, inertia: [40, 90, 110], position: [0, 0, 0.5], velocity: [speed, 0, 0]}
  fork: {mass: 12, inertia: [0.4, 0.4, 0.3], position: [1, 0, 0.3], velocity: [speed, 0, 0]}
  fw: {mass: 10, inertia: [0.3, 0.5, 0.3], position: [1, 0, 0.3], velocity: [speed, 0, 0], angular_velocity: [0, speed/r, 0]}
  lw: {mass: 10, inertia: [0.3, 0.5, 0.3], position: [-0.8, 0.6, 0.3], velocity: [speed, 0, 0], angular_velocity: [0, speed/r, 0]}
  rw: {mass: 10, inertia: [0.3, 0.5, 0.3], position: [-0.8, -0.6, 0.3], velocity: [speed, 0, 0], angular_velocity: [0, speed/r, 0]}
markers:
  fh: {body: fw, at: [1, 0, 0.3], orientation: {axis: [1, 0, 0], angle: -90 deg}}
  lh: {body: lw, at: [-0.8, 0.6, 0.3], orientation: {axis: [1, 0, 0], angle: -90 deg}}
  rh: {body: rw, at: [-0.8, -0.6, 0.3], orientation: {axis: [1, 0, 0], angle: -90 deg}}
joints:
  head: {type: revolute, between: [fork, frame], at: [1, 0, 0.3], axis: z}
  turn: {type: motion, joint: head, function: steer}
  fa: {type: revolute, between: [fw, fork], at: [1, 0, 0.3], axis: y}
  la: {type: revolute, between: [lw, frame], at: [-0.8, 0.6, 0.3], axis: y}
  ra: {type: revolute, between: [rw, frame], at: [-0.8, -0.6, 0.3], axis: y}
loads:
  el: {type: torque, on: lw, resolved_in: frame, reaction_on: frame, components: [0, drive, 0]}
  er: {type: torque, on: rw, resolved_in: frame, reaction_on: frame, components: [0, drive, 0]}
  air: {type: force, on: frame, resolved_in: frame, components: ["-0.3*VX(frame, ground, frame)*VM(frame)", 0, 0]}
  tf: {type: magic_formula_tyre, between: [fh, ground], CURVES}
  tl: {type: magic_formula_tyre, between: [lh, ground], CURVES}
  tr: {type: magic_formula_tyre, between: [rh, ground], CURVES}
operating_point: {type: steady}
steady:
  turn_rate: lateral/speed
  prescribed:
    speed: {expression: VM(frame), value: speed, unit: m/s}
  free: [steer, drive]
  spins: {fw: y, lw: y, rw: y}
""".replace("CURVES", CURVES)
SETTLED = "by Newton's method after settling at the velocity of the start"


def product(A: list, B: list) -> list:
    return [sum(A[3 * i + k] * B[3 * k + j] for k in range(3)) for i in range(3) for j in range(3)]


def rotation(axis: list, angle: float) -> list:
    size = math.sqrt(sum(x * x for x in axis))
    x, y, z = (a / size for a in axis)
    c, s = math.cos(angle), math.sin(angle)
    return [c + x * x * (1 - c), x * y * (1 - c) - z * s, x * z * (1 - c) + y * s, y * x * (1 - c) + z * s, c + y * y * (1 - c),
            y * z * (1 - c) - x * s, z * x * (1 - c) - y * s, z * y * (1 - c) + x * s, c + z * z * (1 - c)]


def disturbed(state: dict, seed: str, size: float = 0.2, angle: float = 0.2) -> dict:
    draw = random.Random(seed)
    rough = json.loads(json.dumps(state))
    rough.pop("coordinates", None)
    for body in rough["bodies"]:
        for key in ("position", "velocity", "angular_velocity", "elastic", "elastic_rates"):
            body[key] = [x * (1 + draw.uniform(-size, size)) for x in body.get(key, [])]
        axis = [draw.gauss(0, 1) for _ in range(3)]
        body["orientation"] = product(rotation(axis, draw.uniform(-angle, angle)), body["orientation"])
        for key in ("elastic", "elastic_rates"):
            if not body[key]:
                del body[key]
    for key in ("control_states", "variables", "inputs"):
        for signal in rough.get(key, []):
            signal["value"] *= 1 + draw.uniform(-size, size)
    return rough


def searched() -> list:
    """Examples that search for their operating point."""
    names = (path.relative_to(EXAMPLES).as_posix() for path in sorted(EXAMPLES.rglob("*.yaml")))
    return [n for n in names if re.search(r"^operating_point:.*(static|steady)", (EXAMPLES / n).read_text("utf-8"), re.MULTILINE)]


class RoughStarts(ModelCase):
    def find(self, example: str, *options: str) -> tuple:
        done = subprocess.run([ROUTH, "equilibrium", EXAMPLES / example, "--json", *options], capture_output=True, text=True, check=False)
        return (json.loads(done.stdout) if done.returncode == 0 else None), done.stderr

    def known(self, example: str) -> tuple:
        point, error = self.find(example, "--save-state", self.path("known.json"))
        self.assertIsNotNone(point, error)
        return point, json.loads(pathlib.Path(self.path("known.json")).read_text("utf-8"))

    def start(self, example: str, known: dict, rough: dict) -> tuple:
        pathlib.Path(self.path("rough.json")).write_text(json.dumps(rough), "utf-8")
        return self.find(example, "--at", "steady" if "steady" in known else "static", "--from", self.path("rough.json"))

    def check(self, point: dict, message) -> None:
        self.assertLess(point["residual"], 1e-9, message)
        self.assertLess(point["constraint_error"], 1e-9, message)
        self.assertTrue(point["arrival"], message)
        for value in point.get("steady", {}).get("prescribed", []):
            self.assertAlmostEqual(value["value"], value["asked"], delta=1e-9 * max(1, abs(value["asked"])), msg=message)
        if "steady" in point:
            self.assertLess(point["steady"]["drift"], 1e-6, message)

    def from_rough_starts(self, examples, count: int) -> tuple:
        failed, tried = [], 0
        for example in examples:
            known, state = self.known(example)
            for k in range(count):
                found, error = self.start(example, known, disturbed(state, f"{example} {k}"))
                tried += 1
                if found:
                    self.check(found, (example, k))
                else:
                    failed.append((example, k, error))
        return failed, tried

    def test_they_arrive(self) -> None:
        failed, tried = self.from_rough_starts([n for n in searched() if n not in (CAR, LARGE)] if FULL else
                                               [f"{n}.yaml" for n in FEW] + [MOUNT], 70 if FULL else 2)
        if FULL:
            for example, count in ((CAR, 70), (LARGE, 24)):
                more, further = self.from_rough_starts([example], count)
                failed, tried = failed + more, tried + further
        self.assertLessEqual(len(failed), 0.005 * tried, failed)

    def check_that_wheels_come_to_roll(self, model, factors: tuple) -> None:
        known, state = self.known(model)
        spins = {spin["body"]: spin["rate"] for spin in known["steady"]["spins"]}
        state.pop("coordinates")
        for body, factor in zip([b for b in state["bodies"] if b["name"] in spins], factors):
            body["angular_velocity"] = [x * factor for x in body["angular_velocity"]]
        found, error = self.start(model, known, state)
        self.assertIsNotNone(found, error)
        self.check(found, factors)
        self.assertEqual(found["arrival"], SETTLED)
        for spin in found["steady"]["spins"]:
            self.assertAlmostEqual(spin["rate"], spins[spin["body"]], delta=1e-8 * spin["rate"])

    def test_wheels_that_slip_beyond_their_largest_force_come_to_roll(self) -> None:
        """Only spins are off: more slip gives less force there, and Newton's method leads away."""
        trike = pathlib.Path(self.write(TRIKE))
        for factors in ((1.2, 1.2, 1.2), (0.8, 1.2, 0.85), (1.2, 0.8, 0.8), (0.8, 0.8, 0.8), (1.4, 1.4, 1.4))[:5 if FULL else 2]:
            self.check_that_wheels_come_to_roll(trike, factors)
        for factors in ((1.1, 0.85, 1.2, 0.8), (0.8, 0.8, 1.15, 1.2), (1.2, 1.2, 1.2, 1.2))[:3 if FULL else 0]:
            self.check_that_wheels_come_to_roll(CAR, factors)

    def test_it_is_told_how_a_search_arrived(self) -> None:
        for example, words in (("four-bar.yaml", "by descent from the start"), ("steady-turn.yaml", "by Newton's method from the start")):
            known, _ = self.known(example)
            self.assertEqual(known["arrival"], words)
            text = subprocess.run([ROUTH, "equilibrium", EXAMPLES / example], capture_output=True, text=True, check=True).stdout
            self.assertRegex(text, rf"(?m)^search +{words}$")
        given, error = self.find("four-bar.yaml", "--at", "given")
        self.assertIsNotNone(given, error)
        self.assertNotIn("arrival", given)


if __name__ == "__main__":
    unittest.main()
