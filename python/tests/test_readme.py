"""What the README shows of Python."""

import contextlib
import doctest
import io
import json
import pathlib
import re
import warnings
from typing import Any

import numpy as np
import pytest

import routh

SOURCE = pathlib.Path(__file__).resolve().parents[2]


def test_the_readme_shows_what_happens(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(SOURCE)
    text = (SOURCE / "README.md").read_text()
    blocks = re.findall(r"^```pycon\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)
    assert blocks
    test = doctest.DocTestParser().get_doctest("\n".join(blocks), {}, "README", "README.md", 0)
    runner = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS)
    printed: list[str] = []
    runner.run(test, out=printed.append)
    assert runner.failures == 0, "".join(printed)
    assert runner.tries >= 5


def test_the_script_of_the_package_index(capsys: pytest.CaptureFixture[str]) -> None:
    """A uniform rod of 1 m: inertia 0.17 + 2/4 about the hinge, stiffness m g l + k l^2."""
    text = (SOURCE / "python" / "README.md").read_text()
    (script,) = re.findall(r"^```python\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)
    names: dict[str, Any] = {}
    exec(compile(script, "README.md", "exec"), names)
    linear = names["linear"]
    inertia, stiffness = 0.17 + 2 / 4, 2 * 9.81 * 0.5 + 40 * 0.25
    assert linear.M[0, 0] == pytest.approx(inertia, rel=1e-12)
    assert linear.K[0, 0] == pytest.approx(stiffness, rel=1e-12)
    assert "rod 100 %" in capsys.readouterr().out


def test_the_script_of_the_readme(
    monkeypatch: pytest.MonkeyPatch, tmp_path: pathlib.Path, examples: pathlib.Path
) -> None:
    """Cranks and coupler turn alike, so about the cranks' axis the linkage is one pendulum: inertia 2 (5 + 10/4) + 10
    = 25 kg m^2, stiffness g (2*10/2 + 10) N m."""
    matplotlib = pytest.importorskip("matplotlib", reason="matplotlib is not installed")
    matplotlib.use("Agg")
    text = (SOURCE / "README.md").read_text()
    (script,) = re.findall(r"^<!-- file: four_bar.py -->\n```python\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)
    monkeypatch.chdir(tmp_path)
    (tmp_path / "four_bar.py").write_text(script)
    names: dict[str, Any] = {}
    printed = io.StringIO()
    try:
        with contextlib.redirect_stdout(printed):
            exec(compile(script, "four_bar.py", "exec"), names)
    except routh.NotSupportedError as refused:
        if "page of the report was not built" not in str(refused):
            raise
        pytest.skip(str(refused))

    inertia, stiffness = 25.0, 9.81 * 20
    expected = np.sqrt(stiffness / inertia)
    (row,) = re.findall(r"^ +1 +\S+ +\+-(\S+) +(\S+) ", printed.getvalue(), re.MULTILINE)
    assert abs(float(row[0]) - expected) <= 1e-7 and abs(float(row[1]) - expected / (2 * np.pi)) <= 1e-8
    of_file = routh.Model.read(examples / "spatial-four-bar.yaml").linearize().modes().eigenvalues
    here = names["linear"].modes().eigenvalues
    assert np.abs(np.sort_complex(here) - np.sort_complex(of_file)).max() <= 1e-12 * expected

    (size,), (phase,) = names["size"].get_lines(), names["phase"].get_lines()
    response, hz = names["response"], size.get_xdata()
    assert np.array_equal(hz, response.hz) and np.array_equal(phase.get_xdata(), hz)
    dynamic = stiffness - inertia * (2 * np.pi * hz) ** 2
    assert np.abs(1 / size.get_ydata() - np.abs(dynamic)).max() <= 1e-10 * np.abs(dynamic).max()
    away = np.abs(dynamic) > 1e-9 * stiffness
    turned = np.exp(1j * np.radians(phase.get_ydata()))
    assert away.any() and np.abs(turned - np.sign(dynamic))[away].max() <= 1e-9
    assert (tmp_path / "four-bar.png").read_bytes().startswith(b"\x89PNG")
    matplotlib.pyplot.close(names["size"].figure)

    page = (tmp_path / "four-bar.html").read_text()
    (data,) = re.findall(r'<script type="application/json" id="routh-data">(.*?)</script>', page, re.DOTALL)
    held = json.loads(data)
    imaginary = [mode["eigenvalue"][1] for mode in held["modes"]]
    assert max(imaginary) == pytest.approx(expected, rel=1e-12)
    assert len(held["paths"]["list"]) == 1  # the mode that the page moves with joints closed


def test_the_code_of_the_guide_runs(monkeypatch: pytest.MonkeyPatch, tmp_path: pathlib.Path, examples: pathlib.Path) -> None:
    """Each block of its own that imports routh, where the examples are."""
    pytest.importorskip("matplotlib", reason="matplotlib is not installed").use("Agg")
    for package in ("scipy", "pandas"):
        pytest.importorskip(package)
    text = (SOURCE / "docs/guide/python.md").read_text()
    blocks = [b for b in re.findall(r"^```python\n(.*?)^```$", text, re.MULTILINE | re.DOTALL) if "import routh" in b]
    assert len(blocks) > 5
    monkeypatch.chdir(tmp_path)
    (tmp_path / "examples").symlink_to(examples)
    for block in blocks:
        with warnings.catch_warnings(), contextlib.redirect_stdout(io.StringIO()):
            warnings.simplefilter("ignore", routh.Warning)
            exec(compile(block, "guide.py", "exec"), {"__name__": "guide"})
    changed = (tmp_path / "changed.yaml").read_text()
    assert "mass: 45" in changed and "stroke" in changed and "grip" not in changed
