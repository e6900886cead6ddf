#!/bin/bash
# Beyond one LAN: two gateways of two networks, each at its own of two Socket.IO servers that share
# their events by Redis, and monitors on both, all on loopback.
# Usage: Tests/Network/cluster.sh .build/release
set -u
bin=$(realpath "$1")
here=$(realpath "$(dirname "$0")")
. "$here/lib/surf.sh"

. "$here/lib/peers.sh"
python=$peers_dir/bin/python
need_peers

apt_redis() {
  # Keep the installed server from starting: it would take the usual port.
  local guard=/usr/sbin/policy-rc.d status
  if [ -e $guard ]; then guard=; else printf '#!/bin/sh\nexit 101\n' >$guard && chmod +x $guard; fi
  apt-get update -qq &&
    DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends redis-server
  status=$?
  [ -z "$guard" ] || rm -f "$guard"
  return $status
}
if ! command -v redis-server >/dev/null && ! fetched apt_redis >"$surf_dir/apt" 2>&1; then
  skip "two Socket.IO servers: redis-server cannot be installed: $(tail -n 1 "$surf_dir/apt")"
  finish
  exit
fi

alone "$here/cluster.sh" "$bin"
on_loopback 5
# Two networks that do not hear each other: two ports.
near=$port far=$((port + 2)) redis=$((port + 4))
surf() { STATESURF_PORT=$1 "$bin/statesurf" "${@:2}"; }
row_of() { surf "$1" list --json --wait 0.8 | grep "\"app\":\"$2\"" | sed 's/.*"row":\([^,}]*\).*/\1/'; }
is_at() { test "$(row_of "$1" "$2")" = "$3"; }
port_of() { sed -n 's/listening //p' "$surf_dir/$1"; }
saw() { grep -q "$2" "$surf_dir/$1"; }
# field NAME FILE PATTERN: of the first line with the pattern.
field() { grep -m 1 "$3" "$surf_dir/$2" | sed "s/.*\"$1\":\"\([^\"]*\)\".*/\1/"; }

spawn redis-server --bind 127.0.0.1 --port "$redis" --save '' --appendonly no --dir "$surf_dir" \
  >"$surf_dir/redis"
eventually 40 saw redis 'Ready to accept' || sed 's/^/# /' "$surf_dir/redis"
for side in a b; do
  spawn "$python" "$here/peers/cluster_relay.py" --redis "redis://127.0.0.1:$redis" \
    >"$surf_dir/relay.$side" 2>"$surf_dir/relay.$side.errors"
done
for side in a b; do eventually 40 saw "relay.$side" listening || cat "$surf_dir/relay.$side.errors"; done
a=127.0.0.1:$(port_of relay.a) b=127.0.0.1:$(port_of relay.b)

mkfifo "$surf_dir/monitor.a" "$surf_dir/monitor.b" "$surf_dir/todo"
exec 3<>"$surf_dir/monitor.a" 4<>"$surf_dir/monitor.b" 5<>"$surf_dir/todo"
spawn "$python" "$here/peers/cluster_monitor.py" "http://$a" <&3 >"$surf_dir/seen.a"
spawn "$python" "$here/peers/cluster_monitor.py" "http://$b" <&4 >"$surf_dir/seen.b"
for side in a b; do eventually 40 saw "seen.$side" connected; done
# A server subscribes once it has its first client.
subscribed() { test "$(redis-cli -p "$redis" pubsub numsub statesurf | tail -n 1)" = 2; }
check "both servers subscribe to Redis" eventually 40 subscribed

STATESURF_PORT=$near spawn "$bin/Todo" <&5 >"$surf_dir/todo.out"
mkfifo "$surf_dir/prime"
exec 6<>"$surf_dir/prime"
STATESURF_PORT=$far spawn "$bin/PrimeTime" <&6 >"$surf_dir/prime.out"
printf 'add Buy milk\nadd Call Bob\nadd Fly\n' >&5
printf '+\n+\n' >&6
eventually 40 is_at "$near" Todo 3
eventually 40 is_at "$far" PrimeTime 2
STATESURF_PORT=$near spawn "$bin/statesurf" gateway --connect "socketio://$a" >"$surf_dir/gateway.a"
STATESURF_PORT=$far spawn "$bin/statesurf" gateway --connect "socketio://$b" >"$surf_dir/gateway.b"

check "a monitor on the other server sees the app" \
  eventually 40 saw seen.b '"type":"INIT".*"name":"Todo#'
todo=$(field instanceId seen.b '"name":"Todo#')
check "and each of its actions" eventually 40 saw seen.b "\"type\":\"ACTION\".*Fly.*$todo"
count() { test "$(grep '"type":"ACTION"' "$surf_dir/$1" | grep -c "$2")" = "$3"; }
check "once" eventually 40 count seen.b "$todo" 3
check "a monitor on the first sees the app of the other network" \
  eventually 40 saw seen.a '"type":"INIT".*"name":"PrimeTime#'
prime=$(field instanceId seen.a '"name":"PrimeTime#')
check "and both have names of their own" test -n "$todo" -a -n "$prime" -a "$todo" != "$prime"

jump() { echo "{\"type\":\"JUMP_TO_ACTION\",\"actionId\":$1,\"instanceId\":\"$2\"}"; }
jump 1 "$todo" >&4
check "a jump from the other server is made" eventually 40 is_at "$near" Todo 1
check "the other app stays where it was" eventually 40 is_at "$far" PrimeTime 2
jump 0 "$prime" >&3
check "and one the other way" eventually 40 is_at "$far" PrimeTime 0
check "in the app" eventually 40 saw prime.out '^count 0 '
check "leaves the first app" eventually 40 is_at "$near" Todo 1
jump 2 nobody >&3
printf 'add Sleep\n' >&5
check "a live action arrives everywhere" eventually 40 saw seen.a "\"type\":\"ACTION\".*Sleep.*$todo"
check "a jump that names an unknown app moves none" eventually 40 is_at "$far" PrimeTime 0

# mixed FILE ID WORDS: lines of that instance with the other's words.
mixed() { grep -F "$2" "$surf_dir/$1" | grep -qE "$3"; }
for side in a b; do
  check "no history on server $side holds the other app's" \
    eval "! mixed seen.$side '$prime' 'milk|Bob|todos' && ! mixed seen.$side '$todo' 'favourites'"
done
exec 6>&-
finish
