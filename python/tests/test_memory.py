"""Who owns what, and what threads share."""

import gc
import threading
import weakref

import numpy as np
import pytest

import routh
from routh import _api


def test_views_are_read_only_and_without_a_copy(chain: routh.Model) -> None:
    linear = chain.linearize()
    from routh._routh import ffi

    assert linear.A.__array_interface__["data"] == (
        int(ffi.cast("uintptr_t", linear._c.A)),
        True,
    )
    with pytest.raises(ValueError):
        linear.A[0, 0] = 1
    with pytest.raises(ValueError):
        linear.A.setflags(write=True)


def test_views_outlive_what_they_show(chain: routh.Model) -> None:
    linear = chain.linearize()
    A, values = linear.A, linear.modes().eigenvalues
    position = chain.equilibrium().positions
    copies = A.copy(), values.copy(), {k: v.copy() for k, v in position.items()}
    del linear, chain
    gc.collect()
    filler = [routh.template("pendulum-chain", n=5).linearize() for _ in range(20)]
    assert np.array_equal(A, copies[0])
    assert np.array_equal(values, copies[1])
    assert all(np.array_equal(position[k], v) for k, v in copies[2].items())
    assert len(filler) == 20


def test_all_is_freed_in_the_right_order(monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[str] = []
    freed: list[str] = []
    owned = _api.owned

    def counting(pointer: object, free: object, keep: object = None) -> object:
        made.append(str(free))

        def freeing(p: object) -> None:
            freed.append(str(free))
            free(p)  # type: ignore[operator]

        return owned(pointer, freeing, keep)

    monkeypatch.setattr(_api, "owned", counting)
    model = routh.template("pendulum-chain", n=3)
    linear = model.linearize()
    modes = linear.modes()
    table = modes.table()
    reference = weakref.ref(model)
    del model, linear
    gc.collect()
    assert reference() is None
    assert freed == []  # the modes hold all that they show
    assert modes.table() == table
    del modes
    gc.collect()
    assert sorted(freed) == sorted(made) and len(made) == 5
    last = [next(k for k, name in enumerate(freed) if kind in name) for kind in KINDS]
    assert last == sorted(last)


KINDS = ("operating_point_free", "mechanism_free", "model_free")


def test_threads_get_identical_bits(chain: routh.Model) -> None:
    point = chain.equilibrium()
    results: list[list[np.ndarray]] = [[], []]
    start = threading.Barrier(2)

    def work(k: int) -> None:
        start.wait()
        for _ in range(20):
            linear = chain.linearize(point, coordinates="relative")
            results[k] += [linear.A.copy(), linear.modes().eigenvalues.copy()]

    threads = [threading.Thread(target=work, args=(k,)) for k in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    expected = results[0][:2]
    assert len(results[0]) == len(results[1]) == 40
    for k, array in enumerate(results[0] + results[1]):
        assert array.tobytes() == expected[k % 2].tobytes()
