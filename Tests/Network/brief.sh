#!/bin/bash
# Short programs that end right after they start, and a viewer on another host. The viewer shows
# every row, or the number of rows that are missing, whether or not the network loses packets, and
# however the programs end.
# Usage, as root: Tests/Network/brief.sh .build/release; STATESURF_LONG=1 runs a thousand of them.
set -u
bin=$(realpath "$1")
here=$(realpath "$(dirname "$0")")
. "$here/lib/surf.sh"
. "$here/lib/topology.sh"
# A viewer shows at most 64 apps that have not answered it yet (Protocol.md §10.8). A short program
# may have no time to answer, so each batch of a few has its own viewer.
batches=1 runs=30
[ "${STATESURF_LONG:-0}" = 1 ] && batches=10 runs=50

net_up app viewer || { skip "brief programs (no namespaces)"; finish; exit; }
command -v python3 >/dev/null || { skip "brief programs (no python3)"; finish; exit; }
export STATESURF_INTERFACE=eth0
unset STATESURF STATESURF_PORT STATESURF_GROUP STATESURF_REALM
cd "$surf_dir" || exit 1
brief() { on app "$bin/BriefProbe" "$@"; }

# watched NAME COMMAND…: runs it beside a viewer, whose lines go to NAME.json.
watched() {
  local name=$1 viewer
  shift
  spawn on viewer "$bin/statesurf" watch --json >>"$name.json"
  viewer=$spawned
  eventually 40 listens || not_ok "the viewer listens"
  "$@"
  # An app whose goodbye was lost counts as gone after 2.6 s, and what it lacks as lost after 10 more.
  sleep 15
  end "$viewer"
  eventually 10 ended "$viewer"
}
listens() { on viewer cat /proc/net/udp | grep -q "$(printf ':%04X ' 8383)"; }

cat >count.py <<'PYTHON'
"""Of each program: rows shown, rows missing and records given up, which must be ROWS in all.

Usage: count.py FILE NAME COUNT ROWS
"""
import collections
import json
import sys

file, prefix, count, rows = sys.argv[1], sys.argv[2], int(sys.argv[3]), int(sys.argv[4])
seen = collections.defaultdict(collections.Counter)
for line in open(file, encoding="utf-8"):
    event = json.loads(line)
    app = seen[event["app"]]
    if event["event"] in ("lost", "dropped"):
        app["lost"] += event["count"]
    elif event["event"] in ("appeared", "gone"):
        # The marks that say it may be among the lost.
        app["said"] = event["recordsGivenUp"]
    elif event.get("kind") == "mark":
        app["given up"] += int(event["name"].split()[0])
    elif event["event"] in ("record", "log"):
        app["shown"] += 1
whole, counted, neither = [], [], []
for number in range(1, count + 1):
    name = f"{prefix}{number}"
    app = seen[name]
    told = app["shown"] + app["lost"] + max(app["given up"], app["said"])
    # Marks are rows, too, and where they are lost they count with the others.
    is_told = rows <= told <= rows + 100 * (app["lost"] > 0 and rows > 100)
    (whole if app["shown"] == rows else counted if is_told else neither).append((name, dict(app)))
print(f"# {len(whole)} whole, {len(counted)} counted, {len(neither)} neither")
for name, app in (counted + neither)[:8]:
    print(f"# {name}: {app}")
sys.exit(1 if neither else 0)
PYTHON
# told NAME COUNT ROWS: of all programs, each row.
told() { python3 count.py "$1.json" "$1-" "$2" "$3"; }

# several NAME FIRST: so many of them, one after the other, each ending in another way.
several() {
  local number ends=(suspend flush fall stop leave)
  for ((number = $2; number < $2 + runs; number++)); do
    brief "$1-$number" 2 "${ends[number % 5]}" >>"$1.out"
  done
}
for loss in 0 50; do
  net_lose $loss viewer app
  for ((batch = 0; batch < batches; batch++)); do
    watched "short$loss" several "short$loss" $((batch * runs + 1))
  done
  check "$((batches * runs)) short programs are told whole, or counted, at $((loss / 10)) % loss" \
    told "short$loss" $((batches * runs)) 2
  cat check.out
done

# As fast as it can: more than the queue holds. One begins when the viewer has done with the last.
large() {
  local number
  for number in 1 2 3; do
    brief "$1-$number" 200000 "$([ $number = 3 ] && echo fall || echo suspend)" >>"$1.out"
    eventually 20 is_gone "$1" "$1-$number"
  done
}
is_gone() { grep -q "\"app\":\"$2\",\"event\":\"gone\"" "$1.json"; }
for loss in 0 50; do
  net_lose $loss viewer app
  watched "large$loss" large "large$loss"
  check "of 200,000 records, each is told or counted, at $((loss / 10)) % loss" \
    told "large$loss" 3 200000
  cat check.out
  sed 's/^/# /' "large$loss.out"
done
finish
