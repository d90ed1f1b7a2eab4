"""Models built by a program: the same models, checks and messages as from files, with the program's lines as places."""

import importlib.util
import math
import operator
import os
import pathlib
import random
import re
import sys
import types

import numpy as np
import pytest

import routh
from routh._elements import Elements
from routh._routh import lib
from routh.builder import Building

yaml = pytest.importorskip("yaml", reason="yaml (PyYAML) is not installed")

SOURCE = pathlib.Path(__file__).resolve().parents[2]
HERE = "test_builder.py"


# ---- files as calls --------------------------------------------------------------------------


class NoCalls(Exception):
    """What a file holds cannot be written as calls of methods: there are no such, or none that take it."""


METHODS = {
    method.adds: name for name, method in vars(Elements).items() if hasattr(method, "adds")
}
NUMBER = re.compile(r"[-+]?(\d+\.?\d*|\.\d+)([eE][-+]?\d+)?")


class Loader(yaml.BaseLoader):
    """Every scalar as it is written, None for nothing; names given twice are refused."""

    def compose_node(self, parent, index):
        if self.check_event(yaml.AliasEvent):
            raise NoCalls("an alias")
        return super().compose_node(parent, index)

    def construct_scalar(self, node):
        if node.style is None and node.value in ("", "~", "null", "Null", "NULL"):
            return None
        if node.style is None and node.value in ("true", "false"):
            return node.value == "true"
        plain = node.style is None and NUMBER.fullmatch(node.value)
        return float(node.value) if plain and math.isfinite(float(node.value)) else node.value

    def construct_mapping(self, node, deep=False):
        mapping = super().construct_mapping(node, deep=deep)
        if len(mapping) != len(node.value):
            raise NoCalls("a name twice")
        return mapping


def add(model, section, name, entry):
    kind = entry.get("type") if isinstance(entry, dict) else None
    method = METHODS.get((section, kind))
    if not method and section == "bodies" and kind == "rigid":
        method = "body"
    short = section in ("inputs", "outputs", "variables") and isinstance(entry, (str, float, bool))
    if not method or not (short or isinstance(entry, dict)):
        raise NoCalls(f"{section} {kind}")
    fields = {f: v for f, v in entry.items() if f != "type"} if isinstance(entry, dict) else None
    if fields is not None and (None in fields.values() or not all(isinstance(f, str) for f in fields)):
        raise NoCalls("a field without a value")
    if short:
        getattr(model, method)(name, entry)
    else:
        getattr(model, method)(name, **fields)


def built(tree, name="calls"):
    """A file's tree by calls of methods."""
    if not isinstance(tree, dict):
        raise NoCalls("no mapping")
    model = routh.Model(name=str(name))
    for section, content in tree.items():
        if section in ("title", "description", "gravity") and content is not None:
            setattr(model, section, content)
        elif section == "parameters" and isinstance(content, dict):
            for parameter, value in content.items():
                model.parameter(str(parameter), value)
        elif (section, None) in METHODS and METHODS[section, None].startswith("set_") and content:
            if not isinstance(content, dict) or None in content.values():
                raise NoCalls(section)
            getattr(model, METHODS[section, None])(**content)
        elif isinstance(content, dict) and content and any(s == section for s, _ in METHODS):
            for each, entry in content.items():
                add(model, section, str(each), entry)
        else:
            raise NoCalls(section)
    return model


def result(model):
    """A as bytes, or what was refused."""
    try:
        return model.linearize().A.tobytes()
    except routh.Error as error:
        return error.status, error.element, error.message


EXAMPLES = sorted((SOURCE / "examples").glob("*.yaml"))


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_an_example_built_by_calls_is_the_example(path):
    expected = result(routh.Model.read(path))
    model = built(yaml.load(path.read_text("utf-8"), Loader), name=path)
    assert result(model) == expected
    assert result(routh.Model.parse(model.to_yaml(), name=str(path))) == expected


