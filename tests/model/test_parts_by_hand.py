"""Parts against the same models written flat. The car is flattened here by rules of its own
field by field; random parts are mirrored by hand in the axes of the world, with right-handed frames of another choice."""
import json
import math
import os
import pathlib
import random
import subprocess
import sys
import unittest

import numpy
import yaml

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
from parts_case import PartsCase  # noqa: E402

ROUTH = os.environ["ROUTH"]
EXAMPLES = pathlib.Path(os.environ["ROUTH_SOURCE"], "examples")
EFFORT = float(os.environ.get("ROUTH_TEST_EFFORT", "1"))


def rotation(axis, angle):
    """Rodrigues' formula."""
    u = numpy.array(axis, float) / numpy.linalg.norm(axis)
    K = numpy.array([[0, -u[2], u[1]], [u[2], 0, -u[0]], [-u[1], u[0], 0]])
    return numpy.eye(3) + math.sin(angle) * K + (1 - math.cos(angle)) * K @ K


def listed(values):
    return "[" + ", ".join(repr(float(v)) for v in values) + "]"


def matrix(A):
    return "{matrix: [" + ", ".join(listed(row) for row in A) + "]}"


def transfer(d, s):
    A, B, C, D = (numpy.array(d[k], dtype=float) for k in "ABCD")
    return D + C @ numpy.linalg.solve(s * numpy.eye(len(d["states"])) - A, B)


# ---- the car ---------------------------------------------------------------------------------------------------------------


