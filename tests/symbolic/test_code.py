"""Functions that routh symbolic writes, compiled and run: C, Python and Octave against the numeric linearization at
200 random values of the parameters, to 1e-12 of the largest entry."""
import json
import os
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
CASES = int(60 * float(os.environ.get("ROUTH_TEST_EFFORT", "1")))
NUMERIC = 12  # of them also linearized numerically here; tests/symbolic/test_symbolic.c has the rest


def run(*arguments):
    done = subprocess.run([ROUTH, *arguments], capture_output=True, text=True)
    if done.returncode:
        raise AssertionError(done.stderr)
    return done.stdout


def lower_half(M, C, K):
    return -np.linalg.solve(M, np.hstack([K, C]))


class Code(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        if "which this build lacks" in subprocess.run([ROUTH, "symbolic", f"{SOURCE}/examples/double-pendulum.yaml"],
                                        capture_output=True, text=True).stderr:
            print("this build has no FLINT")
            sys.exit(77)
        cls.folder = tempfile.mkdtemp()

    @classmethod
    def tearDownClass(cls):
        shutil.rmtree(cls.folder)

    def draws(self, model, n=CASES):
        random = np.random.default_rng(7)
        symbols = json.loads(run("symbolic", model, "--json"))["symbols"]
        names = [s["name"] for s in symbols]
        values = np.array([s["value"] for s in symbols])
        return names, values * random.uniform(0.9, 1.1, (n, len(values)))

    def numeric(self, model, names, values, states):
        with open(model, encoding="utf-8") as file:
            text = file.read()
        text = re.sub(r"(?m)^linearize:.*$", "", text) + f"\nlinearize: {{states: [{', '.join(states)}]}}\n"
        path = os.path.join(self.folder, "numeric.yaml")
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
        settings = [f"--set={name}={value!r}" for name, value in zip(names, map(float, values))]
        linear = json.loads(run("linearize", path, "--json", *settings))
        A = np.array(linear["A"])
        return A[len(A) // 2:]

    def in_c(self, model, options, values, n):
        code = os.path.join(self.folder, "model.c")
        main = os.path.join(self.folder, "main.c")
        program = os.path.join(self.folder, "main")
        run("symbolic", model, "--format", "c", "--output", code, *options)
        with open(main, "w", encoding="utf-8") as file:
            file.write("#include <stdio.h>\n"
                       "void linear_model(const double *parameters, double *M, double *C, double *K);\n"
                       "int main(void)\n{\n    double p[100], m[3][100];\n"
                       f"    for (int ok = 1; ok;) {{\n        for (int k = 0; k < {values.shape[1]} && ok; k++)\n"
                       "            ok = scanf(\"%lf\", &p[k]) == 1;\n        if (!ok) break;\n"
                       "        linear_model(p, m[0], m[1], m[2]);\n"
                       f"        for (int k = 0; k < 3; k++) for (int i = 0; i < {n * n}; i++)\n"
                       "            printf(\"%.17g \", m[k][i]);\n        printf(\"\\n\");\n    }\n    return 0;\n}\n")
        compiler = shutil.which("cc") or shutil.which("gcc")
        subprocess.run([compiler, "-std=c17", "-Wall", "-Wextra", "-Werror", "-o", program, main, code, "-lm"],
                       check=True)
        text = "\n".join(" ".join(repr(float(v)) for v in row) for row in values)
        out = subprocess.run([program], input=text, capture_output=True, text=True, check=True).stdout
        return np.array([[float(x) for x in line.split()] for line in out.splitlines()]).reshape(-1, 3, n, n)

    def state_matrix_in_c(self, model, options, values, n):
        code, main, program = (os.path.join(self.folder, name) for name in ("states.c", "main2.c", "main2"))
        run("symbolic", model, "--form", "state-space", "--format", "c", "--output", code, *options)
        with open(main, "w", encoding="utf-8") as file:
            file.write("#include <stdio.h>\nvoid linear_model(const double *parameters, double *A);\n"
                       f"int main(void)\n{{\n    double p[100], A[{4 * n * n}];\n"
                       f"    for (int ok = 1; ok;) {{\n        for (int k = 0; k < {values.shape[1]} && ok; k++)\n"
                       "            ok = scanf(\"%lf\", &p[k]) == 1;\n        if (!ok) break;\n"
                       f"        linear_model(p, A);\n        for (int i = 0; i < {4 * n * n}; i++) "
                       "printf(\"%.17g \", A[i]);\n        printf(\"\\n\");\n    }\n    return 0;\n}\n")
        compiler = shutil.which("cc") or shutil.which("gcc")
        subprocess.run([compiler, "-std=c17", "-Wall", "-Wextra", "-Werror", "-o", program, main, code, "-lm"],
                       check=True)
        text = "\n".join(" ".join(repr(float(v)) for v in row) for row in values)
        out = subprocess.run([program], input=text, capture_output=True, text=True, check=True).stdout
        return np.array([[float(x) for x in line.split()] for line in out.splitlines()]).reshape(-1, 2 * n, 2 * n)

    def compare_state_space(self, model, states):
        """A in C, Python and Octave against M, C, K and against the numeric A."""
        n = len(states)
        options = ["--independent", ",".join(states)]
        names, values = self.draws(model)
        found = self.state_matrix_in_c(model, options, values, n)
        self.assertEqual(len(found), len(values))
        second, first = {}, {}
        exec(run("symbolic", model, "--format", "python", *options), second)
        exec(run("symbolic", model, "--form", "state-space", "--format", "python", *options), first)
        for row, A in zip(values, found):
            whole = np.vstack([np.hstack([np.zeros((n, n)), np.eye(n)]), lower_half(*second["linear_model"](row))])
            self.assertLessEqual(np.abs(A - whole).max(), 1e-12 * np.abs(whole).max())
            self.assertLessEqual(np.abs(A - first["linear_model"](row)).max(), 1e-14 * np.abs(A).max())
        for row, A in list(zip(values, found))[:NUMERIC // 4]:
            B = self.numeric(model, names, row, states)
            self.assertLessEqual(np.abs(A[n:] - B).max(), 1e-12 * np.abs(B).max())
        octave = shutil.which("octave-cli") or shutil.which("octave")
        if octave:
            run("symbolic", model, "--form", "state-space", "--format", "matlab", "--output",
                os.path.join(self.folder, "linear_model.m"), *options)
            script = f"printf('%.17g ', linear_model([{', '.join(repr(float(v)) for v in values[0])}])');"
            out = subprocess.run([octave, "--no-gui", "--eval", script], cwd=self.folder, capture_output=True,
                                 text=True, check=True).stdout
            theirs = np.array([float(x) for x in out.split()]).reshape(2 * n, 2 * n)
            self.assertLessEqual(np.abs(found[0] - theirs).max(), 1e-14 * np.abs(theirs).max())

    def test_the_state_matrix_of_a_double_pendulum(self):
        self.compare_state_space(f"{SOURCE}/examples/double-pendulum.yaml", ["upper.x", "lower.x"])

    def test_the_state_matrix_of_a_spinning_top(self):
        self.compare_state_space(f"{SOURCE}/examples/spinning-top.yaml", ["hull.x", "hull.y"])

    def test_the_state_matrix_as_text_and_latex(self):
        model = f"{SOURCE}/examples/double-pendulum.yaml"
        options = ["--form", "state-space", "--independent", "upper.x,lower.x"]
        text = run("symbolic", model, *options)
        self.assertIn("y' = A y, y = (z, z'), z = changes of (upper.x, lower.x)\n", text)
        self.assertIn("\nA[1,3] = 1\nA[2,4] = 1\nA[3,1] = ", text)
        self.assertNotIn("M[1,1]", text)
        latex = run("symbolic", model, *options, "--format", "latex")
        self.assertEqual((latex.count("\\begin{bmatrix}"), latex.count(" & ")), (1, 12))

    def compare(self, model, states, numeric=NUMERIC):
        n = len(states)
        options = ["--independent", ",".join(states)]
        names, values = self.draws(model)
        found = self.in_c(model, options, values, n)
        self.assertEqual(len(found), len(values))
        space = {}
        exec(run("symbolic", model, "--format", "python", *options), space)
        for row, matrices in zip(values, found):
            for ours, theirs in zip(matrices, space["linear_model"](row)):
                self.assertLessEqual(np.abs(ours - theirs).max(), 1e-14 * max(1, np.abs(ours).max()))
        for row, matrices in list(zip(values, found))[:numeric]:
            A, B = lower_half(*matrices), self.numeric(model, names, row, states)
            self.assertLessEqual(np.abs(A - B).max(), 1e-12 * np.abs(B).max())
        return values, found

    def test_a_double_pendulum(self):
        self.compare(f"{SOURCE}/examples/double-pendulum.yaml", ["upper.x", "lower.x"], CASES)

    def test_a_spinning_top(self):
        self.compare(f"{SOURCE}/examples/spinning-top.yaml", ["hull.x", "hull.y"])

    def test_a_slider_with_a_pendulum(self):
        self.compare(f"{SOURCE}/examples/slider-pendulum.yaml", ["slider.y", "pendulum.rx"])

    def test_names_that_programs_reserve(self):
        model = os.path.join(self.folder, "names.yaml")
        with open(model, "w", encoding="utf-8") as file:
            file.write("parameters: {lambda: 2, double: 3, M: 5, end: 7, phi: 0.3, pi_: 2}\n"
                       "bodies: {bar: {mass: lambda*M, inertia: [end, end, end], orientation: {axis: [0, 0, 1], "
                       "angle: phi}}}\n"
                       "joints: {guide: {type: inline, between: [bar, ground]}, "
                       "hold: {type: orientation, between: [bar, ground], at: [0, 0, 0]}}\n"
                       "loads: {s: {type: bushing, between: [bar, ground], "
                       "translation: {stiffness: [0, 0, double*pi_]}}}\n")
        self.compare(model, ["bar.z"])

    def test_options_that_do_not_go_together(self):
        model = f"{SOURCE}/examples/spinning-top.yaml"
        for words, why in ((["--certify", "--format", "c"], "--certify uses the parameter values"),
                           (["--digits", "30"], "--digits needs --certify"),
                           (["--format", "fortran"], "--format takes text, latex, c, python, matlab or modelica"),
                           (["--json", "--format", "c"], "exclude each other"),
                           (["--form", "first-order"], "--form takes second-order or state-space"),
                           (["--form", "state-space", "--json"], "--json writes both forms"),
                           (["--form", "state-space", "--stability"], "--stability needs --form"),
                           (["--form", "state-space", "--certify"], "--certify uses the parameter values"),
                           (["--over", "k=0:1"], "--over needs --chart"),
                           (["--chart", "x.svg", "--over", "k=0:1"], "--over NAME=A:B twice"),
                           (["--symbols", "stiffness"], "no parameter 'stiffness'")):
            done = subprocess.run([ROUTH, "symbolic", model, *words], capture_output=True, text=True)
            self.assertEqual(done.returncode, 2, words)
            self.assertIn(why, done.stderr)

    def test_a_chart_is_a_picture(self):
        path = os.path.join(self.folder, "chart.svg")
        run("symbolic", f"{SOURCE}/examples/spinning-top.yaml", "--set", "c=0", "--symbols", "none", "--chart", path,
            "--over", "spin=0:60", "--over", "k=0:120")
        with open(path, encoding="utf-8") as file:
            text = file.read()
        self.assertTrue(text.startswith("<svg") and "shaded: no motion grows" in text)

    def test_octave_runs_the_function(self):
        octave = shutil.which("octave-cli") or shutil.which("octave")
        if not octave:
            self.skipTest("octave is missing")
        model = f"{SOURCE}/examples/spinning-top.yaml"
        values, found = self.compare(model, ["hull.x", "hull.y"])
        run("symbolic", model, "--format", "matlab", "--output", os.path.join(self.folder, "linear_model.m"),
            "--independent", "hull.x,hull.y")
        row = ", ".join(repr(float(v)) for v in values[0])
        script = f"[M, C, K] = linear_model([{row}]); printf('%.17g ', [M; C; K]');"
        out = subprocess.run([octave, "--no-gui", "--eval", script], cwd=self.folder, capture_output=True, text=True,
                             check=True).stdout
        theirs = np.array([float(x) for x in out.split()]).reshape(3, 2, 2)
        self.assertLessEqual(np.abs(found[0] - theirs).max(), 1e-14 * np.abs(theirs).max())


if __name__ == "__main__":
    unittest.main()
