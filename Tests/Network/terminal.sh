#!/bin/bash
# `statesurf surf` on a terminal that tmux draws: what a person sees and does, from the first screen
# to a terminal that is as it was.
# Usage: Tests/Network/terminal.sh .build/release
set -u
bin=$(realpath "$1")
. "$(dirname "$0")/lib/surf.sh"
. "$(dirname "$0")/lib/tmux.sh"
alone "$(realpath "$0")" "$bin"

on_loopback
cd "$surf_dir" || exit 1
need_tmux
export XDG_CONFIG_HOME=$surf_dir/config
surf() { timeout 20 "$bin/statesurf" "$@"; }
newest() { surf list --json --wait 0.8 | sed -n 's/.*"newestRow":\([0-9]*\).*/\1/p'; }
has_rows() { test "$(newest)" = "$1"; }
is_at() { surf list | grep -q "row $1\$"; }

cat >editor <<'END'
#!/bin/sh
echo "$@" >>editor.args
sed -i s/Milk/Wine/ "$1" 2>/dev/null || true
END
chmod +x editor
mkdir -p demos/Todo && touch demos/Todo/Main.swift
open a "VISUAL= EDITOR=$surf_dir/editor $bin/statesurf"
mux set -s set-clipboard on
check "without an app, the screen says so" shows 'waiting for apps on lo'
mkfifo todo.in
exec 3<>todo.in
spawn "$bin/Todo" <&3 >/dev/null
printf '%s\n' 'add Milk' 'add Bread' 'done 1' 'add Tea' >&3
eventually 40 has_rows 4 || not_ok "Todo has its rows"
check "an app that starts is shown" shows '\[Todo#[0-9]+ ●\]'
check "with its rows, the newest under the cursor" shows '^▸◆ .* 4  '
check "and what that changed" shows '\+ ▸ todos\[2\]'
# Heartbeats come meanwhile.
is_quiet() { : >quiet && mux pipe-pane -t a 'cat >>quiet' && sleep 3 && mux pipe-pane -t a && test ! -s quiet; }
check "while nothing changes, nothing is written" is_quiet
keys Up Up
check "the cursor moves, and following ends" shows '^▸ .* 2  .*'
check "which the first line says" shows 'FOLLOW off'
check "the app has not moved" is_at 4
typed s
check "surfing moves it" eventually 20 is_at 2
check "and is told" shows '✓ moved Todo#[0-9]+ to row 2 · u undoes'
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
# Two of five once the initial state is here. The debugger asks for it if the cursor stays on a row
# that needs it for a second, and this script may be faster.
check "one that is a query shows its rows" shows '^ filter: todos.0..isDone changed · (1 of 4|2 of 5) rows'
keys Escape
check "until it is left" shows '^ no filter · [45] rows'
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
open quick "'$bin/statesurf' surf Todo"
check "another debugger is open" shows '^.◆ .* 4 '
keys C-g
typed 4
keys Enter
check "on the newest row" shows '^▸◆ .* 4 '
typed S
typed quick.json
keys Enter
typed S
# A pipe takes the state when somebody reads it, which is later than the person leaves.
mkfifo later
typed later
keys Enter
typed q
check "one that is left while it saves says so" shows 'statesurf: still writing a file; Ctrl-C'
spawn cat later >got
check "ends once the file is written" left 0
check "has saved the whole state" eval 'surf show 4 --raw | cmp - quick.json'
check "to the pipe, too" eval 'surf show 4 --raw | cmp - got'
check "and leaves nothing beside it" eval '! ls -A | grep statesurf-part'
pane=a
typed R
typed good.json
keys Enter
check "and loaded" shows 'is at row 2'
typed u
check "which can be undone" eventually 20 is_at 4
typed R
typed nothing.json
keys Enter
check "a file that is not there is told" shows "cannot read 'nothing.json'"
check "in its prompt" shows '^ load: nothing.json'
keys Escape
# A key that follows Escape at once would become Alt and that key.
check "until that is left" shows 'more +\? help'
typed '?'
check "help lists the commands" shows 'End G +go to the program.s newest row, and follow it'
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
check "a history is exported" shows '✓ exported [0-9]+ actions? to lifted.json'
check "for Redux DevTools" grep -q '"actionsById"' lifted.json
printf 'lift\n' >&3
typed i
check "the log has its lines alone" shows '▸ .* 6  warning there is no "lift"'
typed i
typed v
check "an app without values is told" shows 'Todo#[0-9]+ shows no values'
typed v
typed :
typed settings
keys Enter Down Down Down Down Down Down Down Down Down Down Down Enter C-u
typed blue
keys Enter
check "a setting is kept" shows '✓ theme.good is kept'
check "in the person's file" grep -qx 'theme.good = blue' "$XDG_CONFIG_HOME/statesurf/settings"
check "and shown" shows 'theme.good +blue +\(line 1\)'
keys Up Enter C-u
typed demos
keys Enter
check "so are the folders of sources" shows '✓ sources is kept'
keys Escape
check "until it is left" shows '^ no filter · [56] rows'
typed g
check "and the rows are there again" shows '^▸ .* 0  \(initial\)'
mux resize-window -t a -x 60 -y 20
check "a narrow terminal stacks the panes" shows '^ row 0.*Diff +\[State\]'
mux resize-window -t a -x 30 -y 8
check "one that is too small is told" shows 'is too small'
mux resize-window -t a -x 100 -y 30
check "and all is there again" shows '^▸ .* 0  \(initial\)'
typed y
check "a first key shows what may follow" shows 'p  copy the path'
typed c
check "what is copied goes to the terminal" shows '✓ the command .* sent to the terminal'
is_copied() { mux show-buffer | grep -qE "$1"; }
check "which keeps it" eventually 20 is_copied "^statesurf show 0 -i 'Todo#[0-9]+'"
typed 2
keys Enter
typed o
opened() { grep -qE '^\+[0-9]+ demos/Todo/Main.swift$' editor.args; }
check "the source of a row is opened in the editor" eventually 20 opened
check "and then the screen is back" shows '^▸ .* 2  '
typed ':'
typed 'edit the state'
keys Enter
check "a state that was edited is loaded" shows '✓ loaded the edited state .* row 7'
typed u
check "and that is undone" eventually 20 is_at 4
paste() { mux set-buffer "$1" && mux paste-buffer -p -t a; }
paste '{"todos":[]}'
check "a state that is pasted is asked about" shows 'load this state into Todo#[0-9]+\?'
keys Escape
check "and not loaded without a yes" shows 'nothing was loaded'
paste "$surf_dir/good.json"
check "so is a file that is dropped" shows 'good.json \([0-9]+ B\):'
keys Enter
check "with a yes it is loaded" shows '✓ loaded .*good.json .* row 2'
typed u
check "until that is undone" eventually 20 is_at 4
typed R
typed goo
keys Tab
check "a path is completed" shows '^ load: good.json'
keys Escape
check "and left again" shows 'more +\? help'
typed 3
keys Enter DC
check "a row is deleted from the view" shows '✓ row 3 is deleted from this view'
typed L
check "the pane is shown as plain text" shows '^-- a key goes back --'
typed x
check "until a key is pressed" shows 'more +\? help'
typed q
check "quitting leaves the terminal as it was" left 0