sys.path.insert(0, str(SOURCE / "tests/support"))
import class_samples  # noqa: E402

SAMPLES = class_samples.samples()


@pytest.mark.parametrize("name", SAMPLES)
def test_the_sample_of_a_class_built_by_calls_is_that_of_the_file(name):
    text = SAMPLES[name]
    expected = result(routh.Model.parse(text, name=name))
    model = built(yaml.load(text, Loader), name=name)
    assert isinstance(expected, bytes), expected
    assert result(model) == expected
    assert result(routh.Model.parse(model.to_yaml(), name=name)) == expected


MEASURES = {name.split()[1]: re.search(r'outputs: \{y: "(.*)"\}', text).group(1)
            for name, text in SAMPLES.items() if name.startswith("measure")}


@pytest.mark.parametrize("name", MEASURES)
def test_a_measure_by_its_function_is_that_of_the_file(name):
    function = getattr(routh.measures, name)
    arguments = re.findall(r"\w+", MEASURES[name])[1:]
    assert str(function(*arguments)) == MEASURES[name]
    assert (2 * function(*arguments) ** 2).text == f"2*({MEASURES[name]}^2)"
    assert str(function(arguments[0])) == f"{name}({arguments[0]})"


def test_measures_take_what_a_model_gives():
    model = pendulum()
    tip = model.marker("tip", body="bob")
    hinge = model.revolute("second", "bob", model.ground, at=[0, 0, 0], axis="y")
    x = model.differential_controller("x", rate="-x")
    measures = routh.measures
    assert str(measures.DX(tip, k="bob")) == "DX(tip, ground, bob)"
    assert str(measures.VM(tip, model.ground)) == "VM(tip, ground)"
    assert (measures.FX(hinge) - measures.RATE(x)).text == "FX(second) - RATE(x)"
    assert sorted(MEASURES) == sorted(measures.__all__)


def test_a_sweep_of_a_built_model_finds_its_files():
    path = SOURCE / "examples" / "elastic-link.yaml"
    model = built(yaml.load(path.read_text("utf-8"), Loader), name=path)
    over = {"k": [2e4, 4e4]}
    of_file = routh.Model.read(path).sweep(over)
    assert model.sweep(over).csv() == of_file.csv() and len(of_file.values) == 2


def test_most_examples_have_matrices():
    assert len(EXAMPLES) >= 50
    assert sum(isinstance(result(routh.Model.read(path)), bytes) for path in EXAMPLES[:10]) == 10


def test_broken_models_give_the_message_of_the_file():
    n = 0
    for path in sorted((SOURCE / "tests/model/broken").iterdir()):
        with pytest.raises(routh.Error) as expected:
            routh.Model.read(path)
        if expected.type is routh.ModelSyntaxError:  # of the YAML, which calls do not have
            continue
        try:
            model = built(yaml.load(path.read_text("utf-8"), Loader), name=path)
        except NoCalls:
            continue
        with pytest.raises(routh.Error) as found:
            model.mechanism()
        assert found.value.message == expected.value.message, path.name
        assert found.value.element == expected.value.element
        assert type(found.value) is type(expected.value)
        if expected.value.line:
            assert pathlib.Path(found.value.file).name == HERE, path.name
            assert found.value.line > 0 and found.value.column is None
        n += 1
    assert n >= 310


# ---- places ----------------------------------------------------------------------------------


def line():
    return sys._getframe(1).f_lineno


def pendulum():
    model = routh.Model("Pendulum")
    model.parameter("l", 0.5)
    model.gravity = (0, 0, -9.81)
    bob = model.body("bob", mass=1, inertia=[1e-3] * 3, position=[0, 0, -model.l])
    model.revolute("hinge", bob, model.ground, at=[0, 0, 0], axis="y")
    return model


def refused(model):
    with pytest.raises(routh.ModelError) as info:
        model.mechanism()
    return info.value


