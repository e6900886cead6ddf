#!/bin/bash
# A viewer written in Python from Protocol.md alone, against a sealed app on another host. Each end
# loses a twentieth of the datagrams. Under the key, the viewer sees what statesurf sees, and
# drives; under the watch key it sees the same, and moves nothing.
# Usage, as root: Tests/Network/foreign_sealed.sh .build/release
set -u
bin=$(realpath "$1")
here=$(realpath "$(dirname "$0")")
. "$here/lib/surf.sh"
. "$here/lib/topology.sh"
. "$here/lib/cipher.sh" || { skip "a sealed foreign viewer (no package cryptography)"; finish; exit; }
net_up app desk || { not_ok "namespaces"; finish; exit 1; }
net_lose 50 app desk
unset STATESURF STATESURF_GROUP STATESURF_PORT STATESURF_REALM
export STATESURF_INTERFACE=eth0

key=$surf_dir/key watch=$surf_dir/watch
"$bin/statesurf" key new "$key" >/dev/null
export STATESURF_KEY_FILE=$key
"$bin/statesurf" key watch >"$watch"

surf() { on desk timeout -k 5 60 "$bin/statesurf" "$@" --no-dnssd; }
# viewer KEY ARGUMENT…: the stranger's.
viewer() {
  on desk timeout -k 5 60 "$python" "$here/foreign/viewer.py" --interface 10.99.77.2 --key "$@"
}
says() {
  local wanted=$1
  shift
  "$@" >"$surf_dir/answer" 2>&1
  grep -qF "$wanted" "$surf_dir/answer" || { cat "$surf_dir/answer" && return 1; }
}

mkfifo "$surf_dir/todo.in"
exec 3<>"$surf_dir/todo.in"
spawn on app "$bin/Todo" <&3 >"$surf_dir/todo.out" 2>&1
# add FIRST LAST: of some kilobytes that do not compress: whole states, deltas, fragments.
add() {
  python3 - "$@" >&3 <<'PYTHON'
import random, sys
for number in range(int(sys.argv[1]), int(sys.argv[2]) + 1):
    text = random.Random(number).randbytes(number * 23 % 2000)
    print(f"add {number} {text.hex()}" if number % 5 else f"done {number // 5}", flush=True)
PYTHON
}
records=120
add 1 60
has_rows() { surf list --json --wait 0.8 | grep '"app":"Todo"' | grep -qE "\"newestRow\":$1[,}]"; }
eventually 40 has_rows 60 || not_ok "Todo is announced, with its rows"

check "under no key it sees nothing" test -z "$(on desk timeout 20 "$python" \
  "$here/foreign/viewer.py" --interface 10.99.77.2 --list)"
spawn surf watch Todo --json --since 1 --states --payloads >"$surf_dir/reference"
reference=$spawned
declare -A following
for role in key watch; do
  spawn viewer "${!role}" --app Todo --records $records --states \
    >"$surf_dir/seen.$role" 2>"$surf_dir/said.$role"
  following[$role]=$spawned
done
joined() { [ "$(cat "$surf_dir"/seen.* | grep -c '"sequence": 60,')" = 2 ]; }
eventually 20 joined || not_ok "both have the past"
add 61 $records
for role in key watch; do check "under the $role it ends" wait "${following[$role]}"; done
refers() { [ "$(grep -c '"event":"record"' "$surf_dir/reference")" = $records ]; }
eventually 20 refers || not_ok "statesurf has all rows"
end "$reference"
# is_same FILE: names, payloads and states.
is_same() {
  python3 - "$surf_dir/reference" "$1" <<'PYTHON'
import json, sys
def rows(path, kind, sequence, state):
    lines = map(json.loads, open(path))
    return [[line[sequence], line["name"], line["payload"], line[state]] for line in lines
            if kind in line.values() or kind in line]
ours = rows(sys.argv[1], "record", "row", "state")
sys.exit(sorted(ours) != rows(sys.argv[2], "sequence", "sequence", "json"))
PYTHON
}
for role in key watch; do
  check "under the $role every row and state is the same" is_same "$surf_dir/seen.$role"
  check "under the $role that took repairs" grep -qE '[1-9][0-9]* repairs' "$surf_dir/said.$role"
done
check "states came as deltas" grep -qE '[1-9][0-9]* deltas' "$surf_dir/said.key"
check "records came in fragments" grep -qE '[1-9][0-9]* fragments' "$surf_dir/said.key"

surf save 100 "$surf_dir/large" -i Todo >"$surf_dir/save.out" 2>&1
check "a large state is uploaded in pieces ($(stat -c %s "$surf_dir/large") octets)" \
  says '"outcome": "applied"' viewer "$key" --app Todo --reset "$surf_dir/large"
is_there() { surf save tip "$surf_dir/now" -i Todo && cmp "$surf_dir/large" "$surf_dir/now"; }
filter='{"command":"dispatch","action":{"filter":"all"}}'
check "a command is done" says '"outcome": "applied"' viewer "$key" --app Todo --command "$filter"
check "from the state that was uploaded" is_there

check "under the watch key it says that it moves nothing" says 'moves nothing' \
  viewer "$watch" --app Todo --command "$filter"
spawn on app "$bin/StreamProbe" publish --interface eth0 --count 1 --size 1000 \
  --stop "$surf_dir/stop" >"$surf_dir/probe.out"
probe=$spawned
check "if it claims to, all the same, nothing answers" says 'nothing in time' \
  viewer "$watch" --app StreamProbe --timeout 3 --claims-to-drive --reset "$surf_dir/large"
check "but under the key it is answered" says '"outcome": "applied"' \
  viewer "$key" --app StreamProbe --reset "$surf_dir/large"
touch "$surf_dir/stop"
wait "$probe"
sed 's/^/# /' "$surf_dir/probe.out"
check "and the app counts what does not open" grep -qE '^drop does not open: [1-9]' "$surf_dir/probe.out"
finish
