"""Draws bench/results/motion.svg from motion-andrews.csv and motion-chain.csv and puts their figures into docs/bench.md."""
import math

import plot

BEGIN, END = "<!-- motion: written by bench/plot_motion.py -->", "<!-- end of motion -->"
COLOURS = {"hht": "#d62728", "generalized-alpha": "#ff7f0e", "explicit-runge-kutta": "#1f77b4", "adams": "#2ca02c",
           "bdf": "#9467bd"}
DASHES = {"absolute": "", "relative": "5 3"}
TIMES, ERRORS = (1e-3, 1e1), (1e-12, 1e1)
GROWTH = 1.15


# ---- tables ----------------------------------------------------------------------------------------------------


def chain_growth(rows):
    """Exponent of the time of equal steps of hht in absolute coordinates against the number of links."""
    own = [dict(r, size=r["n"]) for r in rows if r["control"].startswith("step")]
    return plot.exponents(own, "processor_s", 1, 1e9), own


def judged_growth(rows):
    (fit, ends), own = chain_growth(rows)
    sizes = f"{own[0]['n']} to {own[-1]['n']}"
    return ["| What | Measured | At most | |", "|---|---|---|---|",
            plot.judged(f"growth exponent of a step of hht, absolute coordinates, chain of {sizes} links: fit", fit, "", GROWTH),
            plot.judged("growth exponent from the first to the last size", ends, "", GROWTH)]


def chain_table(rows):
    """Simulated seconds in a second of the processor, in each integrator's best coordinates."""
    sizes = sorted({int(r["n"]) for r in rows})
    lines = ["| integrator | " + " | ".join(f"n = {n}" for n in sizes) + " |", "|---|" + "--:|" * len(sizes)]
    for integrator in COLOURS:
        cells = []
        for n in sizes:
            own = [(float(r["end"]) / float(r["processor_s"]), r["coordinates"]) for r in rows
                   if r["integrator"] == integrator and int(r["n"]) == n and r["control"].startswith("tolerance")]
            cells.append("{:.3g} ({})".format(*max(own)) if own else "-")
        lines.append(f"| {integrator} | " + " | ".join(cells) + " |")
    return lines


def time_at(points, wanted):
    """Processor time at an error, between the two points beside it; points from coarse to fine."""
    for (t0, e0), (t1, e1) in zip(points, points[1:]):
        if e0 > wanted >= e1:
            part = math.log(e0 / wanted) / math.log(e0 / e1)
            return math.exp((1 - part) * math.log(t0) + part * math.log(t1))
    return None


def points_of(rows, integrator, coordinates):
    return [(float(r["processor_s"]), float(r["error"])) for r in rows
            if (r["integrator"], r["coordinates"]) == (integrator, coordinates)]


def andrews_table(rows):
    wanted = (1e-2, 1e-4, 1e-6, 1e-8, 1e-9)
    lines = ["| integrator | coordinates | " + " | ".join(f"{e:.0e} rad" for e in wanted) + " |",
             "|---|---|" + "--:|" * len(wanted)]
    for integrator in COLOURS:
        for coordinates in DASHES:
            times = [time_at(points_of(rows, integrator, coordinates), e) for e in wanted]
            lines.append(f"| {integrator} | {coordinates} | " +
                         " | ".join(format(1e3 * t, ".3g") if t else "-" for t in times) + " |")
    return lines


def ida_pairs(rows):
    """For each run: what was run, hht, IDA written by hand; rows of one case and tolerance."""
    cases = dict.fromkeys((r["case"], r["tolerance"]) for r in rows)
    for case, tolerance in cases:
        own = {r["integrator"]: r for r in rows if (r["case"], r["tolerance"]) == (case, tolerance)}
        if own.get("plain IDA", {}).get("seconds"):
            yield case, tolerance, own


def judged_ida(rows):
    worst = max(float(own["hht"]["seconds"]) / float(own["plain IDA"]["seconds"]) for _, _, own in ida_pairs(rows))
    return plot.judged("time of hht over that of IDA written by hand on the same residual, one tolerance: the largest", worst, "", 1)


def ida_table(rows):
    names = ("hht", "bdf", "plain IDA")
    lines = ["| run | tolerance | " + " | ".join(names) + " |", "|---|--:|" + "--:|" * len(names)]
    for case, tolerance, own in ida_pairs(rows):
        lines.append(f"| {case} | {tolerance} | " + " | ".join(
            f"{1e3 * float(own[n]['seconds']):.3g} ms, {float(own[n]['error']):.0e}" for n in names) + " |")
    return lines


