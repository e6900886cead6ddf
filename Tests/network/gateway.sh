#!/bin/bash
# The gateway between live apps and peers of independent make: panels and relays in Python written
# from a description of the protocol, python-socketio as client and server, the websockets package.
# Usage: Tests/network/gateway.sh .build/release
set -u
bin=$(realpath "$1")
. "$(dirname "$0")/../lib/surf.sh"
. "$(dirname "$0")/../lib/peers.sh"

# Ports of this run's own, and loopback whatever the environment says.
port=$((20000 + $$ % 10000 * 4))
export STATESURF_PORT=$port STATESURF_INTERFACE=lo
unset STATESURF STATESURF_GROUP
fixtures=$(realpath "$(dirname "$0")/../peers/fixtures")
cd "$surf_dir" || exit 1

if ! peers_install; then
  not_ok "the Python peers can be installed"
  finish
  exit 1
fi

app_out() { "$bin/statesurf" list --json --wait 0.5; }
is_at_row() { app_out | grep '"app":"Todo"' | grep -qE "\"row\":$1[,}]"; }
has_rows() { app_out | grep '"app":"Todo"' | grep -qE "\"newestRow\":$1[,}]"; }
listens() { (exec 9<>"/dev/tcp/127.0.0.1/$1") 2>/dev/null; }
panel() { peer gateway_check.py "$@"; }

start_todo() {
  rm -f todo.in
  mkfifo todo.in
  exec 3<>todo.in
  spawn "$bin/Todo" <&3 >>todo.out
  todo=$spawned
}

start_gateway() {
  spawn "$bin/statesurf" gateway "$@" </dev/null >>gateway.out 2>&1
  gateway=$spawned
}

gate=$((port + 1)) far=$((port + 2))
start_gateway --listen "127.0.0.1:$gate"
check "the gateway listens" eventually 10 listens $gate

# The panel is there before any app is.
peer_timeout=60
panel wait_for_app $gate waiting >waiting.out 2>&1 &
waiting=$!
surf_pids+=("$waiting")
eventually 10 test -e waiting
start_todo
printf 'add Late\n' >&3
check "a panel that was there first sees the app" eventually 20 test -e waiting.seen
end "$todo" KILL
check "a killed app leaves the panel" wait "$waiting"

start_todo
printf '%s\n' 'add Milk' 'add Bread' 'add Eggs' >&3
eventually 10 has_rows 3 || not_ok "Todo has three rows"
check "a panel that comes later has the whole history" panel history $gate Milk Bread Eggs
check "a SocketCluster client of independent make, version 1, has it too" peer v1_check.py $gate
check "what is for nobody here does nothing, and nothing comes back" panel strangers $gate
for transports in polling websocket default; do
  "$bin/statesurf" jump tip -i Todo >/dev/null
  check "python-socketio as a client, transport $transports: INIT, ACTION, dispatch" \
    panel socketio_client $gate $transports 2
  check "and the app is where it was told to be" eventually 5 is_at_row 2
done
check "what is wrong gets its code, and only that" panel bad_input $gate
end "$todo"
eventually 5 ended "$todo"

start_todo
printf '%s\n' 'add Milk' 'add Bread' 'add Eggs' >&3
eventually 10 has_rows 3 || not_ok "Todo has three rows again"
check "every button does what it says, for both panels" panel buttons $gate
check "and statesurf has seen it: the revisions" \
  bash -c "'$bin/statesurf' watch Todo --since 1 --for 1 | grep -q 'revision skip row'"
check "a file of Redux DevTools is imported, names and skipped set" \
  panel imported $gate "$fixtures/lifted.json"
"$bin/statesurf" export session.json -i Todo >/dev/null
check "and what statesurf exports is imported as it was" panel imported $gate session.json
end "$todo"
end "$gateway"

# Relays that the gateway dials.
start_todo
printf '%s\n' 'add Milk' 'add Bread' 'add Eggs' >&3
eventually 10 has_rows 3 || not_ok "Todo has three rows once more"
peer_timeout=120
start_relay() {
  rm -f relay.out
  peer relay.py --port $far >relay.out 2>&1 &
  relay=$!
  surf_pids+=("$relay")
  eventually 10 listens $far
}
start_relay
start_gateway --connect "ws://127.0.0.1:$far/socketcluster/"
check "through a relay like the official one: the whole history" panel history $far Milk Bread Eggs
end "$relay" KILL
eventually 5 ended "$relay"
start_relay
check "the relay ended and begun again: the whole history again" panel relayed $far Milk Bread Eggs
end "$gateway"
end "$relay" KILL
eventually 5 ended "$relay"

start_gateway --connect "socketio://127.0.0.1:$far"
check "python-socketio as the relay: INIT and every ACTION, key for key" \
  panel socketio_relay $far 4 1
check "and its dispatch puts the app there" eventually 5 is_at_row 1
check "a relay begun again is told all again" panel socketio_relay $far 4 3
check "and obeyed again" eventually 5 is_at_row 3
finish
