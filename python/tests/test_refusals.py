"""What cannot be meant is refused by name, as a routh.Error that is also the class Python would raise."""

import pathlib
import warnings
from typing import Any, Callable

import numpy as np
import pytest

import routh

SOURCE = pathlib.Path(__file__).resolve().parents[2]


@pytest.fixture
def crane() -> routh.Model:
    return routh.Model.read(SOURCE / "examples/gantry-crane.yaml")


def other(names: "list[str]", inputs: "list[str]") -> routh.Model:
    """Another model in which the names are there too."""
    m = routh.Model("Other")
    for name in names:
        m.parameter(name, 1)
    for name in inputs:
        m.input(name, 0)
    return m


SQUARE = {"nodes": [[0, 0, 0], [1, 0, 0]]}


@pytest.mark.parametrize("kind", [np.asarray, "sparse"])
def test_matrices_of_bodies_are_real_and_of_one_order(kind: Any) -> None:
    if kind == "sparse":
        kind = pytest.importorskip("scipy.sparse").csr_matrix
    K, M = np.eye(6), np.eye(6)
    with pytest.raises(routh.BadArgumentError, match=r"stiffness matrix has the shape \(6, 6\), but the mass matrix \(3, 3\)"):
        routh.reduce(kind(K), kind(M[:3, :3]), **SQUARE)
    with pytest.raises(routh.BadArgumentError, match="must be square"):
        routh.reduce(kind(K[:3]), kind(M[:3]), **SQUARE)
    with pytest.raises(routh.ArgumentTypeError, match="the mass matrix: real numbers are needed, not 0.5j"):
        routh.reduce(kind(K), kind(M * 0.5j), **SQUARE)
    with pytest.raises(routh.ModelError) as found:  # a complex dtype without imaginary parts goes through
        routh.reduce(kind(K), kind(M.astype(complex)), modes=1, **SQUARE)
    assert "real numbers" not in str(found.value)


def test_matrices_in_files_are_of_one_order(tmp_path: pathlib.Path) -> None:
    head = "%%MatrixMarket matrix coordinate real symmetric\n"
    for name, n in (("k", 6), ("m", 3)):
        (tmp_path / f"{name}.mtx").write_text(f"{head}{n} {n} {n}\n" + "".join(f"{k} {k} 1\n" for k in range(1, n + 1)))
    with pytest.raises(routh.ModelError, match="mass matrix is of order 3, but the stiffness matrix of order 6"):
        routh.reduce(tmp_path / "k.mtx", tmp_path / "m.mtx", **SQUARE)


@pytest.mark.parametrize(
    ("options", "says"),
    [
        ({"interfaces": [1.9]}, "whole number is needed, not 1.9"),
        ({"interfaces": "18"}, "a list of node numbers or a mapping, not '18'"),
        ({"interfaces": ["18"]}, "whole number is needed, not '18'"),
        ({"interfaces": 18}, "a list of node numbers or a mapping, not 18"),
        ({"interfaces": {1.5: None}}, "whole number is needed, not 1.5"),
        ({"interfaces": {9: [1, 2.5]}}, "interface 9: a whole number is needed, not 2.5"),
        ({"interfaces": {9: 2.5}}, "interface 9: a whole number is needed, not 2.5"),
        ({"interfaces": {9: []}}, "interface 9 has no nodes"),
        ({"interfaces": [1, 1]}, "interface 1 is given twice"),
        ({"modes": 1.5}, "modes is 1.5"),
        ({"cut": "3"}, "cut is '3'"),
        ({"nodes": [[1.5, 0, 0, 0], [2, 1, 0, 0]]}, "numbers of nodes: a whole number is needed, not 1.5"),
        ({"nodes": [[0, 0, 0], [1j, 0, 0]]}, "nodes: real numbers are needed, not 1j"),
        ({"dofs": [[1, 1.5]] * 6}, "directions: a whole number is needed, not 1.5"),
    ],
)
def test_numbers_of_nodes_are_whole(options: "dict[str, Any]", says: str) -> None:
    with pytest.raises(routh.BadArgumentError) as found:
        routh.reduce(np.eye(6), np.eye(6), **{**SQUARE, **options})
    assert says in str(found.value)


def test_whole_numbers_of_numpy_are_taken() -> None:
    for interfaces in (np.array([1]), [np.int64(1)], [1.0], {np.int32(1): None}, {9: np.array([1])}):
        with pytest.raises(routh.ModelError) as found:  # the body is in pieces, and that is found later
            routh.reduce(np.eye(6), np.eye(6), interfaces=interfaces, modes=1, **SQUARE)
        assert "whole" not in str(found.value)


