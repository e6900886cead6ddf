#!/bin/bash
# A viewer that was stopped while the stream filled the link. It catches up at a cost in proportion
# to what it missed. As long as the stream goes on, catching up takes little of the link
# (Protocol.md §12).
# Usage, as root: Tests/Network/catchup.sh .build/release
# STATESURF_LONG=1 stops it for 30 s and not for 6.
set -u
bin=$(realpath "$1")
. "$(dirname "$0")/lib/surf.sh"
. "$(dirname "$0")/lib/topology.sh"
net_up app v1 v2 || { not_ok "namespaces"; finish; exit 1; }
# Slow enough for any machine to fill. Packets that do not fit wait in the sender's socket.
if ! on app tc qdisc add dev eth0 root tbf rate 28mbit burst 32k limit 16m; then
  skip "a slow link: this kernel shapes no traffic"
  finish
  exit
fi

field() { sed -n "s/.*\b$2=\([^ ]*\).*/\1/p" "$1" | tail -n 1; }
probe() { on "$1" "$bin/StreamProbe" "${@:2}" --interface eth0; }
received() { on "$1" awk '/^Udp: [0-9]/ {print $2}' /proc/net/snmp; }

# Of this size one fills a packet, and the link carries 2,500 a second.
size=1300 stopped=16000
[ "${STATESURF_LONG:-}" != 1 ] || stopped=75000
count=$((stopped + 14000))

spawn probe app publish --count $count --size $size --history 500000000 \
  --go "$surf_dir/go" --stop "$surf_dir/stop" >"$surf_dir/app"
publisher=$spawned
following=()
for host in v1 v2; do
  spawn probe $host view --expect $count --size $size --ready "$surf_dir/$host.ready" \
    --seconds 300 >"$surf_dir/$host"
  following+=("$spawned")
done
are_ready() { [ -e "$surf_dir/v1.ready" ] && [ -e "$surf_dir/v2.ready" ]; }
check "two viewers follow" eventually 30 are_ready
touch "$surf_dir/go"
has_come() { [ "$(received v2)" -ge "$1" ]; }
eventually 60 has_come 1000
# Tests/Network/lib/disturbed may stop the viewer too, and then lets it go on: so stop it again.
stopped_until() { end "${following[0]}" STOP && has_come "$1"; }
eventually 300 stopped_until $((stopped + 1000))
before=$(received v2)
end "${following[0]}" CONT
for number in 0 1; do
  host=v$((number + 1))
  wait "${following[$number]}"
  check "$host has every record ($(tail -n 1 "$surf_dir/$host"))" \
    test "$?$(field "$surf_dir/$host" lost) $(field "$surf_dir/$host" records)" = "00 $count"
done
touch "$surf_dir/stop"
wait "$publisher"
echo "# $(cat "$surf_dir/app")"

history=$(field "$surf_dir/app" history) repairs=$(field "$surf_dir/app" repairs)
missed=$(field "$surf_dir/v1" overflows) meanwhile=$(field "$surf_dir/app" meanwhile)
rest=$((count - before))
# Otherwise the history might have ended before it could take too much.
check "much was missed ($missed of $count packets)" test $((missed * 2)) -gt $rest
check "which cost less than three times as much ($history by history, $repairs by repairs)" \
  test $((history + repairs)) -lt $((missed * 3))
# An eighth of the turns, and all of them while nobody has room for the stream.
check "$rest packets of the stream went with $meanwhile of it, less than a third" \
  test $((meanwhile * 3)) -lt $rest
finish
