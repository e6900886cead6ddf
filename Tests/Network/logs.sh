#!/bin/bash
# `statesurf logs` against live apps on loopback: which lines it prints, their order, and when it
# ends.
# Usage: Tests/Network/logs.sh .build/release
set -u
bin=$(realpath "$1")
. "$(dirname "$0")/lib/surf.sh"
. "$(dirname "$0")/lib/command.sh"
alone "$(realpath "$0")" "$bin"

on_loopback
cd "$surf_dir" || exit 1
surf() { timeout 20 "$bin/statesurf" "$@"; }
# prints LINES COMMAND…: exactly, but for the times.
prints() {
  local wanted=$1
  shift
  "$@" >out
  diff <(printf '%s\n' "$wanted") <(sed -E 's/^[0-9:.]{12} //; s/#[0-9]+ +/ /' out)
}

check "nobody is there, which is the usual error" exits 1 surf logs --timeout 0.5
check "in the usual words" grep -q 'no instance is live' said

mkfifo disk.in todo.in
# Opened for both directions: opening one end alone waits for the other.
exec 3<>disk.in 4<>todo.in
spawn "$bin/LogProbe" Disk <&3
eventually 40 has_rows Disk 0 || not_ok "Disk is announced"
check "an app that never logged has no line" exits 1 surf logs Disk
check "and it says so" eval 'test ! -s out && grep -q "has no line in the log" said'
printf '%s\n' 'info begin' disk update 'notice saved Milk' 'error failed' >&3
eventually 40 has_rows Disk 5 || not_ok "Disk has its rows"
check "the lines are printed, the oldest first" prints 'info    begin
warning low disk  {"free":12,"path":"/"}
info    [notice] saved Milk
error   failed' surf logs
check "those of a level and above" prints 'warning low disk  {"free":12,"path":"/"}
error   failed' surf logs Disk --level WARN
check "those with a text in any case" prints 'info    [notice] saved Milk' surf logs --grep milk
check "or in the one that it has" exits 1 surf logs --grep MILK
check "also in the attributes" prints 'warning low disk  {"free":12,"path":"/"}' \
  surf logs --grep '"path":"/"'
check "a line is enough" exits 0 surf logs Disk --level error
check "no line is told by the exit code" exits 1 surf logs --level error --grep disk
check "and names the app" eval 'test ! -s out && grep -q "has no such line in the log" said'
check "an empty text is refused" exits 64 surf logs --grep ''
check "and so is a level that is none" exits 64 surf logs --level loud
check "a name that nobody has is the usual error" exits 1 surf logs Dusk --timeout 1
check "which knows better" grep -q "Did you mean 'Disk'" said
objects() { surf logs --json >out && test "$(grep -c '^{.*"event":"log".*}$' out)" = "$(wc -l <out)"; }
check "as JSON a line is an object" objects
check "with its attributes" grep -q '"attributes":{"free":12,"path":"/"}.*"level":"warning"' out

# Broken inputs.
printf '%s\n' harmful large nan >&3
eventually 40 has_rows Disk 9 || not_ok "Disk has its broken rows"
harmless() { surf logs "$@" >out && ! tr -d '\n' <out | LC_ALL=C grep -aqP '[\x00-\x1f\x7f]|\xc2[\x80-\x9f]|\xe2\x80\xae'; }
check "nothing that drives a terminal comes through" harmless --grep harmful
check "nor as JSON" harmless --grep harmful --json
check "it is escaped" grep -qF '\u001b[2J' out
whole() { surf logs --grep xend >out && test "$(wc -c <out)" -gt 1048576; }
check "a megabyte comes through a pipe" whole
check "what cannot be encoded is told" prints 'error   payload not recorded: free: nan cannot be encoded' \
  surf logs --grep 'nan '
check "and its line is there" exits 0 surf logs --grep 'odd disk'

# On a terminal.
if command -v python3 >/dev/null; then
  on_terminal() {
    python3 -c 'import pty, sys; sys.exit(pty.spawn(sys.argv[1:]) >> 8)' \
      "$bin/statesurf" logs --level warning "$@" </dev/null >out
  }
  check "a terminal gets colours" on_terminal --grep 'low disk'
  check "for the level" grep -qP '\x1b\[33m' out
  check "but only ours" on_terminal --grep harmful --level info
  check "and no other sequence" eval '! sed "s/\x1b\[[0-9]*m//g" out | tr -d "\r\n" | LC_ALL=C grep -aqP "[\x00-\x1f]|\xc2[\x80-\x9f]"'
else
  skip "there is no Python for a terminal"
fi

# Several apps, and new lines.
spawn "$bin/LogProbe" Todo <&4
printf '%s\n' 'info add milk' request >&4
eventually 40 has_rows Todo 7 || not_ok "Todo has its rows"
several() { surf logs | grep -E 'begin|saved|add'; }
check "lines of several apps have their names, in order of time" prints 'Disk info    begin
Disk info    [notice] saved Milk
Todo info    add milk' several
check "a request is two lines" prints 'debug   started GET http://a.example/  {"method":"GET","url":"http://a.example/"}' \
  surf logs Todo --grep 'started GET http://a'
check "with the time it took" eval "surf logs Todo --grep 'finished' | grep -q '\"milliseconds\":.*\"status\":200'"
check "one that failed is an error" eval "surf logs Todo --level error | grep -q 'failed GET http://b'"
check "one that was dropped a warning" eval "surf logs Todo --level warning | grep -q 'unfinished GET http://c'"

spawn env --default-signal=INT "$bin/statesurf" logs --follow --grep milk >followed
follower=$spawned
eventually 40 grep -q 'Todo#[0-9]* *info    add milk' followed || not_ok "logs --follow prints the past"
printf '%s\n' 'info fetch milk' >&4
check "new lines follow" eventually 40 grep -q 'fetch milk' followed
spawn bash -c '(echo "info milk late"; cat) | "$0" Late' "$bin/LogProbe" <&3
check "also those of an app that comes later" eventually 40 grep -q 'milk late' followed
ended_by() {
  kill "-$1" "$follower"
  eventually 40 ended "$follower" || return 1
  wait "$follower"
  test $? = "$2"
}
check "until an interrupt ends it" ended_by INT 130

# Where nothing can be written.
left() { surf "$@" 2>said | true; test "${PIPESTATUS[0]} $(wc -c <said)" = "141 0"; }
check "a reader that leaves ends it quietly" left logs --follow
full() { surf logs >/dev/full; }
check "a full disk is told" exits 1 full
check "in the system's words" grep -q 'No space left on device' said
finish
