#!/bin/bash
# Apps that know nothing of StateSurf, connected to the gateway. One is in JavaScript and acts like
# @redux-devtools/remote; two use the library DevTools, over each of its transports. `statesurf
# list`, the debugger and a panel each show all of them together, and can move them.
# Usage: Tests/Network/relayed.sh .build/release
set -u
bin=$(realpath "$1")
here=$(realpath "$(dirname "$0")")
. "$here/lib/surf.sh"
. "$here/lib/panels.sh"
. "$here/lib/tmux.sh"
need_tmux

surf() { "$bin/statesurf" "$@"; }
spawn "$bin/statesurf" gateway --listen "127.0.0.1:$gate" </dev/null >>gateway.out 2>&1
check "the gateway listens" eventually 40 listens "$gate"

mkfifo list.in counter.in cluster.in
exec 3<>list.in 4<>counter.in 5<>cluster.in
NODE_PATH=/usr/share/nodejs spawn node "$here/peers/redux_app.js" "$gate" <&3 >list.out 2>&1
spawn "$bin/CounterProbe" "$gate" <&4 >counter.out
counter=$spawned
spawn "$bin/CounterProbe" "$gate" socketCluster <&5 >cluster.out
cluster=$spawned

lists() { surf list --json --wait 0.5 | grep -c "\"app\":\"$1\""; }
has() { [ "$(lists "$1")" = "$2" ]; }
check "the app of JavaScript is an instance" eventually 40 has List 1
check "so are those of DevTools over Socket.IO and over SocketCluster" eventually 40 has Counter 2

# says FILE LINE: the app has printed it last.
says() { [ "$(tail -n 1 "$1")" = "$2" ]; }

printf '1\n2\n3\n' >&3
printf '+\n+\n+\n' >&4
check "its actions are rows" eventually 40 sh -c "'$bin/statesurf' watch List --json --since 1 --for 1 |
  grep -c '\"kind\":\"action\"' | grep -qx 3"
# Row 1 is the answer to the gateway, which asks every app for its initial state.
check "with their states" sh -c "'$bin/statesurf' show 3 -i List | tr -d ' \n' | grep -qx '\[1,2\]'"
check "and the state that they begin with" sh -c "'$bin/statesurf' show 0 -i List | grep -qx '\[\]'"

check "a jump reaches it" surf jump 2 -i List
check "and it obeys" eventually 20 says list.out "list [1]"
check "as its instance shows" eventually 20 sh -c "'$bin/statesurf' list --wait 0.5 | grep List | grep -q 'row 2'"
check "a dispatch reaches it" surf dispatch '{"type":"add","number":9}' -i List
check "a jump to the newest" surf jump 5 -i List
check "and it obeys that" eventually 20 says list.out "list [1,2,3,9]"
check "an action is left out" surf skip 3 -i List
check "and it obeys that, too" eventually 20 says list.out "list [1,3,9]"
surf dispatch '"add"' -i List >refusal 2>&1 && not_ok "what it refuses is no success"
check "what it refuses is told" grep -q 'Actions must be plain objects' refusal
printf '{"list":[7]}' | surf load - -i List >refusal 2>&1 && not_ok "nor is a state of no row"
check "a state of no row is refused with the reason" grep -q 'only be moved to states' refusal
check "a lock" surf lock -i List
check "and an unlock" surf unlock -i List

for number in 1 2; do
  who=$([ "$number" = 1 ] && echo counter || echo cluster)
  [ "$who" = cluster ] && printf '+\n+\n+\n' >&5
  check "DevTools ($who) counts" eventually 20 says "$who.out" "count 3"
done
for app in $(surf list --json --wait 0.5 | grep '"app":"Counter"' | sed 's/.*"pid":\([0-9]*\).*/\1/'); do
  # Row 1 is the answer to the gateway, which asks every app for its initial state.
  check "a jump reaches Counter#$app" surf jump 2 -i "Counter#$app"
  check "so does a dispatch" surf dispatch '{"add":40}' -i "Counter#$app"
  check "and a skip" surf skip 2 -i "Counter#$app"
  check "and a commit" surf commit --yes -i "Counter#$app"
done
check "both have obeyed (Socket.IO)" eventually 20 says counter.out "count 40"
check "both have obeyed (SocketCluster)" eventually 20 says cluster.out "count 40"

# A panel has each of them once: the app of JavaScript in its own words, the others in ours.
mkfifo panel.in
exec 6<>panel.in
spawn peer panel.py "ws://127.0.0.1:$gate/socketcluster/" <&6 >panel.out
instances() { grep -o '"instanceId": *"[^"]*"' panel.out | sort -u | sed 's/.*"\(.*\)"/\1/'; }
has_instances() { [ "$(instances | wc -l)" = "$1" ]; }
press() { printf '%s\n' "$@" >&6; }
check "a panel has all three" eventually 40 has_instances 3
press '["select","list"]' '["jump",1]'
check "the app of JavaScript obeys the panel's jump" eventually 20 says list.out "list [1]"
is_at() { surf list --json --wait 0.5 | grep "\"app\":\"$1\"" | grep -q "\"row\":$2[,}]"; }
revisions() { surf watch List --json --since 1 --for 1 | grep -c '"command":"jump"'; }
check "and the network hears of it" eventually 20 sh -c "[ \"\$($(declare -f revisions surf); bin=$bin; revisions)\" -ge 2 ]"
press '["dispatch_text","{type: \"add\", number: 5}"]'
check "and its dispatch" eventually 20 grep -q '"number":5' panel.out
press '["jump",5]'
check "and a jump to that" eventually 20 says list.out "list [1,3,9,5]"
for id in $(instances | grep -v list); do press "[\"select\",\"$id\"]" '["dispatch_text","{add: 2}"]'; done
check "Counter obeys the panel's dispatch (Socket.IO)" eventually 20 says counter.out "count 42"
check "Counter obeys the panel's dispatch (SocketCluster)" eventually 20 says cluster.out "count 42"

number=0
for app in $(surf list --wait 0.5 | awk '/#/ { print $1 }'); do
  number=$((number + 1))
  open "app$number" "$bin/statesurf surf $app" 120
  check "the debugger shows $app" shows "$app ●"
  check "with its rows" shows "(add|increment)"
  keys q
done

end "$counter"
check "an app that ends is gone from the list" eventually 40 has Counter 1
end "$cluster"
check "so is the other" eventually 40 has Counter 0
finish
