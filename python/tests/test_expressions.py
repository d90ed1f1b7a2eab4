"""Expressions keep their meaning in any string, and belong to one model."""

import copy
import math
import operator
import pickle
import random

import numpy as np
import pytest

import routh
from routh.measures import DX, DZ


def model(**parameters: float) -> routh.Model:
    m = routh.Model("Expressions")
    for name, value in parameters.items():
        m.parameter(name, value)
    bob = m.body("bob", mass=1, inertia=[1, 1, 1], position=[0, 0, -1])
    m.revolute("hinge", bob, m.ground, at=[0, 0, 0], axis="y")
    return m


# ---- in strings ------------------------------------------------------------------------------


def test_an_expression_in_an_f_string_is_one_operand() -> None:
    m = model(l=0.5)
    l, b = m.parameters["l"], "bob"
    assert f"DX({b})/{2 * l}" == "DX(bob)/(2*l)"
    assert f"{l} {-l} {l + 1} {l**2} {np.sqrt(l)} {l / 3}" == "l (-l) (l + 1) (l^2) sqrt(l) (l/3)"
    assert "1/%s" % (2 * l) == "1/{}".format(2 * l) == "1/" + str(2 * l) == "1/(2*l)"
    assert (2 * l).text == "2*l"
    assert m.evaluate(f"1/{2 * l}") == 1
    with pytest.raises(routh.ArgumentTypeError, match="'.3f' would write"):
        f"{2 * l:.3f}"


def test_a_measure_over_an_expression_is_not_multiplied_by_its_last_factor() -> None:
    m = model(l=0.25)
    m.output("y", f"DX(bob)/{2 * m.parameters['l']}")
    m.output("z", DX("bob") / (2 * m.parameters["l"]))
    C = m.linearize("given").C
    assert C[0] == pytest.approx(C[1]) and C[0].any()


def test_fields_of_a_model_have_no_needless_parentheses() -> None:
    m = model(l=0.25)
    m.body("other", mass=2 * m.parameters["l"], inertia=[1, 1, 1], position=[0, 0, -m.parameters["l"]])
    assert "{mass: 2*l, inertia: [1, 1, 1], position: [0, 0, -l]}" in m.to_yaml()


def whole(value: float) -> str:
    """A number of Python's as one operand of a text."""
    return f"({value!r})"


# The same formula as a text of two operands, and by Python's arithmetic.
TEXTS = [
    (lambda a, b: f"{a} + {b}", operator.add),
    (lambda a, b: f"{a} - {b}", operator.sub),
    (lambda a, b: f"{a}*{b}", operator.mul),
    (lambda a, b: f"{a}/{b}", operator.truediv),
    (lambda a, b: f"2/{a}/{b}", lambda x, y: 2 / x / y),
    (lambda a, b: f"1 - {a} - {b}", lambda x, y: 1 - x - y),
    (lambda a, b: f"-{a}^2 + {b}", lambda x, y: -(x**2) + y),
    (lambda a, b: f"{a}^2/{b}", lambda x, y: x**2 / y),
    (lambda a, b: "3*%s - cos(%s)" % (a, b), lambda x, y: 3 * x - math.cos(y)),
    (lambda a, b: "max({}, {})".format(a, b), max),
]


def formula(draw: random.Random, leaves: list, depth: int) -> tuple:
    """(an expression or a text, what stands for it in another text, its value)."""
    if depth == 0 or draw.random() < 0.1:
        return draw.choice(leaves)
    a, in_a, x = formula(draw, leaves, depth - 1)
    b, in_b, y = formula(draw, leaves, depth - 1)
    what = draw.random()
    if what < 0.45:
        text, operate = draw.choice(TEXTS)
        made = text(in_a, in_b)
        return made, f"({made})", operate(x, y)
    if what < 0.55:
        made = np.sin(a) if isinstance(a, routh.Expression) else a
        return made, made if made is not a else in_a, math.sin(x) if made is not a else x
    if not (isinstance(a, routh.Expression) or isinstance(b, routh.Expression)):
        return a, in_a, x
    operate = draw.choice([operator.add, operator.sub, operator.mul, operator.truediv])
    made = operate(a, b)
    return made, made, operate(x, y)


