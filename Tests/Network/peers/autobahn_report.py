"""Judges a report of Autobahn|Testsuite.

    autobahn_report.py FILE COUNT    prints how many cases went how; fails if one failed, or if
                                     they are not COUNT
"""

import collections
import json
import sys

GOOD = ("OK", "NON-STRICT", "INFORMATIONAL")


def main():
    with open(sys.argv[1]) as file:
        (agent, cases), = json.load(file).items()
    pairs = {name: (case["behavior"], case["behaviorClose"]) for name, case in cases.items()}
    for part in (0, 1):
        counts = collections.Counter(pair[part] for pair in pairs.values())
        print(agent, "behaviorClose" if part else "behavior", dict(counts))
    for kind in GOOD[1:]:
        print(kind, [name for name, pair in pairs.items() if kind in pair])
    bad = {name: pair for name, pair in pairs.items() if not set(pair) <= set(GOOD)}
    for name, pair in bad.items():
        print("failed", name, *pair)
    if len(cases) != int(sys.argv[2]):
        print(len(cases), "cases instead of", sys.argv[2])
        return 1
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
