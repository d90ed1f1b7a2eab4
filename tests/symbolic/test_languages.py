"""Formulas of random mechanisms, each form evaluated in its own language against `routh linearize`: text, JSON, LaTeX,
C, Python, Octave and Modelica, of 1 to 40 parameters, to 1e-12 of the largest entry.

Text, JSON and LaTeX are read here by a parser of the usual notation, which knows nothing of the program's writer; Modelica by
one of the grammar of functions in its specification (3.5, appendix A)."""
import json
import keyword
import math
import os
import random
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

try:
    import numpy as np
except ImportError:
    print("numpy is missing")
    sys.exit(77)

ROUTH = os.environ["ROUTH"]
SOURCE = os.environ["ROUTH_SOURCE"]
EFFORT = float(os.environ.get("ROUTH_TEST_EFFORT", "1"))
MECHANISMS = int(16 * EFFORT)

# names that one language or another has a use for, and pairs that look alike
AWKWARD = ("lambda double M C K A end elseif M_PI NAN INFINITY HUGE_VAL FP_NAN I E e N S Q s z linux unix zeros math np "
           "parameters linear_model sqrt cos sin root_1 cos_phi sin_phi shared_1 parameter_1 parameter_2 pi_ pi__ x1 x_1 "
           "x__1 x_ x _x __x gamma beta zeta y0 y1 j0 i j None True False in is and or not def function until endif "
           "unwind_protect parfor classdef arguments new this class template bool asm far gamma_1 gamma1 omega_x_y "
           "mass Mass MASS isnan signbit abs type match der flow within input Real timer model each inner").split() + ["long_" + 90 * "x", "long_" + 89 * "x" + "y"]


def run(*arguments):
    done = subprocess.run([ROUTH, *arguments], capture_output=True, text=True)
    if done.returncode:
        raise AssertionError(f"routh {' '.join(arguments)}\n{done.stderr}")
    return done.stdout


# ---- formulas as people write them -----------------------------------------------------------------------------------


class Reader:
    """Sums, products, quotients and powers; LaTeX: products by standing side by side, braces, \\frac, \\sqrt."""

    TOKEN = re.compile(r"\s*(\\mathrm\{[^}]*\}|\\mathtt\{(?:[^}\\]|\\_)*\}|\\[A-Za-z]+|[A-Za-z_][A-Za-z_0-9.]*|"
                       r"\d+(?:\.\d+)?|\*\*|[-+*/^_(){},])")
    LATEX_TOKEN = re.compile(r"\s*(\\mathrm\{[^}]*\}|\\mathtt\{(?:[^}\\]|\\_)*\}|\\[A-Za-z]+|[A-Za-z]|\d+|[-+^_(){},])")

    def __init__(self, text, values, latex=False):
        self.latex, self.values, self.at = latex, values, 0
        pattern = self.LATEX_TOKEN if latex else self.TOKEN
        self.tokens, position, text = [], 0, text.rstrip()
        while position < len(text):
            found = pattern.match(text, position)
            if not found:
                raise AssertionError(f"cannot be read: {text[position:position + 40]!r} of {text!r}")
            self.tokens.append(found.group(1))
            position = found.end()

    def peek(self):
        return self.tokens[self.at] if self.at < len(self.tokens) else None

    def take(self, expected=None):
        token = self.peek()
        if token is None or (expected and token != expected):
            raise AssertionError(f"{expected} expected at token {self.at} of {self.tokens}")
        self.at += 1
        return token

    def whole(self):
        value = self.sum()
        if self.peek() is not None:
            raise AssertionError(f"{self.tokens[self.at:]} is left")
        return value

    def sum(self):
        value = self.signed()
        while self.peek() in ("+", "-"):
            value = value + self.product() if self.take() == "+" else value - self.product()
        return value

    def signed(self):
        if self.peek() == "-":
            self.take()
            return -self.product()
        return self.product()

    def product(self):
        value = self.power()
        while True:
            if not self.latex and self.peek() == "*":
                self.take()
                value *= self.power()
            elif not self.latex and self.peek() == "/":
                self.take()
                value /= self.power()
            elif self.latex and self.peek() not in (None, "+", "-", ")", "}", ","):
                value *= self.power()
            else:
                return value

    def exponent(self):
        if not self.latex:
            return int(self.take())
        self.take("{")
        e = int(self.take())
        self.take("}")
        return e

    def power(self):
        value = self.atom()
        if self.peek() == "^":
            self.take()
            return value**self.exponent()
        return value

    def group(self, left, right):
        self.take(left)
        value = self.sum()
        self.take(right)
        return value

    def atom(self):
        token = self.peek()
        if token == "(":
            return self.group("(", ")")
        self.take()
        if token[0].isdigit():
            return float(token)
        return self.latex_atom(token) if self.latex else self.plain_atom(token)

    def plain_atom(self, token):
        if token in ("sqrt", "cos", "sin") and self.peek() == "(":
            return getattr(math, token)(self.group("(", ")"))
        return math.pi if token == "pi" else self.values[token]

    def latex_atom(self, token):
        if token == "\\frac":
            above = self.group("{", "}")
            return above / self.group("{", "}")
        if token == "\\sqrt":
            return math.sqrt(self.group("{", "}"))
        if token in ("\\cos", "\\sin"):
            e = 1
            if self.peek() == "^":
                self.take()
                e = self.exponent()
            return getattr(math, token[1:])(self.group("(", ")"))**e
        if token == "\\pi":
            return math.pi
        if self.peek() == "_":
            self.take()
            token += "_"
            depth = 0
            while True:
                piece = self.take()
                depth += (piece == "{") - (piece == "}")
                token += piece
                if not depth:
                    break
        return self.values[token]