def test_an_unknown_field_has_the_message_of_the_library_and_the_line_of_the_call():
    model = pendulum()
    model.revolute("second", "bob", "ground", axes="x"); at = line()
    error = refused(model)
    assert error.line == at and pathlib.Path(error.file).name == HERE
    assert error.element == "joint second"
    assert "'axes' is not a field of the type revolute; did you mean 'axis'?" in error.message
    assert str(error).endswith(f"{HERE}:{at}: joint 'second': {error.message}")


def test_each_field_has_the_line_that_gave_it():
    model = pendulum()
    model.body(
        "second",
        mass=1,
        inertia=[1, 1, 1],
    ).set(mass=-1); at = line()
    error = refused(model)
    assert (error.line, error.element, error.message) == (at, "body second", "mass is -1; it must not be negative")


def test_a_name_given_twice_tells_the_first_line():
    model = pendulum()
    model.marker("bolt", "bob"); first = line()
    model.marker("bolt", "ground"); second = line()
    error = refused(model)
    assert error.line == second and f"given twice, first in line {first};" in error.message


def test_missing_ends_and_values_have_the_message_of_the_library():
    model = pendulum()
    model.spherical("ball", "bob")
    assert "between must be a list of two names, such as [a, b], not a list of 1" in refused(model).message
    model = pendulum()
    model.spherical("ball")
    assert refused(model).message.startswith("between is missing")
    model = pendulum()
    model.gravity = (0, 0); at = line()
    error = refused(model)
    assert error.line == at and "gravity must be a list of 3 numbers" in error.message


def test_cells_of_notebooks_are_named_as_they_are_shown(monkeypatch):
    compiled = "/where/it/is/ipykernel_7/1234567890.py"
    shell = types.SimpleNamespace(compile=types.SimpleNamespace(_filename_map={compiled: 12}))
    monkeypatch.setitem(sys.modules, "IPython", types.SimpleNamespace(get_ipython=lambda: shell))
    for file, cell in ((compiled, "In[12]"), ("<ipython-input-3-abc>", "In[3]"), ("<stdin>", "<stdin>")):
        code = "model = routh.Model()\nmodel.body('b',\n  mass=-1, inertia=[1, 1, 1])"
        names = {"routh": routh}
        exec(compile(code, file, "exec"), names)
        error = refused(names["model"])
        assert (error.file, error.line) == (cell, 2)


def test_a_cell_of_ipython_is_named_as_it_is_shown():
    interactive = pytest.importorskip("IPython.core.interactiveshell", reason="IPython is not installed")
    shell = interactive.InteractiveShell.instance(history_manager=None)
    try:
        shell.run_cell("import routh", store_history=True)
        count = shell.execution_count
        shell.run_cell("model = routh.Model()\nmodel.body('b', mass=-1, inertia=[1, 1, 1])", store_history=True)
        error = refused(shell.user_ns["model"])
        assert (error.file, error.line) == (f"In[{count}]", 2)
    finally:
        interactive.InteractiveShell.clear_instance()


def test_places_of_several_files_and_another_folder(tmp_path, monkeypatch):
    (tmp_path / "parts").mkdir()
    part = tmp_path / "parts" / "wheel.py"
    part.write_text("def add(model):\n    model.body('wheel', mass='2*k', inertia=[1, 1, 1])\n")
    spec = importlib.util.spec_from_file_location("wheel", part)
    wheel = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(wheel)
    model = pendulum()
    wheel.add(model)
    assert refused(model).file == str(part)
    monkeypatch.chdir(tmp_path)
    model = pendulum()
    wheel.add(model)
    assert refused(model).file == os.path.join("parts", "wheel.py")
    assert "'k'" in refused(model).message


# ---- expressions -----------------------------------------------------------------------------


