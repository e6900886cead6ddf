#!/bin/bash
# A gateway among guests that promise megabytes and send nothing, guests that read nothing, and
# guests by the thousand: it allocates nothing for them, and still serves a panel.
# Usage: Tests/Network/besieged.sh .build/release
set -u
bin=$(realpath "$1")
here=$(realpath "$(dirname "$0")")
. "$here/lib/surf.sh"
. "$here/lib/panels.sh"

spawn "$bin/statesurf" gateway --listen "127.0.0.1:$gate" </dev/null >>gateway.out 2>&1
gateway=$spawned
eventually 40 listens "$gate" || not_ok "the gateway listens"
start_todo
printf 'add Milk\n' >&3
eventually 40 has_rows 2 || not_ok "Todo has an action"

# attacked ROW WHAT SCENARIO ARGUMENT…: the app can still be put into that row.
attacked() {
  local row=$1 what=$2 scenario=$3
  shift 3
  check "$what" peer gateway_attack.py "$scenario" "$gate" "$gateway" "$@"
  sed 's/^/# /' "$surf_dir/check.out"
  check "and then a panel moves the app" panel jump "$gate" "$row"
  check "which obeys" eventually 40 is_at_row "$row"
}
attacked 2 "promises take no room" totals
attacked 2 "a crowd that is turned away keeps no panel out" flood
attacked 603 "panels that read nothing take little room, and one that reads has the last action" \
  slow todo.in 600
finish
