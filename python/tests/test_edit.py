"""A model file that is read, changed and written: what is changed differs, and nothing else does, comments above all."""

import difflib
import os
import pathlib
import random
import re
import warnings

import pytest

import routh

SOURCE = pathlib.Path(__file__).resolve().parents[2]
EFFORT = int(os.environ.get("ROUTH_TEST_EFFORT") or 1)
EXAMPLES = sorted(p for p in (SOURCE / "examples").rglob("*.yaml") if p.parent.name != "studies")

CAR = """\
# A car.
title: A car   # of one corner
parameters:
  k: 60 kN/m # coil spring
  c: 3e3     # damper

  # the wheel
  mass: 38
gravity: [0, 0, -9.81]   # downwards

bodies:
  wheel: {mass: mass, inertia: [1, 1, 1], position: [0, 0, 0.3]} # with its tyre
  # the body of the car
  chassis:
    mass: 400      # a quarter
    inertia: [100, 200, 300]
    position: [0, 0, 1]

joints:
  up: {type: translational, between: [chassis, ground], axis: z}
  down: {type: translational, between: [wheel, ground], axis: z} # and this

loads:
  spring: {type: spring, between: [wheel, chassis], stiffness: k, damping: c}
  tyre: {type: force, on: wheel, components: [0, 0, "-2e5*DZ(wheel)"]}
outputs: {z: DZ(chassis)}
# the end
"""


def lines_changed(before: str, after: str) -> tuple[list[str], list[str]]:
    """Lines taken out and put in."""
    lines = list(difflib.unified_diff(before.splitlines(), after.splitlines(), n=0, lineterm=""))[2:]
    return [x[1:] for x in lines if x[0] == "-"], [x[1:] for x in lines if x[0] == "+"]


def change(act) -> tuple[list[str], list[str]]:
    model = routh.Model.parse(CAR)
    act(model)
    text = model.to_yaml()
    assert routh.Model.parse(text) == model
    return lines_changed(CAR, text)


def test_values() -> None:
    assert change(lambda m: m.parameters["k"].set("70 kN/m")) == (["  k: 60 kN/m # coil spring"], ["  k: 70 kN/m # coil spring"])
    assert change(lambda m: m.bodies["chassis"].set(mass=500)) == (["    mass: 400      # a quarter"], ["    mass: 500      # a quarter"])
    assert change(lambda m: setattr(m, "gravity", (0, 0, -1.6))) == (["gravity: [0, 0, -9.81]   # downwards"], ["gravity: [0, 0, -1.6]   # downwards"])
    assert change(lambda m: setattr(m, "title", "The car")) == (["title: A car   # of one corner"], ['title: The car   # of one corner'])


def test_additions() -> None:
    def act(m: routh.Model) -> None:
        c2 = m.parameter("c2", 1500)
        m.spring("damper", m.bodies["wheel"], m.bodies["chassis"], damping=c2)
        m.outputs["z"].set(unit="m")
        m.body("driver", mass=80, inertia=[1, 1, 1])

    out, put = change(act)
    assert out == ["outputs: {z: DZ(chassis)}"]
    assert put[:3] == ["  c2: 1500", "  driver: {mass: 80, inertia: [1, 1, 1]}", "  damper: {type: spring, between: [wheel, chassis], damping: c2}"]


def test_removals_and_fields() -> None:
    def act(m: routh.Model) -> None:
        m.loads["tyre"].remove()
        m.loads["spring"].set(damping=None, preload=5)
        m.joints["down"].set(displacement=0.3)

    out, put = change(act)
    assert len(out) == 3 and len(put) == 2
    assert put == [
        "  down: {type: translational, between: [wheel, ground], axis: z, displacement: 0.3} # and this",
        "  spring: {type: spring, between: [wheel, chassis], stiffness: k, preload: 5}",
    ]


def test_a_new_section_stands_where_it_belongs() -> None:
    model = routh.Model.parse(CAR)
    model.input("u", 0)
    lines = model.to_yaml().splitlines()
    assert lines[lines.index("inputs:") + 1].strip().startswith("u:")
    assert lines.index("inputs:") < lines.index("outputs: {z: DZ(chassis)}")
    assert "# the end" in lines


def test_settings_and_files(tmp_path: pathlib.Path) -> None:
    path = tmp_path / "car.yaml"
    path.write_text(CAR, encoding="utf-8")
    model = routh.Model.read(path, k=5e4)
    model.save(path)
    assert lines_changed(CAR, path.read_text(encoding="utf-8")) == (["  k: 60 kN/m # coil spring"], ["  k: 50000 # coil spring"])


def test_what_cannot_keep_comments_says_so() -> None:
    text = CAR.replace("inertia: [100, 200, 300]", "inertia: [100,  # roll\n      200, 300]")
    model = routh.Model.parse(text)
    with pytest.warns(routh.CommentsWarning, match="without its comments"):
        model.bodies["chassis"].set(inertia=[1, 1, 1, 0, 0, 0])
        written = model.to_yaml()
    assert routh.Model.parse(written) == model


KINDS = ["parameter", "mass", "add body", "remove output", "add output", "gravity", "list"]


def random_change(model: routh.Model, kind: str, rng: random.Random) -> str:
    if kind == "parameter" and model.parameters:
        rng.choice(list(model.parameters.values())).set(rng.choice([3.25, "2*pi", "1e-3"]))
    elif kind == "add body":
        model.body("new_body", mass=rng.choice([1, 2.5]), inertia=[1, 1, 1], position=[0, rng.random(), 0])
    elif kind == "remove output" and model.outputs:
        rng.choice(list(model.outputs.values())).remove()
    elif kind == "add output" and model.bodies:
        model.output("new_output", f"max(DX({rng.choice(list(model.bodies))}), 0)")
    elif kind == "gravity":
        model.gravity = (0, rng.random(), -3)
    elif kind == "mass" and model.bodies:
        body = rng.choice(list(model.bodies.values()))
        if "mass" in body.fields:
            body.set(mass=rng.random() + 1)
    elif kind == "list" and model.joints:
        joint = rng.choice(list(model.joints.values()))
        if isinstance(joint.fields.get("at"), list):
            joint.set(at=[1, 2, rng.random()])
    return kind


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda p: p.stem)
def test_examples(path: pathlib.Path) -> None:
    before = path.read_text(encoding="utf-8")
    for seed in range(12 if EFFORT > 1 else 2):
        rng = random.Random(f"{path.stem} {seed}")
        try:
            model = routh.Model.read(path)
        except routh.ModelError:
            return  # a part
        kinds = [random_change(model, kind, rng) for kind in rng.sample(KINDS, 3)]
        with warnings.catch_warnings():
            warnings.simplefilter("error", routh.CommentsWarning)
            after = model.to_yaml()
        out, put = lines_changed(before, after)
        removed = " ".join(out) if "remove output" in kinds else ""
        for comment in re.findall(r"(?:^|\s)(#.*)", before):
            assert comment in after or comment in removed, (kinds, comment)
        assert len(out) <= 4 and len(put) <= 8, (kinds, out, put)
