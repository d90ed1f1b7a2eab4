"""When a program that a test has begun is at work."""
import os
import pathlib
import time


def has_worked(process, seconds):
    """Waits until a program has used so much of the processor, as a busy machine lets it begin late; or until it ended."""
    tick = os.sysconf("SC_CLK_TCK")
    while process.poll() is None:
        fields = pathlib.Path(f"/proc/{process.pid}/stat").read_text(encoding="ascii").rpartition(")")[2].split()
        if (int(fields[11]) + int(fields[12])) / tick >= seconds:
            return
        time.sleep(0.01)
