"""Tests of models made of part files: writes these, and compares and refuses."""
import os
import pathlib
import subprocess

import numpy
from model_case import ROUTH, ModelCase


class PartsCase(ModelCase):
    def file(self, name, text):
        path = pathlib.Path(self.folder.name, name)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
        return path

    def refused(self, text, *words, options=(), environment=None):
        done = subprocess.run([ROUTH, "modes", self.write(text), *options], capture_output=True, text=True, check=False,
                              env={**os.environ, **(environment or {})})
        self.assertEqual(done.returncode, 1, done.stdout)
        for word in words:
            self.assertIn(word, done.stderr)
        self.assertEqual(len(done.stderr.strip().split("\n")), 1, done.stderr)
        return done.stderr

    def assert_near(self, a, b, tolerance, what=""):
        a, b = numpy.array(a, float), numpy.array(b, float)
        self.assertEqual(a.shape, b.shape, what)
        if a.size:
            self.assertLessEqual(numpy.abs(a - b).max(), tolerance * max(1e-300, numpy.abs(b).max()), what)