class Car(PartsCase):
    """examples/car against a flat model."""

    def corner(self, name, at, mirror, own):
        """Lines of each section; every rule is written down here, field by field."""
        c = yaml.safe_load((EXAMPLES / "car/corner.yaml").read_text(encoding="utf-8"))
        S = numpy.diag([1.0, -1.0, 1.0]) if mirror else numpy.eye(3)
        det = -1 if mirror else 1
        value = {k: own.get(k, v) for k, v in c["parameters"].items()}
        lines = {s: [] for s in ("parameters", "bodies", "markers", "joints", "inputs", "loads", "outputs")}
        point = lambda p: listed(numpy.array(at) + S @ numpy.array(p))  # noqa: E731
        whole = lambda n: n if n in ("chassis", "ground") else f"{name}_{n}"  # noqa: E731
        for k, v in value.items():
            lines["parameters"].append(f"{name}_{k}: {v}")
        for k, b in c["bodies"].items():
            i = b["inertia"] + [0, 0, 0] if len(b["inertia"]) == 3 else b["inertia"]
            I = S @ numpy.array([[i[0], i[3], i[4]], [i[3], i[1], i[5]], [i[4], i[5], i[2]]]) @ S
            six = listed([I[0, 0], I[1, 1], I[2, 2], I[0, 1], I[0, 2], I[1, 2]])
            lines["bodies"].append(f"{name}_{k}: {{mass: {b['mass']}, inertia: {six}, position: {point(b['position'])}}}")
        for k, m in c["markers"].items():
            lines["markers"].append(f"{name}_{k}: {{body: {whole(m['body'])}, at: {point(m['at'])}}}")
        for k, j in c["joints"].items():
            more = f", at: {point(j['at'])}" if "at" in j else f", length: {j['length']}"
            if "axis" in j:  # the rotation is the same as before: an axial vector
                more += f", axis: {listed(det * S @ numpy.array(j['axis']))}"
            ends = ", ".join(whole(e) for e in j["between"])
            lines["joints"].append(f"{name}_{k}: {{type: {j['type']}, between: [{ends}]{more}}}")
        lines["inputs"].append(f"{name}_road: 0")
        lines["loads"].append(f"{name}_spring: {{type: spring, between: [{name}_spring_foot, {name}_tower], stiffness: {name}_k, "
                              f"damping: {name}_c, preload: {name}_load}}")
        lines["loads"].append(f"{name}_tyre: {{type: bushing, between: [{name}_knuckle, ground], at: {point([0, -0.74, 0])}, "
                              f"translation: {{stiffness: [90e3, 120e3, 200e3], damping: 150}}, preload: [0, 0, 4300, 0, 0, 0]}}")
        lines["loads"].append(f"{name}_bump: {{type: force, on: {name}_knuckle, components: [0, 0, \"200e3*{name}_road\"]}}")
        lines["outputs"].append(f'{name}_travel: "DZ({name}_knuckle, chassis, chassis)"')
        lines["outputs"].append(f'{name}_steer: "{"-" if mirror else ""}AZ({name}_knuckle, chassis)"')
        lines["outputs"].append(f'{name}_side: "{"-" if mirror else ""}FY({name}_tyre)"')
        return lines

    def test_the_car_is_that_which_is_written_flat(self):
        text = (EXAMPLES / "car/car.yaml").read_text(encoding="utf-8")
        self.assertLessEqual(len(text.strip().split("\n")), 30)
        rear = {"k": "k_rear", "load": "7 kN"}
        sections = {}
        for name, at, mirror, own in (("front_right", [0, 0, 0], False, {}), ("front_left", [0, 0, 0], True, {}),
                                      ("rear_right", [-2.7, 0, 0], False, rear), ("rear_left", [-2.7, 0, 0], True, rear)):
            for section, lines in self.corner(name, at, mirror, own).items():
                sections.setdefault(section, []).extend(lines)
        car = yaml.safe_load(text)
        sections["parameters"].insert(0, f"k_rear: {car['parameters']['k_rear']}")
        sections["bodies"].insert(0, f"chassis: {json.dumps(car['bodies']['chassis'])}")
        sections["outputs"][:0] = ["heave: DZ(chassis)", "roll: AX(chassis)",
                                   'front_grip: "FZ(front_left_tyre) + FZ(front_right_tyre)"']
        flat = "gravity: [0, 0, -9.81]\n" + "".join(f"{s}:\n" + "".join(f"  {line}\n" for line in lines)
                                                    for s, lines in sections.items())
        flat += "operating_point: {type: static}\n"
        one = self.run_it("linearize", flat)
        done = subprocess.run([ROUTH, "linearize", str(EXAMPLES / "car/car.yaml"), "--json"], capture_output=True, text=True,
                              check=True)
        two = json.loads(done.stdout)
        for kind in ("states", "inputs", "outputs"):
            self.assertEqual([n.replace("_", "") for n in one[kind]], [n.replace(".", "", 1).replace("_", "")
                             if n.split(".")[0] in ("front_left", "front_right", "rear_left", "rear_right")
                             else n.replace("_", "") for n in two[kind]])
        for key in ("mass", "damping", "stiffness", "A", "B", "C", "D"):
            self.assert_near(two[key], one[key], 1e-13, key)
        left, right = (sorted(numpy.linalg.eigvals(numpy.array(d["A"])), key=lambda z: (round(z.real, 6), z.imag))
                       for d in (one, two))
        self.assertLess(numpy.abs(numpy.array(left) - numpy.array(right)).max(), 1e-11 * numpy.abs(left).max())

    def test_parameters_of_parts_are_set_and_differentiated(self):
        car = str(EXAMPLES / "car/car.yaml")
        done = subprocess.run([ROUTH, "sensitivity", car, "--json", "-q"], capture_output=True, text=True, check=True)
        found = json.loads(done.stdout)
        self.assertIn("front_left.k", json.dumps(found))
        a = self.frequencies(car)
        b = self.frequencies(car, "--set", "front_left.k=2*k_rear")
        c = self.frequencies(car, "--set", "front_right.k=140e3")
        self.assertGreater(numpy.abs(a - b).max(), 0.05)
        self.assertLess(numpy.abs(b - c).max(), 1e-9)  # the one side as the other

    def frequencies(self, path, *options):
        done = subprocess.run([ROUTH, "modes", path, "--json", "-q", *options], capture_output=True, text=True, check=True)
        return numpy.array([m["undamped_frequency_hz"] for m in json.loads(done.stdout)["modes"]], float)


# ---- random parts ----------------------------------------------------------------------------------------------------------


