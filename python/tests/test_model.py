"""Models, their errors, and operating points."""

import pathlib
import pickle
import subprocess
from typing import Any

import numpy as np
import pytest

import routh


def test_version_is_that_of_the_project() -> None:
    text = (pathlib.Path(__file__).resolve().parents[2] / "CMakeLists.txt").read_text()
    assert f"project(routh VERSION {routh.__version__} " in text


def test_a_setting_changes_a_parameter() -> None:
    model = routh.template("pendulum-chain", n=2, k=7.25)
    assert model.evaluate("2*k") == 14.5
    assert model.with_settings(k="sqrt(4)").evaluate("k") == 2
    assert model.evaluate("k") == 7.25


def test_settings_by_mapping_text_and_numpy(examples: pathlib.Path) -> None:
    path = examples / "rotor-stator.yaml"
    plain = routh.Model.read(path)
    name = next(n for n in ("spin", "omega", "Omega") if _has(plain, n))
    third = 1 / 3
    for model in (
        routh.Model.read(path, settings={name: third}),
        routh.Model.read(str(path), **{name: np.float64(third)}),
        plain.with_settings(**{name: "1/3"}),
    ):
        assert model.evaluate(name) == third
    assert plain.evaluate(name) != third


def _has(model: routh.Model, name: str) -> bool:
    try:
        model.evaluate(name)
    except routh.BadArgumentError:
        return False
    return True


@pytest.mark.parametrize("value", [True, None, [1.0], 1j])
def test_values_that_are_no_numbers_are_refused(value: Any) -> None:
    with pytest.raises(TypeError, match="parameter n"):
        routh.template("pendulum-chain", n=value)


def test_an_error_is_the_sentence_of_the_program(program: str, tmp_path: pathlib.Path) -> None:
    file = tmp_path / "model.yaml"
    file.write_text("title: wrong\nbodies:\n  rod: {mass: -1}\n")
    told = subprocess.run(
        [program, "modes", str(file)], capture_output=True, text=True, check=False
    )
    assert told.returncode != 0
    with pytest.raises(routh.ModelError) as caught:
        routh.Model.read(file)
    error = caught.value
    assert told.stderr.strip().endswith(str(error))
    assert error.status == "MODEL_ERROR"
    assert error.file == str(file)
    assert error.line == 3
    assert error.message is not None and error.message in str(error)


def test_errors_of_files_and_syntax(tmp_path: pathlib.Path) -> None:
    with pytest.raises(routh.FileError) as none:
        routh.Model.read(tmp_path / "none.yaml")
    assert isinstance(none.value, OSError)
    with pytest.raises(routh.ModelSyntaxError) as caught:
        routh.Model.parse("bodies: [", "mine.yaml")
    assert str(caught.value).startswith("mine.yaml:2:1: ")
    assert (caught.value.line, caught.value.column) == (2, 1)
    with pytest.raises(routh.BadArgumentError, match="has no setting 'N'"):
        routh.template("pendulum-chain", N=5)
    with pytest.raises(routh.UnknownNameError, match="not 'relativ'; did you mean 'relative'"):
        routh.template("pendulum-chain", n=1).mechanism("relativ")


def test_every_status_has_a_class_of_its_own() -> None:
    from routh._routh import lib
    from routh.errors import CLASSES

    codes = [code for name, code in vars_of(lib).items() if name not in ("OK",)]
    assert sorted(CLASSES) == sorted(codes)
    assert len(set(CLASSES.values())) == len(CLASSES)


def vars_of(lib: Any) -> dict[str, int]:
    """The statuses as the library names them."""
    from routh._routh import ffi

    found = {}
    for code in range(100):
        name = ffi.string(lib.routh_status_name(code)).decode()
        if getattr(lib, "ROUTH_" + name, None) == code:
            found[name] = code
    return found


def test_an_error_is_pickled() -> None:
    with pytest.raises(routh.ModelSyntaxError) as caught:
        routh.Model.parse("bodies: [")
    again = pickle.loads(pickle.dumps(caught.value))
    assert type(again) is routh.ModelSyntaxError
    assert (str(again), again.line, again.status) == (str(caught.value), 2, "SYNTAX_ERROR")


def test_the_equilibrium_is_that_of_the_program(program: str, examples: pathlib.Path) -> None:
    file = examples / "rotor-stator.yaml"
    point = routh.Model.read(file).equilibrium()
    told = subprocess.run(
        [program, "equilibrium", str(file)], capture_output=True, text=True, check=True
    )
    assert point.table() == told.stdout
    assert point.json()["bodies"][1]["position"] == list(point.positions["rotor"])


def test_a_hanging_chain_is_held_at_its_weight(chain: routh.Model) -> None:
    point = chain.equilibrium()
    assert point.type == "static"
    assert point.residual <= 1e-9
    assert point.degrees_of_freedom == 5
    weights = [load.force for load in point.loads.values()]
    first = next(iter(point.reactions.values()))
    assert np.linalg.norm(first.force) > 0
    assert set(point.bodies) == set(point.positions) == set(point.velocities)
    assert all(not v.any() for v in point.velocities.values()), weights


def test_a_state_goes_to_a_file_and_back(chain: routh.Model, tmp_path: pathlib.Path) -> None:
    point = chain.equilibrium()
    point.save_state(tmp_path / "state.json")
    mechanism = chain.mechanism()
    for state in (tmp_path / "state.json", str(tmp_path / "state.json"), point.state_text()):
        again = mechanism.operating_point_from_state(state)
        assert again.type == "state"
        for name, position in point.positions.items():
            assert np.array_equal(again.positions[name], position)
    with pytest.raises(routh.FileError):
        point.save_state(tmp_path / "no" / "such" / "folder.json")


def test_points_of_other_models_are_refused(chain: routh.Model, rotor: routh.Model) -> None:
    with pytest.raises(ValueError, match="another model"):
        chain.linearize(rotor.equilibrium())
    with pytest.raises(ValueError, match="another mechanism"):
        chain.mechanism("relative").linearize(chain.equilibrium())
    with pytest.raises(ValueError, match="given, static, steady"):
        chain.operating_point("standing")


def test_a_model_changed_is_compiled_anew(chain: routh.Model) -> None:
    point = chain.equilibrium()
    assert chain.linearize(point).n_states == 10
    chain._changed()
    with pytest.raises(ValueError, match="before it was changed"):
        chain.linearize(point)
    assert point.linearize().n_states == 10  # what is there stays whole


def test_a_model_that_was_read_knows_its_words(examples: pathlib.Path) -> None:
    text = "title: Mass\ndescription: On a slide.\nbodies: {a: {mass: 1, inertia: [1, 1, 1]}}\n"
    model = routh.Model.parse(text)
    assert (model.title, model.description) == ("Mass", "On a slide.")
    model = routh.Model.parse(text[text.index("bodies"):])
    assert (model.title, model.description) == (None, None)
    assert routh.Model.read(examples / "rotor-stator.yaml").title == "Rotor and stator"


@pytest.mark.parametrize("value", [".inf", "-.Inf", ".nan"])
def test_values_without_end_are_refused(value: str) -> None:
    with pytest.raises(routh.ModelError, match="infinity and NaN are no values here; give a finite number"):
        routh.Model.parse(f"parameters: {{p: {value}}}\n").mechanism()
