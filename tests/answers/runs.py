"""Runs of the program that tests of the frequency response compare: responses, and simulations of the same model."""
import cmath
import csv
import json
import math
import os
import pathlib
import subprocess
import unittest

ROUTH = os.environ["ROUTH"]
SOURCE = pathlib.Path(os.environ["ROUTH_SOURCE"])
EFFORT = float(os.environ.get("ROUTH_TEST_EFFORT", "1"))


def routh(*arguments):
    done = subprocess.run([ROUTH, *map(str, arguments)], capture_output=True, text=True, check=False)
    if "SUNDIALS, and this build" in done.stderr:
        raise unittest.SkipTest(done.stderr)
    if done.returncode:
        raise AssertionError(done.stderr)
    return done.stdout


def respond(model, *arguments):
    return json.loads(routh("response", model, "--json", "-q", *arguments))


def example(name):
    text = (SOURCE / "examples" / name).read_text(encoding="utf-8")
    assert "simulate:" not in text
    return text


def write(path, text):
    pathlib.Path(path).write_text(text, encoding="utf-8")
    return path


def simulate(model, *arguments):
    """The recorded outputs: {"time": [..], "heave": [..]}."""
    out = str(model) + ".csv"
    routh("simulate", model, "--channels", "outputs", "-q", "-o", out, *arguments)
    with open(out, newline="", encoding="utf-8") as file:
        rows = list(csv.reader(file))
    names = [head.removeprefix("outputs/").split(" ")[0] for head in rows[0]]
    return {name: [float(row[k]) for row in rows[1:]] for k, name in enumerate(names)}


def response_at(data, output, source, k):
    """H from source to output at frequency k."""
    for channel in data["channels"]:
        if data["outputs"][channel["output"]]["name"] == output and data["inputs"][channel["input"]]["name"] == source:
            return complex(channel["re"][k], channel["im"][k])
    raise AssertionError(f"no {output} / {source}")


def amplitude(times, values, hertz):
    """Complex amplitude of exp(2 pi i f t) in samples over some whole periods, under Hann's window: harmonics and a
    constant give nothing, and what still drifts next to nothing."""
    weights = [1 - math.cos(2 * math.pi * k / len(values)) for k in range(len(values))]
    return 2 / len(values) * sum(w * v * cmath.exp(-2j * math.pi * hertz * t) for w, t, v in zip(weights, times, values))
