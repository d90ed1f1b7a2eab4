"""Searches that begin at another operating point."""

import math
import pickle

import pytest

import routh

WELLS = """
parameters: {start: 0.3}
bodies: {slider: {mass: 2, inertia: [1, 1, 1], position: [start, 0, 0]}}
joints: {rail: {type: translational, between: [slider, ground], at: [0, 0, 0], axis: x}}
loads: {f: {type: force, on: slider, components: ["50*(DX(slider) - DX(slider)^3)", 0, 0]}}
operating_point: {type: static}
"""


@pytest.mark.parametrize(("begin", "ends"), [(0.2, 1), (-0.2, -1), (-3, -1)])
def test_the_start_decides(begin: float, ends: float) -> None:
    """Of two stable equilibria the one on whose side the search begins, whatever the model says."""
    model = routh.Model.parse(WELLS)
    there = routh.Model.parse(WELLS.replace("start: 0.3", f"start: {begin}")).operating_point("given")
    found = model.operating_point("static", start=there)
    assert math.isclose(found.bodies["slider"].position[0], ends, rel_tol=1e-9)
    again = pickle.loads(pickle.dumps(found))
    assert again.bodies["slider"].position[0] == found.bodies["slider"].position[0]
    assert math.isclose(model.equilibrium(start=there).bodies["slider"].position[0], ends, rel_tol=1e-9)


def test_the_initial_state_is_not_searched_for() -> None:
    """With a start there is no reference configuration to ask for."""
    model = routh.Model.parse(WELLS)
    with pytest.raises(routh.BadArgumentError, match="is not searched for"):
        model.operating_point("given", start=model.operating_point("given"))