def test_arithmetic_stays_an_expression():
    model = routh.Model()
    l, m = model.parameter("l", 0.5), model.parameter("m", 3)
    texts = {
        "(l^2)/3": l**2 / 3,
        "m*(l^2)/12": m * l**2 / 12,
        "l*2": model.l * 2,
        "2 - (l - m)": 2 - (l - m),
        "(-l)*2": -l * 2,
        "l*(-2)": l * -2,
        "l/(m*2)": l / (m * 2),
        "(l + m)/2": (l + m) / 2,
        "sqrt(l/m)": np.sqrt(l / m),
        "atan2(l, 2)": np.arctan2(l, 2),
        "2.0*l": np.float64(2) * l,
        "0.5*(2*l + 1)": 0.5 * routh.Expression("2*l + 1"),
        "abs(-l)": abs(-l),
        "max(l, m)": np.maximum(l, m),
    }
    for text, expression in texts.items():
        assert expression.text == text
    vector = l * np.array([0, 1, -0.5]) + np.array([m, 0, 0])
    assert [x.text for x in vector] == ["l*0.0 + m", "l*1.0 + 0", "l*(-0.5) + 0"]
    assert f"DX(tip) - {l}" == "DX(tip) - l"
    with pytest.raises(TypeError, match="numpy.sin"):
        math.sin(l)
    with pytest.raises(TypeError, match="neither true nor false"):
        bool(l)
    with pytest.raises(TypeError):
        l + object()


OPERATORS = [operator.add, operator.sub, operator.mul, operator.truediv, operator.pow]


def random_pair(draw, leaves, depth):
    """The same formula of expressions and of numbers."""
    if depth == 0 or draw.random() < 0.15:
        return draw.choice(leaves)
    what = draw.random()
    a, x = random_pair(draw, leaves, depth - 1)
    if what < 0.15:
        return -a, -x
    if what < 0.25:
        return np.cos(a), np.cos(x)
    operate = draw.choice(OPERATORS)
    if operate is operator.pow:
        n = draw.choice([2, -1, 3])
        return operate(a, n), operate(x, n)
    b, y = random_pair(draw, leaves, depth - 1)
    return operate(a, b), operate(x, y)


def test_expressions_have_the_value_of_the_same_arithmetic_in_python():
    model = pendulum()
    draw = random.Random(5)
    leaves = [(2, 2.0), (0.7, 0.7), (-1.3, -1.3)]
    for name, value in (("p", 0.3), ("q", -2.5), ("r", 11.0)):
        leaves += 2 * [(model.parameter(name, value), np.float64(value))]
    n = 0
    for _ in range(400):
        with np.errstate(all="ignore"):
            try:
                expression, value = random_pair(draw, leaves, 4)
            except ZeroDivisionError:
                continue
        if not isinstance(expression, routh.Expression) or not 1e-12 < abs(value) < 1e12:
            continue
        assert model.evaluate(expression) == pytest.approx(value, rel=1e-9), str(expression)
        n += 1
    assert n > 200


def test_parameters_are_attributes_and_take_other_values():
    model = pendulum()
    slow = model.linearize().A
    assert model.evaluate("l") == 0.5 and "l" in dir(model)
    model.l = 0.125
    assert model.evaluate("l") == 0.125
    assert not np.array_equal(model.linearize().A, slow)
    model.parameters["l"].set("1/2")
    assert np.array_equal(model.linearize().A, slow)
    with pytest.raises(AttributeError, match="did you mean 'gravity'"):
        model.gravty = (0, 0, 1)
    with pytest.raises(AttributeError, match="did you mean 'revolute'"):
        model.revolut


# ---- values ----------------------------------------------------------------------------------


def test_values_may_be_of_any_kind_of_number_and_list():
    expected = pendulum().linearize().A
    for one, inertia, position, axis in (
        (np.float64(1), np.full(3, 1e-3), np.array([0, 0, -0.5]), np.array([0, 1, 0])),
        (np.int64(1), (1e-3, "1e-3", "10 kg cm^2"), (0, 0, "-l"), [0, 1, 0]),
        ("1", (x for x in [1e-3] * 3), [0, np.float32(0), -0.5], "y"),
    ):
        model = routh.Model()
        model.parameter("l", np.float64(0.5))
        model.gravity = np.array([0, 0, -9.81])
        bob = model.body("bob", mass=one, inertia=inertia, position=position)
        model.revolute("hinge", bob, model.ground, at=np.zeros(3), axis=axis)
        assert np.array_equal(model.linearize().A, expected)