# Of a shell with jobs: by each signal it has its terminal back, and by Ctrl-Z for as long as it
# wants.
PS1='shell> ' TERM=xterm-256color LANG=C.UTF-8 mux new-session -d -s b -x 100 -y 30 \
  "PS1='shell> ' exec bash --norc --noprofile -i"
pane=b
# The screen's last line is the shell's, and nothing of the debugger is left on it.
is_shell() { screen | grep -v '^$' | tail -n 1 | grep -q '^shell> *$'; }
is_main() { test "$(mux display -p -t b '#{alternate_on}')" = 0 && is_shell && ! sees 'Todo#[0-9]+ ●'; }
# in_shell WORDS: what a person types, until the prompt is there again.
in_shell() { rm -f done && typed "$1; touch done" && keys Enter && eventually 20 test -e done && eventually 20 is_shell; }
viewer() { pgrep -x statesurf -P "$(mux display -p -t b '#{pane_pid}')"; }
same_mode() { in_shell "stty -a >$1" && cmp before "$1"; }
eventually 20 is_shell || not_ok "there is a shell"
in_shell 'stty -a >before' || not_ok "the shell has a mode"
for signal in TERM:143 HUP:129 INT:130; do
  typed "$bin/statesurf surf Todo" && keys Enter
  check "the app that was named is shown" shows '\[Todo#[0-9]+ ●\]'
  kill "-${signal%:*}" "$(viewer)"
  check "by ${signal%:*} the shell has its screen again" eventually 20 is_main
  in_shell 'echo $? >code'
  check "and is told of the signal" test "$(cat code)" = "${signal#*:}"
  check "and has its mode" same_mode "mode.$signal"
