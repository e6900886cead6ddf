#!/bin/bash
# What Sources/Containers.md says, with namespaces in place of containers: three apps that are all
# process 1, one that stays on its loopback and two on a bridge.
# Usage: Tests/Network/containers.sh .build/release
set -u
bin=$(realpath "$1")
. "$(dirname "$0")/lib/surf.sh"
alone "$(realpath "$0")" "$bin"
only_alone "the ways into a container"
unset STATESURF_INTERFACE STATESURF_PORT

surf() { timeout 30 "$bin/statesurf" "$@"; }
is_apart() { [ "$(readlink "/proc/$1/ns/net")" != "$(readlink /proc/self/ns/net)" ]; }

# contains NAME ADDRESS INTERFACE: a container of that name, which runs Todo. Its pid is in $inside.
contains() {
  local outer
  mkfifo "$surf_dir/$1.in"
  spawn env STATESURF_INTERFACE="$3" unshare --net --uts --pid --fork --kill-child --mount-proc \
    bash -c 'hostname "$0" && ip link set lo up && exec 3<>"$1" &&
      until ip route get 239.255.83.83 oif "$STATESURF_INTERFACE" >"$1.route" 2>&1; do sleep 0.1; done
      exec "$2" <&3' "$1" "$surf_dir/$1.in" "$bin/Todo" >"$surf_dir/$1.out" 2>&1
  outer=$spawned
  eventually 10 pgrep -P "$outer" >"$surf_dir/$1.pid"
  inside=$(tail -n 1 "$surf_dir/$1.pid")
  eventually 10 is_apart "$inside"
  ip link add "to-$1" type veth peer name eth0 netns "$inside" && ip link set "to-$1" master docker0 up
  nsenter --target "$inside" --net sh -c \
    "ip address add $2/16 dev eth0 && ip link set eth0 up && ip route add default via 172.17.0.1 &&
      ip route add 224.0.0.0/4 dev lo"
  echo 'add x' >"$surf_dir/$1.in"
}

surf list >"$surf_dir/empty" 2>&1
check "without containers nothing is said of them" eval '! grep -q container "$surf_dir/empty"'
ip link add docker0 type bridge && ip address add 172.17.0.1/16 dev docker0 &&
  ip link set docker0 up
contains web 172.17.0.2 lo
web=$inside
contains db 172.17.0.3 eth0
contains db2 172.17.0.4 eth0

# row NAME OPTION…: its host and rows, as `list` prints them.
lists() {
  local rows=$1
  shift
  [ "$("$@" list --wait 1 2>/dev/null | awk 'NR > 1 { print $1, $3, $4 }' | sort | xargs)" = "$rows" ]
}
on_bridge() { surf "$@" --interface docker0; }
within() { nsenter --target "$web" --net timeout 30 "$bin/statesurf" "$@"; }
check "an app on its container's loopback is heard in that network" \
  eventually 20 lists "Todo#1 web 1" within
check "apps on the bridge are heard on it, and told apart by their hosts" \
  eventually 20 lists "Todo#1 db 1 Todo#1 db2 1" on_bridge
surf list >"$surf_dir/list" 2>&1
check "nobody hears them on the host's loopback" test $? -eq 1
check "which is said, and where to look instead" \
  grep -q 'containers run on docker0 (172.17.0.0/16).*--interface docker0' "$surf_dir/list"
surf doctor >"$surf_dir/doctor" 2>&1
check "the doctor says it as well" grep -q 'containers run on docker0' "$surf_dir/doctor"
on_bridge jump initial -i Todo >"$surf_dir/both" 2>&1
check "a name alone names both, and nothing is sent" grep -q 'names 2 instances' "$surf_dir/both"
on_bridge jump initial -i Todo@db2 >"$surf_dir/one" 2>&1
check "a host names one" grep -q 'is at row 0 (initial) (applied)' "$surf_dir/one"
is_moved() { on_bridge list --wait 1 | grep -q "db2 .*row 0"; }
check "which has moved alone" eventually 20 is_moved
finish
