"""Every format on a disk that fills: the old file stays as it was, nothing is left beside it, and the message says why.

A limit on the size of files breaks a write off at any byte; a file system of some kilobytes does what a full disk and a quota do."""
import os
import pathlib
import resource
import shutil
import signal
import subprocess
import tempfile
import time
import unittest

ROOT = pathlib.Path(os.environ["ROUTH_SOURCE"])
ROUTH = os.environ["ROUTH"]
FULL = float(os.environ.get("ROUTH_TEST_EFFORT", "1")) > 1
OLD, NEW = ROOT / "examples/quarter-car-active.yaml", ROOT / "examples/half-car-active.yaml"
EXCHANGE = ["l.json", "l.mat", "l.h5", "l.npz", "l.csv", "folder/"]
# what is written, by which command
WRITTEN = [*[(["linearize"], name) for name in EXCHANGE],
           *[(["response", "--over", "0.1:10:20"], name) for name in ["f.json", "f.mat", "f.h5", "f.npz", "f.csv", "f.txt"]],
           (["linearize"], "l.txt"), (["modes", "--json"], "m.json"), (["modes", "--csv"], "m.csv"),
           (["report"], "r.html"), (["simulate", "--end", "0.1"], "s.h5"), (["simulate", "--end", "0.1"], "s.csv")]


def content(folder):
    """Of every file below, by its name."""
    return {str(p.relative_to(folder)): p.read_bytes() for p in sorted(folder.rglob("*")) if p.is_file()}


class FullDisk(unittest.TestCase):
    def setUp(self):
        self.temporary = tempfile.TemporaryDirectory()
        self.folder = pathlib.Path(self.temporary.name)

    def tearDown(self):
        self.temporary.cleanup()

    def write(self, model, command, name, limit=None, folder=None):
        def lower():
            if limit is not None:
                resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))
        target = f"{folder or self.folder}/{name}"
        return subprocess.run([ROUTH, command[0], str(model), *command[1:], "--output", target], capture_output=True,
                              text=True, preexec_fn=lower)

    def size_of(self, name):
        path = self.folder / name
        return max(p.stat().st_size for p in path.iterdir()) if path.is_dir() else path.stat().st_size

    def assert_refused(self, done, name, before, why, folder=None):
        self.assertEqual(done.returncode, 1, f"{name}: {done.stdout} {done.stderr}")
        self.assertIn(why, done.stderr)
        self.assertIn(name, done.stderr)
        self.assertEqual(done.stderr.count("error:"), 1, done.stderr)
        self.assertEqual(content(folder or self.folder), before, f"{name}: the old file changed, or something was left")

    def test_a_limit_on_sizes_leaves_the_old_file(self):
        for command, name in WRITTEN:
            self.assertEqual(self.write(NEW, command, name).returncode, 0)
            size = self.size_of(name)
            self.assertEqual(self.write(OLD, command, name).returncode, 0)
            before = content(self.folder)
            for limit in sorted({0, 1, 128, 1024, 4096, size // 2, size - 1} if FULL else {0, 1024, size - 1}):
                if limit >= size:
                    continue
                with self.subTest(name=name, command=command[0], limit=limit):
                    done = self.write(NEW, command, name, limit)
                    why = "(ulimit -f)" if name.endswith("h5") else "File too large"
                    self.assert_refused(done, name, before, why)

    def test_a_limit_on_sizes_leaves_no_new_file(self):
        for command, name in WRITTEN:
            with self.subTest(name=name):
                self.assert_refused(self.write(NEW, command, name, 0), name, {}, "")
                self.assertEqual(list(self.folder.iterdir()), [])

    def test_a_limit_that_suffices_does_no_harm(self):
        for name in EXCHANGE:
            with self.subTest(name=name):
                self.assertEqual(self.write(NEW, ["linearize"], name).returncode, 0)
                before = content(self.folder)
                done = self.write(NEW, ["linearize"], name, self.size_of(name))
                self.assertEqual(done.returncode, 0, done.stderr)
                self.assertEqual(content(self.folder), before)

    def test_a_full_file_system_leaves_the_old_file(self):
        """In a name space of our own, so that nothing is mounted for others."""
        if not shutil.which("unshare"):
            self.skipTest("there is no unshare")
        small = self.folder / "small"
        small.mkdir()
        script = """mount -t tmpfs -o size=400k none "$1" || exit 77
            shift; exec "$@" """
        probe = subprocess.run(["unshare", "-rm", "sh", "-c", script, "sh", small, "true"], capture_output=True)
        if probe.returncode:
            self.skipTest("no file system may be mounted here")
        work = ('cd "$1"; "$2" linearize "$3" --output "$5" || exit 3; cp -r "$5" "$6/old"; '
                'dd if=/dev/zero of=filler bs=1024 2>/dev/null; "$2" linearize "$4" --output "$5"; code=$?; rm filler; '
                'ls -A >"$6/names"; diff -r "$5" "$6/old" >"$6/difference" || exit 4; exit $code')
        for name in EXCHANGE:
            with self.subTest(name=name):
                beside = self.folder / ("beside-" + name.strip("/"))
                beside.mkdir()
                done = subprocess.run(["unshare", "-rm", "sh", "-c", script, "sh", small, "sh", "-c", work, "sh", small,
                                       ROUTH, OLD, NEW, name, beside], capture_output=True, text=True)
                self.assertEqual(done.returncode, 1, done.stderr)
                self.assertIn("disk space" if name == "l.h5" else "No space left on device; free some space", done.stderr)
                self.assertEqual((beside / "names").read_text().split(), [name.strip("/")])

    @unittest.skipUnless(os.path.exists("/dev/full"), "there is no /dev/full")
    def test_a_full_device_is_told_in_every_format(self):
        for name in ["json", "mat", "hdf5", "npz", "csv"]:
            with self.subTest(name=name):
                done = subprocess.run([ROUTH, "linearize", NEW, "--output", "/dev/full", "--format", name],
                                      capture_output=True, text=True)
                self.assertEqual(done.returncode, 1, done.stderr)
                self.assertRegex(done.stderr, "/dev/full: (No space left on device|HDF5 cannot write)")

    def test_the_same_bytes_a_second_later(self):
        """No format notes when it was written; times of HDF5 count seconds."""
        written = [(command, name) for command, name in WRITTEN if name.endswith(("h5", "mat", "npz"))]
        for command, name in written:
            self.assertEqual(self.write(OLD, command, name).returncode, 0)
        before = content(self.folder)
        time.sleep(2.1)
        for command, name in written:
            self.assertEqual(self.write(OLD, command, name).returncode, 0)
        for name, held in content(self.folder).items():
            self.assertTrue(held == before[name], name)

    def test_every_format_goes_through_a_pipe(self):
        """But HDF5, which seeks."""
        for name in ["json", "mat", "npz", "csv"]:
            with self.subTest(name=name):
                done = subprocess.run(f'"{ROUTH}" linearize "{NEW}" --output /dev/stdout --format {name} | cat',
                                      shell=True, capture_output=True)
                file = self.folder / f"f.{name}"
                subprocess.run([ROUTH, "linearize", NEW, "--output", file, "--format", name], check=True)
                self.assertEqual(done.stdout, file.read_bytes(), done.stderr)


if __name__ == "__main__":
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    unittest.main()
