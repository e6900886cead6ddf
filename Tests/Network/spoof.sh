#!/bin/bash
# Strangers that claim sessions. An app that was silent is believed when it returns, whatever was
# sent in its name, from another address or its own. A crowd of invented apps hides no real one.
# Usage: Tests/Network/spoof.sh .build/release
set -u
bin=$(realpath "$1")
here=$(realpath "$(dirname "$0")")
. "$here/lib/surf.sh"

command -v python3 >/dev/null || { skip "strangers (no python3)"; finish; exit; }
export PYTHONDONTWRITEBYTECODE=1
on_loopback

stranger() { python3 "$here/foreign/stranger.py" "$@" --port "$STATESURF_PORT"; }
has_row() { grep '"event":"record"' "$surf_dir/seen" | grep -q "\"row\":$1,"; }
saw() { grep '"app":"'"$2"'"' "$surf_dir/seen" | grep -q "\"event\":\"$1\""; }
is_gone() { [ "$(grep -c '"event":"gone"' "$surf_dir/seen")" -ge "$1" ]; }
# stopped_until_gone TIMES: stops it again each time, because Tests/Network/lib/disturbed may stop
# it too, and then lets it go on.
stopped_until_gone() { kill -STOP "$app" && is_gone "$1"; }
must() { "$@" || { echo "failed: $*"; return 1; }; }

mkfifo "$surf_dir/prime.in" "$surf_dir/blind.in" "$surf_dir/todo.in"
exec 3<>"$surf_dir/prime.in" 4<>"$surf_dir/blind.in" 5<>"$surf_dir/todo.in"
spawn "$bin/PrimeTime" <&3 >/dev/null
app=$spawned
spawn "$bin/statesurf" watch --json >"$surf_dir/seen"
printf '+\n+\n' >&3
check "a viewer follows an app" eventually 30 has_row 2

# blinded ROUND ROW ARGUMENT…: while the app is silent somebody is a million packets ahead.
blinded() {
  local round=$1 row=$2
  shift 2
  : >"$surf_dir/blind"
  spawn stranger blind --pid "$app" "$@" <&4 >"$surf_dir/blind"
  must eventually 20 grep -q overheard "$surf_dir/blind" || return 1
  must eventually 20 stopped_until_gone "$round" || return 1
  echo >&4
  must eventually 20 grep -q told "$surf_dir/blind" || return 1
  kill -CONT "$app"
  printf '+\n' >&3
  must eventually 20 has_row "$row"
}
check "another's word does not hide what the app does next" blinded 1 3
if [ "$(id -u)" -eq 0 ]; then
  check "nor does one from its own address" blinded 2 4 --exact
else
  skip "a word from its own address (needs root)"
fi

spawn stranger crowd --sessions 300 --seconds 60
sleep 2
spawn "$bin/Todo" <&5 >/dev/null
check "a new app is seen beside 300 that nobody has" eventually 30 saw appeared Todo
printf '+\n' >&3
check "and the other one still is" eventually 20 has_row 5
finish
