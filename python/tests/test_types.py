"""Types as checkers see them: the words of Literal types are those of the library, documented code is clean under
``mypy --strict``, and mistakes are found."""

from __future__ import annotations

import ast
import inspect
import os
import pathlib
import re
import shutil
import subprocess
import sys
import typing

import pytest

import routh
from routh import _literals, _studies, convert, studies
from routh._routh import lib
from routh.modes import _ENERGIES

response = sys.modules["routh.studies.response"]
SOURCE = pathlib.Path(__file__).resolve().parents[2]


def words(literal: object) -> tuple[str, ...]:
    return typing.get_args(literal)


def named(function: str) -> list[str]:
    from routh import _api

    return list(_api.names_until_null(getattr(lib, function)))


def test_the_words_are_those_of_the_library() -> None:
    assert words(_literals.Coordinates) == routh.COORDINATES
    assert set(routh.METHODS) < set(words(_literals.Method))
    assert list(words(_literals.Integrator)) == named("routh_integrator_name")
    assert list(words(_literals.Format)) == named("routh_exchange_format_name")
    assert list(words(_literals.Algorithm)) == named("routh_optimum_algorithm_name")
    assert words(response.Base) == tuple(response._BASES) and words(response.Motion) == tuple(response._MOTIONS)
    energies = typing.get_type_hints(routh.Modes.energies, {**vars(routh.modes), **vars(typing)})["kind"]
    assert words(energies) == tuple(_ENERGIES)
    linear = routh.template("pendulum-chain", n=1).linearize()
    for name in words(convert.MatrixName):
        assert getattr(linear, name) is not None


def test_every_word_is_taken() -> None:
    m = routh.template("pendulum-chain", n=1)
    for coordinates in routh.COORDINATES:
        assert m.mechanism(coordinates).coordinates == coordinates
    for method in words(_literals.Method):
        assert m.linearize(method=method).n_states == 2  # type: ignore[arg-type]
    for kind in words(_literals.PointType):
        if kind != "steady":
            assert m.operating_point(kind).type == kind  # type: ignore[arg-type]


def test_methods_have_the_signatures_of_the_functions() -> None:
    for cls, functions in (
        (routh.Model, ("sweep", "sensitivity", "simulate", "floquet", "optimise", "certify", "report", "view")),
        (routh.Linear, ("response",)),
        (routh.Descriptor, ("response",)),
    ):
        for name in functions:
            own, other = inspect.signature(getattr(cls, name)), inspect.signature(getattr(studies, name))
            assert [str(p) for p in list(own.parameters.values())[1:]] == [str(p) for p in list(other.parameters.values())[1:]]
            assert inspect.getdoc(getattr(cls, name)) == inspect.getdoc(getattr(studies, name))
    text = pathlib.Path(_studies.__file__).read_text("utf-8")
    assert "Any = " not in re.sub(r"own: Any = self", "", text)


def blocks(path: pathlib.Path) -> list[str]:
    return re.findall(r"^```python\n(.*?)^```", path.read_text("utf-8"), re.M | re.S)


PAGES = [SOURCE / "docs/guide/python.md", SOURCE / "python/README.md", SOURCE / "README.md"]

# What the pages use from one block to the next; and more that is usual.
MORE = """
import numpy as np
import routh
from routh.measures import DX, DZ

m = routh.Model("Types")
l = m.parameter("l", 0.5)
bob = m.body("bob", mass=1, inertia=np.eye(3), position=[0, 0, -l], orientation=np.eye(3))
m.revolute("hinge", bob, m.ground, at=[0, 0, 0], axis="y")
push = m.input("push", 0)
m.force("f", bob, components=[push - 3 * DX(bob), 0, 0])
m.output("y", f"DZ({bob})/{2 * l}")
m.gravity = (0, 0, -9.81)
value: float = m.l.value
m.l = 3
m.bodies["bob"].set(mass=2 * l)
linear = m.linearize("static", coordinates="relative", method="minimal:qr", states=["bob.x"])
modes = linear.modes()
frequency: float = modes[0].undamped_frequency_hz
some: list[routh.Mode] = modes[:2]
shares = modes.energies("strain")
for coordinates in routh.COORDINATES:
    for method in routh.METHODS:
        m.linearize(coordinates=coordinates, method=method)
response = m.response(push, ["y"], hz=np.linspace(0.1, 2, 5), at="static")
magnitude: float = abs(response("y", "push")[0])
sweep = m.sweep({l: range(1, 4)}, at="static", solve=["limits", "critical"])
m.sweep({"l": [1.0, 2.0], "k": "1:2:3"})
history = m.simulate(1, x0={"bob.x": 0.1}, inputs={"push": ([0, 1], [0.0, 2.0])}, integrator="hht")
point: routh.OperatingPoint = history.point(0.5)
m.linearize(point).to_pandas("stiffness")
f = m.dynamics(point, coordinates="relative")
rate: np.ndarray[tuple[int, ...], np.dtype[np.float64]] | object = f(0.0, f.x0, {"push": 1})
body = routh.reduce(np.eye(3), np.eye(3), nodes=[[0, 0, 0]])
linear.save("x.mat", "mat")
check = m.check("given")
same: bool = m.copy() == m
"""

