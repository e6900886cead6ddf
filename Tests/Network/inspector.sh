#!/bin/bash
# The gateway with apps and front ends of RemoteInspector (the websockets package), and apps of the
# network. It checks what each front end receives, octet for octet, and what viewers see.
# Usage: Tests/Network/inspector.sh .build/release
set -u
bin=$(realpath "$1")
. "$(dirname "$0")/lib/surf.sh"
. "$(dirname "$0")/lib/panels.sh"
far=$((port + 2))
url=ws://127.0.0.1:$far

surf() { timeout 20 "$bin/statesurf" "$@"; }
# A line more than what was asked for ends each comparison.
hears() { diff <(printf '%s\n' "$2") "$1.heard"; }
lists() { surf list --json --wait 0.5 | grep -q "\"app\":\"$1\""; }
lacks() { ! lists "$1"; }
front() {
  spawn peer inspector.py front "$1" >"$2.heard" 2>"$2.said"
}

spawn "$bin/statesurf" gateway --listen "127.0.0.1:$gate" --inspector "$far" --no-dnssd \
  </dev/null >gateway.out 2>gateway.said
gateway=$spawned
check "the gateway listens for panels, and for RemoteInspector" eventually 40 listens "$far"
check "and says so" grep -qx "serving ws://127.0.0.1:$far/ws for RemoteInspector" gateway.out

front "$url/ws" first
eventually 40 grep -q 'panel .* (RemoteInspector)' gateway.out || not_ok "the first front end is there"
mkfifo app.in
exec 4<>app.in
spawn peer inspector.py app "$url/" 'FoodNoms/12 CFNetwork/1121.2.2 Darwin/19.3.0' <&4 2>app.said
app=$spawned
cat >&4 <<'LINES'
binary { "type" : "update", "id" : "recipe", "data" : { "name" : "Shake \u00e9\/", "grams" : 1.50e2, "of" : [ ] } }
{"type":"log","message":"saved","level":"Warn","attributesJSON":null}
pieces {"type":"update","id":"recipe food entry","data":{"2":1,"b":9007199254740993,"1":-0}}
{"type":"dance"}
binary no JSON
binary {"type":"log","message":{"deep":[1]},"level":"event"}
{"type":"update","id":"recipe","data":{"name":"Shake"}}
LINES
wanted='{"type":"update","id":"recipe","data":{"name":"Shake é/","grams":1.50e2,"of":[]}}
{"type":"log","message":"saved","level":"Warn","attributesJSON":null}
{"type":"update","id":"recipe food entry","data":{"2":1,"b":9007199254740993,"1":-0}}
{"type":"log","message":{"deep":[1]},"level":"event"}
{"type":"update","id":"recipe","data":{"name":"Shake"}}'
check "a front end hears an app, octet for octet" \
  eventually 40 hears first "$wanted"
check "standard error says what was ignored, and why" test "$(grep -c 'was ignored' gateway.said)" = 2
check "and nothing else" test "$(wc -l <gateway.said)" = 2

front "$url" late
check "a late front end gets the last value of each id" eventually 40 hears late \
  '{"type":"update","id":"recipe food entry","data":{"2":1,"b":9007199254740993,"1":-0}}
{"type":"update","id":"recipe","data":{"name":"Shake"}}'

check "the app is listed by its program's name" eventually 40 lists FoodNoms
surf watch FoodNoms --since 1 --until-records 5 --json >watched
check "and watched: three values" test "$(grep -c '"kind":"update"' watched)" = 3
surf show 3 --payload --raw -i FoodNoms >value
check "a value as it was sent, digit for digit" grep -qF '9007199254740993' value
surf logs FoodNoms >logged
check "its log has its levels" grep -q 'warning saved' logged
check "and one that nobody knows in words" grep -qF 'info    [event] {"deep":[1]}' logged
surf show tip -i FoodNoms >state
check "the state after its last value is all of its values" grep -q "recipe food entry" state
surf diff 3 5 -i FoodNoms >changes
check "and two of them can be compared" grep -qF "recipe.grams" changes
check "but no viewer may set its state" test -z "$(surf reset -i FoodNoms 2>/dev/null)"

# Apps of the network.
mkfifo log.in
exec 5<>log.in
spawn "$bin/LogProbe" Disk <&5
eventually 40 lists Disk || not_ok "Disk is announced"
printf '%s\n' 'error full' disk update >&5
check "an app of the network is heard: its log, and its values under its name" eventually 40 \
  hears first "$wanted
"'{"type":"log","message":"full","level":"error"}
{"type":"log","message":"low disk","level":"warn","attributes":{"free":12,"path":"\/"}}
{"type":"update","id":"Disk/value","data":1}'
start_todo
printf 'add Milk\n' >&3
check "one without values by its state" eventually 40 grep -qF \
  '{"type":"update","id":"Todo","data":{"filter":"all","nextID":2,"todos":[{"id":1,"isDone":false,"title":"Milk"}]}}' \
  first.heard

end "$app"
check "an app that goes is no longer listed" eventually 40 lacks FoodNoms
front "$url/ws" last
eventually 40 grep -q Disk/value last.heard || not_ok "the last front end is there"
check "and a front end that comes then does not get its values" test "$(grep -c recipe last.heard)" = 0
end "$gateway"
check "the gateway ends when told so" eventually 10 ended "$gateway"
finish
