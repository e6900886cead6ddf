#!/bin/bash
# More resets and commands than anybody sends by hand: the app lives, its memory does not grow with
# them, and the last is answered as fast as the first.
# Usage: Tests/Network/flood.sh .build/release
# STATESURF_LONG=1 sends a million of each.
set -u
bin=$(realpath "$1")
here=$(realpath "$(dirname "$0")")
. "$here/lib/surf.sh"

command -v python3 >/dev/null || { skip "a flood (no python3)"; finish; exit; }
export PYTHONDONTWRITEBYTECODE=1
on_loopback
# Once an app ended after 23,000.
# Beside busy loops an answer may take 50 ms: our threads give way to everybody.
count=30000 limit=900
[ "${STATESURF_LONG:-}" != 1 ] || count=1000000 limit=1800

mkfifo "$surf_dir/prime.in"
exec 3<>"$surf_dir/prime.in"
spawn "$bin/PrimeTime" <&3 >/dev/null
app=$spawned

flood() {
  timeout -k 5 $limit python3 "$here/foreign/flood.py" --port "$STATESURF_PORT" --app PrimeTime \
    --pid "$app" --count "$count" "$@"
}

# field NAME: of the last flood.
field() { sed -n 's/.*"'"$1"'": \([0-9]*\).*/\1/p' "$surf_dir/figures"; }
lives() { kill -0 "$app"; }
all_are() { [ "$(field "$1")" = $count ]; }
# Allocators keep some; a wrapped closure alone took a kilobyte for each. The rest is history, some
# hundred octets for each event that all viewers receive; the app keeps at most 64 MiB of it.
is_flat() {
  [ -n "$(field late)" ] || return 1
  local growth=$(($(field late) - $(field early)))
  [ $growth -lt $(((8 << 20) + count * $1)) ] && [ $growth -lt $((96 << 20)) ]
}
# Others share the machine: what grows with the count was 20 times as slow.
is_as_fast() { [ -n "$(field last)" ] && [ "$(field last)" -lt $((3 * $(field first) + 100)) ]; }

# judge WHAT OUTCOME SIZE ARGUMENT…: a flood with these arguments, where each request leaves SIZE
# octets of history.
judge() {
  local what=$1 outcome=$2 size=$3
  shift 3
  flood "$@" >"$surf_dir/figures" 2>"$surf_dir/said" || sed 's/^/# /' "$surf_dir/said"
  sed "s/^/# $what: /" "$surf_dir/figures"
  check "$what: the app lives" lives
  check "$what: all are $outcome" all_are "$outcome"
  check "$what: memory is flat" is_flat "$size"
  check "$what: the last is as fast as the first" is_as_fast
}

judge "$count resets" applied 150 reset
judge "$count commands that cannot be" rejected 0 \
  command '{"command":"toggle","row":4000000000}'
judge "$count actions" applied 400 command '{"command":"dispatch","action":"increment"}'
finish