def test_formulas_of_parameters_and_f_strings_have_the_values_of_python() -> None:
    values = {"p": 0.3, "q": -2.5, "r": 11.0, "s": -0.125}
    m = model(**values)
    leaves = [(p, p, values[name]) for name, p in m.parameters.items()] * 2
    leaves += [(x, whole(x), x) for x in (2.0, 0.7, -1.3)]
    draw = random.Random(7)
    mixed = n = 0
    while n < 300:
        try:
            made, _, value = formula(draw, leaves, 4)
        except (ZeroDivisionError, OverflowError):
            continue
        if isinstance(made, float) or not 1e-9 < abs(value) < 1e9:
            continue
        assert m.evaluate(made) == pytest.approx(value, rel=1e-7), str(made)
        n += 1
        mixed += isinstance(made, str)
    assert 50 < mixed < 250


# ---- of one model ----------------------------------------------------------------------------


def test_what_belongs_to_another_model_is_refused() -> None:
    a, b = model(k=1.0), model(k=2.0)
    k, bob = a.parameters["k"], a.body("more", mass=1, inertia=[1, 1, 1])
    refused = [
        lambda: b.spring("s", "bob", b.ground, stiffness=k),
        lambda: b.spring("s", "bob", b.ground, stiffness=2 * k),
        lambda: b.revolute("more", bob, b.ground),
        lambda: b.output("y", DZ(bob)),
        lambda: b.parameter("n", k),
        lambda: setattr(b, "gravity", [0, 0, -k]),
        lambda: b.evaluate(k + 1),
        lambda: b.parameters["k"].set(k),
        lambda: b.set_simulate(end=k),
        lambda: b.body("third", mass=1, inertia=np.array([k, 1, 1], dtype=object)),
    ]
    before = b.to_yaml()
    for attempt in refused:
        with pytest.raises(routh.BadArgumentError, match="of another model"):
            attempt()
    assert b.to_yaml() == before
    with pytest.raises(routh.BadArgumentError, match="of two models"):
        k + b.parameters["k"]
    with pytest.raises(routh.BadArgumentError, match="of two models"):
        DX(bob, b.body("mine", mass=1, inertia=[1, 1, 1]))
    assert a.evaluate(k + 1) == 2 and b.evaluate("k + 1") == 3


def test_elements_are_equal_where_they_are_the_same_thing() -> None:
    m, other = model(k=1.0, l=2.0), model(k=1.0)
    k = m.parameters["k"]
    assert k == m.parameters["k"] and hash(k) == hash(m.parameters["k"])
    assert k != m.parameters["l"] and k != other.parameters["k"]
    assert {k: 1}[m.parameters["k"]] == 1
    assert 2 * k == 2 * k and 2 * k != 3 * k and 2 * k != 2 * other.parameters["k"]


def test_a_copy_shares_nothing_with_the_model() -> None:
    for copied in (copy.copy, copy.deepcopy, lambda m: pickle.loads(pickle.dumps(m))):
        a = model(k=1.0)
        text = a.to_yaml()
        b = copied(a)
        b.parameters["k"].set(5)
        b.body("more", mass=1, inertia=[1, 1, 1])
        b.gravity = (0, 0, -1)
        assert a.to_yaml() == text and a.evaluate("k") == 1
        assert b.evaluate("k") == 5 and "more" in b.to_yaml()
        a.body("less", mass=1, inertia=[1, 1, 1])
        assert "less" not in b.to_yaml()


def test_a_copy_of_a_model_with_its_elements_keeps_them_together() -> None:
    a = model(k=1.0)
    b, k = copy.deepcopy((a, 2 * a.parameters["k"]))
    assert b.evaluate(k) == 2
    with pytest.raises(routh.BadArgumentError, match="of another model"):
        a.evaluate(k)
