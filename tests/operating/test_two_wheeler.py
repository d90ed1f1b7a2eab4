"""Steady turns of a bicycle, hands off, and their eigenvalues, against a derivation of its own in numpy.

The derivation uses the frame that yaws with the bicycle: heading x, vertical z. Positions are lean, pitch, steering
angle and height of the rear hub; speeds are those of the rear hub along the three axes, the rates of yaw, lean, pitch
and steering, and the two spins. Forces and moments of four rigid bodies (Newton-Euler) are projected on these nine
speeds. The ground acts on the points of the wheels that touch it. The first derivatives are taken by complex steps.
"""
import json
import math
import os
import pathlib
import re
import sys
import unittest

import numpy

sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / "support"))
from model_case import ModelCase  # noqa: E402

FULL = float(os.environ.get("ROUTH_TEST_EFFORT", "1")) > 1
EXAMPLE = (pathlib.Path(os.environ["ROUTH_SOURCE"]) / "examples" / "bicycle.yaml").read_text(encoding="utf-8")
STEADY = """operating_point: {type: steady}
steady:
  prescribed:
    steering: {expression: "AZ(stem, tube_end)", value: delta, unit: rad}
  spins: {rear_wheel: {axis: y}, front_wheel: {axis: y}}
"""
TURN = EXAMPLE[:EXAMPLE.index("operating_point:")].replace("parameters:\n", "parameters:\n  delta: 0.1\n") + STEADY
BODIES = ("rear_wheel", "frame", "fork", "front_wheel")
DEGREES = (1, 5, 10, 20, 30, 45, 60, 70)
SPEEDS = (0.5, 1, 1.5, 2, 2.5, 3, 3.5, 4, 5, 6, 7, 8)
EX, EY, EZ = numpy.eye(3)


def skew(a: numpy.ndarray) -> numpy.ndarray:
    return numpy.array([[0, -a[2], a[1]], [a[2], 0, -a[0]], [-a[1], a[0], 0]])


def turned(axis: numpy.ndarray, angle: complex) -> numpy.ndarray:
    """The rotation about a unit vector, by Rodrigues' formula."""
    S = skew(axis)
    return numpy.eye(3) + numpy.sin(angle) * S + (1 - numpy.cos(angle)) * S @ S


def slopes(function, x: numpy.ndarray) -> numpy.ndarray:
    """The Jacobian matrix by complex steps: exact to rounding."""
    return numpy.array([function(x + 1e-30j * e).imag / 1e-30 for e in numpy.eye(len(x))]).T


