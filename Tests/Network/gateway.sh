#!/bin/bash
# The gateway between live apps and peers of independent make: panels and relays in Python written
# from a description of the protocol, python-socketio as client and server, the websockets package.
# Usage: Tests/Network/gateway.sh .build/release
set -u
bin=$(realpath "$1")
. "$(dirname "$0")/lib/surf.sh"
. "$(dirname "$0")/lib/panels.sh"
fixtures=$peers_source/fixtures

stranger() { peer gateway_stranger.py "$@"; }

# begin TAG COMMAND…: a peer that runs beside us; what it says is in TAG.out.
begin() {
  local tag=$1
  shift
  "$@" >"$tag.out" 2>&1 </dev/null &
  begun=$!
  surf_pids+=("$begun")
}

# reached TAG MARKER: the peer has got so far; shows what it said instead.
reached() { eventually 40 test -e "$2" || { cat "$1.out"; return 1; }; }

# went_well PID TAG: the peer has ended, and with success.
went_well() { wait "$1" || { cat "$2.out"; return 1; }; }

# kill_peer PID: kills it, and waits until it is gone.
kill_peer() {
  end "$1" KILL
  wait "$1" 2>/dev/null
}

start_gateway() {
  spawn "$bin/statesurf" gateway "$@" </dev/null >>gateway.out 2>&1
  gateway=$spawned
}
end_gateway() {
  end "$gateway"
  gateway=
}

gateway=
far=$((port + 2))
start_gateway --listen "127.0.0.1:$gate"
check "the gateway listens" eventually 40 listens $gate

# The panel is there before any app is.
begin waiting panel wait_for_app $gate waiting
waiting=$begun
reached waiting waiting
mkfifo prime.in
exec 4<>prime.in
spawn "$bin/PrimeTime" <&4 >>prime.out
prime=$spawned
start_todo
printf 'add Late\n' >&3
check "a panel that was there first sees both apps" reached waiting waiting.seen
kill_peer "$todo"
check "a killed app leaves the panel, the other stays" went_well "$waiting" waiting
check "integers beyond 2^53 of a file come to the app and back as they are" panel integers $gate
prime_holds() { "$bin/statesurf" show tip -i PrimeTime | grep -q -- "$1"; }
check "and it holds them" eventually 40 prime_holds -9223372036854775808
end "$prime"
eventually 40 ended "$prime"

start_todo
printf '%s\n' 'add Milk' 'add Bread' 'add Eggs' >&3
eventually 40 has_rows 4 || not_ok "Todo has three actions"
check "a panel that comes later has the whole history" panel history $gate Milk Bread Eggs
check "a SocketCluster client of independent make, version 1, has it too" peer v1_check.py $gate
check "a jump reaches the other panel and is no action" panel jump $gate 2
check "the app is where the panel jumped" eventually 40 is_at_row 2
check "and has recorded nothing" eventually 40 has_rows 4
check "it jumps back" panel jump $gate 4
check "and is there" eventually 40 is_at_row 4
spawn "$bin/statesurf" watch Todo --json --since 1 >watch.out
watch=$spawned
check "two panels and statesurf watch see one history" panel together $gate watch.out
end "$watch"
check "what is for nobody here does nothing, and nothing comes back" panel strangers $gate
for transports in polling websocket default; do
  "$bin/statesurf" jump tip -i Todo >/dev/null
  check "python-socketio as a client, transport $transports: INIT, ACTION, dispatch" \
    panel socketio_client $gate $transports 1 todo.in
  check "and the app is where it was told to be" eventually 40 is_at_row 2
done
check "a wrong path, Host or Origin is turned away, a right one is not" stranger doors $gate
check "what breaks a protocol is closed with its code" stranger codes $gate
check "what means nothing is ignored" stranger garbage $gate
check "after all that a panel still works" panel jump $gate 3
check "and the app obeys it" eventually 40 is_at_row 3
end "$todo"
eventually 40 ended "$todo"

start_todo
printf '%s\n' 'add Milk' 'add Bread' 'add Eggs' >&3
eventually 40 has_rows 4 || not_ok "Todo has three actions again"
check "every button does what it says, for both panels" panel buttons $gate
check "and statesurf has seen it: the revisions" \
  bash -c "'$bin/statesurf' watch Todo --since 1 --for 1 | grep -q 'revision skip row'"
check "a file of Redux DevTools is imported, names and skipped set" \
  panel imported $gate "$fixtures/lifted.json"
"$bin/statesurf" export session.json -i Todo >/dev/null
check "and what statesurf exports is imported as it was" panel imported $gate session.json
end "$todo"
end_gateway

# A port that the system chooses.
start_gateway --json --listen 127.0.0.1:0 --listen '[::1]:0'
free_port() { sed -n "s/^{\"event\":\"serving\",\"host\":\"$1\",\"port\":\([0-9]*\)}$/\1/p" gateway.out; }
has_free_port() { [ -n "$(free_port "\\[::1\\]")" ]; }
check "port 0 is any free one, and it is told" eventually 40 has_free_port
check "where the gateway serves" eventually 40 listens "$(free_port 127.0.0.1)"
end_gateway

# Relays that the gateway dials.
start_todo
printf '%s\n' 'add Milk' 'add Bread' 'add Eggs' >&3
eventually 40 has_rows 3 || not_ok "Todo has three rows once more"
start_relay() {
  begin relay peer relay.py --port $far
  relay=$begun
  eventually 40 listens $far
}
start_relay
start_gateway --connect "ws://127.0.0.1:$far/socketcluster/"
begin relayed panel relayed $far relayed Milk Bread Eggs
relayed=$begun
check "through a relay like the official one: the whole history" reached relayed relayed.first
check "a jump through it" panel jump $far 1
check "puts the app there" eventually 40 is_at_row 1
check "and is no action: the fourth row is the initial state" eventually 40 has_rows 4
kill_peer "$relay"
start_relay
check "the relay killed and begun again: the whole history again" reached relayed relayed.second
check "a jump through the new one" panel jump $far 2
check "puts the app there, too" eventually 40 is_at_row 2
kill_peer "$todo"
check "a killed app leaves the panel behind the relay" went_well "$relayed" relayed
end_gateway
kill_peer "$relay"

start_todo
printf '%s\n' 'add Milk' 'add Bread' 'add Eggs' >&3
eventually 40 has_rows 3 || not_ok "Todo has three rows at last"
start_gateway --connect "socketio://127.0.0.1:$far"
begin first panel socketio_relay $far 4 1 first
first=$begun
check "python-socketio as the relay: INIT and every ACTION, key for key" reached first first
check "and its dispatch puts the app there" eventually 40 is_at_row 1
kill_peer "$first"
begin second panel socketio_relay $far 4 3 second
check "killed and begun again, it is told all again" reached second second
check "and obeyed again" eventually 40 is_at_row 3
finish