def latex_entries(text, values):
    """The matrices of an align environment, M, C, K or A."""
    matrices = []
    for body in re.findall(r"\\begin\{bmatrix\}(.*?)\\end\{bmatrix\}", text, re.S):
        rows = [row.split("&") for row in body.strip().split("\\\\")]
        matrices.append(np.array([[Reader(entry, values, latex=True).whole() for entry in row] for row in rows]))
    return matrices


def text_entries(text, values, n):
    matrices = {name: np.zeros((n, n)) for name in "MCK"}
    for name, i, j, formula in re.findall(r"(?m)^([MCK])\[(\d+),(\d+)\] = (.*)$", text):
        matrices[name][int(i) - 1, int(j) - 1] = Reader(formula, values).whole()
    return [matrices[name] for name in "MCK"]


# ---- random mechanisms -----------------------------------------------------------------------------------------------


class Mechanism:
    """A tree of pendulums and sliders in a plane, hanging, on springs with turned axes; n_parameters parameters, some of
    them in no formula."""

    def __init__(self, seed):
        self.random = random.Random(seed)
        r = self.random
        self.n_parameters = 1 + seed % 40
        pool = r.sample(AWKWARD, min(len(AWKWARD), r.randint(0, self.n_parameters)))
        plain = [f"{letter}{k}" for k in range(1, 9) for letter in "abcdfghkmpqrt"]
        r.shuffle(plain)
        self.names = (pool + plain)[:self.n_parameters]
        r.shuffle(self.names)
        self.values = {name: round(r.uniform(0.5, 2), r.randint(1, 6)) for name in self.names}
        self.states = []
        self.text = self.write()

    def positive(self):
        """An expression that is positive wherever all parameters are."""
        r, p = self.random, lambda: self.random.choice(self.names)
        form = r.randrange(8)
        number = r.choice(["2", "0.7", "3.25", "1e-2", "12"])
        return (p(), f"{number}*{p()}", f"{p()}*{p()}/{number}", f"{p()}^2/({p()} + {p()})", f"{p()}/(3*{p()})",
                f"{number}/{p()}", f"({p()} + {number}*{p()})", f"{p()}^{r.randint(1, 3)}*{number}")[form]

    def write(self):
        r = self.random
        bodies, joints, loads, ends, lengths = [], [], [], ["0"], []
        gravity = r.choice(["9.81", "9.80665", f"({self.positive()})"])
        for k in range(r.choice([1, 1, 1, 2, 2, 3])):
            mass, length = self.positive(), r.choice([*self.names, "0.5"])
            parent = r.randrange(len(ends))
            name, host = f"rod{k}", "ground" if parent == 0 else f"rod{parent - 1}"
            top = ends[parent]
            inertia = f"({mass})*{length}^2/12"
            turned = r.random() < 0.3
            angle = r.choice(self.names)
            orientation = f", orientation: {{axis: [1, 0, 0], angle: {angle}}}" if turned else ""
            bodies.append(f"  {name}: {{mass: {mass}, inertia: [{inertia}, {inertia}/2, {inertia}], "
                          f"position: [0, {top} - {length}/2, 0]{orientation}}}")
            if parent == 0 and r.random() < 0.3:
                joints.append(f"  j{k}: {{type: translational, between: [{name}, {host}], at: [0, {top}, 0], axis: x}}")
            else:
                joints.append(f"  j{k}: {{type: revolute, between: [{name}, {host}], at: [0, {top}, 0], axis: z}}")
            self.states.append(f"{name}.x")
            ends.append(f"{top} - {length}")
            if r.random() < 0.8 or "translational" in joints[-1]:
                tilt = f", orientation: {{axis: [0, 0, 1], angle: {r.choice(self.names)}}}" if r.random() < 0.4 else ""
                loads.append(f"  l{k}: {{type: bushing, between: [f{k}, {host if r.random() < 0.5 else 'ground'}], "
                             f"translation: {{stiffness: [{self.positive()}, {self.positive()}, 1], "
                             f"damping: [{self.positive()}, 0, 0]}}}}")
                lengths.append(f"  f{k}: {{body: {name}{tilt}}}")
        markers = "markers:\n" + "\n".join(lengths) + "\n" if lengths else ""
        loads = "loads:\n" + "\n".join(loads) + "\n" if loads else ""
        values = ", ".join(f"{name}: {value}" for name, value in self.values.items())
        return (f"parameters: {{{values}}}\ngravity: [0, -{gravity}, 0]\nbodies:\n" + "\n".join(bodies) + "\n" + markers +
                "joints:\n" + "\n".join(joints) + "\n" + loads)


