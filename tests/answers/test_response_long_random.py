"""The spectra and mean squares of the response to random inputs against long simulations of the model itself, within
the statistical error of these.

The input is sampled noise whose spectrum is known exactly. Values c_k, h apart, of the process c_k = rho c_(k-1) + w_k,
w_k independent and Gaussian with the variance s^2, weigh cubic B-splines, which is one smooth curve through a table:

    S(f) = 2 h s^2 / (1 - 2 rho cos(2 pi f h) + rho^2) sinc(f h)^8       one-sided, sinc x = sin(pi x)/(pi x)

A mean square over a time T of a Gaussian signal with the spectrum S has the variance (1/T) integral of S^2 df (Bendat
and Piersol, Random Data, ch. 8). ROUTH_TEST_EFFORT above 1 takes runs as many times as long and looks at how the error
falls with their length, and tells the figures."""
import cmath
import math
import os
import random
import tempfile
import unittest

from runs import EFFORT, example, respond, simulate, write

STEP = 0.02      # h, s
RHO = 0.98
SIGMA = 2e-5     # m
EVERY = 0.01     # s
SETTLE = 20.0    # s, until the start is forgotten
SEGMENT = 512    # samples of a segment of Welch's estimate


def noise(n, seed):
    """Table of the road: pairs (time, value), at rest at first."""
    generator, value, weights = random.Random(seed), 0.0, []
    for k in range(n + 2):
        value = RHO * value + generator.gauss(0, SIGMA) * (k > 5)
        weights.append(value)
    return [0.0] + [(weights[k - 1] + 4 * weights[k] + weights[k + 1]) / 6 for k in range(1, n + 1)]


def road(f):
    sinc = math.sin(math.pi * f * STEP) / (math.pi * f * STEP)
    return 2 * STEP * SIGMA**2 / (1 - 2 * RHO * math.cos(2 * math.pi * f * STEP) + RHO**2) * sinc**8


def table(values, delay):
    rows = "".join(f"        - [{k * STEP!r}, {v!r}]\n" for k, v in enumerate([0.0] * delay + values))
    return "      interpolation: cubic\n      table:\n" + rows