WRONG = [
    ('m.linearize("statc")', "arg-type"),
    ('m.linearize(coordinates="relativ")', "arg-type"),
    ('m.linearize(metod="auto")', "call-arg"),
    ('m.simulate(1, integrator="bdff")', "arg-type"),
    ('m.linearize().to_pandas("stifness")', "arg-type"),
    ('m.linearize().modes().energies("kinetc")', "arg-type"),
    ('m.linearize().modes()[0].undamped', "attr-defined"),
    ('m.linearise()', "operator"),
    ('m.response("a", base="up")', "arg-type"),
    ('m.revolute("h", "a", "b", axs="x")', "call-arg"),
    ('m.linearize().save("x", "matt")', "arg-type"),
    ('m.sensitivity("k", mthod="auto")', "call-arg"),
]


def mypy(code: str, folder: pathlib.Path) -> list[str]:
    file = folder / "code.py"
    file.write_text(code)
    config = folder / "mypy.ini"
    config.write_text("[mypy]\nstrict = True\n" + "".join(
        f"[mypy-{name}.*]\nignore_missing_imports = True\n" for name in ("matplotlib", "scipy", "control", "xarray", "pandas")
    ))
    run = subprocess.run(
        [sys.executable, "-m", "mypy", "--config-file", str(config), "--cache-dir", str(folder / "cache"), "code.py"],
        capture_output=True, text=True, check=False, cwd=folder, env={**os.environ, "MYPYPATH": ""},
    )
    return [line for line in run.stdout.splitlines() if "error:" in line] + run.stderr.splitlines()


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> pathlib.Path:
    pytest.importorskip("mypy")
    return tmp_path_factory.mktemp("types")


def documented() -> str:
    code = "".join(f"def block_{k}() -> None:\n" + indented(text) for k, text in enumerate(
        [text for page in PAGES for text in blocks(page) if compiles(text) and "axes=" not in text] + [MORE]
    ))
    assert code.count("def block_") > 8
    return code


def test_documented_code_is_clean_under_mypy_strict(folder: pathlib.Path) -> None:
    assert mypy("import routh\nfrom routh import Model\nimport numpy as np\n" + documented(), folder) == []


def pyright(*arguments: str, cwd: pathlib.Path | None = None) -> str:
    """What pyright says, or basedpyright, where one is installed."""
    place = pathlib.Path(sys.executable).parent
    path = f"{place}:{os.environ['PATH']}"
    found = next((f for name in ("pyright", "basedpyright") if (f := shutil.which(name, path=path))), None)
    if not found:
        pytest.skip("pyright is not installed")
    return subprocess.run(
        [found, "--pythonpath", sys.executable, *arguments],
        capture_output=True, text=True, check=False, env={**os.environ, "PATH": path}, cwd=cwd,
    ).stdout


def test_documented_code_is_clean_under_pyright(tmp_path: pathlib.Path) -> None:
    (tmp_path / "pyrightconfig.json").write_text('{"typeCheckingMode": "standard", "include": ["code.py"]}')
    (tmp_path / "code.py").write_text(documented())
    told = pyright("code.py", cwd=tmp_path)
    assert re.search(r"\b0 errors", told), told


def compiles(text: str) -> bool:
    try:
        ast.parse(text)
    except SyntaxError:
        return False
    return True


# A page goes on from one block to the next; each block is a function here, so what it takes from before is made first.
BEFORE = {"numpy": "import numpy", "control": "import control", "m": "m = routh.Model()", "first": 'first = m.body("first", mass=1, inertia=[1, 1, 1])',
          "second": 'second = m.body("second", mass=1, inertia=[1, 1, 1])', "l": 'l = m.parameter("l", 1)'}


def indented(text: str) -> str:
    tree = ast.parse(text)
    stored = {n.id for n in ast.walk(tree) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)}
    loaded = {n.id for n in ast.walk(tree) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Load)}
    needed = [line for name, line in BEFORE.items() if name in loaded - stored or (name == "m" and "m" not in stored)]
    lines = text.splitlines()
    imports = [line for line in lines if re.match(r"import |from ", line)]
    rest = [line for line in lines if line not in imports]
    return "".join(f"    {line}\n" for line in [*imports, *needed, *rest] if line.strip())


def test_mistakes_are_found(folder: pathlib.Path) -> None:
    code = "import routh\nm = routh.Model()\n" + "".join(line + "\n" for line, _ in WRONG)
    errors = mypy(code, folder)
    for k, (line, kind) in enumerate(WRONG):
        assert any(f"code.py:{k + 3}: " in error and f"[{kind}]" in error for error in errors), (line, errors)


def test_every_public_type_is_known() -> None:
    """As pyright sees the package from outside."""
    told = pyright("--verifytypes", "routh", "--ignoreexternal")
    score = re.search(r"Type completeness score: ([\d.]+)%", told)
    assert score and float(score.group(1)) >= 99, told[-2000:]
