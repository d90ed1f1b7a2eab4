"""Sources that are compiled twice (cmake/Variation.cmake) use functions of math.h on real parts and constants alone: on
anything else a derivative would end there. Most of that the compiler refuses; not fabs of a number that was real by chance."""
import pathlib
import re
import unittest

import house

ROOT = pathlib.Path(house.ROOT)
CALL = re.compile(r"(?<![A-Za-z_0-9])(a?sinh?|a?cosh?|a?tanh?|atan2|exp|expm1|exp2|log|log10|log1p|log2|pow|sqrt|cbrt|"
                  r"hypot|fabs|fmax|fmin|fmod|fdim|floor|ceil|round|trunc|copysign|remainder|erf|erfc|tgamma|lgamma)\(")
# constants, and sizes that are doubles in both builds
PLAIN = {"log(10)", "pow(PI, order)", "fmax(w->scale[row], x->scale[i])"}


def sources():
    text = (ROOT / "cmake/Variation.cmake").read_text()
    return re.findall(r"^\s+(src/\S+\.c)$", text, re.M)


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


if __name__ == "__main__":
    unittest.main()
