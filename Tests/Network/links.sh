#!/bin/bash
# Every fault of the link between a viewer and an app on another machine: `doctor` names each, and
# its fix.
# Usage, as root: Tests/Network/links.sh .build/release
set -u
bin=$(realpath "$1")
. "$(dirname "$0")/lib/surf.sh"
. "$(dirname "$0")/lib/topology.sh"
net_up desk pi || { not_ok "namespaces"; finish; exit 1; }
export STATESURF_INTERFACE=eth0
unset STATESURF STATESURF_GROUP STATESURF_PORT STATESURF_REALM

surf() { on desk "$bin/statesurf" "$@" --no-dnssd; }

# start [VARIABLE=VALUE…]: Todo on pi, which hears nothing typed.
mkfifo "$surf_dir/typing" && exec 3<>"$surf_dir/typing"
start() {
  [ -z "${app-}" ] || { end "$app" && eventually 20 ended "$app"; }
  spawn on pi env "$@" "$bin/Todo" <&3 >"$surf_dir/todo.out" 2>&1
  app=$spawned
}

# tells MARK CHECK FINDING MEND [OPTION…]: the doctor on desk has such a line.
tells() {
  surf doctor "${@:5}" >"$surf_dir/said" 2>&1
  grep -E "^$1  $2 " "$surf_dir/said" | grep -F -- "$3" | grep -qF -- "  Try: $4" ||
    ! cat "$surf_dir/said"
}
is_well() {
  surf doctor "$@" >"$surf_dir/said" 2>&1 &&
    grep -q '^ok  instances  *1 live: Todo#' "$surf_dir/said" || ! cat "$surf_dir/said"
}
lists() { surf list 2>&1 | grep -F -- "$1"; }