# ---- picture ---------------------------------------------------------------------------------------------------


def draw(rows):
    width, height, left, top = 560, 420, 70, 40

    def x(time):
        return left + width * math.log10(time / TIMES[0]) / math.log10(TIMES[1] / TIMES[0])

    def y(error):
        return top + height * (1 - math.log10(error / ERRORS[0]) / math.log10(ERRORS[1] / ERRORS[0]))

    out = [f'<svg xmlns="http://www.w3.org/2000/svg" width="{left + width + 20}" height="{top + height + 46}" '
           f'viewBox="0 0 {left + width + 20} {top + height + 46}" font-family="sans-serif" font-size="12">',
           f'<rect width="{left + width + 20}" height="{top + height + 46}" fill="white"/>',
           f'<text x="{left}" y="22" font-weight="bold">Andrews\' mechanism: error of the angles, rad, against '
           'processor time</text>']
    for k in range(round(math.log10(TIMES[1] / TIMES[0])) + 1):
        time = TIMES[0] * 10 ** k
        out += [f'<line x1="{x(time):.1f}" y1="{top}" x2="{x(time):.1f}" y2="{top + height}" stroke="#ddd"/>',
                f'<text x="{x(time):.1f}" y="{top + height + 16}" text-anchor="middle">{time:g} s</text>']
    for k in range(0, round(math.log10(ERRORS[1] / ERRORS[0])) + 1):
        error = ERRORS[0] * 10 ** k
        out += [f'<line x1="{left}" y1="{y(error):.1f}" x2="{left + width}" y2="{y(error):.1f}" stroke="#ddd"/>',
                f'<text x="{left - 6}" y="{y(error) + 4:.1f}" text-anchor="end">{error:.0e}</text>']
    for k, (integrator, colour) in enumerate(COLOURS.items()):
        for coordinates, dashes in DASHES.items():
            points = [(x(t), y(e)) for t, e in points_of(rows, integrator, coordinates)
                      if TIMES[0] <= t <= TIMES[1] and ERRORS[0] <= e <= ERRORS[1]]
            path = " ".join(f"{a:.1f},{b:.1f}" for a, b in points)
            out.append(f'<polyline points="{path}" fill="none" stroke="{colour}" stroke-width="1.6" '
                       f'stroke-dasharray="{dashes}"/>')
            out += [f'<circle cx="{a:.1f}" cy="{b:.1f}" r="2.2" fill="{colour}"/>' for a, b in points]
        out += [f'<rect x="{left + 10}" y="{top + height - 98 + 16 * k}" width="12" height="3" fill="{colour}"/>',
                f'<text x="{left + 28}" y="{top + height - 93 + 16 * k}">{integrator}</text>']
    out.append(f'<text x="{left + 10}" y="{top + height - 10}">dashed: relative coordinates</text>')
    (plot.RESULTS / "motion.svg").write_text("\n".join(out + ["</svg>"]) + "\n")


def main():
    about, rows = plot.read("motion-andrews.csv")
    chain = plot.read("motion-chain.csv")[1]
    draw(rows)
    ida = plot.read("motion-ida.csv")[1]
    wanted = judged_growth(chain) + [judged_ida(ida)]
    lines = [BEGIN, "", "Machine: " + "; ".join(about) + ".", ""] + wanted
    lines += ["", "![Error against processor time](../bench/results/motion.svg)", "",
              "Milliseconds of the processor to an error of Andrews' angles, between the tolerances that were run:", ""]
    lines += andrews_table(rows)
    lines += ["", "Simulated seconds in a second of the processor: pendulum-chain let go at 0.5 rad, 0.2 s, tolerance 1e-5, in the",
              "coordinates that are fastest for each integrator:", ""]
    lines += chain_table(chain)
    lines += ["", "Beside IDA in a plain program on the same residual and Jacobian (bench_motion_ida.c), absolute coordinates:",
              "time of the processor, and the error at the end in typical lengths; all take turns, medians of seven rounds. At one tolerance hht is the less exact one.", ""]
    lines += ida_table(ida) + ["", ""]
    text = plot.PAGE.read_text()
    plot.PAGE.write_text(text[:text.index(BEGIN)] + "\n".join(lines) + text[text.index(END):])
    print("\n".join(wanted))


if __name__ == "__main__":
    main()
