"""Bodies placed by the coordinates of joints, against forward kinematics that shares no code: random trees of all types."""
import os
import pathlib
import sys
import unittest

import numpy

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
from model_case import ModelCase  # noqa: E402
from placed_trees import STEPS, random_tree, rates, text_of, where  # noqa: E402

TREES = 100 * int(os.environ.get("ROUTH_TEST_EFFORT", "1"))


class TestPlacingTrees(ModelCase):
    def check(self, seed, by_points):
        bodies, joints = random_tree(seed, by_points)
        text = text_of(bodies, joints, by_points)
        if not any(step[k] in j for j in joints for step in STEPS[j["type"]] for k in (0, 1)):
            return set()  # without any coordinate bodies are where they are written, and assembled
        found = self.run_it("equilibrium", text, "--at", "given")
        size = 1 + max(numpy.abs(T[:3, 3]).max() for T in where(bodies, joints, by_points))
        for T, body in zip(where(bodies, joints, by_points), found["bodies"]):
            r, A, v, w = rates(T)
            speed = 1 + max(numpy.abs(v).max(), numpy.abs(w).max()) * size
            # velocities are made consistent once more, by a solution of equations, whatever rounding they begin with
            for name, mine, most in (("position", r, 1e-13 * size), ("orientation", A.ravel(), 1e-13), ("velocity", v, 1e-11 * speed),
                                     ("angular_velocity", w, 1e-11 * speed)):
                self.assertLess(numpy.abs(mine - body[name]).max(), most, f"seed {seed}: {body['name']} {name}\n{text}")
        self.assertEqual([w for w in found["warnings"] if "velocities" in w], [])
        return {j["type"] for j in joints}

    def test_bodies_begin_where_their_joints_put_them(self):
        seen = set()
        for seed in range(TREES):
            seen |= self.check(seed, by_points=seed % 2 == 0)
        self.assertEqual(seen, set(STEPS))


if __name__ == "__main__":
    unittest.main()
