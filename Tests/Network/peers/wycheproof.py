"""One of Wycheproof's files, as the lines that SealProbe reads.

Usage: wycheproof.py FILE
"""
import json
import sys


def field(digits):
    return digits or "-"


def line(kind, case):
    if kind == "AeadTest":
        values = [case[name] for name in ("key", "iv", "aad", "msg")] + [case["ct"] + case["tag"]]
        return ["seal", *map(field, values)]
    values = [field(case[name]) for name in ("ikm", "salt", "info")]
    return ["derive", *values, str(case["size"]), field(case["okm"])]


with open(sys.argv[1]) as file:
    for group in json.load(file)["testGroups"]:
        for case in group["tests"]:
            name, *values = line(group["type"], case)
            print(name, case["tcId"], *values, case["result"])
