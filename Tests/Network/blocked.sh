#!/bin/bash
# An app whose state is on the main actor, which it blocks in readLine(): viewers hear so before they
# give up waiting, and what they heard is true afterwards.
# Usage: Tests/Network/blocked.sh .build/release
set -u
bin=$(realpath "$1")
. "$(dirname "$0")/lib/surf.sh"
alone "$(realpath "$0")" "$bin"
on_loopback

surf() { timeout -k 5 60 "$bin/statesurf" "$@" >"$surf_dir/out" 2>&1; }
reason='the main actor has not run anything for 2 s: does the program block it, as readLine() does?'
# refused COMMAND…: fails, for this reason, and not because the viewer gave up.
refused() { ! surf "$@" && grep -qF "$reason" "$surf_dir/out"; }
said() { tail -n 1 "$surf_dir/app" | grep -qx "$1"; }

mkfifo "$surf_dir/in"
exec 3<>"$surf_dir/in"
spawn "$bin/BlockedProbe" <&3 >"$surf_dir/app"
echo 7 >"$surf_dir/state"
echo '{"count":70}' >"$surf_dir/tape"
check "the app is there" eventually 20 eval '"$bin/statesurf" list --wait 0.5 | grep -q Handler'

# in_vain NAME COMMAND…: a refused request does not take effect later, when the actor runs.
lines=0
in_vain() {
  check "$1" refused "${@:2}"
  echo run >&3
  lines=$((lines + 1))
  eventually 20 eval 'test "$(wc -l <"$surf_dir/app")" -ge $lines' || not_ok "$1: the actor runs"
  check "and it does not happen later" said "degrees 20, count 0"
}
in_vain "a handler on the blocked actor" load "$surf_dir/state" -i Handler
in_vain "a state for a store on it" load "$surf_dir/tape" -i Store
in_vain "an action" dispatch '"next"' -i Store
in_vain "a command" commit --yes -i Store

check "it is blocked again" refused load "$surf_dir/tape" -i Store
# Once an actor is known to be blocked, no request waits another two seconds for it.
SECONDS=0
for _ in 1 2 3; do refused load "$surf_dir/state" -i Handler || not_ok "again"; done
check "three more hear it at once" test $SECONDS -lt 6

# Requests that come while the actor runs again.
( for _ in {1..40}; do echo run; sleep 0.1; done ) >&3 &
check "a state, once the actor runs" eval 'surf load "$surf_dir/state" -i Handler || cat "$surf_dir/out"'
check "an action, once it runs" surf dispatch '"next"' -i Store
wait $!
check "both have happened" eventually 30 said "degrees 7, count 1"
finish
