"""Whether a viewer saw every row of so many runs, from the first on: gapless.py FILE RUNS

FILE is what `statesurf watch --json --since 1` said; its last line may be cut off.
"""
import json
import sys

path, runs = sys.argv[1], int(sys.argv[2])
rows, faults = {}, []
with open(path) as file:
    for line in file:
        if not line.endswith("\n"):
            break
        event = json.loads(line)
        if event["event"] == "record":
            seen = rows.setdefault(event["instance"], set())
            if event["row"] in seen:
                faults.append(f"row {event['row']} of {event['instance']} came twice")
            seen.add(event["row"])
        elif event["event"] == "lost":
            faults.append(line.strip())
for instance, seen in rows.items():
    missing = set(range(1, max(seen) + 1)) - seen
    if missing:
        faults.append(f"of {instance} are missing: {sorted(missing)}")
    if len(seen) < 20:
        faults.append(f"of {instance} are no more than {len(seen)} rows")
if len(rows) != runs:
    faults.append(f"{len(rows)} runs")
print(*faults or [{name[:8]: len(seen) for name, seen in rows.items()}], sep="\n")
sys.exit(bool(faults))
