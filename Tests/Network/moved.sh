#!/bin/bash
# A viewer whose address changes while its link loses a tenth: another address, another port behind
# a NAT, an interface that goes away for a while. The viewer still gets every record.
# Usage, as root: Tests/Network/moved.sh .build/release
set -u
bin=$(realpath "$1")
. "$(dirname "$0")/lib/surf.sh"
. "$(dirname "$0")/lib/topology.sh"
net_up app v1 v2 || { not_ok "namespaces"; finish; exit 1; }

field() { sed -n "s/.*\b$2=\([^ ]*\).*/\1/p" "$1" | tail -n 1; }
probe() { on "$1" "$bin/StreamProbe" "${@:2}" --interface eth0; }
# The port of the viewer's own socket, bound to this address: /proc has it in hexadecimal.
port_of() {
  local hex
  hex=$(on v1 awk -v ip="$1" '$2 ~ "^" ip ":" { split($2, a, ":"); print a[2]; exit }' /proc/net/udp)
  [ -n "$hex" ] && echo $((16#$hex))
}

# Its data is sent for some seconds after each change, so that it has something to ask for.
rate=500 pause=2
count=$((rate * (pause * 4 + 1)))

new_address() {
  on v1 ip addr flush dev eth0
  on v1 ip addr add 10.99.77.50/24 dev eth0
  on v1 ip route add 224.0.0.0/4 dev eth0
}

# Stateless, so that nothing of the former port lingers: what leaves from the port leaves from
# another, and what comes for that one is for the port.
new_port() {
  local port
  port=$(port_of 324D630A) || return 1
  on v1 nft -f - <<RULES
table ip nat_out {
  chain out { type filter hook postrouting priority 0; udp sport $port udp sport set 45454; }
}
table ip nat_in {
  chain in { type filter hook prerouting priority -450; udp dport $port drop; udp dport 45454 udp dport set $port; }
}
RULES
}

away() {
  on v1 ip link set eth0 down
  sleep 0.5
  on v1 ip link set eth0 up
  on v1 ip route replace 224.0.0.0/4 dev eth0
}

net_lose 100 v1 v2
spawn probe app publish --count $count --size 1000 --rate $rate --go "$surf_dir/go" \
  --stop "$surf_dir/stop" >"$surf_dir/app"
publisher=$spawned
watching=()
# Less than the 30 s after which the cookie is renewed anyway.
for host in v1 v2; do
  spawn probe $host view --expect $count --size 1000 --ready "$surf_dir/$host.ready" --seconds 25 \
    >"$surf_dir/$host"
  watching+=("$spawned")
done
both_are_ready() { [ -e "$surf_dir/v1.ready" ] && [ -e "$surf_dir/v2.ready" ]; }
check "two viewers follow" eventually 30 both_are_ready
touch "$surf_dir/go"
sleep 1
new_address
sleep $pause
check "the viewer's socket is bound to the new address" port_of 324D630A
check "a NAT gives it another port" new_port
sleep $pause
away
for number in 0 1; do
  host=v$((number + 1))
  wait "${watching[$number]}"
  check "$host has every record ($(tail -n 1 "$surf_dir/$host"))" \
    test "$?$(field "$surf_dir/$host" lost) $(field "$surf_dir/$host" records)" = "00 $count"
done
touch "$surf_dir/stop"
wait "$publisher"
# Else nothing was asked from where the cookie proves nothing, and nothing was tried.
check "the app dropped requests from where no cookie proved them ($(tail -n 1 "$surf_dir/app"))" \
  test "$(field "$surf_dir/app" dropped)" -gt 0
finish
