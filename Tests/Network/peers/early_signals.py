"""Sends a signal to a command at random early moments, and fails if one is lost.

Usage: early_signals.py COUNT SEED COMMAND...

The command must be one that goes on until it is ended. Prints how often it was ended by the signal
itself, and how often it caught it and exited with 0 (a service).
"""

import random
import signal
import subprocess
import sys

# A command has its signals in order long before.
SPAN = 0.06


def ending(command, number, delay):
    process = subprocess.Popen(
        command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    try:
        process.wait(delay)
        raise SystemExit(f"it ended by itself with {process.returncode}")
    except subprocess.TimeoutExpired:
        process.send_signal(number)
    try:
        return process.wait(20)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
        return None


def main():
    count, seed, command = int(sys.argv[1]), int(sys.argv[2]), sys.argv[3:]
    generator = random.Random(seed)
    seen = {}
    for index in range(count):
        number = generator.choice([signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
        delay = generator.uniform(0, SPAN)
        code = ending(command, number, delay)
        if code not in (-number, 0):
            fate = "was lost" if code is None else f"ended it with {code}"
            raise SystemExit(f"seed {seed}, try {index}: {number.name} after {delay:.4f} s {fate}")
        seen[code] = seen.get(code, 0) + 1
    print(seen)


main()
