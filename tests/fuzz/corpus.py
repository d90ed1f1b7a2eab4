"""The stored inputs of the fuzzers, tests/fuzz/corpus/<fuzzer>.zip, which the tests fuzz.<fuzzer> replay:

    corpus.py unpack FOLDER   writes them to FOLDER/<fuzzer>/
    corpus.py pack FOLDER     stores what lies in FOLDER/<fuzzer>/, named by its digest; large inputs are left out

The same inputs give the same bytes.
"""
import hashlib
import pathlib
import sys
import zipfile

HERE = pathlib.Path(__file__).resolve().parent
STORED = HERE / "corpus"
LARGEST, MOST = 100000, 400  # bytes of an input; inputs of a fuzzer, the smallest ones


def fuzzers():
    return sorted(path.stem.removeprefix("fuzz_") for path in HERE.glob("fuzz_*.c"))


def unpack(folder):
    for name in fuzzers():
        (folder / name).mkdir(parents=True, exist_ok=True)
        if (STORED / f"{name}.zip").exists():
            with zipfile.ZipFile(STORED / f"{name}.zip") as archive:
                archive.extractall(folder / name)


def pack(folder):
    STORED.mkdir(exist_ok=True)
    for name in fuzzers():
        inputs = {path.read_bytes() for path in (folder / name).iterdir() if path.is_file()}
        kept = sorted((data for data in inputs if len(data) <= LARGEST), key=lambda data: (len(data), data))[:MOST]
        with zipfile.ZipFile(STORED / f"{name}.zip", "w", zipfile.ZIP_DEFLATED) as archive:
            for data in kept:
                entry = zipfile.ZipInfo(hashlib.sha256(data).hexdigest()[:16], (1980, 1, 1, 0, 0, 0))
                archive.writestr(entry, data, zipfile.ZIP_DEFLATED)
        print(f"{name}: {len(kept)} of {len(inputs)} inputs")


if __name__ == "__main__":
    {"unpack": unpack, "pack": pack}[sys.argv[1]](pathlib.Path(sys.argv[2]))