class Bicycle:
    """Four rigid bodies on two tori that roll without slip; what it shares with Routh are the example's numbers."""

    def __init__(self, text: str, **changes: float) -> None:
        known = {"tan": math.tan}

        def value(formula: str) -> float:
            return float(eval(formula.split("#")[0].replace(" deg", "*0.017453292519943295").replace("^", "**"), known))

        def values(list_: str) -> numpy.ndarray:
            return numpy.array([value(item) for item in list_.split(",")])

        section = text[text.index("\nparameters:"):text.index("\ninputs:")]
        for name, formula in re.findall(r"^  (\w+): (.*)", section, re.M):
            known[name] = changes.get(name, value(formula))
        self.rim, self.tube = known["r"], known["tube"]
        self.weight = values(re.search(r"^gravity: \[(.*)\]", text, re.M).group(1))
        self.mass, self.inertia, self.at = {}, {}, {}
        for name, mass, inertia, at in re.findall(r"^  (\w+):\n    mass: (.*)\n    inertia: \[(.*)\]\n    position: \[(.*)\]",
                                                  text[text.index("\nbodies:"):], re.M):
            xx, yy, zz, xy, xz, yz = numpy.append(values(inertia), [0, 0, 0])[:6]
            self.mass[name], self.at[name] = value(mass), values(at)
            self.inertia[name] = numpy.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])
        self.pivot = values(re.search(r"  stem: .* at: \[(.*?)\]", text).group(1))
        self.pillar = numpy.array([-math.sin(known["tilt"]), 0, math.cos(known["tilt"])])

    def bodies(self, q: numpy.ndarray, u: numpy.ndarray) -> dict:
        """Of each body: centre, orientation, velocities as functions of the speeds, accelerations at constant speeds."""
        lean, pitch, steering, height = q
        hub = numpy.array([0, 0, height])
        knee = turned(EX, lean) @ EY
        R = turned(EX, lean) @ turned(EY, pitch)
        axle, pillar = R @ EY, R @ self.pillar
        F = turned(pillar, steering) @ R
        front = F @ EY

        def spun(W: numpy.ndarray, alpha: numpy.ndarray, place: int, axis: numpy.ndarray) -> tuple:
            """A body that rotates about an axis of the one before it."""
            V = W.copy()
            V[:, place] = axis
            return V, alpha + u[place] * skew(W @ u) @ axis

        still = numpy.zeros((3, 9), dtype=complex)
        yaw = spun(still, numpy.zeros(3), 3, EZ)
        frame = spun(*spun(*yaw, 4, EX), 5, knee)
        fork = spun(*frame, 6, pillar)
        rear_wheel, front_wheel = spun(*frame, 7, axle), spun(*fork, 8, front)

        def carried(V: numpy.ndarray, a: numpy.ndarray, rotation: tuple, arm: numpy.ndarray) -> tuple:
            """Velocity and acceleration of a second point of a body."""
            W, alpha = rotation
            omega = W @ u
            return V - skew(arm) @ W, a + skew(alpha) @ arm + skew(omega) @ skew(omega) @ arm

        V = numpy.eye(3, 9).astype(complex)
        a = skew(u[3] * EZ) @ u[:3]
        arm = R @ (self.pivot - self.at["rear_wheel"])
        head = carried(V, a, frame, arm)
        out = {"rear_wheel": (hub, R, V, a, *rear_wheel)}
        r = R @ (self.at["frame"] - self.at["rear_wheel"])
        out["frame"] = (hub + r, R, *carried(V, a, frame, r), *frame)
        for name, rotation in (("fork", fork), ("front_wheel", front_wheel)):
            r = F @ (self.at[name] - self.pivot)
            out[name] = (hub + arm + r, F, *carried(*head, fork, r), *rotation)
        return out

    def touch(self, body: tuple) -> tuple:
        """The height of a wheel's lowest point, and its velocity as part of the wheel."""
        centre, R, V, _, W, _ = body
        axle = R @ EY
        down = axle[2] * axle - EZ
        arm = self.rim * down / numpy.sqrt(down @ down) - self.tube * EZ
        return centre[2] + arm[2], V - skew(arm) @ W

    def balance(self, x: numpy.ndarray) -> tuple:
        """Of positions, speeds and contact forces: forces on the nine speeds, slip, heights, the matrices of mass and slip."""
        q, u, forces = x[:4], x[4:13], x[13:]
        bodies = self.bodies(q, u)
        F, M = numpy.zeros(9, dtype=complex), numpy.zeros((9, 9), dtype=complex)
        for name, (_, R, V, a, W, alpha) in bodies.items():
            m, inertia, omega = self.mass[name], R @ self.inertia[name] @ R.T, W @ u
            F += V.T @ (m * (self.weight - a)) - W.T @ (inertia @ alpha + skew(omega) @ inertia @ omega)
            M += m * V.T @ V + W.T @ inertia @ W
        touches = [self.touch(bodies[name]) for name in ("rear_wheel", "front_wheel")]
        J = numpy.vstack([rows for _, rows in touches])
        return F + J.T @ forces, J @ u, numpy.array([height for height, _ in touches]), M, J

    def motion(self, steering: float, x: numpy.ndarray) -> numpy.ndarray:
        """The steady turn near x, by Newton's method. Power makes one of the 17 equations depend on the others."""
        free = [0, 1, 3, 4, 5, 7, 11, 12, *range(13, 19)]  # the rates of height, lean, pitch and steering are zero

        def rest(y: numpy.ndarray) -> numpy.ndarray:
            full = numpy.zeros(19, dtype=complex)
            full[2] = steering
            full[free] = y
            return numpy.concatenate(self.balance(full)[:3])

        y = x[free]
        for _ in range(30):
            step = numpy.linalg.lstsq(slopes(rest, y), rest(y).real, rcond=1e-12)[0]
            y = y - step
            if abs(step).max() < 1e-13 * abs(y).max():
                break
        assert abs(rest(y)).max() < 1e-11, rest(y)
        out = numpy.zeros(19)
        out[2] = steering
        out[free] = y
        return out

    def motions(self, angles: list) -> list:
        """The turns at growing angles, each from the one before; the first from nearly straight on."""
        v, out = 3.5, []
        x = numpy.zeros(19)
        x[[0, 3, 4, 7, 11, 12]] = -0.02, self.rim + self.tube, v, 0.06, v / 0.33, v / 0.33
        x[[15, 18]] = 80
        for angle in angles:
            x = self.motion(angle, x)
            out.append(x)
        return out

    def eigenvalues(self, x: numpy.ndarray) -> numpy.ndarray:
        """All ten of the linear model in the turning frame.

        Two positions and three speeds have equations of their own: the positions keep both wheels on the ground, the
        speeds keep them from slipping. One of their five eigenvalues is zero: turns of another steering angle lie
        beside this one. Five coordinates follow without acting back. The angle along the circle and those of the two
        wheels give three zeros; the centre of the circle rests, and circles at -turn rate in turning axes: +-i times it.
        """
        _, _, _, M, J = self.balance(x.astype(complex))
        M, J = M.real, J.real
        K = slopes(lambda z: numpy.concatenate(self.balance(z)[:3]), x)
        kept = numpy.linalg.svd(K[15:, :4])[2][2:].T  # positions with both wheels on the ground
        Z = numpy.linalg.svd(J)[2][6:].T  # speeds without slip
        Y = -numpy.linalg.pinv(J) @ K[9:15, :4] @ kept  # speeds that a position asks for
        rates = numpy.zeros((4, 9))
        rates[[0, 1, 2, 3], [4, 5, 6, 2]] = 1
        upper = kept.T @ rates @ numpy.hstack([Y, Z])
        forces = Z.T @ numpy.hstack([K[:9, :4] @ kept + K[:9, 4:13] @ Y, K[:9, 4:13] @ Z])
        lower = numpy.linalg.solve(Z.T @ M @ Z, forces - Z.T @ M @ Y @ upper)
        own = numpy.linalg.eigvals(numpy.vstack([upper, lower]))
        return numpy.concatenate([own, [0, 0, 0, 1j * x[7], -1j * x[7]]])


