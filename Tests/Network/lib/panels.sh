# Sourced after surf.sh, by the scripts about panels: they run alone, in $surf_dir, with peers of
# independent make; the gateway's port is $gate.

. "$(dirname "${BASH_SOURCE[0]}")/peers.sh"
need_peers
alone "$(realpath "$0")" "$bin"
on_loopback 4
gate=$((port + 1))
cd "$surf_dir" || exit 1

panel() { peer gateway_check.py "$@"; }
listens() { (exec 9<>"/dev/tcp/127.0.0.1/$1") 2>/dev/null; }
todo_is() { "$bin/statesurf" list --json --wait 0.5 | grep '"app":"Todo"' | grep -qE "\"$1\":$2[,}]"; }
has_rows() { todo_is newestRow "$1"; }
is_at_row() { todo_is row "$1"; }

# A gateway that runs, whose pid is in $gateway, asks the app for its initial state: then row 1 is
# the answer.
gateway=
start_todo() {
  rm -f todo.in
  mkfifo todo.in
  exec 3<>todo.in
  spawn "$bin/Todo" <&3 >>todo.out
  todo=$spawned
  [ -z "$gateway" ] || eventually 40 has_rows 1 || not_ok "the gateway asks Todo"
}