# given ADDRESS/SIZE: the one address of desk.
given() {
  on desk ip addr flush dev eth0
  on desk ip addr add "$1" dev eth0
}
# guard HOST HOOK RULE…: nothing but these rules.
guard() {
  on "$1" nft flush ruleset
  [ $# -eq 1 ] || on "$1" nft -f - <<RULES
table ip guard {
  chain early {
    type filter hook $2 priority 0
$(printf '    %s\n' "${@:3}")
  }
}
RULES
}

start
check "nothing is wrong at first" eventually 20 is_well

# This machine's end.
on desk ip link set eth0 down
check "an interface is down" tells '!!' interface 'it is switched off' 'ip link set eth0 up'
check "and the refused datagrams have the same fix" \
  tells '!!' loop-back 'Network is unreachable' 'ip link set eth0 up'
check "list tells it" lists 'eth0 carries nothing: it is switched off; try: ip link set eth0 up'
on desk ip addr flush dev eth0
check "it is down, and has no address" tells '!!' interface \
  "interface 'eth0' has no IPv4 address: it is switched off" 'ip link set eth0 up'
on desk ip link set eth0 up
check "no address" \
  tells '!!' interface "interface 'eth0' has no IPv4 address" 'get an address by DHCP'
check "list does not deny the interface" lists "interface 'eth0' has no IPv4 address"
check "but one that is not there" tells '!!' interface \
  "no IPv4 interface is named 'eth7'; there are: lo" '--interface with an existing one' \
  --interface eth7
given 10.99.77.1/24
ip -n "$net-bridge" link set v1 down
check "no carrier" eventually 20 tells '!!' interface 'NO-CARRIER' 'plug in the cable of eth0'
check "list tells that, too" lists 'try: plug in the cable of eth0'
ip -n "$net-bridge" link set v1 up
on desk ip link set eth0 multicast off
check "multicast off" \
  tells '!!' interface 'its multicast is switched off' 'ip link set eth0 multicast on'
on desk ip link set eth0 multicast on
on desk ip route add unreachable 224.0.0.0/4
check "a route that forbids multicast does not count" eventually 20 is_well
on desk ip route del unreachable 224.0.0.0/4

# Subnets.
given 10.99.78.1/24
check "another subnet, and no route" tells '!!' repairs 'cannot send to 10.99.77.2:' \
  'give both machines addresses of one subnet, or add a route at both ends: ip route add 10.99.77.2'
on desk ip route add 10.99.77.0/24 dev eth0
check "a route at one end only" tells '!!' repairs \
  'does not answer: 10.99.77.2 is outside of 10.99.78.0/24' 'give both machines addresses of one'
on desk ip route del 10.99.77.0/24
on desk sysctl -qw net.ipv4.conf.eth0.rp_filter=1
check "another subnet, and a kernel that drops what it could not answer" tells ok 'other subnets' \
  'the kernel dropped what came from where no route leads' 'give both machines addresses of one'
on desk sysctl -qw net.ipv4.conf.eth0.rp_filter=0
given 10.99.77.1/32
check "a subnet of one address" tells '!!' repairs 'Network is unreachable' 'give both machines'
given 10.99.77.1/24

# Switches and firewalls.
ip -n "$net-bridge" link set dev v1 type bridge_slave mcast_flood off
check "a switch that keeps multicast back" \
  tells ok instances 'none is live on eth0, 239.255.83.83, port 8383' 'start an app with the same'
check "may need a querier" grep -q 'its IGMP snooping needs a querier' "$surf_dir/said"
ip -n "$net-bridge" link set dev v1 type bridge_slave mcast_flood on
for rule in 'udp dport 8383 drop' 'meta l4proto udp drop'; do
  guard desk input "$rule"
  check "a firewall that lets nothing in: $rule" tells '!!' loop-back 'did not come back' \
    "let UDP to 239.255.83.83, ports 8383 and 8384, in through this machine's firewall"
done
guard desk input 'udp dport != 8383 drop'
check "one that lets no answers in" tells '!!' repairs 'is heard, but does not answer' \
  'let UDP through both ways'
guard desk output 'meta l4proto udp drop'
check "one that lets nothing out" tells '!!' loop-back 'Operation not permitted' \
  "let UDP out through this machine's firewall"
check "names the app that is not asked" grep -q '^!!  repairs .* cannot be asked: ' "$surf_dir/said"
guard desk output 'udp dport 8384 drop'
check "one that lets no probes out" tells '!!' repairs \
  'apps cannot be asked: cannot send to 239.255.83.83:8384' 'let UDP out'
guard desk
guard pi input 'udp dport != 8384 drop'
check "the app's, which lets no requests in" tells '!!' repairs 'is heard, but does not answer' \
  'let UDP through both ways'
guard pi

# Apps on another port, group or interface, and apps of another realm or key.
check "another port" \
  tells ok 'other ports' 'multicast came for ports on which nobody listens here' \
  'use the port of the app: --port here, or STATESURF_PORT there' --port 9000
check "another group" tells ok instances 'none is live on eth0, 239.255.1.1, port 8383' \
  'start an app with the same STATESURF_INTERFACE, STATESURF_GROUP' --group 239.255.1.1
check "another interface" tells ok instances 'none is live on lo' \
  'start an app with the same STATESURF_INTERFACE' --interface lo
check "where no switch is blamed" eval '! grep snooping "$surf_dir/said"'
realm_is_told() {
  surf doctor --realm lab >"$surf_dir/said" 2>&1
  grep -F "1 app of another realm is not shown; --realm '*' shows all" "$surf_dir/said" ||
    ! cat "$surf_dir/said"
}
check "another realm" realm_is_told
check "which is the only thing to fix" eval '! grep "  Try: start" "$surf_dir/said"'
for name in ours theirs; do "$bin/statesurf" key new "$surf_dir/$name" >/dev/null; done
start STATESURF_KEY_FILE="$surf_dir/theirs"
export STATESURF_KEY_FILE=$surf_dir/ours
check "another key" eventually 20 tells ok sealed '1 app sealed under a key that you do not have' \
  'ask for that key: statesurf key list tells its id'
export STATESURF_KEY_FILE=none
check "or none" tells ok sealed '1 app sealed under a key that you do not have' 'ask for that key'
has_no_daemon() { on desk "$bin/statesurf" doctor 2>&1 | grep '^ok  Avahi  *no daemon: .*apt-get'; }
check "no daemon" has_no_daemon

# As long a name as Linux lets a host have: heartbeats carry an octet less.
long=$(printf 'h%.0s' {1..60})wxyz
end "$app" && eventually 20 ended "$app"
spawn on pi unshare -u bash -c 'echo "$1" >/proc/sys/kernel/hostname && exec "$2"' at "$long" \
  "$bin/Todo" <&3 >"$surf_dir/todo.out" 2>&1
shown() { surf list --json | sed -n 's/.*"host":"\([^"]*\)".*/\1/p'; }
check "an app tells the name of its host" eventually 20 eval '[ "$(shown)" = "${long%?}" ]'
for host in "$long" "${long%?}" "${long^^}"; do
  check "and is found under $host" surf reset -i "Todo@$host"
done
finish