class Hand:
    """The numbers of a random part, written as a part file and, reflected and placed by Q and p, in the world."""

    JOINTS = ("revolute", "translational", "cylindrical", "screw", "spherical", "universal", "planar")

    def __init__(self, seed):
        r = self.random = random.Random(seed)
        v = lambda n=3, s=1.0: numpy.array([r.uniform(-s, s) for _ in range(n)])  # noqa: E731
        self.bodies = []
        for _ in range(3):
            B = v(9).reshape(3, 3)
            second = B @ B.T + 0.3 * numpy.eye(3)  # second moments: a tensor of inertia that a body may have
            self.bodies.append({"mass": r.uniform(0.5, 2), "inertia": numpy.trace(second) * numpy.eye(3) - second,
                                "position": v(), "axes": rotation(v(), r.uniform(-3, 3))})
        self.joint = {"type": r.choice(self.JOINTS), "at": v(), "axis": v(), "pitch": r.uniform(0.1, 0.5),
                      "named": r.choice(["x", "y", "z", "-x", "-y", "-z", None])}
        if self.joint["named"]:
            e = numpy.eye(3)["xyz".index(self.joint["named"][-1])]
            self.joint["axis"] = -e if self.joint["named"][0] == "-" else e
        self.coupled = {"at": v(), "turn": v(), "slide": v(), "ratio": r.uniform(0.3, 2)}
        K = v(36).reshape(6, 6)
        self.bushing = {"at": v(), "K": 20 * (K @ K.T + numpy.eye(6)), "place": v(), "axes": rotation(v(), r.uniform(-3, 3))}
        self.torsion = {"axis": v(), "k": r.uniform(1, 9), "at": v()}
        self.mirror = r.choice(["x", "y", "z", None])
        self.R, self.p = rotation(v(), r.uniform(-3, 3)), v()
        self.spring = {"foot": v(), "k": r.uniform(10, 50)}

    def six(self, I):
        return listed([I[0, 0], I[1, 1], I[2, 2], I[0, 1], I[0, 2], I[1, 2]])

    def part(self):
        """As a part file: in its own frame, right-handed, as it was drawn."""
        j, c, b, t = self.joint, self.coupled, self.bushing, self.torsion
        text = "bodies:\n"
        for k, body in enumerate(self.bodies):
            text += (f"  b{k}: {{mass: {body['mass']!r}, inertia: {self.six(body['inertia'])}, position: {listed(body['position'])}, "
                     f"orientation: {matrix(body['axes'])}}}\n")
        text += (f"markers:\n  base: {{body: ground, position: {listed(b['place'])}, orientation: {matrix(b['axes'])}}}\n"
                 f"  foot: {{body: b2, position: {listed(self.spring['foot'])}}}\n")
        axis = j["named"] or listed(j["axis"])
        more = ("" if j["type"] == "spherical" else f", axis: {axis}") + (f", pitch: {j['pitch']!r}" if j["type"] == "screw" else "")
        text += (f"joints:\n  j: {{type: {j['type']}, between: [b0, b1], at: {listed(j['at'])}{more}}}\n"
                 f"  turn: {{type: revolute, between: [b1, ground], at: {listed(c['at'])}, axis: {listed(c['turn'])}}}\n"
                 f"  slide: {{type: translational, between: [b2, ground], at: {listed(c['at'])}, axis: {listed(c['slide'])}}}\n"
                 f"  link: {{type: coupler, joints: [turn, slide], ratios: [{c['ratio']!r}, 1]}}\n")
        text += f"loads:\n  k: {{type: spring, between: [foot, base], stiffness: {self.spring['k']!r}}}\n"
        text += (f"  bush: {{type: bushing, between: [b0, ground], at: {listed(b['at'])}, "
                 f"stiffness: [{', '.join(listed(row) for row in b['K'])}]}}\n"
                 f"  twist: {{type: torsion_spring, between: [b1, ground], at: {listed(t['at'])}, axis: {listed(t['axis'])}, "
                 f"stiffness: {t['k']!r}, torque: \"u3\"}}\n"
                 f"  push: {{type: force, on: b0, components: [u1, u2, \"u1 - 2*u2\"]}}\n"
                 f"  turnb: {{type: torque, on: b0, components: [u2, u1, u2], resolved_in: b0}}\n"
                 "inputs: {u1: 0, u2: 0, u3: 0}\n"
                 'outputs: {o1: "DX(b0)", o2: "DY(b0, base, base)", o3: "WX(b0)", o4: "VZ(b2, b0, base)", '
                 'o5: "DM(b0, b2)", o6: "WY(b1, b0, base)", o7: "DZ(b0)"}\n')
        return text

    def used(self):
        return f"{{file: FILE, at: {listed(self.p)}, orientation: {matrix(self.R)}" + (f", mirror: {self.mirror}}}" if self.mirror else "}")

    def flat(self, n):
        """In the world: bodies with axes along the world's, frames of joints made from axes alone."""
        S = numpy.eye(3)
        if self.mirror:
            S["xyz".index(self.mirror), "xyz".index(self.mirror)] = -1
        Q, det = self.R @ S, round(numpy.linalg.det(S))
        at = lambda x: self.p + Q @ x  # noqa: E731
        j, c, b, t = self.joint, self.coupled, self.bushing, self.torsion
        s = {k: "" for k in ("bodies", "markers", "joints", "loads", "inputs", "outputs")}
        for k, body in enumerate(self.bodies):
            A = Q @ body["axes"]
            s["bodies"] += (f"  q{n}b{k}: {{mass: {body['mass']!r}, inertia: {self.six(A @ body['inertia'] @ A.T)}, "
                            f"position: {listed(at(body['position']))}}}\n")
        foot = Q @ self.bodies[2]["axes"] @ self.spring["foot"]
        # a right-handed frame for the base's axes, which are those of the columns but for a sign of the last
        base = Q @ b["axes"] @ numpy.diag([1, 1, det])
        own = Q @ numpy.diag([1, 1, det])
        s["markers"] += (f"  q{n}base: {{body: ground, position: {listed(at(b['place']))}, orientation: {matrix(base)}}}\n"
                         f"  q{n}own: {{body: ground, position: {listed(self.p)}, orientation: {matrix(own)}}}\n"
                         f"  q{n}foot: {{body: q{n}b2, position: {listed(foot)}}}\n"
                         f"  q{n}body: {{body: q{n}b0, orientation: {matrix(Q @ self.bodies[0]['axes'] @ numpy.diag([1, 1, det]))}}}\n")
        # the cross of a universal joint: along the x that the part's own axis has by the rule, and across
        a = j["axis"] / numpy.linalg.norm(j["axis"])
        if j["named"]:
            x = numpy.eye(3)[("xyz".index(j["named"][-1]) + 1) % 3]
        else:
            x = numpy.eye(3)[int(numpy.argmin(numpy.abs(a)))]
        z, x = Q @ a, Q @ (x - (x @ a) * a)
        for k in (0, 1):
            place = at(j["at"]) - at(self.bodies[k]["position"])
            s["markers"] += f"  q{n}j{k}: {{body: q{n}b{k}, position: {listed(place)}, orientation: {{z: {listed(z)}, x: {listed(x)}}}}}\n"
        more = f", pitch: {det * j['pitch']!r}" if j["type"] == "screw" else ""
        s["joints"] += (f"  q{n}j: {{type: {j['type']}, between: [q{n}j0, q{n}j1]{more}}}\n"
                        f"  q{n}turn: {{type: revolute, between: [q{n}b1, ground], at: {listed(at(c['at']))}, axis: {listed(Q @ c['turn'])}}}\n"
                        f"  q{n}slide: {{type: translational, between: [q{n}b2, ground], at: {listed(at(c['at']))}, axis: {listed(Q @ c['slide'])}}}\n"
                        f"  q{n}link: {{type: coupler, joints: [q{n}turn, q{n}slide], ratios: [{det * c['ratio']!r}, 1]}}\n")
        W = numpy.zeros((6, 6))  # wrenches of the part, force and torque, in the world's axes
        W[:3, :3], W[3:, 3:] = Q, det * Q
        K = W @ b["K"] @ W.T
        f1, f2 = Q @ [1, 0, 1], Q @ [0, 1, -2]
        A = det * Q @ self.bodies[0]["axes"]
        m1, m2 = A @ [0, 1, 0], A @ [1, 0, 1]
        axis = det * Q @ t["axis"]
        s["loads"] += (f"  q{n}k: {{type: spring, between: [q{n}foot, q{n}base], stiffness: {self.spring['k']!r}}}\n"
                       f"  q{n}bush: {{type: bushing, between: [q{n}b0, ground], at: {listed(at(b['at']))}, "
                       f"stiffness: [{', '.join(listed(row) for row in K)}]}}\n"
                       f"  q{n}twist: {{type: torsion_spring, between: [q{n}b1, ground], at: {listed(at(t['at']))}, axis: {listed(axis)}, "
                       f"stiffness: {t['k']!r}, torque: q{n}u3}}\n"
                       f"  q{n}push: {{type: force, on: q{n}b0, components: ["
                       + ", ".join(f'"{float(f1[k])!r}*q{n}u1 + ({float(f2[k])!r})*q{n}u2"' for k in range(3)) + "]}\n"
                       f"  q{n}turnb: {{type: torque, on: q{n}b0, resolved_in: q{n}b0, components: ["
                       + ", ".join(f'"{float(m1[k])!r}*q{n}u1 + ({float(m2[k])!r})*q{n}u2"' for k in range(3)) + "]}\n")
        s["inputs"] += f"  q{n}u1: 0\n  q{n}u2: 0\n  q{n}u3: 0\n"
        s["outputs"] += (f'  q{n}o1: "DX(q{n}b0, q{n}own, q{n}own)"\n  q{n}o2: "DY(q{n}b0, q{n}base, q{n}base)"\n'
                         f'  q{n}o3: "{det}*WX(q{n}b0, ground, q{n}own)"\n  q{n}o4: "{det}*VZ(q{n}b2, q{n}b0, q{n}base)"\n'
                         f'  q{n}o5: "DM(q{n}b0, q{n}b2)"\n  q{n}o6: "{det}*WY(q{n}b1, q{n}b0, q{n}base)"\n'
                         f'  q{n}o7: "{det}*DZ(q{n}b0, q{n}own, q{n}own)"\n')
        return s


