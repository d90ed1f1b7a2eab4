"""What the library tells of its build."""

import json
import os
import subprocess

import pytest

import routh

PROGRAM = os.environ.get("ROUTH", "build/routh")


def test_it_is_what_the_program_tells_of_the_same_library() -> None:
    told = json.loads(subprocess.run([PROGRAM, "version", "--json"], capture_output=True, check=True).stdout)
    build = routh.build_info()
    assert build.version == routh.__version__ == told["version"]
    assert build.licence_why == told["licence_why"]
    assert build.kernels and told["kernels"]
    parts = {part["name"]: part for part in told["components"]}
    assert {c.name for c in build.components} <= set(parts)
    for c in build.components:
        assert c.present == parts[c.name]["present"], c.name
        assert (c.version or None) == parts[c.name]["version"], c.name
        assert (c.without or None) == parts[c.name]["without"], c.name


@pytest.mark.parametrize(("core", "old"), [("PRESCOTT", True), ("NEHALEM", True), ("HASWELL", False)])
def test_kernels_older_than_the_processor_are_named(core: str, old: bool) -> None:
    with open("/proc/cpuinfo") as file:
        flags = next((line.split() for line in file if line.startswith("flags")), [])
    if not old and "avx2" not in flags:
        pytest.skip("this processor has no AVX2")
    told = json.loads(
        subprocess.run(
            [PROGRAM, "version", "--json"], capture_output=True, check=True, env={**os.environ, "OPENBLAS_CORETYPE": core}
        ).stdout
    )
    assert told["kernels"].upper() == core
    assert bool(told["kernels_advice"]) == (old and "avx2" in flags and "fma" in flags)


def test_a_component_is_found_by_its_name_and_all_are_printed() -> None:
    build = routh.build_info()
    assert build["libyaml"].present
    with pytest.raises(KeyError):
        build["libyam"]
    for c in build.components:
        assert c.name in str(build)
