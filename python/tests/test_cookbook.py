"""The recipes of the cookbook run as they stand, each alone; what each claims, its own asserts hold."""

import ast
import contextlib
import io
import pathlib
import re
import warnings
from typing import Any

import pytest

import routh

COOKBOOK = pathlib.Path(__file__).resolve().parents[2] / "docs" / "cookbook"
PAGES = sorted(page for page in COOKBOOK.glob("*.md") if page.name != "README.md")
FILE = re.compile(r"<!-- file: (\S+) -->\n+```\w*\n(.*?)^```$", re.MULTILINE | re.DOTALL)
RECIPE = re.compile(r"^## (\d+)\. (.*?)\n(.*?)(?=^## |\Z)", re.MULTILINE | re.DOTALL)
MOST_LINES = 25
RECIPES = [(page, *recipe) for page in PAGES for recipe in RECIPE.findall(page.read_text())]


def anchor(heading: str) -> str:
    return re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-")


def test_the_index_has_every_recipe_once() -> None:
    numbers = sorted(int(number) for _, number, *_ in RECIPES)
    assert numbers == list(range(1, len(RECIPES) + 1)) and len(RECIPES) >= 20
    listed = re.findall(r"^\| (\d+) \| \[(.*?)\]\((.*?)\)", (COOKBOOK / "README.md").read_text(), re.MULTILINE)
    expected = [(n, title, f"{page.name}#{anchor(f'{n}. {title}')}") for page, n, title, _ in RECIPES]
    assert listed == sorted(expected, key=lambda row: int(row[0]))


@pytest.mark.parametrize(("page", "number", "title", "text"), RECIPES, ids=[f"{r[1]}-{r[0].stem}" for r in RECIPES])
def test_runs(
    page: pathlib.Path, number: str, title: str, text: str, monkeypatch: pytest.MonkeyPatch, tmp_path: pathlib.Path
) -> None:
    for part in ("Task", "Result", "Note"):
        assert f"**{part}.** " in text
    (code,) = re.findall(r"^```python\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)
    tree = ast.parse(code)
    assert any(isinstance(node, ast.Assert) for node in ast.walk(tree))
    assert sum(bool(line.strip()) for line in code.splitlines()) <= MOST_LINES
    pytest.importorskip("scipy", reason="scipy is not installed")
    if "import control" in code:
        pytest.importorskip("control", reason="control is not installed")
    for name, content in FILE.findall(page.read_text()):
        (tmp_path / name).write_text(content)
    monkeypatch.chdir(tmp_path)
    names: dict[str, Any] = {"__name__": "recipe"}
    with warnings.catch_warnings(), contextlib.redirect_stdout(io.StringIO()) as printed:
        warnings.simplefilter("error", routh.Warning)
        exec(compile(tree, f"{page.name}: {number}. {title}", "exec"), names)
    assert not printed.getvalue()
