#!/bin/bash
# Guests that take more than their share of an app: uploads that promise 64 MiB and never arrive,
# and readers that want the whole past but have no room. The app reserves nothing for uploads that
# do not arrive. All others have every record, as fast as before.
# Usage: Tests/Network/greedy.sh .build/release
set -u
bin=$(realpath "$1")
here=$(realpath "$(dirname "$0")")
. "$here/lib/surf.sh"
alone "$(realpath "$0")" "$bin"
command -v python3 >/dev/null || { skip "greedy guests (no python3)"; finish; exit; }
export PYTHONDONTWRITEBYTECODE=1
on_loopback

guest() { timeout -k 5 60 python3 "$here/foreign/attack.py" "$@" --port "$STATESURF_PORT"; }
viewer() { timeout -k 5 60 python3 "$here/foreign/viewer.py" --port "$STATESURF_PORT" "$@"; }
says() { grep -qF "$1" <("${@:2}" 2>&1); }
# The writable memory of a process in kB, used or not.
claimed() { awk '/^VmData:/ {print $2}' "/proc/$1/status"; }

mkfifo "$surf_dir/prime.in"
exec 3<>"$surf_dir/prime.in"
spawn "$bin/PrimeTime" <&3 >"$surf_dir/prime.out"
app=$spawned
echo '{"answer":"","count":7,"favourites":[]}' >"$surf_dir/state"
is_reset() { says '"outcome": "applied"' viewer --app PrimeTime --timeout 5 --reset "$surf_dir/state"; }
check "an app is reset" eventually 20 is_reset
before=$(claimed "$app")
check "20,000 uploads promise 64 MiB" guest totals --app PrimeTime --count 20000
grown=$(($(claimed "$app") - before))
echo "# $grown kB more"
check "the app claims no room for them" test $grown -lt 32768
echo + >&3
check "it goes on" eventually 10 eval 'tail -n 1 "$surf_dir/prime.out" | grep -q "^count 8 "'
check "and is reset by others as soon as those have run out" eventually 15 is_reset

# 40 MB are five seconds, at the least that a stream flows (Protocol.md §12).
count=8000
probe() { timeout -k 5 120 "$bin/StreamProbe" "$@" --port "$STATESURF_PORT"; }
field() { sed -n "s/.*\b$2=\([^ ]*\).*/\1/p" "$1" | tail -n 1; }
spawn probe publish --count $count --size 5000 --history 67108864 --go "$surf_dir/go" \
  --stop "$surf_dir/stop" >"$surf_dir/app"
publisher=$spawned
spawn probe view --expect $count --size 5000 --ready "$surf_dir/ready" --seconds 60 >"$surf_dir/view"
reader=$spawned
for seed in 1 2 3; do
  spawn guest slow --app StreamProbe --seconds 30 --seed $seed >"$surf_dir/slow.$seed"
done
all_are_there() { [ -e "$surf_dir/ready" ] && [ "$(cat "$surf_dir"/slow.* | grep -c met)" = 3 ]; }
check "a reader, and three who read nothing" eventually 30 all_are_there
began=$SECONDS
touch "$surf_dir/go"
wait "$reader"
check "the reader has every record ($(tail -n 1 "$surf_dir/view"))" \
  test "$?$(field "$surf_dir/view" lost) $(field "$surf_dir/view" records)" = "00 $count"
check "in time ($((SECONDS - began)) s)" test $((SECONDS - began)) -lt 20
touch "$surf_dir/stop"
wait "$publisher"
echo "# $(head -n 1 "$surf_dir/app")"
check "the app grew by no more than its history ($(field "$surf_dir/app" growthKB) kB)" \
  test "$(field "$surf_dir/app" growthKB)" -lt 131072

