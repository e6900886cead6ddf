#!/bin/bash
# Viewers that only observe: on a host of their own they see an app, lost packets are gaps, and not one
# packet leaves the host.
# Usage, as root: Tests/Network/observe.sh .build/release
set -u
bin=$(realpath "$1")
. "$(dirname "$0")/lib/surf.sh"
. "$(dirname "$0")/lib/topology.sh"
net_up app viewer other || { not_ok "namespaces"; finish; exit 1; }
unset STATESURF STATESURF_GROUP
export STATESURF_INTERFACE=eth0

# What the kernel itself sends is not ours: memberships (IGMP, MLD) and neighbour discovery.
on viewer nft -f - <<'RULES'
table inet watch {
  counter sent { }
  chain out {
    type filter hook output priority 0;
    oifname "lo" accept
    ip protocol igmp accept
    meta l4proto ipv6-icmp accept
    counter name sent
  }
}
RULES
sent() { on viewer nft list counter inet watch sent | sed -n 's/.*packets \([0-9]*\) .*/\1/p'; }
nothing_left() { [ "$(sent)" = 0 ]; }
# lose RULE…: what of the UDP that reaches the viewer's host is dropped; without a rule none.
lose() {
  on viewer nft delete table ip loss 2>/dev/null
  [ $# = 0 ] && return
  on viewer nft "add table ip loss; add chain ip loss early { type filter hook prerouting priority -500; }; add rule ip loss early meta l4proto udp $* drop"
}
surf() { on "$1" timeout -k 5 60 "$bin/statesurf" "${@:2}" --interface eth0; }

on viewer ethtool -K eth0 gro off tso off gso off >/dev/null 2>&1
on app ethtool -K eth0 gro off tso off gso off tx-udp-segmentation off >/dev/null 2>&1
spawn on app "$bin/SystemMonitor" --every 0.05 >"$surf_dir/app"
check "an ordinary viewer sees the app" eventually 40 surf other show -i SystemMonitor

spawn surf viewer watch --observe --json >"$surf_dir/seen" 2>"$surf_dir/said"
watcher=$spawned
has() { [ "$(grep -c "$1" "$surf_dir/seen")" -ge "$2" ]; }
check "an observer sees records" eventually 40 has '"event":"record"' 40
check "and their states, from the first whole one on" eventually 40 has '"stateSize"' 20
# On a busy machine the viewer may read only some time after the first sign of life. The gap that
# this leaves before the first record stays: an observer cannot ask for it.
from_first() { sed -n '/"event":"record"/,$p' "$surf_dir/seen"; }
none_is_lost() { ! from_first | grep '"event":"lost"'; }
check "none is lost" none_is_lost
check "it says that it only observes" grep -q '^statesurf: observing only' "$surf_dir/said"
check "nothing has left the host" nothing_left

lose "limit rate 10/second"
sleep 1
lose
check "what did not come is a gap" eventually 40 has '"event":"lost"' 1
rows() { sed -n 's/.*"row":\([0-9]*\),.*"time".*/\1/p' "$1"; }
newest=$(rows "$surf_dir/seen" | tail -n 1)
goes_on() { [ "$(rows "$surf_dir/seen" | tail -n 1)" -gt $((newest + 20)) ]; }
check "and it goes on behind it" eventually 40 goes_on
end "$watcher"
in_order() { rows "$surf_dir/seen" | sort -nc; }
check "in order" in_order
# Each row since the first is either there or in a gap.
is_whole() {
  local first last lost
  first=$(rows "$surf_dir/seen" | head -n 1) last=$(rows "$surf_dir/seen" | tail -n 1)
  lost=$(from_first | sed -n 's/.*"count":\([0-9]*\),"event":"lost".*/\1/p' |
    awk '{ sum += $1 } END { print sum + 0 }')
  [ $(($(rows "$surf_dir/seen" | wc -l) + lost)) = $((last - first + 1)) ] ||
    ! grep -C 1 '"event":"lost"' "$surf_dir/seen"
}
check "each row is there or in the gap" is_whole
check "nothing was asked for" nothing_left

check "an observer lists the app" eval 'surf viewer list --observe | grep -q SystemMonitor'
is_json() { surf viewer show --observe --raw -i SystemMonitor --timeout 20 | python3 -m json.tool; }
check "shows a state that it hears" is_json
check "tells two states apart" surf viewer diff tip~1 tip --observe -i SystemMonitor --timeout 20
check "saves one" surf viewer save "$surf_dir/state" --observe -i SystemMonitor --timeout 20
check "and finds nothing wrong" eventually 40 surf viewer doctor --observe
refused() { grep -q "'--observe'" <<<"$(surf viewer "$@" --observe 2>&1)"; }
check "it moves no app" refused jump 1 -i SystemMonitor
spawn surf viewer gateway --observe --listen 127.0.0.1:0 >"$surf_dir/gate" 2>&1
serves() { grep -q 'use local (custom) server' "$surf_dir/gate"; }
check "a gateway observes too" eventually 20 serves
sleep 2
check "and nothing at all has left the host" nothing_left

surf viewer watch --for 1 >"$surf_dir/ordinary"
check "an ordinary viewer there does send" eval '! nothing_left'
finish
