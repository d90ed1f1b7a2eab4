"""Pi, a full turn, and what follows from an eigenvalue are defined once for each language."""
import re
import subprocess
import unittest

import house

# What may hold the digits of pi: the definition; the constant of the expressions of models, its use in the exact numbers of
# symbolic models and in the code that they are written as; the program, which sees public headers alone.
DIGITS = {"src/base/pi.h", "src/expression/parse.c", "src/symbolic/write_code.c", "cli/floquet.c",
          "src/elements/joint_compile.c", "src/elements/joint_evaluate.c"}
RULES = [
    (("src", "cli", "include"), re.compile(r"3\.14159265|6\.28318530|M_PI"), DIGITS),
    (("src",), re.compile(r"-\w+(->\w+)?\[0\] / (size|hypot|cabs|modulus)"), {"src/base/eigenvalue.h"}),
    (("viewer/src",), re.compile(r"2 \* Math\.PI|Math\.PI \* 2|Math\.LN2"), {"viewer/src/eigenvalue.ts"}),
    (("python/routh",), re.compile(r"2 \* (np|math)\.pi|(np|math)\.tau"), {"python/routh/_eigenvalue.py"}),
]


def found(root, names, rules):
    """["file:line"] of what is defined again."""
    lines = []
    for folders, pattern, allowed in rules:
        for name in names:
            if name in allowed or not name.startswith(tuple(f"{folder}/" for folder in folders)):
                continue
            if not name.endswith((".c", ".h", ".ts", ".py")):
                continue
            for number, line in enumerate((root / name).read_text("utf-8").splitlines(), 1):
                if pattern.search(line):
                    lines.append(f"{name}:{number}")
    return lines


class Once(unittest.TestCase):
    def test_constants_and_formulas_are_defined_once(self):
        listed = subprocess.run(["git", "-C", house.ROOT, "ls-files", "-co", "--exclude-standard"], capture_output=True, text=True,
                                check=False)
        names = listed.stdout.split() if listed.returncode == 0 else [
            str(path.relative_to(house.ROOT)) for top in ("src", "cli", "include", "viewer/src", "python/routh")
            for path in (house.ROOT / top).rglob("*.*")]
        names = [name for name in names if (house.ROOT / name).exists()]
        self.assertGreater(len(names), 300)
        self.assertEqual(found(house.ROOT, names, RULES), [])

    def test_what_is_defined_again_is_seen(self):
        files = {"src/a/b.c": "x = hz * 2 * 3.14159265358979;\nzeta = -s[0] / size;\n", "viewer/src/a.ts": "x = 2 * Math.PI;\n",
                 "python/routh/a.py": "x = 2 * np.pi\n", "src/base/pi.h": "#define RT_PI 3.14159265358979323846\n"}
        with house.Tree(files) as root:
            self.assertEqual(found(root, sorted(files), RULES),
                             ["src/a/b.c:1", "src/a/b.c:2", "viewer/src/a.ts:1", "python/routh/a.py:1"])


if __name__ == "__main__":
    unittest.main()