def test_complex_numbers_and_texts_are_no_reals(crane: routh.Model) -> None:
    f, name = crane.dynamics(), next(iter(crane.parameters))
    cases: "list[Callable[[], Any]]" = [
        lambda: f(0, f.x0 + 1j),
        lambda: f(0, f.x0, {f.inputs[0]: 1j}),
        lambda: f(0, f.x0, f.u0 + 1j),
        lambda: f("0", f.x0),  # type: ignore[arg-type]
        lambda: f(0, [str(x) for x in f.x0]),
        lambda: crane.sweep({name: [1, 2j]}),
        lambda: crane.sweep({name: ["1", "2"]}),
        lambda: crane.response(hz=[1 + 1j]),
        lambda: crane.response(hz="1"),
        lambda: crane.response(over=("1", 2)),
        lambda: crane.response(over=(1, 3, 2.5)),
        lambda: crane.simulate(1, inputs={f.inputs[0]: ([0, 2], [0, 1j])}),
        lambda: crane.simulate(1, inputs={f.inputs[0]: (["0", "2"], [0, 1])}),
        lambda: crane.simulate("1"),  # type: ignore[arg-type]
    ]
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for case in cases:
            with pytest.raises(routh.ArgumentTypeError):
                case()


def test_values_of_an_input_reach_over_the_run(crane: routh.Model) -> None:
    name = crane.dynamics().inputs[0]
    t = np.linspace(0, 1, 11)
    with pytest.raises(routh.BadArgumentError, match=f"input {name} is given from 0 to 1 s, but the run is from 0 to 1.5 s"):
        crane.simulate(1.5, inputs={name: (t, np.sin(t))})
    with pytest.raises(routh.BadArgumentError, match="given from 0.5 to 1.5 s"):
        crane.simulate(1, inputs={name: (t + 0.5, np.sin(t))})
    with pytest.raises(routh.BadArgumentError, match="given from 0 to 1 s"):
        crane.simulate(2, inputs={name: iter((t, np.sin(t)))})  # type: ignore[dict-item]
    assert crane.simulate(1, inputs={name: (t, np.sin(t))}).time[-1] == pytest.approx(1)
    m = crane.copy()
    m.parameter("long", 3)
    m.set_simulate(end="2*long")
    with pytest.raises(routh.BadArgumentError, match="but the run is from 0 to 6 s"):
        m.simulate(inputs={name: (t, np.sin(t))})


@pytest.mark.parametrize("option", ["step", "every", "tolerance"])
def test_what_is_zero_is_not_left_out(crane: routh.Model, option: str) -> None:
    for value in (0, -1.0):
        with pytest.raises(routh.BadArgumentError, match=f"{option} is {value:g}, but must be above 0"):
            crane.simulate(0.1, **{option: value})  # type: ignore[arg-type]
    with pytest.raises(routh.BadArgumentError, match="end is 0 s, but the run begins at 0 s"):
        crane.simulate(0)
    with pytest.raises(routh.BadArgumentError, match="every|records"):
        crane.simulate(0.1, every=1)


def test_elements_of_another_model_are_refused(crane: routh.Model) -> None:
    name = next(iter(crane.parameters))
    inputs = list(crane.inputs)
    foreign = other([name, "spare"], inputs)
    p, u = foreign.parameters[name], foreign.inputs[inputs[0]]
    linear = crane.linearize()
    cases: "list[Callable[[], Any]]" = [
        lambda: crane.sweep({p: [1, 2]}),
        lambda: crane.sweep({name: [1, 2]}, speed=p),
        lambda: crane.sweep({name: [1, 2]}, boundary={p: (0, 1)}),
        lambda: crane.response(input=u),
        lambda: crane.response(input=[inputs[1], u]),
        lambda: linear.response(input=u),
        lambda: crane.sensitivity(parameters=[p]),
        lambda: crane.simulate(0.1, inputs={inputs[0]: p}),
        lambda: crane.with_settings(settings={name: p}),
    ]
    for case in cases:
        with pytest.raises(routh.BadArgumentError, match="of another model"):
            case()
    own = crane.parameters[name]
    value = own.value
    assert len(crane.sweep({own: [value, value * 1.01]}).values) == 2
    assert crane.response(input=crane.inputs[inputs[0]], over=(1, 2, 3)) is not None


def test_what_was_removed_takes_no_changes() -> None:
    m = routh.Model("Changed")
    k = m.parameter("k", 1)
    rod = m.body("rod", mass=1, inertia=[1, 1, 1])
    hinge = m.revolute("hinge", rod, m.ground, at=[0, 0, 0], axis="y")
    hinge.remove()
    rod.remove()
    with pytest.raises(routh.BadArgumentError, match="rod was removed from its model"):
        rod.set(mass=2)
    with pytest.raises(routh.BadArgumentError, match="rod was removed"):
        rod.remove()
    again = m.body("rod", mass=3, inertia=[1, 1, 1])
    for use in (lambda: rod.set(mass=2), lambda: m.revolute("h", rod, m.ground, at=[0, 0, 0], axis="y"), lambda: routh.measures.DX(rod)):
        with pytest.raises(routh.BadArgumentError, match="rod was removed"):
            use()
    assert again.fields["mass"] == 3
    again.set(mass=4)
    assert m.bodies["rod"].fields["mass"] == 4
    k.remove()
    for use in (lambda: k.set(2), lambda: m.body("b", mass=k, inertia=[1, 1, 1])):
        with pytest.raises(routh.BadArgumentError, match="k was removed"):
            use()