# ---- each language ---------------------------------------------------------------------------------------------------


class Modelica:
    """A function as Modelica's specification has them: declarations with bindings, then assignments. Numbers without a point
    are Integers of 32 bits; `/` and `^` give a Real; a sign stands before a term only, not after an operator."""

    TOKEN = re.compile(r"\s*(//[^\n]*|[A-Za-z_][A-Za-z_0-9]*|\d+(?:\.\d*)?(?:[eE][+-]?\d+)?|:=|[-+*/^()\[\],;=])")
    KEYWORDS = set("""algorithm and annotation block break class connect connector constant constrainedby der discrete each else
        elseif elsewhen encapsulated end enumeration equation expandable extends external false final flow for function if import
        impure in initial inner input loop model not operator or outer output package parameter partial protected public pure
        record redeclare replaceable return stream then true type when while within""".split())
    PREDEFINED = set("Real Integer Boolean String Clock AssertionLevel StateSelect ExternalObject".split())
    FUNCTIONS = {"cos": math.cos, "sin": math.sin, "sqrt": math.sqrt}

    def __init__(self, text, parameters):
        self.tokens, position = [], 0
        text = text.rstrip()
        while position < len(text):
            found = self.TOKEN.match(text, position)
            if not found:
                raise AssertionError(f"no Modelica: {text[position:position + 40]!r}")
            position = found.end()
            if not found.group(1).startswith("//"):
                self.tokens.append(found.group(1))
        self.at, self.values, self.parameters, self.outputs = 0, {}, parameters, []
        self.function()

    def peek(self):
        return self.tokens[self.at] if self.at < len(self.tokens) else None

    def take(self, *expected):
        token = self.peek()
        if token is None or expected and token not in expected:
            raise AssertionError(f"{token!r} for {expected} in Modelica after {' '.join(self.tokens[max(0, self.at - 12):self.at])}")
        self.at += 1
        return token

    def name(self):
        name = self.take()
        if name in self.KEYWORDS | self.PREDEFINED or not re.fullmatch(r"[A-Za-z_]\w*", name):
            raise AssertionError(f"{name!r} is no name in Modelica")
        return name

    def sizes(self):
        sizes = []
        while not sizes or self.take(",", "]") == ",":
            sizes.append(int(self.take()))
        return sizes

    def function(self):
        self.take("function")
        own = self.name()
        while self.peek() in ("input", "output"):
            kind = self.take()
            self.take("Real")
            name = self.name()
            self.take("[")
            sizes = self.sizes()
            self.take(";")
            if kind == "input":
                assert sizes == [len(self.parameters)], sizes
                self.values[name] = self.parameters
            else:
                self.values[name], _ = None, self.outputs.append((name, sizes))
        self.take("protected")
        while self.peek() == "Real":
            self.take()
            name = self.name()
            self.take("=")
            assert name not in self.values and name != own, name
            self.values[name] = self.sum()
            self.take(";")
        self.take("algorithm")
        while self.peek() != "end":
            self.assignment()
        self.take("end")
        self.take(own)
        self.take(";")
        assert self.peek() is None

    def assignment(self):
        name = self.name()
        sizes = dict(self.outputs)[name]
        if self.take(":=", "[") == ":=":
            for word in ("zeros", "("):
                self.take(word)
            assert [int(self.take()), self.take(","), int(self.take())] == [sizes[0], ",", sizes[1]]
            self.take(")")
            self.values[name] = np.zeros(sizes)
        else:
            i, j = self.sizes()
            assert 1 <= i <= sizes[0] and 1 <= j <= sizes[1]
            self.take(":=")
            self.values[name][i - 1, j - 1] = self.sum()
        self.take(";")

    @staticmethod
    def checked(x):
        if isinstance(x, int) and abs(x) > 2 ** 31 - 1:
            raise AssertionError(f"{x} is no Integer of Modelica")
        return x

    def sum(self):
        sign = -1 if self.peek() in ("+", "-") and self.take() == "-" else 1
        total = sign * self.term()
        while self.peek() in ("+", "-"):
            total = self.checked(total + self.term() if self.take() == "+" else total - self.term())
        return total

    def term(self):
        product = self.factor()
        while self.peek() in ("*", "/"):
            product = self.checked(product * self.factor() if self.take() == "*" else float(product) / self.factor())
        return product

    def factor(self):
        base = self.primary()
        if self.peek() != "^":
            return base
        self.take()
        return float(base) ** self.primary()

    def primary(self):
        token = self.take()
        if token == "(":
            value = self.sum()
            self.take(")")
            return value
        if token[0].isdigit():
            return self.checked(int(token)) if token.isdigit() else float(token)
        if token in self.FUNCTIONS and self.peek() == "(":
            self.take()
            value = self.FUNCTIONS[token](self.sum())
            self.take(")")
            return value
        value = self.values[token]
        if isinstance(value, list):
            self.take("[")
            value = value[self.sizes()[0] - 1]
        return value

    def matrices(self):
        return [self.values[name] for name, _ in self.outputs]


