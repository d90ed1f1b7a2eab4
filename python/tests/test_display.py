"""What a notebook shows."""

import html
import html.parser
import json
import os
import pathlib
import shutil
import subprocess
from typing import Any

import numpy as np
import pytest

import routh


class Reader(html.parser.HTMLParser):
    """Texts of cells, and whether every element is closed."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.cells: list[str] = []
        self.attributes: dict[str, str | None] = {}
        self.feed(page)
        assert not self.open

    def handle_starttag(self, tag: str, attrs: Any) -> None:
        self.open.append(tag)
        if tag == "td":
            self.cells.append("")
        if tag == "iframe":
            self.attributes = dict(attrs)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        if self.open and self.open[-1] == "td":
            self.cells[-1] += data


@pytest.fixture(scope="module")
def crane(examples: pathlib.Path) -> routh.Model:
    return routh.Model.read(examples / "gantry-crane.yaml")


def test_a_model_shows_its_parts(crane: routh.Model) -> None:
    shown = crane._repr_html_()
    cells = Reader(shown).cells
    assert cells[:2] == ["4", "trolley, rope, hook, load"]
    assert "motor, gust" in cells and "target, hoist, wind" in cells
    assert "3 degrees of freedom" in shown


def test_a_model_that_cannot_be_assembled_says_why() -> None:
    text = """
bodies: {rod: {mass: 1, inertia: [1, 1, 1], position: [0, 0, 0]}}
joints:
  one: {type: motion, joint: two, function: 0}
  two: {type: revolute, between: [rod, ground], at: [0, 0, 0], axis: "x"}
  far: {type: rod, between: [rod, ground], length: 5}
"""
    shown = routh.Model.parse(text)._repr_html_()
    Reader(shown)
    assert "cannot be assembled" in shown and "joint 'far'" in html.unescape(shown)


def test_an_operating_point_and_modes(crane: routh.Model) -> None:
    point = crane.equilibrium()
    cells = Reader(point._repr_html_()).cells
    assert "hook" in cells and "0, 0, -9" in cells
    modes = point.linearize().modes()
    rows = Reader(modes._repr_html_()).cells
    assert len(rows) == 7 * len(modes.numbers) == 42
    assert rows[0] == "1" and "\u2212" in rows[1] and "load" in rows[6]


def test_a_linear_model_is_compact(crane: routh.Model) -> None:
    linear = crane.linearize()
    cells = Reader(linear._repr_html_()).cells
    assert cells.count("sway'") == 2  # a row of A, one of B
    big = routh.template("pendulum-chain", n=20).linearize()._repr_html_()
    assert "A: 40 \u00d7 40" in big and len(big) < 500


def test_names_are_escaped() -> None:
    from routh.studies._common import html_table

    page = html_table({"<b>": ["<i>x</i>", float("nan")]}, "a & b")
    assert Reader(page).cells == ["<i>x</i>", ""]
    assert "a &amp; b" in page and "<b>" not in page
    assert "and 3 more" in html_table({"k": np.arange(10)}, rows=7)


def test_the_viewer_is_the_report_in_a_frame(examples: pathlib.Path) -> None:
    model = routh.Model.read(examples / "rotor-stator.yaml")
    try:
        view = model.linearize().modes().view(height=300)
    except routh.NotSupportedError as refused:
        pytest.skip(str(refused))
    frame = Reader(view._repr_html_()).attributes
    assert frame["srcdoc"] == view.page and view.page.lower().startswith("<!doctype html")
    assert "height:300px" in str(frame["style"]) and "allow-same-origin" not in str(frame["sandbox"])
    same = model.view().page == view.page
    assert same


def test_the_viewer_draws_in_an_exported_notebook(examples: pathlib.Path, tmp_path: pathlib.Path) -> None:
    """In the page that nbconvert makes of a notebook: the mode is drawn, moves with its phase, and nothing goes wrong."""
    nbconvert = pytest.importorskip("nbconvert", reason="nbconvert is not installed")
    if not shutil.which("node"):
        pytest.skip("node is not installed")
    from nbformat import v4

    modes = routh.Model.read(examples / "rotor-stator.yaml").linearize().modes()
    try:
        view = modes.view(height=700)
    except routh.NotSupportedError as refused:
        pytest.skip(str(refused))
    shown = [v4.new_output("display_data", {"text/html": thing._repr_html_()}) for thing in (modes, view)]
    notebook = v4.new_notebook(cells=[v4.new_code_cell("modes; modes.view()", outputs=shown)])
    page, _ = nbconvert.HTMLExporter().from_notebook_node(notebook)
    (tmp_path / "notebook.html").write_text(page)

    script = pathlib.Path(__file__).resolve().parents[2] / "tests" / "viewer" / "notebook.mjs"
    done = subprocess.run(
        ["node", script, tmp_path / "notebook.html"], capture_output=True, text=True, env=os.environ
    )
    if done.returncode == 77:
        pytest.skip(done.stdout.strip().removeprefix("skipped: "))
    assert done.returncode == 0, done.stderr
    seen = json.loads(done.stdout)
    assert seen["errors"] == [] and seen["outside"] == []
    assert seen["caption"].startswith("Mode ") and seen["rows"] == len(modes.numbers)
    assert 0 < seen["moved"] < 1
