#!/bin/bash
# Signals and keys end the command, however early they come and whatever it is doing.
# Usage: Tests/Network/signals.sh .build/release
set -u
bin=$(realpath "$1")
here=$(realpath "$(dirname "$0")")
. "$here/lib/surf.sh"

on_loopback
cd "$surf_dir" || exit 1

count=60
[ -z "${STATESURF_LONG-}" ] || count=1000
early() { python3 "$here/peers/early_signals.py" "$count" "$RANDOM" "$@"; }
if command -v python3 >/dev/null; then
  check "none of $count is lost by watch" early "$bin/statesurf" watch
  check "nor by list, which gives up after a while" early "$bin/statesurf" list --wait 60
  check "nor by the gateway" early "$bin/statesurf" gateway --listen 127.0.0.1:0
else
  skip "early signals: no python3"
fi

# ends SIGNAL STATUS: the last program started ends with that status.
ends() {
  kill "-$1" "$spawned"
  eventually 20 ended "$spawned" || return 1
  wait "$spawned"
  test $? = "$2"
}
mkfifo words
exec 3<>words
spawn "$bin/statesurf" load - <words
eventually 20 pgrep -P $$ -x statesurf >/dev/null
check "one that waits for standard input is ended" ends TERM 143

# Nobody reads: the pipe is full, and the command waits in `write`.
head -c 300000 /dev/urandom >state
spawn "$bin/OpaqueProbe" "$surf_dir" state <words
is_live() { timeout 20 "$bin/statesurf" list --json --wait 0.3 | grep -q OpaqueProbe; }
eventually 40 is_live || not_ok "OpaqueProbe is announced"
mkfifo full
exec 4<>full
spawn "$bin/statesurf" save 1 - >full
# In the system call 1 with the descriptor 1.
writes() { grep -q '^1 0x1 ' "/proc/$spawned/syscall" 2>/dev/null; }
eventually 10 writes
check "one whose output nobody reads is ended, by the first" ends TERM 143

# The app's own life as events: stopped, continued, ended.
mkfifo keys
exec 5<>keys
spawn "$bin/ShakeAndCount" <keys >shaken
counts_to() { grep -qx "count $1" shaken; }
eventually 20 counts_to 0 || not_ok "ShakeAndCount has begun"
# It catches SIGUSR1, bit 9, only once its thread for signals runs.
catches() { [ $((0x$(sed -n 's/^SigCgt:\t//p' "/proc/$spawned/status") >> 9 & 1)) = 1 ]; }
eventually 20 catches || not_ok "ShakeAndCount listens to signals"
kill -USR1 "$spawned"
check "a signal is a shake, and a shake counts" eventually 10 counts_to 1
kill -TSTP "$spawned"
is_stopped() { grep -q '^State:.T' "/proc/$spawned/status"; }
check "a program that listens to its life is stopped all the same" eventually 10 is_stopped
kill -CONT "$spawned"
row() { timeout 20 "$bin/statesurf" watch --since 1 --for 1 -i ShakeAndCount --json; }
continued() { row | grep -q willEnterForeground; }
check "viewers see that it was stopped and goes on" eventually 10 continued
kill -USR1 "$spawned"
check "and shakes count again" eventually 10 counts_to 2
check "it is ended by the signal that ended it" ends TERM 143

# On a terminal of its own.
if command -v python3 >/dev/null; then
  while read -r verdict name; do
    case $verdict in ok) ok "$name" ;; *) not_ok "$name" ;; esac
  done < <(timeout 200 python3 "$here/peers/keys.py" "$bin/statesurf" 2>&1 | sed 's/^not ok/not_ok/')
else
  skip "keys on a terminal: no python3"
fi
finish