# Messages that never end, from clients of a gateway.
resident() { awk '/^VmRSS:/ {print $2}' "/proc/$1/status"; }
port=$((20000 + RANDOM % 10000))
spawn "$bin/statesurf" gateway --listen "127.0.0.1:$port" --no-dnssd >"$surf_dir/gateway"
gateway=$spawned
listens() { (: <"/dev/tcp/127.0.0.1/$port") 2>/dev/null; }
check "a gateway listens" eventually 20 listens
before=$(resident "$gateway")
mkfifo "$surf_dir/panels.in"
exec 4<>"$surf_dir/panels.in"
spawn python3 "$here/foreign/greedy_panels.py" "$port" 24 50 <&4 >"$surf_dir/panels"
panels=$spawned
check "24 clients send 50 MiB each of messages that do not end" \
  eventually 60 test -s "$surf_dir/panels"
read -r longest closed <"$surf_dir/panels"
echo "# $(($(resident "$gateway") - before)) kB more, $closed closed, and an honest client waited" \
  "$longest ms at most"
is_bounded() { [ $(($(resident "$gateway") - before)) -lt 196608 ]; }
check "the gateway keeps 128 MiB of them, and a little more" eventually 10 is_bounded
check "by closing others" test "$closed" -gt 15
echo >&4
eventually 20 ended "$panels" || not_ok "the clients leave"
is_small() { [ $(($(resident "$gateway") - before)) -lt 16384 ]; }
check "and gives the memory back when they have left" eventually 10 is_small
end "$gateway"

# Guests that send as much as they can.
hosts() {
  spawn "$bin/statesurf" gateway --listen "127.0.0.1:$port" --inspector "$((port + 1))" --no-dnssd \
    >"$surf_dir/gateway"
  gateway=$spawned
  eventually 20 listens && sleep 0.5
  before=$(resident "$gateway")
  mkfifo "$surf_dir/$1.in"
  exec 5<>"$surf_dir/$1.in"
  spawn python3 "$here/foreign/greedy_guests.py" "$port" "$((port + 1))" "$@" <&5 \
    >"$surf_dir/$1.out"
  guests=$spawned
}
told() { test -s "$surf_dir/$1.out"; }
waits() { echo "# idle, an answer took $1 ms at most; meanwhile $3 ms at the median, $4 ms at most"; }
leaves() {
  echo >&5
  eventually 20 ended "$guests" || not_ok "the guests leave"
  left=$(date +%s)
  check "and gives their memory back when they have left" eventually 60 is_near
  echo "# $(($(date +%s) - left)) s after they had left"
  end "$gateway"
  eventually 10 ended "$gateway"
}
is_near() { [ $(($(resident "$gateway") - before)) -lt 49152 ]; }

port=$((port + 2))
hosts burst 20000 20000
check "one guest has 20,000 values of different ids" eventually 120 told burst
read -r median most busy_median busy_most seconds <"$surf_dir/burst.out"
waits "$most" "$median" "$busy_median" "$busy_most"
# How long it takes depends on the machine; what it takes of the time does not.
check "nobody waited for all of them (they took $seconds s)" \
  awk -v most="$busy_most" -v all="$seconds" 'BEGIN { exit !(most < all * 250) }'
leaves

port=$((port + 2))
hosts flood 24 10
most_kB=0
while ! told flood && ! ended "$guests"; do
  now_kB=$(($(resident "$gateway") - before))
  [ $now_kB -gt $most_kB ] && most_kB=$now_kB
  sleep 0.2
done
check "24 guests send what they can for 10 s, and 12 front ends read nothing" told flood
read -r median most busy_median busy_most seconds <"$surf_dir/flood.out"
waits "$most" "$median" "$busy_median" "$busy_most"
echo "# $most_kB kB more at most"
# 128 MiB each of what waits for others, of guests and of histories, and what is made of it.
check "the gateway keeps no more than its sums" test $most_kB -lt 1048576
check "and others are answered all the time" \
  awk -v most="$busy_most" -v all="$seconds" 'BEGIN { exit !(most < all * 250) }'
leaves
finish
