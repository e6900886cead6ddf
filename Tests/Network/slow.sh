#!/bin/bash
# States that take a slow link longer than `--timeout`, which counts from the last arrival. They
# arrive whole, both ways, and nobody waits for an app that halts in the middle.
# Usage, as root: Tests/Network/slow.sh .build/release
set -u
bin=$(realpath "$1")
. "$(dirname "$0")/lib/surf.sh"
. "$(dirname "$0")/lib/topology.sh"
net_up app viewer || { not_ok "namespaces"; finish; exit 1; }
# 12 MB take 2.4 s of it, more than the timeout.
slow() { on "$1" tc qdisc add dev eth0 root tbf rate 40mbit burst 32k limit 16m; }
if ! slow app || ! slow viewer; then
  skip "a slow link: this kernel shapes no traffic"
  finish
  exit
fi
export STATESURF_INTERFACE=eth0
unset STATESURF_PORT STATESURF STATESURF_GROUP STATESURF_REALM
cd "$surf_dir" || exit 1
surf() { on viewer timeout 60 "$bin/statesurf" "$@" --timeout 1.5; }
takes_longer() { test "$(($(date +%s%N) - $1))" -gt 2000000000; }

head -c 12000000 /dev/urandom >state
head -c 12000000 /dev/urandom >other
mkfifo in
exec 3<>in
spawn on app "$bin/OpaqueProbe" "$surf_dir" state <&3
is_announced() { on viewer "$bin/statesurf" list --json --wait 0.3 | grep -q '"newestRow":1\b'; }
check "the app is announced, with its row" eventually 40 is_announced
began=$(date +%s%N)
check "a state comes that takes longer than the timeout" surf save 1 saved
check "and it did take longer" takes_longer "$began"
check "and is whole" cmp saved state
check "so does one that is searched" surf find load
check "a state goes there that takes longer" surf load other
check "and is whole" cmp reset.1 other

received() { on viewer cat /sys/class/net/eth0/statistics/rx_bytes; }
has_come() { [ "$(received)" -ge "$1" ]; }
# halted: a request to an app that stops in the middle ends with the code for silence.
halted() {
  local status before
  before=$(received)
  surf save 1 halted 2>said &
  local command=$!
  eventually 20 has_come $((before + 1000000))
  end "$spawned" STOP
  wait $command
  status=$?
  end "$spawned" CONT
  grep -q 'did not send the rows in time' said && test $status = 2
}
check "an app that halts in the middle is not waited for" halted
check "and nothing is left of its state" test ! -e halted
finish
