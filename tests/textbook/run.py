"""Runs the references: run.py [KIND [TYPE [COUNT [SEED]]]] prints the worst errors of each element."""
import sys
import warnings
import zlib

import controllers  # noqa: F401
import flexible  # noqa: F401
import functions  # noqa: F401
import joints  # noqa: F401
import loads  # noqa: F401
import loads_contact  # noqa: F401
import loads_beams  # noqa: F401
import loads_spectral  # noqa: F401
import loads_tyre  # noqa: F401
import measures  # noqa: F401
from compare import errors
from registry import KINDS


# branches that are not taken are evaluated too, and their numbers thrown away
warnings.simplefilter("ignore", RuntimeWarning)


def seed_of(kind, name, number):
    return [zlib.crc32(f"{kind} {name}".encode()), number]


def measure(kind, name, count, first=0):
    """(cases, worst of values, of first, of second derivatives), each worst with its seed and what it was of"""
    worst = {level: (0.0, None, "") for level in ("values", "first", "second")}
    done, number = 0, first
    builds = KINDS[kind][name]
    while done < count:
        build, seed = builds[done % len(builds)], seed_of(kind, name, number)
        number += 1
        found, _ = errors(build, seed)
        if found is None:
            continue
        done += 1
        for level, (size, what) in found.items():
            if not size <= worst[level][0]:
                worst[level] = (size, f"{build.__name__}:{number - 1}", what)
    return done, worst


if __name__ == "__main__":
    kinds = [sys.argv[1]] if len(sys.argv) > 1 and sys.argv[1] != "all" else list(KINDS)
    for kind in kinds:
        for name in KINDS[kind]:
            if len(sys.argv) > 2 and sys.argv[2] not in ("all", name):
                continue
            try:
                done, worst = measure(kind, name, int(sys.argv[3]) if len(sys.argv) > 3 else 20)
            except Exception as error:  # noqa: BLE001
                print(kind, name, "FAILED", type(error).__name__, str(error)[:600])
                continue
            print(f"{kind:10s} {name:20s} {done:5d}", *(f"{w[0]:8.1e} ({w[1]} {w[2]})" for w in worst.values()))
