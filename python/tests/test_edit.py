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


def test_a_comment_in_what_is_replaced_is_named() -> None:
    text = CAR.replace("inertia: [100, 200, 300]", "inertia: [100,# roll\n      200, 300]")
    model = routh.Model.parse(text)
    with pytest.warns(routh.CommentsWarning, match="model:16: the comment '# roll' is taken out"):
        model.bodies["chassis"].set(inertia=[1, 1, 1, 0, 0, 0])
        written = model.to_yaml()
    assert routh.Model.parse(written) == model and "# a quarter" in written


# Comments of all kinds: at a side and going on below, above, of several, between entries of flow style.
PLACES = """\
parameters:
  k: 5   # stiff, as
         # it is steel
  c: 3   # soft
# The bodies
bodies:
  # the first one
  a: {mass: 1, inertia: [1, 1, 1]}   # heavy, as
                                     # it is made of lead
  # two light ones
  b: {mass: 2, inertia: [1, 1, 1], position: [1, 0, 0]}
  d: {mass: 3, inertia: [1, 1, 1], position: [2, 0, 0]}

  # and this
  e:
    mass: 4   # of four
    inertia: [1, 1,# about y
      1]
  # f: {mass: 5}    switched off
joints:
  h:
    type: revolute
    between:
      - a       # above
      - ground  # below
    at: [0, 0, 0]
    axis: y
loads:
  s: {type: spring,   # its kind
      between: [b, d],   # its ends
      stiffness: 5,# coil
      damping: c      # oil
     }
  # more loads will follow
# Outputs
outputs: {z: DZ(a)}
"""
LIST = "bodies:\n  a: {mass: 1, inertia: [1, 1, 1],\n      position: [1, 2, 3]   # where\n     }\n"
CASES = {
    "k": (lambda m: m.parameters["k"].remove(), ["  k: 5   # stiff, as", "         # it is steel"], []),
    "p": (lambda m: m.parameter("p", 1), [], ["  p: 1"]),
    "e": (lambda m: m.bodies["e"].remove(), PLACES.split("\n")[13:18], []),
    "a": (lambda m: m.bodies["a"].remove(), PLACES.split("\n")[6:9], []),
    "z": (lambda m: m.outputs["z"].remove(), ["# Outputs", "outputs: {z: DZ(a)}"], []),
    "input": (lambda m: m.input("u", 1), [], ["inputs:", "  u: {value: 1}"]),
    "preload": (lambda m: m.loads["s"].set(preload=4), ["      damping: c      # oil"], ["      damping: c,      # oil", "      preload: 4"]),
    "damping": (
        lambda m: m.loads["s"].set(damping=None),
        ["      stiffness: 5,# coil", "      damping: c      # oil"],
        ["      stiffness: 5 # coil"],
    ),
    "stiffness": (lambda m: m.loads["s"].set(stiffness=None), ["      stiffness: 5,# coil"], []),
}


@pytest.mark.parametrize("name", CASES)
@pytest.mark.parametrize("ends", ["\n", "\r\n"], ids=["LF", "CRLF"])
def test_comments_stay_with_what_they_are_of(name: str, ends: str) -> None:
    act, out, put = CASES[name]
    for mark in ("", "\ufeff"):
        model = routh.Model.parse(mark + PLACES.replace("\n", ends))
        act(model)
        with warnings.catch_warnings():
            warnings.simplefilter("error", routh.CommentsWarning)
            text = model.to_yaml()
        assert text.startswith(mark + "parameters") and text.count("\n") == text.count(ends)
        assert lines_changed(PLACES, text[len(mark) :].replace(ends, "\n")) == (out, put)


def test_a_comment_goes_with_the_last_entry_of_a_mapping() -> None:
    model = routh.Model.parse(LIST)
    model.bodies["a"].set(position=None)
    assert model.to_yaml() == "bodies:\n  a: {mass: 1, inertia: [1, 1, 1]\n     }\n"


def test_new_entries_follow_comments_that_go_on() -> None:
    model = routh.Model.parse(PLACES.replace("  c: 3   # soft\n", "").replace("damping: c", "damping: 3"))
    model.parameter("p", 1)
    assert "  k: 5   # stiff, as\n         # it is steel\n  p: 1\n# The bodies\n" in model.to_yaml()
    model.input("u", 1)
    assert "  # more loads will follow\ninputs:\n  u: {value: 1}\n# Outputs\n" in model.to_yaml()


def test_comments_in_doubt_are_named() -> None:
    """Of a heading of several entries, of a name that moves in its list, and at the beginning of a file."""
    model = routh.Model.parse(PLACES)
    model.bodies["b"].remove()
    with pytest.warns(routh.CommentsWarning, match="model:10: the comment '# two light ones' stays, though 'b' below it is taken out"):
        text = model.to_yaml()
    assert "  # two light ones\n  d:" in text
    model = routh.Model.parse(PLACES)
    model.joints["h"].set(between=["ground", "a"])
    with pytest.warns(routh.CommentsWarning, match="model:24: the comment '# above' stays where it was, and 'ground' stands there now"):
        model.to_yaml()
    model = routh.Model.parse("# The bodies\nbodies: {b: {mass: 1, inertia: [1, 1, 1]}}\n")
    model.title = "One"
    with pytest.warns(routh.CommentsWarning, match="model:1: the comment '# The bodies' stands above 'title' now"):
        model.to_yaml()


def test_lines_of_a_text_are_no_comments() -> None:
    model = routh.Model.parse("description: |\n  text\n  # heading\nbodies: {b: {mass: 1, inertia: [1, 1, 1]}}  # one\n")
    model.description = "new"
    assert model.to_yaml() == "description: new\nbodies: {b: {mass: 1, inertia: [1, 1, 1]}}  # one\n"


def test_a_thing_that_is_made_anew_stands_behind_the_others() -> None:
    model = routh.Model.parse("bodies:\n  a: {mass: 1, inertia: [1, 1, 1]}  # a\n  b: {mass: 2, inertia: [1, 1, 1]}  # b\n")
    model.bodies["a"].remove()
    model.body("a", mass=3, inertia=[1, 1, 1])
    assert model.to_yaml() == "bodies:\n  b: {mass: 2, inertia: [1, 1, 1]}  # b\n  a: {mass: 3, inertia: [1, 1, 1]}\n"


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
