#!/bin/bash
# A viewer written in Python from Protocol.md alone, against live apps on loopback. It reads what
# statesurf reads, with losses too, and its requests take effect.
# Usage: Tests/Network/foreign.sh .build/release
set -u
bin=$(realpath "$1")
here=$(realpath "$(dirname "$0")")
. "$here/lib/surf.sh"

command -v python3 >/dev/null || { skip "a foreign viewer (no python3)"; finish; exit; }
alone "$(realpath "$0")" "$bin"
export PYTHONDONTWRITEBYTECODE=1
on_loopback
surf() { "$bin/statesurf" "$@"; }
viewer() { timeout -k 5 120 python3 "$here/foreign/viewer.py" --port "$STATESURF_PORT" "$@"; }

. "$here/lib/cipher.sh" || { python=python3; skip "sealed vectors (no package cryptography)"; }
check "every test vector decodes, is refused, encodes" \
  "$python" "$here/foreign/viewer.py" --vectors "$here/../Vectors"

mkfifo "$surf_dir/prime.in" "$surf_dir/todo.in"
exec 3<>"$surf_dir/prime.in" 4<>"$surf_dir/todo.in"
spawn "$bin/PrimeTime" <&3 >"$surf_dir/prime.out"
spawn "$bin/Todo" <&4 >"$surf_dir/todo.out"

# add FIRST LAST: things to do of some kilobytes that do not compress, so that whole states,
# deltas and records in fragments are all among what is sent.
add() {
  python3 - "$@" >&4 <<'PYTHON'
import random, sys
for number in range(int(sys.argv[1]), int(sys.argv[2]) + 1):
    text = random.Random(number).randbytes(number * 23 % 4000)
    print(f"add {number} {text.hex()}" if number % 5 else f"done {number // 5}", flush=True)
PYTHON
}

# Some come before it joins, most after.
records=200
add 1 80
has_rows() {
  surf list --json --wait 0.5 | grep "\"app\":\"$1\"" | grep -qE "\"newestRow\":$2[,}]"
}
eventually 40 has_rows Todo 80 || not_ok "Todo is announced, with its rows"
printf '+\n+\n+\n' >&3
eventually 40 has_rows PrimeTime 3 || not_ok "PrimeTime is announced, with its rows"

both() { viewer --list | grep -cE '"app": "(PrimeTime|Todo)"' | grep -qx 2; }
check "it lists both apps" eventually 40 both

declare -A running
for loss in 0 0.05 0.2; do
  spawn viewer --app Todo --records $records --drop $loss \
    >"$surf_dir/seen.$loss" 2>"$surf_dir/said.$loss"
  running[$loss]=$spawned
done
# One that hears nothing for longer than it waits for an app, while packets are missing.
spawn viewer --app Todo --records $records --drop 0.2 --deaf 100 \
  >"$surf_dir/deaf" 2>"$surf_dir/said.deaf"
deaf=$spawned
joined() { [ "$(cat "$surf_dir"/seen.* "$surf_dir/deaf" | grep -c '"sequence": 80,')" = 4 ]; }
eventually 40 joined || not_ok "all have the past"
add 81 $records

in_order() { sed 's/^{"sequence": \([0-9]*\),.*/\1/' "$1" | cmp - <(seq $records); }
repaired() { grep -qE '[1-9][0-9]* NAKs' "$1" && grep -qE '[1-9][0-9]* dropped' "$1"; }
for loss in 0 0.05 0.2; do
  check "with a loss of $loss it ends" wait "${running[$loss]}"
  check "every record is there once, in order" in_order "$surf_dir/seen.$loss"
  [ $loss = 0 ] && continue
  check "which took repairs" repaired "$surf_dir/said.$loss"
  check "and are the same as without loss" cmp "$surf_dir/seen.0" "$surf_dir/seen.$loss"
done
# Rows that it showed as lost, or without a state, arrive later, out of order.
mended() {
  python3 - "$surf_dir" <<'PYTHON'
import json, sys
rows = {}
for line in open(sys.argv[1] + "/deaf"):
    if "sequence" in line:
        rows[json.loads(line)["sequence"]] = line
sys.exit([rows[one] for one in sorted(rows)] != list(open(sys.argv[1] + "/seen.0")))
PYTHON
}
check "one that was deaf for a while ends" wait "$deaf"
check "it had given the app up, and lost something" \
  grep -q '"gap"' <(grep -A999 expired "$surf_dir/deaf")
