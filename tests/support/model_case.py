"""Tests that run the program on models written into the test."""
import json
import os
import subprocess
import tempfile
import unittest

ROUTH = os.environ["ROUTH"]
COORDINATES = ["absolute", "euler-parameters", "euler-angles", "relative", "natural"]


class ModelCase(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)

    def path(self, name):
        return os.path.join(self.folder.name, name)

    def write(self, text):
        """The path of a model file that holds it."""
        with open(self.path("model.yaml"), "w", encoding="utf-8") as file:
            file.write(text)
        return self.path("model.yaml")

    def try_it(self, command, text, *options):
        """What a command does with a model, whether it succeeds or not."""
        return subprocess.run([ROUTH, command, self.write(text), *options], capture_output=True, text=True, check=False)

    def run_it(self, command, text, *options):
        """What a command says of a model, as JSON."""
        done = self.try_it(command, text, "--json", *options)
        self.assertEqual(done.returncode, 0, done.stderr)
        return json.loads(done.stdout)
