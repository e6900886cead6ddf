#!/bin/bash
# A stranger without the key has recorded every sealed datagram of an app and its viewers. He sends
# them again, unchanged, to other ends, in any order, and with forgeries. That changes no state,
# position or row; the app counts his datagrams, and goes on.
# Usage, as root: Tests/Network/replay.sh .build/release
set -u
bin=$(realpath "$1")
here=$(realpath "$(dirname "$0")")
. "$here/lib/surf.sh"
alone "$(realpath "$0")" "$bin"
only_alone "what is sent again"
. "$here/lib/cipher.sh" || { skip "what is sent again (no package cryptography)"; finish; exit; }
on_loopback
# So that the recording has single datagrams, not runs.
ethtool -K lo gso off tso off gro off tx-udp-segmentation off >/dev/null 2>&1

key=$surf_dir/key
"$bin/statesurf" key new "$key" >/dev/null
export STATESURF_KEY_FILE=$key
surf() { timeout -k 5 60 "$bin/statesurf" "$@"; }
stranger() { timeout -k 5 60 "$python" "$here/foreign/attack.py" "$@" --port "$STATESURF_PORT"; }
viewer() {
  timeout -k 5 60 "$python" "$here/foreign/viewer.py" --port "$STATESURF_PORT" --key "$key" "$@"
}
says() { grep -qF "$1" <("${@:2}" 2>&1); }

spawn stranger record "$surf_dir/recording" >"$surf_dir/ear"
ear=$spawned
eventually 20 grep -q listening "$surf_dir/ear" || not_ok "the stranger listens"
mkfifo "$surf_dir/todo.in"
exec 3<>"$surf_dir/todo.in"
spawn "$bin/Todo" <&3 >"$surf_dir/todo.out" 2>&1
app=$spawned
spawn "$bin/StreamProbe" publish --port "$STATESURF_PORT" --count 50 --size 3000 --rate 50 \
  --go /dev/null --stop "$surf_dir/stop" >"$surf_dir/probe.out"
probe=$spawned
spawn "$bin/statesurf" watch Todo --json --since 1 --states >"$surf_dir/seen"
watch=$spawned
printf '%s\n' 'add Milk' 'add Bread' 'add Eggs' 'done 2' >&3
has_row() { grep '"event":"record"' "$surf_dir/seen" | grep -q "\"row\":$1,"; }
check "a viewer follows an app" eventually 20 has_row 4

# Events that a stranger may want to repeat: restores, an action, and a reset by a viewer that left.
surf jump 1 -i Todo >"$surf_dir/jump.out"
surf dispatch '{"add":"Tea"}' -i Todo >"$surf_dir/dispatch.out"
eventually 20 has_row 5 || not_ok "the action is a row"
surf jump 2 -i Todo >"$surf_dir/jump.out"
head -c 9000 /dev/zero | tr '\0' x >"$surf_dir/state"
check "another app is in a state of its viewer's" \
  says '"outcome": "applied"' viewer --app StreamProbe --reset "$surf_dir/state"
is_at_row_2() { surf list --json --wait 0.5 | grep '"app":"Todo"' | grep -q '"row":2[,}]'; }
check "the app is where it was put" eventually 20 is_at_row_2
sleep 0.5
end "$ear"

surf save tip "$surf_dir/before" -i Todo >"$surf_dir/save.out"
resident() { awk '/^VmRSS:/ {print $2}' "/proc/$1/status"; }
events() { grep -vc '"event":"heartbeat"' "$surf_dir/seen"; }
lines=$(events) app_size=$(resident "$app") watch_size=$(resident "$watch")

# attacked WHAT ARGUMENT…
attacked() {
  local what=$1
  shift
  check "$what: is sent" stranger "$@"
  sed 's/^/# /' "$surf_dir/check.out"
  check "$what: the viewer sees nothing of it ($lines events)" test "$(events)" = "$lines"
  check "$what: the app is where it was" is_at_row_2
  check "$what: in the same state" eval \
    'surf save tip "$surf_dir/after" -i Todo && cmp "$surf_dir/before" "$surf_dir/after"'
}
attacked "what was recorded" replay "$surf_dir/recording"
attacked "what looks like it" noise "$surf_dir/recording" --count 20000
check "the app takes no room for it" test $(($(resident "$app") - app_size)) -lt 16384
check "nor does the viewer" test $(($(resident "$watch") - watch_size)) -lt 16384
echo 'add Salt' >&3
check "the app's next row is seen" eventually 10 has_row 6
check "and it is moved as before" surf jump 3 -i Todo
check "the other app still answers" says '"outcome": "applied"' \
  viewer --app StreamProbe --reset "$surf_dir/state"

touch "$surf_dir/stop"
wait "$probe"
sed 's/^/# /' "$surf_dir/probe.out"
counts() { grep -qE "^drop $1: [1-9][0-9]" "$surf_dir/probe.out"; }
for reason in 'replayed' 'does not open' 'not sealed' 'unknown key'; do
  check "the app counts: $reason" counts "$reason"
done
finish