check "and has all of it in the end" mended
check "states came as deltas" grep -qE '[1-9][0-9]* deltas' "$surf_dir/said.0"
check "records came in fragments" grep -qE '[1-9][0-9]* fragments' "$surf_dir/said.0"

# crc FILE: as the viewer prints it.
crc() { python3 -c 'import sys, zlib; print("%08x" % zlib.crc32(sys.stdin.buffer.read()))' <"$1"; }
agrees() {
  surf save "$1" "$surf_dir/row" -i Todo &&
    sed -n "${1}p" "$surf_dir/seen.0" >"$surf_dir/line" &&
    grep -F "\"state\": $(wc -c <"$surf_dir/row"), \"crc\": \"$(crc "$surf_dir/row")\"" \
      "$surf_dir/line"
}
for row in 1 80 140 $records; do
  check "statesurf saves the same state of row $row" agrees $row
done

# Payloads that repeat go as deltas from earlier ones.
spawn "$bin/SystemMonitor" --every 0.1 >"$surf_dir/monitor.out"
viewer --app SystemMonitor --records 40 >"$surf_dir/monitored" 2>"$surf_dir/said.monitored"
check "payloads came as deltas" \
  grep -qE '[1-9][0-9]* payload deltas' "$surf_dir/said.monitored"
# The file for Redux DevTools has each action under its type. An only value is not wrapped.
same_actions() {
  surf export "$surf_dir/monitor.json" -i SystemMonitor && python3 - "$surf_dir" <<'PYTHON'
import json, sys
actions = json.load(open(sys.argv[1] + "/monitor.json"))["actionsById"]
# Their ids are places; each says which row it is.
actions = {one["row"]: one for one in actions.values() if "row" in one}
rows = [json.loads(line) for line in open(sys.argv[1] + "/monitored")]
# The first row is a value, and no action.
for row in rows[1:]:
    (name, value), = row["payload"].items()
    action = actions[row["sequence"]]["action"]
    value = value["_0"] if list(value) == ["_0"] else value
    if action != {"type": name, "payload": value}:
        sys.exit(f"row {row['sequence']}: {action}, not {row['payload']}")
sys.exit(len(rows) != 40)
PYTHON
}
check "and are those that statesurf exports" same_actions

surf save 2 "$surf_dir/two" -i PrimeTime >"$surf_dir/save.out" 2>&1
says() { grep -qF -- "$1" <<<"$("${@:2}")"; }
check "a reset is applied" says '"outcome": "applied"' \
  viewer --app PrimeTime --reset "$surf_dir/two" --name mallory
shows() { tail -n 1 "$surf_dir/prime.out" | grep -q "^count $1 "; }
check "and the app shows that state" eventually 40 shows 2
echo '{"count":"many"}' >"$surf_dir/bad"
check "one that does not decode is refused with the app's reason" \
  says '"outcome": "rejected", "reason": "not a PrimeTime' \
  viewer --app PrimeTime --reset "$surf_dir/bad"
check "a command is done" says '"outcome": "applied"' \
  viewer --app PrimeTime --command '{"command":"dispatch","action":"increment"}'
check "which the app shows" eventually 40 shows 3
check "one that the app does not have is refused" says '"reason": "there is no command' \
  viewer --app PrimeTime --command '{"command":"fly"}'
check "an empty state is the initial one" says '"position": 0' \
  viewer --app PrimeTime --reset /dev/null
check "which the app shows too" eventually 40 shows 0
# A state of many pieces.
surf save 140 "$surf_dir/large" -i Todo >"$surf_dir/save.out" 2>&1
check "a large state is uploaded in pieces" says '"outcome": "applied"' \
  viewer --app Todo --reset "$surf_dir/large"
same_again() {
  viewer --app Todo --command '{"command":"dispatch","action":{"filter":"all"}}' &&
    surf save tip "$surf_dir/row" -i Todo && cmp "$surf_dir/large" "$surf_dir/row"
}
check "from which the app goes on" same_again
finish
