# Sourced after surf.sh: terminals that tmux draws, for `statesurf surf`. The script goes on in
# $surf_dir, and $pane is the terminal that is meant.

need_tmux() {
  command -v tmux >/dev/null && return
  skip "there is no tmux for a terminal"
  finish
  exit
}
mux() { tmux -S "$surf_dir/mux" -f /dev/null "$@"; }
surf_end_of_mux() { mux kill-server 2>/dev/null; surf_end; }
trap surf_end_of_mux EXIT
# open NAME COMMAND [WIDTH]: a terminal of 100 by 30; its shell notes how the command left it.
open() {
  cat >"$1.run" <<END
stty -g >$1.before
$2
echo \$? >$1.code
stty -g >$1.after
exec cat
END
  TERM=xterm-256color LANG=C.UTF-8 mux new-session -d -s "$1" -x "${3:-100}" -y 30 "bash $1.run"
  pane=$1
}
pane=a
keys() { mux send-keys -t "$pane" "$@"; }
typed() { mux send-keys -t "$pane" -l "$1"; }
screen() { mux capture-pane -p -t "$pane"; }
sees() { screen | grep -qE "$1"; }
shows() { eventually 20 sees "$1" || { screen; false; }; }
restored() {
  eventually 20 test -s "$pane.after" || return 1
  cmp "$pane.before" "$pane.after" && test "$(mux display -p -t "$pane" '#{alternate_on}')" = 0
}
left() { restored && test "$(cat "$pane.code")" = "$1" || { cat "$pane.code"; false; }; }