def test_arrays_are_copied_when_they_are_given():
    model = routh.Model()
    inertia = np.array([1.0, 2.0, 2.5])
    model.body("block", mass=1, inertia=inertia)
    inertia[:] = -1
    assert "inertia: [1, 2, 2.5]" in model.to_yaml()


def test_what_is_no_value_is_refused_at_once():
    model = routh.Model()
    for bad in (1j, {1, 2}, object(), b"1"):
        with pytest.raises(TypeError, match="block, mass"):
            model.body("block", mass=bad)
    for bad in (lambda: model.body("block", mass="1\0"), lambda: model.body("a\0b", mass=1),
                lambda: model.parameter("p\0", 1), lambda: model.set_simulate(inputs={"a\0": 1})):
        with pytest.raises(ValueError, match="zero byte"):
            bad()
    with pytest.raises(TypeError, match="needs a name"):
        model.body(mass=1)
    with pytest.raises(TypeError, match=r"takes name, first, second by position.*Model.revolute\).*; values beyond them: 1"):
        model.revolute("hinge", "a", "b", "c")
    with pytest.raises(TypeError, match="by position and by name"):
        model.force("push", "a", on="b")
    with pytest.raises(TypeError, match="its two ends and between"):
        model.spherical("ball", "a", "b", between=["a", "b"])
    assert model.to_yaml() == "{}\n"  # nothing of that was taken


def test_elements_stand_for_their_names():
    model = pendulum()
    tip = model.marker("tip", "bob", position=[0, 0, -0.1])
    push = model.input("push", 0)
    model.force("pusher", tip, components=[push, 0, 0])
    angle = model.variable("angle", f"AY({tip})")
    hold = model.pid_controller("hold", angle, proportional=2, derivative=0.1, filter=0.01)
    model.torque("motor", "bob", components=[0, -hold / 2, 0], reaction_on=model.ground)
    model.friction("rub", "hinge", static_level=0.1, stiction_velocity=0.1)
    model.output("y", angle * 2, unit="rad")
    model.event("stop", f"{angle} - 1", action="stop")
    linear = model.linearize()
    assert linear.B.shape[1] == 1 and linear.C.shape[0] == 1
    assert [str(x) for x in (tip, push, hold, model.ground)] == ["tip", "push", "hold", "ground"]
    assert repr(tip) == "<Marker tip>" and push.name == "push"


def test_fields_that_python_has_no_names_for():
    model = routh.Model()
    model.beam_body("arm", from_=[0, 0, 0], to=[1, 0, 0], density=7800, youngs_modulus=2e11, planar=True,
                    section={"circle": {"radius": "1 cm"}}, elements=2)
    assert "from: [0, 0, 0]" in model.to_yaml()
    model.mechanism()


def test_texts_that_mean_nothing_in_yaml():
    for title in ("", "null", "~", "true", "1.5", "a: b # c", "two\nlines\n", "\u2028\x01 ä", "- x"):
        model = pendulum()
        model.title = title
        assert model.title == title
        again = yaml.safe_load(model.to_yaml())["title"]
        assert again == title
        model.mechanism()
    model.title = None
    assert "title" not in model.to_yaml()


# ---- changes ---------------------------------------------------------------------------------


def test_changes_are_seen_by_what_is_computed_next_and_by_nothing_before():
    model = pendulum()
    before = model.linearize()
    A = before.A.copy()
    rod = model.body("rod", mass=1, inertia=[1, 1, 1])
    weld = model.fixed("weld", rod, "bob")
    assert not np.array_equal(model.linearize().A, A)
    assert np.array_equal(before.A, A)
    weld.remove()
    rod.remove()
    assert np.array_equal(model.linearize().A, A)


