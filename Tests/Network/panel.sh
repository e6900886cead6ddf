#!/bin/bash
# A panel (Tests/Network/peers/panel.py) beside apps that stop at a breakpoint and resume, that two
# panels move about, and that act faster than a panel can draw.
# Usage: Tests/Network/panel.sh .build/release
set -u
bin=$(realpath "$1")
. "$(dirname "$0")/lib/surf.sh"
. "$(dirname "$0")/lib/panels.sh"

spawn "$bin/statesurf" gateway --listen "127.0.0.1:$gate" </dev/null >>gateway.out 2>&1
check "the gateway listens" eventually 40 listens "$gate"

pauses=3
[ "${STATESURF_LONG:-0}" = 1 ] && pauses="3 10 60"
for pause in $pauses; do
  start_todo
  printf '%s\n' 'add Milk' 'add Bread' 'add Eggs' >&3
  eventually 40 has_rows 4 || not_ok "Todo has three actions, and the gateway has asked"
  spawn "$bin/statesurf" watch Todo --json --since 1 >watch.out
  watch=$spawned
  eventually 40 grep -q '"name":"add.*Eggs' watch.out || not_ok "watch has three actions"
  kill -STOP "$todo"
  sleep "$pause"
  kill -CONT "$todo"
  check "after a pause of $pause s the panel has the whole history" \
    panel history "$gate" Milk Bread Eggs
  check "and can jump" panel jump "$gate" 2
  check "and the app obeys" eventually 40 is_at_row 2
  printf 'add Tea\n' >&3
  check "and what comes then is shown" panel history "$gate" Milk Bread Eggs Tea
  eventually 40 grep -q '"name":"add.*Tea' watch.out || not_ok "watch has the fourth"
  check "watch has seen each once" \
    [ "$(grep -c '"kind":"action"' watch.out)" = 4 ]
  end "$watch"
  end "$todo"
  eventually 40 ended "$todo" || not_ok "Todo ends"
done

# What the app, another viewer and the gateway know, in case the panels disagree.
pointers() {
  panel pointers "$gate" "$1" && return
  "$bin/statesurf" list --json --wait 1
  "$bin/statesurf" watch Todo --json --since 1 --for 2
  echo "gateway.out:"
  tail -n 20 gateway.out
  return 1
}

seeds=1
[ "${STATESURF_LONG:-0}" = 1 ] && seeds="1 2 3 4 5 6 7 8 9 10"
for seed in $seeds; do
  start_todo
  printf '%s\n' 'add Milk' 'add Bread' 'add Eggs' >&3
  eventually 40 has_rows 4 || not_ok "Todo has three actions once more"
  check "both pointers are where the app is, whoever moved it (seed $seed)" \
    pointers "$seed"
  end "$todo"
  eventually 40 ended "$todo" || not_ok "Todo ends"
done

# More than a gateway keeps.
spawn "$bin/StreamProbe" publish --port "$port" --count 80 --size 1000000 --rate 20 \
  --history 268435456 --go /dev/null --stop stop >>probe.out 2>&1
probe=$spawned
has_states() { "$bin/statesurf" list --json --wait 0.5 | grep -q '"newestRow":80[,}]'; }
eventually 40 has_states || not_ok "StreamProbe has 80 states of a megabyte"
check "a state that the gateway had to drop is had from the app by who jumps there" \
  panel dropped "$gate" 80 1000000
end "$probe"
eventually 40 ended "$probe" || not_ok "StreamProbe ends"

count=2500
[ "${STATESURF_LONG:-0}" = 1 ] && count=60000
start_todo
printf 'add Milk\n' >&3
eventually 40 has_rows 2 || not_ok "Todo has an action"
check "1,000 actions a second are few frames, and nothing is missing" \
  panel pace "$gate" todo.in "$count"
grep 'octets/s' check.out | sed 's/^/# /'
finish