@pytest.mark.parametrize(
    ("use", "also"),
    [
        (lambda m: m.loads["zz"], KeyError),
        (lambda m: m.bodies["lode"], KeyError),
        (lambda m: m.parameters["zz"], KeyError),
        (lambda m: m.operating_point().positions["zz"], KeyError),
        (lambda m: m.operating_point().reactions["zz"], KeyError),
        (lambda m: m.linearize().markers["zz"], KeyError),
        (lambda m: m.linearize(at=3), TypeError),
        (lambda m: m.simulate(0.1, at=[1]), TypeError),
        (lambda m: m.linearize(threads="2"), TypeError),
        (lambda m: m.linearize(threads=1.5), TypeError),
        (lambda m: m.linearize(threads=10**12), TypeError),
        (lambda m: m.linearize(reference=3), TypeError),
        (lambda m: m.operating_point(tolerance="x"), TypeError),
        (lambda m: m.linearize().modes()[99], IndexError),
        (lambda m: m.linearize().modes()[-99], IndexError),
        (lambda m: m.linearize().modes()["x"], TypeError),
        (lambda m: m.linearize().modes()[1.5], TypeError),
        (lambda m: m.sensitivity(parameters=3), TypeError),
        (lambda m: m.sweep({"mass": [1, 2]}, boundary=3), TypeError),
        (lambda m: m.save("/none/x.yaml"), FileNotFoundError),
        (lambda m: m.linearize().save("/none/x.json"), FileNotFoundError),
        (lambda m: m.report("/none/x.html"), FileNotFoundError),
        (lambda m: m.simulate(0.1, output="/none/x.csv"), FileNotFoundError),
        (lambda m: routh.Model.read("/none/x.yaml"), FileNotFoundError),
        (lambda m: routh.Model.read(SOURCE / "none.yaml"), FileNotFoundError),
        (lambda m: routh.Model.read(3), TypeError),
    ],
)
def test_refusals_are_errors_of_routh(crane: routh.Model, use: Callable[[routh.Model], Any], also: type) -> None:
    with pytest.raises(routh.Error) as found:
        use(crane)
    assert isinstance(found.value, also), type(found.value)


def test_names_are_suggested(crane: routh.Model) -> None:
    with pytest.raises(routh.UnknownNameError, match="no body 'lood'.*did you mean 'load'"):
        crane.bodies["lood"]
    assert crane.bodies.get("lood") is None and "lood" not in crane.bodies
    assert list(crane.linearize().modes()[:2]) and len(list(crane.linearize().modes())) > 2


PART = """bodies: {rod: {mass: 2, inertia: [1, 1, 1], position: [0, 0, -1]}}
exports: [rod]
"""
WHOLE = """gravity: [0, 0, -9.81]
parts: {one: {file: shared/part.yaml}}
joints: {pin: {type: revolute, between: [one.rod, ground], at: [0, 0, 0], axis: y}}
"""


def test_a_model_with_parts_is_saved_into_another_folder(tmp_path: pathlib.Path) -> None:
    (tmp_path / "models" / "shared").mkdir(parents=True)
    (tmp_path / "models" / "shared" / "part.yaml").write_text(PART)
    (tmp_path / "models" / "whole.yaml").write_text(WHOLE)
    (tmp_path / "results").mkdir()
    m = routh.Model.read(tmp_path / "models" / "whole.yaml")
    expected = m.linearize().modes().eigenvalues
    for target in ("results/saved.yaml", "models/shared/saved.yaml", "models/saved.yaml"):
        for changed in (False, True):
            if changed:
                m.title = "Changed"
            m.save(tmp_path / target)
            assert np.array_equal(routh.Model.read(tmp_path / target).linearize().modes().eigenvalues, expected)
    assert "shared/part.yaml" in m.to_yaml()
    (tmp_path / "results" / "shared" / "part.yaml").write_text(PART.replace("mass: 2", "mass: 3"))
    with pytest.raises(routh.FileError, match="part.yaml is there, and is not the part one"):
        m.save(tmp_path / "results" / "saved.yaml")
    (tmp_path / "results" / "shared" / "part.yaml").unlink()
    with pytest.raises(FileNotFoundError):
        m.save(tmp_path / "nowhere" / "saved.yaml")
    assert not (tmp_path / "nowhere").exists()
    built = routh.Model("Built", name=str(tmp_path / "models" / "built.py"))
    built.gravity = [0, 0, -9.81]
    one = built.part("one", file="shared/part.yaml")
    built.revolute("pin", one["rod"], built.ground, at=[0, 0, 0], axis="y")
    built.save(tmp_path / "results" / "built.yaml")
    assert np.array_equal(routh.Model.read(tmp_path / "results" / "built.yaml").linearize().modes().eigenvalues, expected)