def test_other_settings_are_another_model():
    model = pendulum()
    body = model.body("second", mass=7, inertia=[1, 1, 1])
    other = model.with_settings(l=2)
    body.set(mass=8)
    assert "mass: 8" in model.to_yaml() and "mass: 7" in other.to_yaml()
    assert (model.evaluate("l"), other.evaluate("l")) == (0.5, 2)
    model.l = 3
    model.parameter("k", 1)
    assert other.evaluate("l") == 2
    assert yaml.safe_load(other.to_yaml())["parameters"] == {"l": 2}
    assert routh.Model.parse(other.to_yaml()).evaluate("l") == 2


def test_a_model_is_saved_whole_or_not_at_all(tmp_path):
    model = pendulum()
    path = tmp_path / "pendulum.yaml"
    model.save(path)
    assert np.array_equal(routh.Model.read(path).linearize().A, model.linearize().A)
    text = path.read_bytes()
    model.parameter("l", 2)
    with pytest.raises(routh.ModelError, match="given twice"):
        model.save(path)
    assert path.read_bytes() == text
    assert os.listdir(tmp_path) == ["pendulum.yaml"]
    with pytest.raises(OSError):
        pendulum().save(tmp_path / "missing" / "pendulum.yaml")


def test_files_of_a_model_are_looked_for_beside_the_program(examples):
    model = built(yaml.load((examples / "elastic-link.yaml").read_text("utf-8"), Loader), examples / "program.py")
    assert model.linearize().A.size
    model = built(yaml.load((examples / "elastic-link.yaml").read_text("utf-8"), Loader), "/nowhere/program.py")
    with pytest.raises(routh.Error) as info:
        model.linearize()
    assert "nowhere" in str(info.value) or "cannot be read" in str(info.value)


def test_a_built_model_is_swept_and_answers_as_the_file_does(examples):
    path = examples / "ziegler-column.yaml"
    model = built(yaml.load(path.read_text("utf-8"), Loader))
    parameter = next(iter(model.parameters))
    value = model.evaluate(parameter)
    over = {parameter: np.linspace(value, 1.2 * value, 3)}
    expected = routh.Model.read(path).sweep(over)
    found = model.sweep(over)
    assert found.eigenvalues.size and np.array_equal(found.eigenvalues, expected.eigenvalues)


# ---- the methods -----------------------------------------------------------------------------


@pytest.fixture(scope="module")
def schema():
    import json

    from routh import _api

    return json.loads(_api.written(lib.routh_model_schema))


def test_every_kind_has_one_method(schema):
    spec = importlib.util.spec_from_file_location("write_elements", SOURCE / "python" / "write_elements.py")
    generator = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(generator)
    file = pathlib.Path(routh.__file__).with_name("_elements.py")
    assert file.read_text("utf-8") == generator.text_of(schema), "run python/write_elements.py"
    kinds = set()
    for section, what in schema["properties"].items():
        each = what.get("additionalProperties") or {}
        kinds |= {(section, kind) for kind in each.get("properties", {}).get("type", {}).get("enum", ())}
    assert len(kinds) >= 48
    missing = kinds - set(METHODS)
    assert missing == {("bodies", "rigid")}  # which is the kind without a type
    assert set(schema["properties"]) - {section for section, _ in METHODS} == {
        "title", "description", "units", "parameters", "variant", "gravity", "connections", "exports",  # these two are of part files
        "functions",  # a method of its own takes what computes them
    }


