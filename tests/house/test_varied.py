"""Sources that are compiled twice (cmake/Variation.cmake) use functions of math.h on real parts and constants alone: on
anything else a derivative would end there. Most of that the compiler refuses; not fabs of a number that was real by chance."""
import pathlib
import re
import shutil
import subprocess
import unittest

import house

ROOT = pathlib.Path(house.ROOT)
CALL = re.compile(r"(?<![A-Za-z_0-9])(a?sinh?|a?cosh?|a?tanh?|atan2|exp|expm1|exp2|log|log10|log1p|log2|pow|sqrt|cbrt|"
                  r"hypot|fabs|fmax|fmin|fmod|fdim|floor|ceil|round|trunc|copysign|remainder|erf|erfc|tgamma|lgamma)\(")
# constants, and sizes that are doubles in both builds
PLAIN = {"log(10)", "pow(RT_PI, order)", "fmax(w->scale[row], x->scale[i])"}


def sources():
    """What mentions rt_scalar, or is compiled for variations only."""
    return sorted(str(f.relative_to(ROOT)) for f in ROOT.glob("src/**/*.c")
                  if re.search(r"rt_scalar|^#error .*for variations only", f.read_text(), re.M))


def without_words(text):
    """Comments and strings as spaces."""
    return re.sub(r'/\*.*?\*/|"(?:\\.|[^"\\])*"', lambda m: re.sub(r"[^\n]", " ", m.group()), text, flags=re.S)


def calls(text):
    """Where each begins, and its text."""
    for found in CALL.finditer(text):
        depth, end = 1, found.end()
        while depth:
            depth += {"(": 1, ")": -1}.get(text[end], 0)
            end += 1
        yield found.start(), " ".join(text[found.start():end].split())


def bare(text):
    text = without_words(text)
    return [f"line {text.count(chr(10), 0, at) + 1}: {call}" for at, call in calls(text)
            if "rt_re(" not in call and call not in PLAIN]


class Varied(unittest.TestCase):
    def test_no_bare_function_of_math(self):
        files = sources()
        self.assertGreater(len(files), 30)
        self.assertEqual([f"{f} {what}" for f in files for what in bare((ROOT / f).read_text())], [])

    def test_one_is_seen(self):
        self.assertEqual(bare("x = sqrt(y); /* sqrt(z) */\n a = rt_sqrt(b), c = fabs(rt_re(d));"), ["line 1: sqrt(y)"])


HEADER = """#ifdef RT_VARIATION
typedef double _Complex rt_scalar;
#else
typedef double rt_scalar;
#endif
typedef struct rt_spot {
    rt_scalar r[3];
} rt_spot;
typedef struct rt_pair {
    rt_spot a, b;
} rt_pair;
void rt_one(rt_pair *pair);
void rt_two(const rt_pair *pair);
int rt_three(const int *n);
"""
CALLER = """#include "room/pair.h"
void rt_one(rt_pair *pair)
{
    int n = 2;
    rt_scalar x = 0;
    pair->a.r[0] = x + rt_three(&n);
    rt_two(pair);
}
"""
CALLED = """#include "room/pair.h"
void rt_two(const rt_pair *pair) { (void)pair; }
int rt_three(const int *n) { return *n; }
"""


class Complete(unittest.TestCase):
    """cmake/varied_names.cmake and varied_check.cmake on a tree of two sources."""

    def script(self, root, name):
        run = subprocess.run(["cmake", f"-DROOT={root}", f"-DFOLDER={root}/varied", "-DPREFIX=rv_",
                              f"-DNM={shutil.which('nm')}", "-P", str(ROOT / "cmake" / name)], capture_output=True, text=True, check=False)
        return run.returncode, " ".join(run.stderr.split())

    def build(self, root, twice):
        folder = root / "varied"
        folder.mkdir()
        (folder / "all.txt").write_text(f"{root}/src/room/called.c\n{root}/src/room/caller.c\n")
        (folder / "sources.txt").write_text("".join(f"{root}/src/room/{name}.c\n" for name in twice))
        code, said = self.script(root, "varied_names.cmake")
        if code:
            return code, said
        for name in twice:
            subprocess.run(["cc", "-DRT_VARIATION", "-include", f"{folder}/names.h", f"-I{root}/src", "-c",
                            f"{root}/src/room/{name}.c", "-o", f"{folder}/{name}.o"], check=True)
        (folder / "objects.txt").write_text("".join(f"{folder}/{name}.o\n" for name in twice))
        return self.script(root, "varied_check.cmake")

    def test_a_function_of_a_structure_with_numbers_must_be_compiled_twice(self):
        files = {"src/room/pair.h": HEADER, "src/room/caller.c": CALLER, "src/room/called.c": CALLED}
        with house.Tree(files) as root:
            code, said = self.build(root, ["caller"])
            self.assertNotEqual(code, 0)
            self.assertIn("rt_two (of rt_pair)", said)
            self.assertNotIn("rt_three", said)

    def test_all_compiled_twice_is_complete(self):
        files = {"src/room/pair.h": HEADER, "src/room/caller.c": CALLER,
                 "src/room/called.c": "/* Of rt_scalar. */\n" + CALLED}
        with house.Tree(files) as root:
            self.assertEqual(self.build(root, ["called", "caller"]), (0, ""))
            names = (root / "varied/names.h").read_text()
            self.assertIn("#define rt_one rv_one\n#define rt_three rv_three\n#define rt_two rv_two\n", names)

    def test_a_new_mention_is_noticed(self):
        files = {"src/room/pair.h": HEADER, "src/room/caller.c": CALLER,
                 "src/room/called.c": "/* Of rt_scalar. */\n" + CALLED}
        with house.Tree(files) as root:
            code, said = self.build(root, ["caller"])
            self.assertNotEqual(code, 0)
            self.assertIn("src/room/called.c. Build once more", said)


if __name__ == "__main__":
    unittest.main()
