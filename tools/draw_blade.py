#!/usr/bin/env python3
"""Draws frequencies of examples/helicopter-blade.yaml against the speed of the rotor:

    draw_blade.py PROGRAM MODEL FILE.svg [OTHER]

Circles are those of the model OTHER at the speeds of Negrut and Ortiz (2006).
Lines are the program's frequencies (routh modes) in the turning frame at standing speeds, joined in order of nearest
frequency; thin lines through the origin are multiples of the speed, "per rev".
"""
import json
import subprocess
import sys

import numpy

SPEEDS = numpy.arange(0, 661, 30)  # rpm
OTHER_SPEEDS = (0, 150, 250, 350, 450, 550, 660)
N_MODES, HIGHEST = 8, 150.0  # Hz
WIDTH, HEIGHT, LEFT, TOP, BOTTOM = 640, 460, 60, 20, 50
COLOURS = ("#1f77b4", "#d62728", "#2ca02c", "#9467bd", "#ff7f0e", "#8c564b", "#17becf", "#7f7f7f")


def frequencies(program, model, speed):
    done = subprocess.run([program, "modes", model, "--json", "--quiet", "--set", f"speed={speed} rpm"],
                          capture_output=True, text=True)
    if done.returncode:
        sys.exit(done.stderr.strip())
    modes = json.loads(done.stdout)["modes"]
    # with damping like K, the highest modes creep: real parts alone
    values = [complex(*m["eigenvalue"]) for m in modes]
    found = sorted(v.imag / (2 * numpy.pi) for v in values if v.imag > 0 or abs(v) < 1e-3)
    # at rest flapping has no frequency: its double zero counts once
    n_zero = sum(f == 0 for f in found)
    return found[n_zero // 2:][:N_MODES]


def follow(rows):
    """Each row matched to the straight continuation of the lines before it."""
    lines = [list(rows[0])]
    for row in rows[1:]:
        before = lines[-1]
        guess = [2 * b - lines[-2][k] if len(lines) > 1 else b for k, b in enumerate(before)]
        left, now = list(row), []
        order = sorted((abs(f - g), k, f) for k, g in enumerate(guess) for f in row)
        taken = {}
        for _, k, f in order:
            if k not in taken and f in left:
                taken[k] = f
                left.remove(f)
        now = [taken[k] for k in range(len(guess))]
        lines.append(now)
    return numpy.array(lines)


def main(program, model, target, other=None):
    lines = follow([frequencies(program, model, s) for s in SPEEDS])
    x = lambda s: LEFT + (WIDTH - LEFT - 20) * s / SPEEDS[-1]
    y = lambda f: HEIGHT - BOTTOM - (HEIGHT - TOP - BOTTOM) * f / HIGHEST
    out = [f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{HEIGHT}" font-family="sans-serif" '
           'font-size="12">', f'<rect width="{WIDTH}" height="{HEIGHT}" fill="white"/>']
    for s in range(0, 661, 110):
        out.append(f'<line x1="{x(s):.1f}" y1="{y(0):.1f}" x2="{x(s):.1f}" y2="{TOP}" stroke="#eee"/>')
        out.append(f'<text x="{x(s):.1f}" y="{y(0) + 18:.1f}" text-anchor="middle">{s}</text>')
    for f in range(0, int(HIGHEST) + 1, 25):
        out.append(f'<line x1="{LEFT}" y1="{y(f):.1f}" x2="{x(660):.1f}" y2="{y(f):.1f}" stroke="#eee"/>')
        out.append(f'<text x="{LEFT - 6}" y="{y(f) + 4:.1f}" text-anchor="end">{f}</text>')
    for n in range(1, 13):
        end = min(660, HIGHEST * 60 / n)
        out.append(f'<line x1="{x(0):.1f}" y1="{y(0):.1f}" x2="{x(end):.1f}" y2="{y(n * end / 60):.1f}" '
                   'stroke="#bbb" stroke-dasharray="3 3"/>')
    for k in range(lines.shape[1]):
        points = " ".join(f"{x(s):.1f},{y(f):.1f}" for s, f in zip(SPEEDS, lines[:, k]) if f <= HIGHEST)
        out.append(f'<polyline points="{points}" fill="none" stroke="{COLOURS[k]}" stroke-width="2"/>')
    for s in OTHER_SPEEDS if other else ():
        for f in frequencies(program, other, s):
            if f <= HIGHEST:
                out.append(f'<circle cx="{x(s):.1f}" cy="{y(f):.1f}" r="3.5" fill="none" stroke="black"/>')
    out.append(f'<text x="{(LEFT + x(660)) / 2:.0f}" y="{HEIGHT - 10}" text-anchor="middle">speed, rpm</text>')
    out.append(f'<text x="14" y="{HEIGHT / 2:.0f}" text-anchor="middle" '
               f'transform="rotate(-90 14 {HEIGHT / 2:.0f})">frequency, Hz</text>')
    out.append("</svg>\n")
    with open(target, "w") as file:
        file.write("\n".join(out))
    print("Hz at rest:", *(f"{f:.2f}" for f in lines[0]))
    print("Hz at 660 rpm:", *(f"{f:.2f}" for f in lines[-1]))


if __name__ == "__main__":
    if len(sys.argv) not in (4, 5):
        sys.exit(__doc__)
    main(*sys.argv[1:])
