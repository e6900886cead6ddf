# Sourced after surf.sh: hosts in network namespaces of their own, joined by a bridge. Nothing here
# touches an interface that it did not make.

export PATH="$PATH:/usr/sbin:/sbin"
net=sst$$
net_hosts=()

# net_up HOST…: a namespace for each, with address 10.99.77.1, .2, … on its eth0.
net_up() {
  local host number=0
  ip netns add "$net-bridge" || return 1
  net_hosts=(bridge)
  ip -n "$net-bridge" link add br0 type bridge mcast_snooping 0
  ip -n "$net-bridge" link set br0 up
  for host in "$@"; do
    number=$((number + 1))
    ip netns add "$net-$host" || return 1
    net_hosts+=("$host")
    ip link add eth0 netns "$net-$host" type veth peer name "v$number" netns "$net-bridge"
    ip -n "$net-bridge" link set "v$number" master br0 up
    ip -n "$net-$host" addr add "10.99.77.$number/24" dev eth0
    ip -n "$net-$host" link set lo up
    ip -n "$net-$host" link set eth0 up
    ip -n "$net-$host" route add 224.0.0.0/4 dev eth0
  done
}

# on HOST COMMAND…
on() {
  local host=$1
  shift
  ip netns exec "$net-$host" "$@"
}

# net_lose PERMILLE HOST…: each host drops so much of the UDP that reaches it. Offloads are off, so
# that one drop is one datagram.
net_lose() {
  local permille=$1 host which
  shift
  # nft knows no "thousand in a thousand".
  which="numgen random mod 1000 < $permille"
  [ "$permille" -lt 1000 ] || which=
  for host in "$@"; do
    on "$host" ethtool -K eth0 gso off tso off gro off tx-udp-segmentation off >/dev/null 2>&1
    on "$host" nft flush ruleset
    [ "$permille" -eq 0 ] && continue
    on "$host" nft -f - <<RULES
table ip loss {
  chain early {
    type filter hook prerouting priority -500;
    meta l4proto udp $which drop
  }
}
RULES
  done
}

net_down() {
  local host
  for host in "${net_hosts[@]}"; do ip netns delete "$net-$host" 2>/dev/null; done
  net_hosts=()
}
trap 'surf_end; net_down' EXIT