def transform(x):
    """The discrete Fourier transform of 2^m values."""
    n = len(x)
    if n == 1:
        return x
    even, odd = transform(x[0::2]), transform(x[1::2])
    turned = [cmath.exp(-2j * math.pi * k / n) * odd[k] for k in range(n // 2)]
    return [a + b for a, b in zip(even, turned)] + [a - b for a, b in zip(even, turned)]


WINDOW = [0.5 * (1 - math.cos(2 * math.pi * k / SEGMENT)) for k in range(SEGMENT)]  # Hann's
POWER = sum(w * w for w in WINDOW)


def welch(values):
    """One-sided spectrum from segments that overlap by half, and how many independent ones these are worth."""
    n = 2 * len(values) // SEGMENT - 1
    total = [0.0] * (SEGMENT // 2)
    for j in range(n):
        part = values[j * SEGMENT // 2 : j * SEGMENT // 2 + SEGMENT]
        lines = transform([w * v for w, v in zip(WINDOW, part)])
        for k in range(SEGMENT // 2):
            total[k] += abs(lines[k]) ** 2 * 2 * EVERY / POWER / n
    overlap = sum(a * b for a, b in zip(WINDOW, WINDOW[SEGMENT // 2 :])) / POWER  # 1/6
    return total, n / (1 + 2 * (n - 1) / n * overlap**2)


def through_window(spectrum, finer):
    """What Welch's estimate is on the average, for a spectrum known at the frequencies k / (SEGMENT EVERY finer)."""
    reach = 6 * finer
    kernel = [abs(sum(w * cmath.exp(-2j * math.pi * x * k / SEGMENT / finer) for k, w in enumerate(WINDOW))) ** 2
              / POWER / SEGMENT / finer for x in range(reach + 1)]
    return [sum(kernel[abs(x)] * spectrum[abs(k * finer + x)] for x in range(-reach, reach + 1))
            for k in range(SEGMENT // 2 - 8)]


def tell(line):
    if EFFORT > 1:
        print(line)


def power_mean(values):
    mean = sum(values) / len(values)
    return sum((v - mean) ** 2 for v in values) / len(values)


class LongRandom(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()

    def tearDown(self):
        self.folder.cleanup()

    def path(self, name):
        return os.path.join(self.folder.name, name)

    def run_in_time(self, name, roads, length, seed):
        """The outputs from SETTLE on. roads: names of inputs and by how many steps they come later."""
        count = math.ceil((length + SETTLE) / STEP) + 2
        values = noise(count, seed)
        text = example(name) + "\nsimulate:\n  inputs:\n"
        for source, delay in roads.items():
            text += f"    {source}:\n" + table(values, delay)
        model = write(self.path("model.yaml"), text)
        found = simulate(model, "--end", repr(length + SETTLE), "--every", repr(EVERY), "--integrator", "generalized-alpha",
                         "--dissipation", "1", "--step", "0.002")
        skip = round(SETTLE / EVERY)
        return {key: column[skip:] for key, column in found.items()}

    def expected(self, name, roads):
        """The response at even frequencies, its mean squares, and what the file of the spectrum says."""
        finer, path, names = 4, self.path("road.csv"), list(roads)
        distance = 1 / (SEGMENT * EVERY * finer)
        with open(path, "w", encoding="utf-8") as file:
            pairs = [(a, b) for i, a in enumerate(names) for b in names[i + 1 :]]
            file.write(",".join(["hz", *names, *(f"{a}:{b},{a}:{b}:im" for a, b in pairs)]) + "\n")
            for k in range(1, 2 * SEGMENT + 1):
                f = k * distance
                turns = [cmath.exp(2j * math.pi * f * STEP * (roads[b] - roads[a])) for a, b in pairs]
                numbers = [road(f)] * len(names) + [road(f) * part for t in turns for part in (t.real, t.imag)]
                file.write(",".join([repr(f), *map(repr, numbers)]) + "\n")
        data = respond(self.path("model.yaml"), "--at", "static", "--input", ",".join(names), "--over",
                       f"{distance!r}:{(2 * SEGMENT) * distance!r}", "--psd", path, "--error", "0.003")
        found = {}
        for k, output in enumerate(data["outputs"]):
            given = data["random"]["outputs"][k]
            spectrum = self.interpolated(data["hz"], given["psd"], distance, 2 * SEGMENT + 1)
            area = distance * sum(spectrum)
            self.assertLess(abs(area / given["mean_square"] - 1), 2e-3)  # two quadratures of one spectrum
            found[output["name"]] = (given["mean_square"], distance * sum(s * s for s in spectrum), spectrum)
        return found, finer

    @staticmethod
    def interpolated(hz, values, distance, n):
        """At k distance, k < n, from the program's own grid: straight over log f."""
        out, i = [0.0], 0
        for k in range(1, n):
            f = k * distance
            while i + 2 < len(hz) and hz[i + 1] < f:
                i += 1
            part = math.log(f / hz[i]) / math.log(hz[i + 1] / hz[i])
            out.append(values[i] + part * (values[i + 1] - values[i]))
        return out

    def compare(self, name, roads, length, seed, most):
        run = self.run_in_time(name, roads, length, seed)
        expected, finer = self.expected(name, roads)
        for output, (square, fourth, spectrum) in expected.items():
            deviation = math.sqrt(fourth / length) / square
            found = power_mean(run[output])
            self.assertLess(deviation, most, output)
            self.assertLess(abs(found / square - 1), 3.5 * deviation, output)
            estimate, averages = welch(run[output])
            mean = through_window(spectrum, finer)
            # every third line, as neighbours of Hann's window are correlated; the first hold the mean
            lines = [k for k in range(3, len(mean), 3) if mean[k] > 1e-4 * max(mean)]
            score = [(estimate[k] / mean[k] - 1) * math.sqrt(averages) for k in lines]
            bias, spread = sum(score) / len(score), sum(z * z for z in score) / len(score)
            self.assertGreater(len(lines), 12, output)
            tell(f"{name} {output}: T {length} s, mean square {found / square - 1:+.4f} of +- {deviation:.4f}; "
                  f"spectrum {len(lines)} lines: mean {bias * math.sqrt(len(lines)):+.2f}, chi^2/n {spread:.2f}")
            self.assertLess(abs(bias), 3.5 / math.sqrt(len(lines)), output)
            # the variance of z^2 is 2 + 6/averages for a mean of so many squares
            self.assertLess(abs(spread - 1), 3.5 * math.sqrt((2 + 6 / averages) / len(lines)), output)

    def test_a_quarter_of_a_car(self):
        self.compare("quarter-car-active.yaml", {"road": 0}, 60 * EFFORT, 1, 0.07)

    def test_half_a_car_whose_rear_axle_meets_the_road_of_the_front_one_later(self):
        """At 20 m/s: correlated inputs."""
        self.compare("half-car-active.yaml", {"front_road": 0, "rear_road": 7}, 60 * EFFORT, 2, 0.1)

    @unittest.skipIf(EFFORT <= 1, "long: for ROUTH_TEST_EFFORT above 1")
    def test_the_error_falls_with_the_root_of_the_length(self):
        """Pieces of one long run differ from the mean square of the spectrum as their length says."""
        name, roads, short, number = "quarter-car-active.yaml", {"road": 0}, 20.0, 256
        run = self.run_in_time(name, roads, short * number, 3)
        expected, _ = self.expected(name, roads)
        for output, (square, fourth, _) in expected.items():
            for times in (1, 4, 16, 64):
                pieces, size = number // times, round(short * times / EVERY)
                errors = [power_mean(run[output][k * size : (k + 1) * size]) / square - 1 for k in range(pieces)]
                deviation = math.sqrt(fourth / (short * times)) / square
                found = math.sqrt(sum(e * e for e in errors) / pieces)
                tell(f"{output}: {pieces} pieces of {short * times} s: {found:.4f}, of {deviation:.4f}; "
                      f"all {sum(errors) / pieces:+.5f}")
                self.assertLess(abs(found / deviation - 1), 3.5 / math.sqrt(2 * pieces), (output, times))
            # mean of all, which holds the error of integration too
            self.assertLess(abs(sum(errors) / pieces), 3.5 * math.sqrt(fourth / (short * number)) / square, output)


if __name__ == "__main__":
    unittest.main()
