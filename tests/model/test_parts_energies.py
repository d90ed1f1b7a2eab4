"""Energies summed by part: of every depth the sums of the elements in it, as JSON, table and options have them."""
import os
import pathlib
import subprocess
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
from parts_case import PartsCase  # noqa: E402

ROUTH = os.environ["ROUTH"]
KINDS = ("kinetic", "strain", "dissipation")
LEAST = 1e-6  # a smaller fraction is not listed

LEAF = """
connections: [root]
exports: [m]
bodies: {m: {mass: 1, inertia: [1, 1, 1], position: [1, 0, 0]}}
joints: {j: {type: revolute, between: [m, root], at: [0, 0, 0], axis: z}}
loads: {s: {type: torsion_spring, between: [m, root], axis: z, stiffness: 90, damping: 0.3}}
"""
BRANCH = """
connections: [root]
exports: [arm, leaf.m]
bodies: {arm: {mass: 2, inertia: [1, 1, 2], position: [1, 0, 0]}}
joints: {j: {type: revolute, between: [arm, root], at: [0, 0, 0], axis: z}}
loads: {s: {type: torsion_spring, between: [arm, root], axis: z, stiffness: 200, damping: 0.1}}
parts: {leaf: {file: leaf.yaml, at: [2, 0, 0], count: 2, step: [1, 0.5, 0], connect: {root: arm}}}
"""
TREE = """
bodies: {trunk: {mass: 5, inertia: [1, 1, 2]}}
joints: {j: {type: revolute, between: [trunk, ground], at: [0, 0, 0], axis: z}}
loads: {s: {type: torsion_spring, between: [trunk, ground], axis: z, stiffness: 400, damping: 1}}
parts:
  one: {file: branch.yaml, connect: {root: trunk}}
  two: {file: branch.yaml, at: [0, 1, 0], mirror: y, connect: {root: trunk}}
"""
ALONE = TREE.split("parts:")[0]


def around(share):
    """one, one.leaf and one.leaf.1 of "body one.leaf.1.m"."""
    words = share.split(" ", 1)[1].split(".")[:-1]
    return [".".join(words[: k + 1]) for k in range(len(words))]


class Energies(PartsCase):
    def tree(self):
        self.file("leaf.yaml", LEAF)
        self.file("branch.yaml", BRANCH)
        return TREE

    def test_a_part_has_the_sum_of_what_is_in_it(self):
        modes = self.run_it("modes", self.tree())["modes"]
        self.assertEqual(len(modes), 14)
        for mode in modes:
            found = {p["part"]: p for p in mode["part_energies"]}
            self.assertEqual(set(found), {"one", "one.leaf", "one.leaf.1", "one.leaf.2",
                                          "two", "two.leaf", "two.leaf.1", "two.leaf.2"})
            for kind in KINDS:
                sums = dict.fromkeys(found, 0.0)
                for share, x in mode["energies"][kind].items():
                    for part in around(share):
                        sums[part] += x
                for part, x in sums.items():
                    # 17 elements at most are left out of those listed
                    self.assertAlmostEqual(x, found[part][kind], delta=17 * LEAST)
                    self.assertLess(abs(x - found[part][kind]), 1e-13 if len(mode["energies"][kind]) >= 7 else 17 * LEAST)

    def test_what_is_in_parts_of_a_part_counts(self):
        for mode in self.run_it("modes", self.tree())["modes"]:
            found = {p["part"]: p for p in mode["part_energies"]}
            for kind in KINDS:
                inner = found["one.leaf.1"][kind] + found["one.leaf.2"][kind]
                self.assertAlmostEqual(found["one.leaf"][kind], inner, delta=1e-14)
                own = found["one"][kind] - inner
                arm = sum(x for share, x in mode["energies"][kind].items() if around(share) == ["one"])
                self.assertAlmostEqual(own, arm, delta=17 * LEAST)

    def test_a_model_without_parts_has_no_such_member(self):
        self.assertNotIn("part_energies", self.run_it("modes", ALONE)["modes"][0])

    def table(self, model, *words):
        done = subprocess.run([ROUTH, "modes", self.write(model), *words], capture_output=True, text=True, check=False)
        return done.returncode, done.stdout, done.stderr

    def test_the_table_goes_as_deep_as_asked(self):
        model = self.tree()
        for depth, parts in ((1, ["one", "two"]), (2, ["one", "one.leaf", "two", "two.leaf"])):
            status, out, _ = self.table(model, "--parts", str(depth))
            self.assertEqual(status, 0)
            lines = out.split("Energies by part\n")[1].splitlines()[2:]
            first = [line.split() for line in lines[: len(parts)]]
            self.assertEqual([(row[1:] if k == 0 else row)[0] for k, row in enumerate(first)], parts)
        self.assertNotIn("Energies by part", self.table(model)[1])

    def test_the_table_of_modes_names_the_largest_part(self):
        model = self.tree()
        _, out, _ = self.table(model, "--parts", "1")
        rows = [line.split() for line in out.split("\n\n")[1].splitlines()[2:]]
        modes = [m for m in self.run_it("modes", model)["modes"] if m["eigenvalue"][1] >= 0]
        for row, mode in zip(rows, modes):
            groups = {}
            for share, x in mode["energies"]["kinetic"].items():
                name = around(share)[0] if around(share) else share.split(" ", 1)[1]
                groups[name] = groups.get(name, 0) + x
            at = next(k for k, word in enumerate(row) if word in groups)
            self.assertAlmostEqual(max(groups.values()), groups[row[at]], delta=1e-9)
            self.assertAlmostEqual(100 * groups[row[at]], float(row[at + 1]), delta=0.51)

    def test_what_excludes_it_is_said(self):
        for words, said in ((["--csv"], "has no --csv form"), (["--wanted", "2"], "needs all modes")):
            status, _, err = self.table(self.tree(), "--parts", "1", *words)
            self.assertEqual(status, 2)
            self.assertIn(said, err)
        self.assertIn("has no parts", self.table(ALONE, "--parts", "1")[1])


if __name__ == "__main__":
    unittest.main()
