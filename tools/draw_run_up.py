#!/usr/bin/env python3
"""Draws spectra of a run-up over the modes' frequencies against speed, as Negrut and Ortiz (2006, figure 9):

    draw_run_up.py PROGRAM MODEL RUN.csv FOLDER

RUN.csv is the recorded run (routh simulate MODEL --channels outputs --every 0.1 --output RUN.csv), with the outputs of
examples/rotor-run-up.yaml. A dot is a peak of the spectrum of 100 s (Hann's window), at the speed in its middle; the
larger, the higher it stands over the spectrum around it. Lines are the program's own frequencies (routh modes) at
standing speeds, as seen from the ground or from the rotor. Writes FOLDER/run-up-NAME.svg, and prints how far off the
lines the highest peaks lie.
"""
import json
import pathlib
import subprocess
import sys

import numpy

WINDOW, EVERY, PADDED = 100.0, 12.5, 4  # s, s, times
AROUND, HIGH, MOST = 0.25, 12.0, 6  # Hz, dB over the median, peaks of a spectrum
FIGURES = (("dx_2_4", "DX(2,4)", "ground", 1.9), ("ay_4_1", "AY(4,1)", "rotor", 1.5),
           ("dx_4_1_1", "DX(4,1,1)", "rotor", 1.5))
COLOURS = ("#d62728", "#1f77b4", "#2ca02c", "#9467bd", "#ff7f0e", "#8c564b")
WIDTH, HEIGHT, LEFT, TOP = 640, 420, 60, 36


def curves(program, model, reference, speeds):
    """Frequencies in Hz of the modes at each speed, from the lowest."""
    found = []
    for speed in speeds:
        done = subprocess.run([program, "modes", model, "--json", "--quiet", "--reference", reference, "--set",
                               f"t0={speed}/0.0005", "--set", "shake=0", "--set", "grain=1e-9"],
                              capture_output=True, text=True)
        if done.returncode:
            sys.exit(done.stderr.strip())
        modes = json.loads(done.stdout)["modes"]
        found.append(sorted(m["eigenvalue"][1] / (2 * numpy.pi) for m in modes if m["eigenvalue"][1] > 0))
    return numpy.array(found)


def peaks(time, signal, highest):
    """(time, frequency, dB over the median around it), of the highest peaks of each window."""
    step = time[1] - time[0]
    n, around = round(WINDOW / step), round(AROUND * PADDED * WINDOW)
    frequency = numpy.fft.rfftfreq(PADDED * n, step)
    keep = frequency <= highest + AROUND
    out = []
    for first in range(0, len(time) - n + 1, round(EVERY / step)):
        piece = signal[first:first + n]
        power = numpy.abs(numpy.fft.rfft(numpy.hanning(n) * (piece - piece.mean()), PADDED * n))[keep] ** 2
        level, reach = 10 * numpy.log10(power + 1e-300), 2 * PADDED
        own = []
        for k in range(reach, len(level) - reach):
            if frequency[k] > highest or level[k] < level[k - reach:k + reach + 1].max():
                continue
            over = level[k] - numpy.median(level[max(0, k - around):k + around + 1])
            if over >= HIGH:
                own.append((time[first] + WINDOW / 2, frequency[k], over, level[k]))
        own.sort(key=lambda p: -p[3])
        out += own[:MOST]
    return out


def draw(title, speeds, lines, dots, highest):
    def x(speed):
        return LEFT + WIDTH * speed / 1.25

    def y(frequency):
        return TOP + HEIGHT * (1 - frequency / highest)

    out = [f'<svg xmlns="http://www.w3.org/2000/svg" width="{LEFT + WIDTH + 20}" height="{TOP + HEIGHT + 50}" '
           f'viewBox="0 0 {LEFT + WIDTH + 20} {TOP + HEIGHT + 50}" font-family="sans-serif" font-size="12">',
           f'<rect width="{LEFT + WIDTH + 20}" height="{TOP + HEIGHT + 50}" fill="white"/>',
           f'<text x="{LEFT}" y="20" font-weight="bold">{title}</text>']
    for k in range(6):
        out += [f'<line x1="{x(k / 4):.1f}" y1="{TOP}" x2="{x(k / 4):.1f}" y2="{TOP + HEIGHT}" stroke="#ddd"/>',
                f'<text x="{x(k / 4):.1f}" y="{TOP + HEIGHT + 16}" text-anchor="middle">{k / 4:g}</text>']
    for k in range(int(highest * 4) + 1):
        out += [f'<line x1="{LEFT}" y1="{y(k / 4):.1f}" x2="{LEFT + WIDTH}" y2="{y(k / 4):.1f}" stroke="#ddd"/>',
                f'<text x="{LEFT - 6}" y="{y(k / 4) + 4:.1f}" text-anchor="end">{k / 4:g}</text>']
    out += [f'<text x="{LEFT + WIDTH / 2}" y="{TOP + HEIGHT + 36}" text-anchor="middle">speed of the rotor, Hz</text>',
            f'<text x="14" y="{TOP + HEIGHT / 2}" text-anchor="middle" '
            f'transform="rotate(-90 14 {TOP + HEIGHT / 2})">frequency, Hz</text>']
    for k in range(lines.shape[1]):
        points = " ".join(f"{x(s):.1f},{y(f):.1f}" for s, f in zip(speeds, lines[:, k]) if f <= highest)
        out.append(f'<polyline points="{points}" fill="none" stroke="{COLOURS[k % len(COLOURS)]}" stroke-width="1.2"/>')
    for time, frequency, over, _ in dots:
        out.append(f'<circle cx="{x(0.0005 * time):.1f}" cy="{y(frequency):.1f}" r="{min(1 + over / 16, 4):.1f}" '
                   'fill="black" fill-opacity="0.55"/>')
    return "\n".join(out + ["</svg>"]) + "\n"


def main():
    if len(sys.argv) != 5:
        sys.exit(__doc__.split("\n\n")[1].strip())
    program, model, run, folder = sys.argv[1:]
    with open(run) as file:
        names = [name.split(" ")[0].removeprefix("outputs/") for name in file.readline().strip().split(",")]
    table = numpy.genfromtxt(run, delimiter=",", skip_header=1)
    speeds = numpy.linspace(0, 1.25, 51)
    for name, label, reference, highest in FIGURES:
        lines = curves(program, model, reference, speeds)
        dots = peaks(table[:, 0], table[:, names.index(name)], highest)
        seen = "the ground" if reference == "ground" else "the rotor"
        title = f"Peaks of {label} in the run-up, and the modes as seen from {seen}"
        pathlib.Path(folder, f"run-up-{name.replace('_', '-')}.svg").write_text(
            draw(title, speeds, lines, dots, highest))
        first = {}
        for time, frequency, _, level in dots:
            if level > first.get(time, (0, -numpy.inf))[1]:
                first[time] = frequency, level
        off = [min(abs(numpy.interp(0.0005 * time, speeds, line) - f) for line in lines.T)
               for time, (f, _) in first.items()]
        print(f"{label}: {len(dots)} peaks; the highest of each spectrum is off its line by "
              f"{numpy.median(off):.4f} Hz at the median, {max(off):.4f} Hz at most")


if __name__ == "__main__":
    main()