class TwoWheeler(ModelCase):
    def setUp(self) -> None:
        super().setUp()
        self.bicycle = Bicycle(TURN)

    def near(self, found, wanted, digits: float, message=None) -> None:
        """Equal, relative to the largest number of the vector."""
        found, wanted = numpy.atleast_1d(found), numpy.atleast_1d(wanted)
        self.assertLess(abs(found - wanted).max(), 10**-digits * abs(wanted).max(), (message, found, wanted))

    def check_motion(self, point: dict, x: numpy.ndarray, message) -> None:
        """All of a motion, in the axes of the heading."""
        steady, bodies = point["steady"], {body["name"]: body for body in point["bodies"]}
        R = numpy.reshape(bodies["frame"]["orientation"], (3, 3))
        heading = turned(EZ, math.atan2(-R[0, 1], R[1, 1])).T
        self.near(math.asin(R[2, 1]), x[0], 10, message)
        self.assertAlmostEqual(math.asin(-R[2, 0] / math.hypot(R[2, 0], R[2, 2])), x[1], delta=1e-11)
        self.near(steady["turn_rate"], x[7], 10, message)
        self.near([spin["rate"] for spin in steady["spins"]], x[11:13], 10, message)
        own = self.bicycle.bodies(x[:4].astype(complex), x[4:13].astype(complex))
        hub = heading @ bodies["rear_wheel"]["position"]
        for name in BODIES:
            centre, _, V, _, W, _ = own[name]
            where = heading @ bodies[name]["position"] - [hub[0], hub[1], 0]
            self.near(where, centre.real, 10, (message, name))
            self.near(heading @ bodies[name]["velocity"], (V @ x[4:13]).real, 10, (message, name))
            self.near(heading @ bodies[name]["angular_velocity"], (W @ x[4:13]).real, 10, (message, name))
        joints = {joint["name"]: joint for joint in point["joints"]}
        for name, force in (("rear_contact", x[13:16]), ("front_contact", x[16:])):
            self.near(heading @ joints[name]["force"], force, 10, (message, name))

    def check_eigenvalues(self, found: list, wanted: numpy.ndarray, message) -> None:
        """One to one."""
        left = [complex(*z) for z in found]
        self.assertEqual(len(left), len(wanted), message)
        for z in wanted:
            k = min(range(len(left)), key=lambda i: abs(left[i] - z))
            self.assertLess(abs(left.pop(k) - z), 1e-10 * (1 + abs(z)), (message, z))

    def test_turns_from_straight_on(self) -> None:
        """From straight on and upright, at any speed, the search arrives at the turn that leans less of the two there are."""
        angles = [math.radians(angle) for angle in DEGREES]
        for angle, x in zip(angles, self.bicycle.motions(angles)):
            for v in SPEEDS:
                point = self.run_it("equilibrium", TURN, "--set", f"delta={angle!r}", "--set", f"v={v}")
                self.check_motion(point, x, (angle, v))

    def test_left_and_right(self) -> None:
        """The motion with the opposite steering angle is the mirror image."""
        mirrored = numpy.ones(19)  # lean, steering; speed to the side, yaw; forces to the side
        mirrored[[0, 2, 5, 7, 14, 17]] = -1
        angle = math.radians(30)
        x = self.bicycle.motions([angle])[0]
        for v in (1, 5):
            self.check_motion(self.run_it("equilibrium", TURN, "--set", f"delta={-angle!r}", "--set", f"v={v}"), mirrored * x, v)

    def test_two_turns(self) -> None:
        """With one steering angle there are a slow turn and a fast one that leans more: far from straight on, v chooses."""
        angle = math.radians(80)
        x = self.bicycle.motions([math.radians(60), math.radians(70), angle])[-1]
        fast = x.copy()
        fast[[0, 3, 4, 7, 11, 12]] = -0.09, 0.328, 0.34, 1.78, 1, 3
        fast = self.bicycle.motion(angle, fast)
        self.assertGreater(fast[7], 1.5)
        for motion, v in ((x, 0.5), (fast, 3.2)):
            settings = ("--set", f"delta={angle!r}", "--set", f"v={v}")
            self.check_motion(self.run_it("equilibrium", TURN, *settings), motion, v)
            self.check_eigenvalues(self.run_it("modes", TURN, *settings)["eigenvalues"], self.bicycle.eigenvalues(motion), v)

    def test_eigenvalues_in_turns(self) -> None:
        """Four are zero: three angles that nothing depends on, and the family of turns."""
        angles = [math.radians(angle) for angle in DEGREES]
        for angle, x in zip(angles, self.bicycle.motions(angles)):
            found = self.run_it("modes", TURN, "--set", f"delta={angle!r}")
            self.assertEqual(found["reference"], "moving-frame")
            self.assertTrue(found["steady"])
            self.assertEqual(found["zero_eigenvalues"], 4)
            self.check_eigenvalues(found["eigenvalues"], self.bicycle.eigenvalues(x), angle)

    def test_the_family_of_turns(self) -> None:
        """A neighbour in the family has other rates, so that angles run away: of four zeros three have vectors."""
        x = self.bicycle.motions([math.radians(30)])[0]
        near = self.bicycle.motion(math.radians(30.1), x)
        self.assertGreater(abs(near[[7, 11, 12]] - x[[7, 11, 12]]).min(), 1e-4)
        done = self.try_it("linearize", TURN, "--set", "delta=30 deg", "--output", self.path("turn.json"))
        self.assertEqual(done.returncode, 0, done.stderr)
        A = numpy.array(json.loads(pathlib.Path(self.path("turn.json")).read_text(encoding="utf-8"))["A"])
        self.assertEqual(numpy.linalg.matrix_rank(A, tol=1e-10 * numpy.linalg.norm(A)), 7)
        self.assertEqual(numpy.linalg.matrix_rank(A @ A, tol=1e-10 * numpy.linalg.norm(A)**2), 6)

    def test_a_sweep_is_its_points(self) -> None:
        """A sweep over the steering angle finds at each angle what a run of its own finds; with states that stay, no branch ends."""
        count = 70 if FULL else 16
        sweep = self.run_it("sweep", TURN + EXAMPLE[EXAMPLE.index("linearize:"):], "--over", f"delta=pi/180:70*pi/180:{count}", "--solve", "none")
        self.assertEqual([event for event in sweep["lines"][0]["events"] if event["kind"] == "lost"], [])
        points = [point for point in sweep["lines"][0]["points"] if point["on_grid"]]
        self.assertEqual(len(points), count)
        for point, x in zip(points, self.bicycle.motions([point["value"] for point in points])):
            swept = [line["eigenvalue"] for line in point["eigenvalues"]]
            alone = self.run_it("modes", TURN, "--set", f"delta={point['value']!r}")["eigenvalues"]
            self.check_eigenvalues(swept, numpy.array([complex(*z) for z in alone]), point["value"])
            self.check_eigenvalues(swept, self.bicycle.eigenvalues(x), point["value"])

    def test_no_branch_ends_where_states_are_chosen(self) -> None:
        """What states the program chooses for itself differs from angle to angle; along a sweep they stay."""
        sweep = self.run_it("sweep", TURN, "--over", "delta=pi/180:70*pi/180:70", "--solve", "none")
        self.assertEqual([event for event in sweep["lines"][0]["events"] if event["kind"] == "lost"], [])


if __name__ == "__main__":
    unittest.main()
