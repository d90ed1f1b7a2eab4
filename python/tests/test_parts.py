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


# ---- variants --------------------------------------------------------------------------------------

TYRE = """connections: [hub]
parameters: {k: 100}
variants: {wet: {set: {k: 70}}}
bodies: {b: {mass: 1, inertia: [1, 1, 1]}}
joints: {j: {type: translational, between: [b, hub], at: [0, 0, 0], axis: x}}
loads: {s: {type: bushing, between: [b, hub], at: [0, 0, 0], translation: {stiffness: k}}}
"""
TWO = """# two wheels
parameters: {p: 1}   # pressure
variants:            # of the whole
  cold: {set: {p: 0.5}, parts: {left: winter}}   # both colder
  warm: {}
parts:
  left: {file: tyre.yaml, connect: {hub: ground}, set: {k: 10*p},   # the left one
         variants: {winter: {file: studs/tyre.yaml, set: {k: 20*p}}, summer: {}}, variant: summer}
  right: {file: tyre.yaml, connect: {hub: ground}}
"""


def two(folder):
    (folder / "studs").mkdir()
    (folder / "tyre.yaml").write_text(TYRE, "utf-8")
    (folder / "studs" / "tyre.yaml").write_text(TYRE.replace("mass: 1", "mass: 3"), "utf-8")
    (folder / "two.yaml").write_text(TWO, "utf-8")
    return str(folder / "two.yaml")


def numbers(model):
    linear = model.linearize()
    return [*np.diag(linear.M), *np.diag(linear.K)]


CHOICES = [
    ({}, [1, 1, 10, 100]),
    ({"variant": "warm"}, [1, 1, 10, 100]),
    ({"variant": "cold"}, [3, 1, 10, 100]),
    ({"variant": "cold", "p": 3}, [3, 1, 60, 100]),
    ({"variant": "cold", "left": "summer"}, [1, 1, 5, 100]),
    ({"left": "winter"}, [3, 1, 20, 100]),
    ({"left": "winter", "right": "wet"}, [3, 1, 20, 70]),
    ({"left": "winter", "left.k": 8}, [3, 1, 8, 100]),
    ({"left.k": 8, "left": "summer"}, [1, 1, 8, 100]),
]


@pytest.mark.parametrize("settings, wanted", CHOICES)
def test_variants_are_settings_and_written_with_the_model(tmp_path, settings, wanted):
    path = two(tmp_path)
    model = routh.Model.read(path, settings=settings)
    assert np.allclose(numbers(model), wanted, rtol=1e-14)
    assert np.allclose(numbers(routh.Model.read(path).with_settings(settings=settings)), wanted, rtol=1e-14)
    if settings == {"variant": "cold", "left": "summer"}:  # in a file the variant of the whole would go before
        with pytest.raises(routh.BadArgumentError, match="left has no place.*variant of the model chooses"):
            model.to_yaml()
        return
    text = model.to_yaml()
    assert all(comment in text for comment in ("# two wheels", "# pressure", "# of the whole", "# both colder", "# the left one"))
    again = routh.Model.parse(text, name=path)
    assert np.allclose(numbers(again), wanted, rtol=1e-14)
    assert again == model and (model == routh.Model.read(path)) == (not settings)


def test_what_a_program_changes_holds_in_the_variant_that_is_chosen(tmp_path):
    path = two(tmp_path)
    model = routh.Model.read(path, variant="cold")
    model.p = 4
    assert np.allclose(numbers(model), [3, 1, 80, 100])
    assert np.allclose(numbers(routh.Model.parse(model.to_yaml(), name=path)), [3, 1, 80, 100])
    assert np.allclose(numbers(model.with_settings(variant="warm")), [1, 1, 10, 100])
    model.parts["left"].set(variant="winter")
    model.parts["right"].set(variants={"flat": {"set": {"k": 3}}}, variant="flat")
    assert np.allclose(numbers(model), [3, 1, 80, 3])
    assert np.allclose(numbers(model.with_settings(right="flat", variant="warm")), [3, 1, 20, 3])
    assert list(model.variants) == ["cold", "warm"] and model.variants["cold"].fields["parts"] == {"left": "winter"}


def test_a_program_offers_variants(tmp_path):
    two(tmp_path)
    m = routh.Model(name=str(tmp_path / "model.py"))
    k = m.parameter("k", 10)
    m.part("left", "tyre.yaml", connect={"hub": m.ground}, set={"k": k},
           variants={"winter": {"file": "studs/tyre.yaml", "set": {"k": 2 * k}}})
    m.variant("cold", set={"k": 5}, parts={"left": "winter"})
    assert np.allclose(numbers(m), [1, 10])
    cold = m.with_settings(variant="cold")
    assert np.allclose(numbers(cold), [3, 10])
    (tmp_path / "cold.yaml").write_text(cold.to_yaml(), "utf-8")
    assert np.allclose(numbers(routh.Model.read(tmp_path / "cold.yaml")), [3, 10])
    with pytest.raises(routh.ModelError, match="has no variant 'colt'; did you mean 'cold'"):
        m.with_settings(variant="colt")
    with pytest.raises(routh.ModelError, match="part 'left'.*has no variant 'witer'; did you mean 'winter'"):
        m.with_settings(left="witer")


@pytest.mark.parametrize("name", ["deep.left", "row.2"])
def test_choices_that_no_model_file_can_hold_are_not_written(tmp_path, name):
    two(tmp_path)
    (tmp_path / "deep.yaml").write_text(
        "parts: {deep: {file: two.yaml}, row: {file: tyre.yaml, count: 2, connect: {hub: ground}, variants: {winter: {}}}}\n", "utf-8"
    )
    model = routh.Model.read(tmp_path / "deep.yaml", settings={name: "winter"})
    with pytest.raises(routh.BadArgumentError, match=f"setting {name} has no place"):
        model.to_yaml()
    assert model != routh.Model.read(tmp_path / "deep.yaml") and model == model.copy()


def test_files_of_all_variants_go_along_to_another_folder(tmp_path):
    model = routh.Model.read(two(tmp_path))
    (tmp_path / "there").mkdir()
    model.save(tmp_path / "there" / "two.yaml")
    assert np.allclose(numbers(routh.Model.read(tmp_path / "there" / "two.yaml", variant="cold")), [3, 1, 10, 100])


def test_variants_are_compared(tmp_path):
    model = routh.Model.read(two(tmp_path))
    comparison = model.compare(versus={"left": "winter"})
    assert len(comparison.pairs) == 2 and not comparison.parameters
