#!/bin/bash
# Two people at terminals and one at a panel (Tests/Network/peers/panel.py), with one app: where it
# is, all of them see alike, and the viewers say who moved it.
# Usage: Tests/Network/agree.sh .build/release
set -u
bin=$(realpath "$1")
. "$(dirname "$0")/lib/surf.sh"
. "$(dirname "$0")/lib/panels.sh"
. "$(dirname "$0")/lib/tmux.sh"
need_tmux

# told ROW: the panel's pointer is where its last message put it.
told() {
  tail -n 1 panel.told | grep -q "^$1\$" && return
  tail -n 3 panel.told
  false
}
# The row numbers of the pointers that the panel receives, one a line.
pointers() {
  python3 -c '
import json, sys
for line in sys.stdin:
    change = json.loads(line)
    if change["change"] in ("STATE", "LIFTED"):
        lifted = change["lifted"]
        one = lifted["stagedActionIds"][lifted["currentStateIndex"]]
        print(lifted["actionsById"][str(one)].get("row", 0), flush=True)'
}
# all_see ROW WHO: both terminals show where the app is and who moved it there, the panel where.
all_see() {
  local pane
  for pane in ada bob; do
    shows "is at row $1 · (last )?moved by (you|$2)" || return
    shows "^.◆ .* $1  " || return
  done
  eventually 20 told "$1" || { cat panel.told; false; }
}

spawn "$bin/statesurf" gateway --listen "127.0.0.1:$gate" </dev/null >>gateway.out 2>&1
gateway=$spawned
check "the gateway listens" eventually 40 listens "$gate"
start_todo
printf '%s\n' 'add Milk' 'add Bread' 'add Eggs' >&3
eventually 40 has_rows 4 || not_ok "Todo has three actions behind the gateway's question"

open ada "$bin/statesurf surf Todo --as ada@one" 140
open bob "$bin/statesurf surf Todo --as bob@two" 140
mkfifo panel.in
exec 4<>panel.in
(peer panel.py "ws://127.0.0.1:$gate/socketcluster/" <panel.in 2>panel.err | pointers >panel.told) &
surf_pids+=($!)
for pane in ada bob; do
  check "$pane sees the rows, and the app at the newest" shows '^▸◆ .* 4  add\(Eggs|^▸◆ .* 4  '
done
check "the panel sees the same" eventually 20 told 4

pane=ada
keys Up Up
typed s
check "one moves the app: all see where it is, and the other who it was" all_see 2 ada@one
# By its place: row 1 is the gateway's question.
echo '["jump", 2]' >&4
check "the panel moves it: both see that" all_see 3 redux-devtools
pane=bob
keys Home
typed s
check "the other moves it to the beginning" shows 'is at row 0 .initial. · (last )?moved by you'
check "the panel shows that" eventually 20 told 0
typed u
check "and back: an undo is seen as a move, too" all_see 3 bob@two
typed u
check "who has nothing left to undo is told" shows ' nothing is left to undo'
"$bin/statesurf" list --json --wait 0.5 >list
check "and a command has the app where all have it" grep -q '"row":3[,}]' list
check "the gateway says who it was" grep -q '^⤺ ada@one moved Todo#[0-9]* to row 2' gateway.out
check "and who drove last" eventually 5 grep -q '^⤺ bob@two moved Todo#[0-9]* to row 3' gateway.out
for pane in ada bob; do
  typed q
  check "$pane leaves the terminal as it was" left 0
done
finish