def test_a_model_in_units_of_its_own(tmp_path):
    """5 N/mm and 2 kg: omega^2 = 2500; the output is in mm of a state in m."""
    model = routh.Model()
    model.units = ("mm", "t", "s")
    model.gravity = (0, 0, -9810)
    model.parameter("k", 5)
    block = model.body("block", mass=0.002, inertia=[1, 1, 1])
    model.translational("guide", block, model.ground, axis="x")
    wall = model.marker("wall", body=model.ground, position=[100, 0, 0])
    model.spring("spring", block, wall, stiffness=model.k, free_length=100)
    model.output("x", "DX(block)")
    (tmp_path / "spring.yaml").write_text(model.to_yaml(), "utf-8")
    for each in (model, routh.Model.read(tmp_path / "spring.yaml")):
        linear = each.linearize()
        assert np.allclose(linear.A, [[0, 1], [-2500, 0]], rtol=1e-13, atol=0)
        assert np.allclose(linear.C, [[1000, 0]], rtol=1e-13, atol=0)
        assert list(each.units) == ["mm", "t", "s"]
        swept = each.sweep({"k": "4:10 kN/m:3"}, solve="none")
        assert np.allclose(swept.lines[0].values, [4, 7, 10], rtol=1e-14, atol=0)


def test_methods_are_not_in_the_way_of_those_that_compute():
    own = {name for name in vars(Elements) if not name.startswith("_")}
    assert len(own) >= 55
    assert not own & {name for name in vars(routh.Model) if not name.startswith("__")}
    assert not own & {name for name in vars(Building) if not name.startswith("__")}


def test_methods_have_signatures_and_help():
    import inspect

    signature = inspect.signature(routh.Model.revolute)
    assert list(signature.parameters) == [
        "self", "name", "first", "second", "between", "at", "axis", "angle", "rate", "cut"
    ]
    text = inspect.getdoc(routh.Model.revolute)
    assert text.startswith("Rotation about an axis.") and "axis : Axis" in text
    assert "``stiffness``" in inspect.getdoc(routh.Model.bushing)


def test_type_checkers_see_the_fields(tmp_path):
    api = pytest.importorskip("mypy.api", reason="mypy is not installed")
    if not os.environ.get("ROUTH_TEST_EFFORT"):
        pytest.skip("seconds: with ROUTH_TEST_EFFORT")
    script = tmp_path / "script.py"
    script.write_text(
        "import numpy as np\n"
        "import routh\n"
        "m = routh.Model('x')\n"
        "l = m.parameter('l', 1)\n"
        "b = m.body('b', mass=l * 2, inertia=np.ones(3), position=[0, 0, -l / 2])\n"
        "m.revolute('h', b, m.ground, at=[0, 0, 0], axis='y')\n"
        "m.revolute('h', b, m.ground, axes='y')\n"
        "m.body('c', mass=[1])\n"
    )
    output, _, status = api.run(["--strict", str(script)])
    errors = [int(e) for e in re.findall(r"script\.py:(\d+): error", output)]
    assert status == 1 and errors == [7, 8], output


# ---- the guide -------------------------------------------------------------------------------


def test_the_guide_s_script_runs_as_it_stands(tmp_path, monkeypatch, capsys):
    text = (SOURCE / "docs/guide/python.md").read_text("utf-8")
    section = text[text.index("\n## Building models") :].split("\n## ")[1]
    blocks = re.findall(r"```python\n(.*?)```", section, re.DOTALL)
    assert len(blocks) == 2 and len([x for x in blocks[0].splitlines() if x.startswith("m")]) <= 10
    monkeypatch.chdir(tmp_path)
    names = {}
    for block, before in zip(blocks, ("", blocks[0])):
        code = "\n" * before.count("\n") + block
        exec(compile(code, str(tmp_path / "four_bar.py"), "exec"), names)
    told = capsys.readouterr().out
    example = routh.Model.read(SOURCE / "examples/spatial-four-bar.yaml").linearize().modes()
    first = re.search(r"^ +1 .*?\+-([0-9.]+)", told, re.MULTILINE).group(1)
    assert float(first) == pytest.approx(2 * math.pi * example.undamped_frequency_hz[0], rel=1e-7)
    shown, printed = re.search(r"# (four_bar.py:.*?) \.\.\.", blocks[1]).group(1), told.splitlines()[-1]
    assert printed.startswith(shown)