done
typed "$bin/statesurf surf Todo" && keys Enter
shows '\[Todo#[0-9]+ ●\]' || not_ok "the debugger begins again"
for round in 1 2; do
  keys C-z
  check "Ctrl-Z gives the shell its screen" eventually 20 is_main
  check "and its mode, time $round" same_mode "mode.$round"
  typed fg && keys Enter
  check "and fg goes on with a whole screen" shows '^.◆ .* 4  .*Tea'
done
typed q
check "quitting leaves the shell its screen" eventually 20 is_main
check "and its mode" same_mode mode.quit

# Files that cannot be written.
full() {
  echo "mkdir small && mount -t tmpfs -o size=16k none small && head -c 16384 /dev/zero >small/fill;"
  echo "$bin/statesurf surf Todo"
}
can_mount() { unshare -m sh -c "mkdir -p try && mount -t tmpfs none try" 2>/dev/null; }
if can_mount; then
  open d "unshare -m bash -c '$(full)'"
  shows '^.◆ .* 4  .*Tea' || not_ok "the debugger begins on a small disk"
  keys C-g
  typed 4
  keys Enter
  shows '^▸◆ .* 4  ' || not_ok "a row is found"
  typed S
  typed small/state.json
  keys Enter
  check "a disk that is full is told" shows 'small/state.json.*: '
  check "and leaves no half of a file" eval '! ls small | grep -v fill'
  keys Escape
  check "and is left" shows 'more +\? help'
  typed q
  check "which is no reason to fail" left 0
else
  skip "this machine allows no small disk"
fi

open locking "$bin/statesurf surf"
check "one that locks is open" shows '^.◆ .* 4  .*Tea'
typed Z
check "the app is locked" shows ' · locked · '
typed 4
keys Enter
check "it looks at a state" shows '^▸◆ .* 4 '
typed S
typed good.json
keys Enter
check "a file that exists is asked about" shows 'replace good.json\?'
typed n
check "and stays" shows 'nothing was written'
typed q
check "who leaves it locked" left 0
check "is told" shows "Todo#[0-9]+ is still locked. Try: statesurf unlock -i 'Todo#[0-9]+'"
surf unlock -i Todo >/dev/null || not_ok "the app is unlocked"
open c "$bin/statesurf surf"
check "a third one starts" shows '^.◆ .* 4  .*Tea'
typed 2
keys Enter
typed s
check "it moves the app, too" eventually 20 is_at 2
echo "add Salt" >&3
check "which goes on from there, in a line of its own" shows '● .* 10  '
check "beside the other future of the row" shows "^▸? +●╮ .* 2  "
kill -KILL "${surf_pids[0]}"
check "an app that was killed is told" shows "Todo#[0-9]+ ○ gone"
typed s
check "and is not moved" shows 'the app is gone; only its history is here'
keys C-c
check "Ctrl-C quits" left 0
check "a pipe is refused" eval '! surf surf >/dev/null </dev/null 2>said && grep -q "Try: statesurf watch" said'
finish
