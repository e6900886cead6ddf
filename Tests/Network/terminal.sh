#!/bin/bash
# `statesurf surf` on a terminal that tmux draws: what a person sees and does, from the first screen
# to a terminal that is as it was.
# Usage: Tests/Network/terminal.sh .build/release
set -u
bin=$(realpath "$1")
. "$(dirname "$0")/lib/surf.sh"
alone "$(realpath "$0")" "$bin"

on_loopback
cd "$surf_dir" || exit 1
if ! command -v tmux >/dev/null; then
  skip "there is no tmux for a terminal"
  finish
  exit
fi
export XDG_CONFIG_HOME=$surf_dir/config
surf() { timeout 20 "$bin/statesurf" "$@"; }
mux() { tmux -S "$surf_dir/mux" -f /dev/null "$@"; }
surf_end_of_mux() { mux kill-server 2>/dev/null; surf_end; }
trap surf_end_of_mux EXIT
# open NAME COMMAND: a terminal of 100 by 30, on which a shell notes how the command left it.
open() {
  cat >"$1.run" <<EOF
stty -g >$1.before
$2
echo \$? >$1.code
stty -g >$1.after
exec cat
EOF
  TERM=xterm-256color LANG=C.UTF-8 mux new-session -d -s "$1" -x 100 -y 30 "bash $1.run"
}
pane=a
keys() { mux send-keys -t "$pane" "$@"; }
typed() { mux send-keys -t "$pane" -l "$1"; }
screen() { mux capture-pane -p -t "$pane"; }
sees() { screen | grep -qE "$1"; }
shows() { eventually 20 sees "$1" || { screen; false; }; }
newest() { surf list --json --wait 0.8 | sed -n 's/.*"newestRow":\([0-9]*\).*/\1/p'; }
has_rows() { test "$(newest)" = "$1"; }
is_at() { surf list | grep -q "row $1\$"; }
restored() {
  eventually 20 test -s "$pane.after" || return 1
  cmp "$pane.before" "$pane.after" && test "$(mux display -p -t "$pane" '#{alternate_on}')" = 0
}
left() { restored && test "$(cat "$pane.code")" = "$1" || { cat "$pane.code"; false; }; }

open a "$bin/statesurf"
check "without an app, the screen says so" shows 'waiting for apps on lo'
mkfifo todo.in
exec 3<>todo.in
spawn "$bin/Todo" <&3 >/dev/null
printf '%s\n' 'add Milk' 'add Bread' 'done 1' 'add Tea' >&3
eventually 40 has_rows 4 || not_ok "Todo has its rows"
check "an app that starts is shown" shows '\[1 Todo#[0-9]+ ●\]'
check "with its rows, the newest under the cursor" shows '^▸◆ .* 4  '
check "and what that changed" shows '\+ todos\[2\]'
# Heartbeats come meanwhile.
is_quiet() { : >quiet && mux pipe-pane -t a 'cat >>quiet' && sleep 3 && mux pipe-pane -t a && test ! -s quiet; }
check "while nothing changes, nothing is written" is_quiet
keys Up Up
check "the cursor moves, and following ends" shows '^▸ .* 2  .*'
check "which the first line says" shows 'FOLLOW off'
check "the app has not moved" is_at 4
typed s
check "surfing moves it" eventually 20 is_at 2
check "and is told" shows '✓ Todo#[0-9]+ is at row 2 · u undoes'
check "the mark of the app goes with it" shows '^▸◆ .* 2  '
check "and everybody sees who did it" shows '⤺ .* moved the app from row 4 to row 2'
typed u
check "undo moves it back" eventually 20 is_at 4
typed /
typed bread
check "a search shows what it finds" shows 'find: bread +1 of 1'
keys Enter
check "and the row" shows '^▸ .* 2  '
typed f
typed 'knd:log'
check "a filter that is no query is told" shows "filter: knd:log +column 1: unknown field 'knd:'. Did you mean 'kind:'"
keys C-u
typed 'todos[0].isDone changed'
check "one that is a query shows its rows" shows '^ filter: todos.0..isDone changed · 1 of 4 rows'
keys Escape
check "until it is left" shows '^ no filter · 4 rows'
typed ]
check "the state is a tree" shows '▸ todos: \['
keys Tab Down Down Down
typed '*'
check "the rows that wrote a place are found" shows '^ find: todos changed +[0-9] of [0-9] +n N'
keys Tab
typed S
typed good.json
keys Enter
check "a state is saved" shows '✓ saved good.json'
check "as it was recorded" eval 'surf show 2 --raw | cmp - good.json'
typed R
typed good.json
keys Enter
check "and loaded" shows 'is at a state that is in no row'
typed u
check "which can be undone" eventually 20 is_at 4
typed R
typed nothing.json
keys Enter
check "a file that is not there is told" shows "! cannot read 'nothing.json'"
typed '?'
check "help lists the commands" shows 'End G +to the newest row, and follow it'
typed 'first row'
keys Enter
check "finds them, and runs them" shows '^▸ .* 0  \(initial\)'
typed :
typed commit
keys Enter
check "what cannot be undone is asked" shows 'commit Todo#[0-9]+\?'
typed n
check "and a no does nothing" eval 'sleep 0.5; is_at 4'
typed :
typed export
keys Enter
typed lifted.json
keys Enter
check "a history is exported" shows '✓ exported 4 rows to lifted.json'
check "for Redux DevTools" grep -q '"actionsById"' lifted.json
printf 'lift\n' >&3
typed w
check "the log has its lines alone" shows '▸ .* 5  warning there is no "lift"'
typed w
typed v
check "an app without values is told" shows 'Todo#[0-9]+ shows no values'
typed v
typed :
typed settings
keys Enter Down Down Down Down Down Down Down Down Down Enter C-u
typed blue
keys Enter
check "a setting is kept" shows '✓ theme.good is kept'
check "in the person's file" grep -qx 'theme.good = blue' "$XDG_CONFIG_HOME/statesurf/settings"
check "and shown" shows 'theme.good +blue +\(line 1\)'
keys Escape
check "until it is left" shows '^ no filter · 5 rows'
typed g
check "and the rows are there again" shows '^▸ .* 0  \(initial\)'
mux resize-window -t a -x 60 -y 20
check "a narrow terminal stacks the panes" shows '^ row 0.*Diff +\[State\]'
mux resize-window -t a -x 30 -y 8
check "one that is too small is told" shows 'is too small'
mux resize-window -t a -x 100 -y 30
check "and all is there again" shows '^▸ .* 0  \(initial\)'
typed q
check "quitting leaves the terminal as it was" left 0

# By signals, and with the app gone.
pane=b
open b "$bin/statesurf surf Todo"
check "the app that was named is shown" shows '\[1 Todo#[0-9]+ ●\]'
pkill -TERM -x statesurf -P "$(mux display -p -t b '#{pane_pid}')"
check "a signal leaves the terminal as it was" left 143
pane=c
open c "$bin/statesurf surf"
check "a third one starts" shows '^ ◆ .* 4  .*Tea'
exec 3>&-
end "${surf_pids[0]}"
check "an app that goes is told" shows 'Todo#[0-9]+ ○ gone'
typed s
check "and is not moved" shows 'the app is gone; only its history is here'
keys C-c
check "Ctrl-C quits" left 0
check "a pipe is refused" eval '! surf surf >/dev/null </dev/null 2>said && grep -q "Try: statesurf watch" said'
finish
