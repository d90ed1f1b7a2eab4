"""Parts of a model that a program builds: what they are called, and that they are those of a file."""

import numpy as np
import pytest

import routh

CORNER = """
connections: [frame]
exports: [mass, k]
parameters: {k: 100}
bodies: {mass: {mass: 2, inertia: [1, 1.1, 1.2, 0.1, 0.05, 0.02], position: [1, 0.5, 0]}}
joints: {slide: {type: translational, between: [mass, frame], at: [1, 0.5, 0], axis: [1, 2, 3]}}
loads: {spring: {type: bushing, between: [mass, ground], at: [1, 0.5, 0], translation: {stiffness: [k, 2*k, 3*k]}}}
outputs: {y: "DY(mass)"}
"""


def model(folder):
    (folder / "corner.yaml").write_text(CORNER, "utf-8")
    m = routh.Model(name=str(folder / "model.py"))
    stiffness = m.parameter("stiffness", 300)
    frame = m.body("frame", mass=5, inertia=[1, 1, 1])
    m.bushing("hold", frame, m.ground, at=[0, 0, 0], translation={"stiffness": 50}, rotation={"stiffness": 70})
    right = m.part("right", "corner.yaml", connect={"frame": frame}, set={"k": 2 * stiffness})
    left = m.part("left", "corner.yaml", connect={"frame": frame}, mirror="y", set={"k": 2 * stiffness})
    return m, right, left


def test_a_part_is_named_by_what_it_exports(tmp_path):
    m, right, left = model(tmp_path)
    assert right["mass"] == "right.mass" and left[3, "mass"] == "left.3.mass"
    m.output("apart", routh.measures.DY(right["mass"], left["mass"]))
    linear = m.linearize()
    assert [output.name for output in linear.outputs] == ["apart", "right.y", "left.y"]
    values = {output.name: output.value for output in linear.outputs}
    assert values["right.y"] == values["left.y"] == 0.5  # as its part has it
    assert values["apart"] == 1


def test_a_built_model_with_parts_is_that_of_the_file(tmp_path):
    m, _, _ = model(tmp_path)
    path = tmp_path / "model.yaml"
    path.write_text(m.to_yaml(), "utf-8")
    one, two = m.linearize(), routh.Model.read(path).linearize()
    assert np.array_equal(one.A, two.A)


def test_messages_name_the_part_and_its_file(tmp_path):
    m, _, _ = model(tmp_path)
    m.part("third", "corner.yaml")
    with pytest.raises(routh.ModelError, match="part 'third'.*the connection 'frame' of .*corner.yaml is not connected"):
        m.linearize()


def test_parameters_of_parts_that_are_set_are_in_the_file_that_is_written(tmp_path):
    (tmp_path / "disc.yaml").write_text(
        "parameters: {k: 100}\nbodies: {b: {mass: 1, inertia: [1, 1, 1]}}\n"
        "joints: {j: {type: revolute, between: [b, ground], at: [0, 0, 0], axis: z}}\n"
        "loads: {s: {type: torsion_spring, between: [b, ground], axis: z, stiffness: k}}\n"
    )
    (tmp_path / "two.yaml").write_text("parts: {p: {file: disc.yaml}, q: {file: disc.yaml, count: 1, step: [1, 0, 0]}}\n")
    path = str(tmp_path / "two.yaml")
    model = routh.Model.read(path, settings={"p.k": 250})
    assert np.allclose(model.linearize().K, np.diag([250, 100]))
    assert np.allclose(routh.Model.parse(model.to_yaml(), name=path).linearize().K, np.diag([250, 100]))
    assert model != routh.Model.read(path)
    model.parts["p"].set(set={"k": 300})
    assert np.allclose(model.linearize().K, np.diag([300, 100]))
    for name in ("q.1.k", "p.j.angle"):
        other = routh.Model.read(path, settings={name: 1})
        assert other != model and other == other.copy()
        with pytest.raises(routh.BadArgumentError, match=name):
            other.to_yaml()


def test_energies_are_summed_by_part(tmp_path):
    m, _, _ = model(tmp_path)
    modes = m.linearize().modes()
    assert modes.part_names == ("right", "left")
    for kind in ("kinetic", "strain"):
        shares, parts = modes.energies(kind), modes.part_energies(kind)
        for column, part in enumerate(modes.part_names):
            inside = [k for k, name in enumerate(modes.share_names) if name.split(" ")[1].startswith(part + ".")]
            assert np.allclose(parts[:, column], shares[:, inside].sum(axis=1), rtol=0, atol=1e-15)
    listed = [[p["kinetic"] for p in mode["part_energies"]] for mode in modes.json()["modes"]]
    assert np.allclose(listed, modes.part_energies(), rtol=0, atol=1e-15)
