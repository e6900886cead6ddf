"""Resets or commands without end, four at a time (§11.1), and what they do to the app.

    flood.py --app NAME --pid PID --count N reset
    flood.py --app NAME --pid PID --count N command JSON

Prints one JSON line: how many of which outcome, microseconds for each of the first and of the last
tenth, and the app's resident memory after the first tenth and at the end, in octets. The time is
that of the middle one of many slices: a machine that halts now and then is no slower by that.
"""

import argparse
import json
import os
import random
import statistics
import sys
import time
from collections import Counter

from viewer import JSON, OUTCOMES, Viewer, key
from wire import NONE, encode_datagram

AHEAD = 4  # open reset count max, §13
REPEAT = 0.03  # reset repeat min, §14
SLICE = 100
RENEWAL = 20  # well within a cookie's epoch, §14


def resident(pid):
    with open(f"/proc/{pid}/statm") as file:
        return int(file.read().split()[1]) * os.sysconf("SC_PAGESIZE")


class Flood(Viewer):
    def __init__(self, options):
        super().__init__(options)
        self.octets = options.command.encode() if options.kind == "command" else b""
        self.open = {}  # request: [datagram, when to send it again]
        self.outcomes = Counter()
        self.bits = random.Random(options.seed)

    def take(self, datagram, source, now, is_sealed=False):
        if datagram["kind"] == "outcome" and datagram["viewer"] == self.id:
            if self.open.pop(datagram["request"], None):
                self.outcomes[OUTCOMES[datagram["outcome"]]] += 1
        else:
            super().take(datagram, source, now, is_sealed)

    def send(self, session, now):
        for entry in self.open.values():
            if entry[1] <= now:
                self.transmit(entry[0], session)
                entry[1] = now + REPEAT
        while len(self.open) < AHEAD and self.outcomes.total() + len(self.open) < self.goal:
            request = self.bits.getrandbits(64)
            datagram = encode_datagram(
                {"kind": self.options.kind, "session": session.heartbeat["session"],
                 "viewer": self.id, "cookie": session.cookie, "request": request,
                 "target": NONE if self.octets else 0,
                 "total": len(self.octets), "offset": 0, "octets": self.octets, "name": self.name,
                 "type": JSON if self.octets else ""})
            self.transmit(datagram, session)
            self.open[request] = [datagram, now + REPEAT]

    def pour(self, session, count):
        """Microseconds for each of `count` more; None if the app is gone."""
        times = []
        for _ in range(count // SLICE):
            times.append(self.pour_slice(session))
            if times[-1] is None:
                return None
        return statistics.median(times)

    def pour_slice(self, session):
        self.goal = self.outcomes.total() + SLICE
        began = time.monotonic()
        while self.outcomes.total() < self.goal:
            now = time.monotonic()
            if now - session.heard_at > 10 or not os.path.exists(f"/proc/{self.options.pid}"):
                return None
            if now > self.renewal:
                session.hello_due, self.renewal = 0, now + RENEWAL
            self.send(session, now)
            self.step(REPEAT)
        return (time.monotonic() - began) * 1e6 / SLICE

    def run(self):
        session = self.choose(time.monotonic() + self.options.timeout)
        if not session:
            return self.end(2, "no such app was heard")
        while session.cookie is None:
            self.step(REPEAT)
        self.renewal = time.monotonic() + RENEWAL
        tenth = self.options.count // 10
        first = self.pour(session, tenth)
        early = resident(self.options.pid)
        if self.pour(session, self.options.count - 2 * tenth) is None:
            return self.end(1, f"the app is gone after {self.outcomes.total()}")
        last = self.pour(session, tenth)
        if last is None:
            return self.end(1, f"the app is gone after {self.outcomes.total()}")
        late = resident(self.options.pid)
        print(json.dumps({**self.outcomes, "first": round(first, 1), "last": round(last, 1),
                          "early": early, "late": late}))
        return 0


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--group", default="239.255.83.83")
    parser.add_argument("--port", type=int, default=8383)
    parser.add_argument("--interface", default="127.0.0.1")
    parser.add_argument("--app")
    parser.add_argument("--realm", default="")
    parser.add_argument("--name", default="flood")
    parser.add_argument("--timeout", type=float, default=20)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--pid", type=int, required=True)
    parser.add_argument("--count", type=int, required=True)
    parser.add_argument("kind", choices=("reset", "command"))
    parser.add_argument("command", nargs="?", default="")
    parser.add_argument("--key", type=key, metavar="FILE")
    parser.set_defaults(drop=0, claims_to_drive=False)
    return Flood(parser.parse_args()).run()


if __name__ == "__main__":
    sys.exit(main())
