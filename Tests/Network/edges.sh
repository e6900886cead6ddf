#!/bin/bash
# A stranger whose numbers are the largest that fields hold: no viewer, no gateway, no doctor and no
# app ends of it, and all do their work afterwards.
# Usage: Tests/Network/edges.sh .build/release
# STATESURF_LONG=1 goes on for three minutes.
set -u
bin=$(realpath "$1")
here=$(realpath "$(dirname "$0")")
. "$here/lib/surf.sh"
alone "$0" "$@"

command -v python3 >/dev/null || { skip "edges of numbers (no python3)"; finish; exit; }
export PYTHONDONTWRITEBYTECODE=1
on_loopback
seconds=3
[ "${STATESURF_LONG:-}" != 1 ] || seconds=180

mkfifo "$surf_dir/prime.in"
exec 3<>"$surf_dir/prime.in"
spawn "$bin/PrimeTime" <&3 >/dev/null
app=$spawned
spawn "$bin/statesurf" watch --since 1 --json >"$surf_dir/seen"
viewer=$spawned
spawn "$bin/statesurf" gateway --listen 127.0.0.1:$((STATESURF_PORT + 1)) >"$surf_dir/gateway" 2>&1
gateway=$spawned
check "an app is seen" eventually 30 grep -q PrimeTime "$surf_dir/seen"

stranger() { timeout -k 5 400 python3 "$here/foreign/edges.py" --port "$STATESURF_PORT" "$@"; }
lives() { kill -0 "$1"; }
# A doctor finds fault with such neighbours, but it finds.
examines() {
  timeout 60 "$bin/statesurf" doctor >"$surf_dir/doctor" 2>&1
  local code=$?
  [ $code -lt 124 ] && grep -q records "$surf_dir/doctor"
}
presses=0
are_seen() { [ "$(grep -c '"kind":"action"' "$surf_dir/seen")" -ge $presses ]; }
records() {
  presses=$((presses + 1))
  echo + >&3
  eventually 30 are_seen
}
serves() {
  exec 5<>"/dev/tcp/127.0.0.1/$((STATESURF_PORT + 1))" || return 1
  printf 'GET / HTTP/1.1\r\nHost: 127.0.0.1:%s\r\n\r\n' $((STATESURF_PORT + 1)) >&5
  timeout 10 head -n 1 <&5 | grep -q 'HTTP/1.1 200'
}

# judge WHAT ARGUMENT…: what a stranger with these arguments leaves.
judge() {
  local what=$1
  shift
  spawn examines
  local doctor=$spawned
  stranger "$@" >"$surf_dir/said" 2>&1 || { not_ok "$what: is said"; sed 's/^/# /' "$surf_dir/said"; }
  sed "s/^/# $what: /" "$surf_dir/said"
  check "$what: somebody said hello" grep -q 'hellos=[1-9]' "$surf_dir/said"
  check "$what: the doctor examines meanwhile" wait "$doctor"
  check "$what: the viewer lives" lives "$viewer"
  check "$what: the gateway lives" lives "$gateway"
  check "$what: the gateway answers" serves
  check "$what: the app lives" lives "$app"
  check "$what: the viewer shows the app's next row" records
}

judge "what once ended a viewer" known
judge "$seconds s of any numbers" random --seconds "$seconds"
check "the doctor examines afterwards" examines
finish