class ByHand(PartsCase):
    def compare(self, seeds):
        used, flat = "parts:\n", {}
        hands = [Hand(seed) for seed in seeds]
        for n, hand in enumerate(hands):
            self.file(f"q{n}.yaml", hand.part())
            used += f"  q{n}: {hand.used()}\n".replace("FILE", f"q{n}.yaml")
            for section, text in hand.flat(n).items():
                flat[section] = flat.get(section, "") + text
        one = self.run_it("linearize", "".join(f"{s}:\n{text}" for s, text in flat.items()), "--threads", "1")
        two = self.run_it("linearize", used, "--threads", "1")
        names = [n.replace(".", "") for n in two["outputs"]]
        order = [names.index(n) for n in one["outputs"]]
        self.assertEqual([n.replace(".", "") for n in two["inputs"]], one["inputs"])
        values = numpy.array(two["output_values"])[order]
        self.assert_near(values, one["output_values"], 1e-12, str(list(seeds)))
        self.assertTrue(one["at_rest"] and two["at_rest"])
        for s in (1 + 2j, 3 - 7j, 20 + 1j):
            g, h = transfer(one, s), transfer(two, s)[order]
            wrong = numpy.argwhere(numpy.abs(g - h) > 1e-9 * numpy.abs(g).max())
            of = {(hands[o // 7].joint["type"], hands[o // 7].mirror, one["outputs"][o], one["inputs"][i]) for o, i in wrong}
            self.assertEqual(of, set(), list(seeds))
            A, B = (numpy.array(d["A"]) for d in (one, two))
            trace = [numpy.trace(numpy.linalg.inv(s * numpy.eye(len(A)) - A)) for A in (A, B)]
            self.assertLess(abs(trace[0] - trace[1]), 1e-9 * abs(trace[0]))

    def test_random_parts_are_those_mirrored_by_hand(self):
        n = 500 if EFFORT > 1 else 24
        for start in range(0, n, 4):
            self.compare(range(start, min(start + 4, n)))


if __name__ == "__main__":
    unittest.main()