class Languages(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        if "which this build lacks" in subprocess.run([ROUTH, "symbolic", f"{SOURCE}/examples/double-pendulum.yaml"],
                                                      capture_output=True, text=True).stderr:
            print("this build has no FLINT")
            sys.exit(77)
        cls.folder = tempfile.mkdtemp()
        cls.mechanisms, cls.wanted, refused, seed = [], [], 0, 0
        while len(cls.mechanisms) < MECHANISMS:
            k, mechanism = len(cls.mechanisms), Mechanism(seed)
            seed += 1
            with open(cls.path(k), "w", encoding="utf-8") as file:
                file.write(mechanism.text)
            done = subprocess.run([ROUTH, "symbolic", cls.path(k), "--independent", ",".join(mechanism.states)],
                                  capture_output=True, text=True)
            if "too many terms" in done.stderr:
                refused += 1
                continue
            cls.mechanisms.append(mechanism)
            cls.wanted.append(cls.numeric(k))
        if refused > 0.1 * MECHANISMS + 2:
            raise AssertionError(f"{refused} mechanisms refused beside {MECHANISMS}")

    @classmethod
    def tearDownClass(cls):
        shutil.rmtree(cls.folder)

    @classmethod
    def path(cls, k):
        return os.path.join(cls.folder, f"mechanism{k}.yaml")

    @classmethod
    def numeric(cls, k):
        states = cls.mechanisms[k].states
        path = os.path.join(cls.folder, "numeric.yaml")
        with open(path, "w", encoding="utf-8") as file:
            file.write(cls.mechanisms[k].text + f"linearize: {{states: [{', '.join(states)}]}}\n")
        A = np.array(json.loads(run("linearize", path, "--json"))["A"])
        return A[len(A) // 2:]

    def symbolic(self, k, *options):
        return run("symbolic", self.path(k), "--independent", ",".join(self.mechanisms[k].states), *options)

    def agree(self, k, matrices, what):
        M, C, K = matrices
        A = -np.linalg.solve(M, np.hstack([K, C]))
        self.assertEqual(A.shape, self.wanted[k].shape)
        worst = np.abs(A - self.wanted[k]).max() / np.abs(self.wanted[k]).max()
        self.assertLessEqual(worst, 1e-12, f"{what} of mechanism {k}, {len(self.mechanisms[k].names)} parameters:\n"
                             f"{self.mechanisms[k].text}")

    def test_text(self):
        for k, mechanism in enumerate(self.mechanisms):
            self.agree(k, text_entries(self.symbolic(k), mechanism.values, len(mechanism.states)), "text")

    def test_json(self):
        for k, mechanism in enumerate(self.mechanisms):
            found = json.loads(self.symbolic(k, "--json"))
            values = {s["name"]: s["value"] for s in found["symbols"]}
            self.assertEqual(values, mechanism.values)
            matrices = [np.array([[Reader(x, values).whole() for x in row] for row in found[name]]) for name in "MCK"]
            self.agree(k, matrices, "JSON")
            A = np.array([[Reader(x, values).whole() for x in row] for row in found["A"]])
            n = len(mechanism.states)
            self.assertLessEqual(np.abs(A[n:] - self.wanted[k]).max(), 1e-12 * np.abs(A).max())

    def test_latex(self):
        for k, mechanism in enumerate(self.mechanisms):
            text = self.symbolic(k, "--format", "latex")
            self.agree(k, latex_entries(text, LatexNames(mechanism.values)), "LaTeX")

    def test_python(self):
        for k, mechanism in enumerate(self.mechanisms):
            space = {}
            exec(self.symbolic(k, "--format", "python"), space)
            self.agree(k, space["linear_model"](list(mechanism.values.values())), "Python")

    def test_c(self):
        compiler = shutil.which("cc") or shutil.which("gcc") or shutil.which("clang")
        if not compiler:
            self.skipTest("no compiler")
        for standard in ("-std=c17", "-std=gnu17"):
            self.compile_all(compiler, standard)

    def compile_all(self, compiler, standard):
        main = ["#include <stdio.h>", "static double m[3][9];"]
        calls, sources = [], []
        for k, mechanism in enumerate(self.mechanisms):
            code = os.path.join(self.folder, f"model{k}.c")
            with open(code, "w", encoding="utf-8") as file:
                file.write(self.symbolic(k, "--format", "c").replace("void linear_model(", f"void linear_model{k}("))
            sources.append(code)
            n = len(mechanism.states)
            values = ", ".join(map(repr, mechanism.values.values()))
            main.append(f"void linear_model{k}(const double *p, double *M, double *C, double *K);")
            calls.append(f"{{const double p[] = {{{values}}}; linear_model{k}(p, m[0], m[1], m[2]); "
                         f"for (int k = 0; k < 3; k++) for (int i = 0; i < {n * n}; i++) "
                         "printf(\"%.17g \", m[k][i]); puts(\"\");}")
        path, program = (os.path.join(self.folder, name) for name in ("main.c", "main"))
        with open(path, "w", encoding="utf-8") as file:
            file.write("\n".join(main) + "\nint main(void)\n{\n" + "\n".join(calls) + "\nreturn 0;\n}\n")
        subprocess.run([compiler, standard, "-O0", "-Wall", "-Wextra", "-Werror", "-o", program, path, *sources, "-lm"],
                       check=True)
        lines = subprocess.run([program], capture_output=True, text=True, check=True).stdout.splitlines()
        self.assertEqual(len(lines), len(self.mechanisms))
        for k, line in enumerate(lines):
            n = len(self.mechanisms[k].states)
            self.agree(k, np.array([float(x) for x in line.split()]).reshape(3, n, n), "C")

    def test_octave(self):
        octave = shutil.which("octave-cli") or shutil.which("octave")
        if not octave:
            self.skipTest("octave is missing")
        script = []
        for k, mechanism in enumerate(self.mechanisms):
            with open(os.path.join(self.folder, f"linear_model{k}.m"), "w", encoding="utf-8") as file:
                file.write(self.symbolic(k, "--format", "matlab").replace("= linear_model(", f"= linear_model{k}("))
            values = ", ".join(map(repr, mechanism.values.values()))
            script.append(f"[M, C, K] = linear_model{k}([{values}]); printf('%.17g ', M', C', K'); printf('\\n');")
        path = os.path.join(self.folder, "every.m")
        with open(path, "w", encoding="utf-8") as file:
            file.write("1;\n" + "\n".join(script) + "\nfflush(stdout);\n")
        done = subprocess.run([octave, "--no-gui", path], cwd=self.folder, capture_output=True, text=True)
        lines = [line for line in done.stdout.splitlines() if line.strip()]
        self.assertEqual(len(lines), len(self.mechanisms), done.stderr)
        for k, line in enumerate(lines):
            n = len(self.mechanisms[k].states)
            self.agree(k, np.array([float(x) for x in line.split()]).reshape(3, n, n), "Octave")

    def test_modelica(self):
        for k, mechanism in enumerate(self.mechanisms):
            found = Modelica(self.symbolic(k, "--format", "modelica"), list(mechanism.values.values()))
            self.assertEqual([name for name, _ in found.outputs], ["M", "C", "K"])
            self.agree(k, found.matrices(), "Modelica")

    # ---- names -------------------------------------------------------------------------------------------------------

    def of_names(self, names):
        """A mass on one spring, its stiffness the sum of all names by weights, and its matrices in each language. Names with
        dots are parameters of parts, and come last."""
        path = os.path.join(self.folder, "names.yaml")
        values = [1 + 0.37 * k for k in range(len(names))]
        sums = " + ".join(f"{k + 1}*{name}" for k, name in enumerate(names))
        own, parts = {}, {}
        for name, value in zip(names, values):
            part, dot, last = name.rpartition(".")
            (parts.setdefault(part, {}) if dot else own)[last] = value
        for k, given in enumerate(parts.values()):
            with open(os.path.join(self.folder, f"part{k}.yaml"), "w", encoding="utf-8") as file:
                file.write(f"exports: [{', '.join(given)}]\nparameters: {{{', '.join(f'{n}: {v}' for n, v in given.items())}}}\n")
        used = "parts: {" + ", ".join(f"{name}: {{file: part{k}.yaml}}" for k, name in enumerate(parts)) + "}\n"
        with open(path, "w", encoding="utf-8") as file:
            file.write(f"parameters: {{{', '.join(f'{n}: {v}' for n, v in own.items())}}}\n{used if parts else ''}"
                       "bodies: {cart: {mass: 1, inertia: [1, 1, 1]}}\n"
                       "joints: {guide: {type: translational, between: [cart, ground], at: [0, 0, 0], axis: x}}\n"
                       "loads: {s: {type: bushing, between: [cart, ground], "
                       f"translation: {{stiffness: [{sums}, 0, 0]}}}}}}\n")
        return path, values, sum((k + 1) * v for k, v in enumerate(values))

    def all_languages(self, names):
        path, values, k = self.of_names(names)
        space = {}
        exec(run("symbolic", path, "--format", "python"), space)
        self.assertAlmostEqual(space["linear_model"](values)[2][0, 0] / k, 1, 12)
        latex = latex_entries(run("symbolic", path, "--format", "latex"), LatexNames(dict(zip(names, values))))
        self.assertAlmostEqual(latex[2][0, 0] / k, 1, 12)
        text = text_entries(run("symbolic", path), dict(zip(names, values)), 1)
        self.assertAlmostEqual(text[2][0, 0] / k, 1, 12)
        modelica = Modelica(run("symbolic", path, "--format", "modelica"), values)
        self.assertAlmostEqual(modelica.matrices()[2][0, 0] / k, 1, 12)
        self.in_c(path, values, k)
        self.in_octave(path, values, k)

    def in_c(self, path, values, k):
        compiler = shutil.which("cc") or shutil.which("gcc") or shutil.which("clang")
        if not compiler:
            return
        code, main, program = (os.path.join(self.folder, name) for name in ("names.c", "names_main.c", "names"))
        run("symbolic", path, "--format", "c", "--output", code)
        with open(main, "w", encoding="utf-8") as file:
            file.write("#include <stdio.h>\nvoid linear_model(const double *p, double *M, double *C, double *K);\n"
                       f"int main(void) {{ double M, C, K; const double p[] = {{{', '.join(map(repr, values))}}};\n"
                       "linear_model(p, &M, &C, &K); printf(\"%.17g\", K); return 0; }\n")
        for standard in ("-std=c17", "-std=gnu17"):
            subprocess.run([compiler, standard, "-Wall", "-Wextra", "-Werror", "-o", program, main, code, "-lm"], check=True)
            found = float(subprocess.run([program], capture_output=True, text=True, check=True).stdout)
            self.assertAlmostEqual(found / k, 1, 12)

    def in_octave(self, path, values, k):
        octave = shutil.which("octave-cli") or shutil.which("octave")
        if not octave:
            return
        code = os.path.join(self.folder, "linear_model.m")
        run("symbolic", path, "--format", "matlab", "--output", code)
        with open(code, encoding="utf-8") as file:
            for name in re.findall(r"(?m)^    (\w+) = parameters", file.read()):
                self.assertRegex(name, r"^[A-Za-z]\w{0,62}$")  # what MATLAB takes and tells apart
        script = f"[M, C, K] = linear_model([{', '.join(map(repr, values))}]); printf('%.17g\\n', K); fflush(stdout);"
        done = subprocess.run([octave, "--no-gui", "--eval", script], cwd=self.folder, capture_output=True, text=True)
        self.assertTrue(done.stdout, done.stderr)
        self.assertAlmostEqual(float(done.stdout) / k, 1, 12)

    def test_names_that_are_awkward(self):
        self.all_languages(AWKWARD)

    def test_names_of_parts(self):
        """Those that would be called alike with underscores for dots, those that are reserved then, and long ones."""
        self.all_languages(["p_k", "q_k_k", "cos_phi", "x3", "p.k", "p.lambda", "p.k_", "p.phi", "q.k_k", "q.double", "q.d",
                            "q_k.k", "cos.phi", "sin.phi", "M.PI_4", "co.await", "co.await_", "b.x1",
                            "x1.x", "x1.x1", "part_of_a_long_name_that_goes_on.and_a_long_parameter_of_it", "p1.k", "p1.k1",
                            "p1_k.k", "shared.x", "A.A", "C.K"])

    def test_names_that_the_languages_of_this_machine_reserve(self):
        names = set(keyword.kwlist) | set(getattr(keyword, "softkwlist", [])) | {"np", "math"}
        compiler = shutil.which("cc") or shutil.which("gcc")
        if compiler:
            macros = subprocess.run([compiler, "-std=gnu17", "-D_GNU_SOURCE", "-dM", "-E", "-"], input="#include <math.h>\n",
                                    capture_output=True, text=True, check=True).stdout
            names |= {line.split()[1].split("(")[0] for line in macros.splitlines() if line.startswith("#define")}
        octave = shutil.which("octave-cli") or shutil.which("octave")
        if octave:
            words = subprocess.run([octave, "--no-gui", "--eval", "printf('%s\\n', iskeyword(){:}); fflush(stdout);"],
                                   capture_output=True, text=True).stdout
            names |= set(words.split())
        taken = {"ground", "time", "TIME", "Time", "pi", "PI"}
        names = sorted(n for n in names if re.fullmatch(r"[A-Za-z_]\w{0,99}", n) and n not in taken)
        self.assertGreater(len(names), 35)
        for start in range(0, len(names), 100 if EFFORT > 1 else 300):
            self.all_languages(names[start:start + 100])


class LatexNames(dict):
    """What a name looks like in LaTeX, back to its value; no two names may look alike."""

    def __init__(self, values):
        super().__init__()
        self.plain = values

    def __missing__(self, token):
        verbatim = re.fullmatch(r"\\mathtt\{(.*)\}", token)
        if verbatim:
            return self.plain[verbatim.group(1).replace("\\_", "_")]
        head, _, index = token.partition("_")
        head = re.sub(r"^\\(?:mathrm\{(.*)\}|(.*))$", lambda m: m.group(1) or m.group(2), head)
        index = index.strip("{}").replace(",", "_")
        candidates = [name for name in (head + index, head + "_" + index) if name in self.plain]
        candidates = sorted(set(candidates))
        if len(candidates) != 1:
            raise AssertionError(f"{token} may be any of {candidates}")
        return self.plain[candidates[0]]


if __name__ == "__main__":
    unittest.main()
