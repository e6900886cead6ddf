#!/bin/bash
# Streams between hosts that lose datagrams: what arrives, what it costs, and what is said of what
# cannot arrive. Usage, as root: Tests/Network/stream.sh .build/release
set -u
bin=$(realpath "$1")
. "$(dirname "$0")/lib/surf.sh"
. "$(dirname "$0")/lib/topology.sh"
viewers=(v1 v2 v3 v4)
net_up app "${viewers[@]}" || { not_ok "namespaces"; finish; exit 1; }

# field FILE NAME: one figure of a probe's last line.
field() { sed -n "s/.*\\b$2=\\([^ ]*\\).*/\\1/p" "$1" | tail -n 1; }
probe() { on "$1" "$bin/StreamProbe" "${@:2}" --interface eth0; }

# publish NAME ARGUMENT…: in the background; sends once $surf_dir/NAME.go exists.
publish() {
  local name=$1
  shift
  spawn probe app publish "$@" --go "$surf_dir/$name.go" --stop "$surf_dir/$name.stop" \
    >"$surf_dir/$name.app"
  publisher=$spawned
}

# view NAME HOST[.TAG] ARGUMENT…: in the background; $surf_dir/NAME.HOST[.TAG].ready exists once it
# follows.
view() {
  local name=$1 tag=$2
  shift 2
  # Against what hangs. Its own two minutes were too few on a machine that others used.
  spawn probe "${tag%%.*}" view --seconds 300 "$@" --ready "$surf_dir/$name.$tag.ready" \
    >"$surf_dir/$name.$tag.out"
  watching+=("$spawned")
}

# are_ready NAME COUNT: whether COUNT of its viewers are ready.
are_ready() { [ "$(find "$surf_dir" -name "$1.*.ready" | wc -l)" -eq "$2" ]; }

# everybody NAME: waits for the viewers, ends the publisher; true if every viewer was content.
everybody() {
  local pid status=0
  for pid in "${watching[@]}"; do wait "$pid" || status=1; done
  touch "$surf_dir/$1.stop"
  wait "$publisher" || status=1
  [ $status -eq 0 ]
}

# report NAME TEXT: ok or not, with the figures of the worst viewer.
report() {
  local name=$1 text=$2 status=$3 host lost=0 done=0
  for host in "${viewers[@]}"; do
    local l d
    l=$(field "$surf_dir/$name.$host.out" lost) d=$(field "$surf_dir/$name.$host.out" doneMS)
    [ "${l:-1}" -gt $lost ] && lost=${l:-1}
    [ "${d:-0}" -gt $done ] && done=$d
  done
  text="$text — lost $lost, ${done} ms, $(tail -n 1 "$surf_dir/$name.app")"
  if [ "$status" -eq 0 ] && [ "$lost" -eq 0 ]; then ok "$text"; else
    not_ok "$text"
    tail -n 1 "$surf_dir/$name".*.out | sed 's/^/# /'
  fi
}

loss() {
  local name=loss$1 host
  watching=()
  net_lose "$1" app "${viewers[@]}"
  publish "$name" --count 10000 --size 5000
  for host in "${viewers[@]}"; do view "$name" "$host" --expect 10000; done
  eventually 30 are_ready "$name" 4
  touch "$surf_dir/$name.go"
  everybody "$name"
  report "$name" "10,000 records of 5 KB, 4 viewers, $1 permille lost" $?
}

blackout() {
  local name=blackout
  watching=()
  net_lose 0 app "${viewers[@]}"
  publish "$name" --count 4000 --size 5000 --rate 1000
  for host in "${viewers[@]}"; do view "$name" "$host" --expect 4000; done
  eventually 30 are_ready "$name" 4
  touch "$surf_dir/$name.go"
  sleep 1
  net_lose 1000 "${viewers[@]}"
  sleep 1
  net_lose 0 "${viewers[@]}"
  everybody "$name"
  report "$name" "a second of total loss" $?
}

beyond() {
  local name=beyond records lost
  watching=()
  publish "$name" --count 3000 --size 5000 --rate 1000 --history 500000
  view "$name" v1 --expect 3000
  eventually 30 test -e "$surf_dir/$name.v1.ready"
  touch "$surf_dir/$name.go"
  sleep 0.5
  net_lose 1000 v1
  sleep 1
  net_lose 0 v1
  everybody "$name"
  local status=$?
  records=$(field "$surf_dir/$name.v1.out" records) lost=$(field "$surf_dir/$name.v1.out" lost)
  if [ $status -eq 0 ] && [ "${lost:-0}" -gt 0 ] && [ $((records + lost)) -eq 3000 ]; then
    ok "loss beyond the repair buffer is counted, then live again — $records + $lost = 3000"
  else
    not_ok "loss beyond the repair buffer — records ${records:-?}, lost ${lost:-?}"
  fi
}

# The app's data datagrams with one viewer and with twenty.
crowd() {
  local count=$1 name=crowd$1 i
  watching=()
  publish "$name" --count 2000 --size 5000 --rate 2000
  for ((i = 0; i < count; i++)); do view "$name" "v$((i % 4 + 1)).$i" --expect 2000; done
  eventually 30 are_ready "$name" "$count"
  touch "$surf_dir/$name.go"
  check "$count viewers are content" everybody "$name"
  data=$(field "$surf_dir/$name.app" data)
}

# fragments HOST: IP fragments that the host has made.
fragments() {
  on "$1" awk '/^Ip:/ { if (!n) { for (i = 1; i <= NF; i++) if ($i == "FragCreates") n = i }
    else print $n }' /proc/net/snmp
}

narrow() {
  local name=narrow
  watching=()
  on app ip link set eth0 mtu 1400
  publish "$name" --count 500 --size 5000
  view "$name" v1 --expect 500
  eventually 30 test -e "$surf_dir/$name.v1.ready"
  touch "$surf_dir/$name.go"
  check "every record arrives over a link of 1,400 octets" everybody "$name"
  on app ip link set eth0 mtu 1500
  check "and no host ever made an IP fragment" test "$(fragments app) $(fragments v1)" = "0 0"
}

udp_received() { on "$1" awk '/^Udp: [0-9]/ {print $2}' /proc/net/snmp; }

late() {
  local name=late before after status text
  watching=()
  publish "$name" --count 5001 --size 1000
  # Viewers that are there all the time: what they receive must not grow by the newcomer.
  view "$name" v1 --expect 5001 --size 1000
  view "$name" v2 --expect 9999 --size 1000 --seconds 20
  eventually 30 test -e "$surf_dir/$name.v2.ready"
  touch "$surf_dir/$name.go"
  wait "${watching[0]}"
  eventually 120 is_quiet v2
  before=$(udp_received v2)
  watching=()
  view "$name" v3 --expect 5001 --size 1000
  wait "${watching[0]}"
  status=$?
  after=$(udp_received v2)
  touch "$surf_dir/$name.stop"
  wait "$publisher"
  local file=$surf_dir/$name.v3.out
  text="joining after 5,000 records: newest state in $(field "$file" firstMS) ms, backlog of \
$(field "$file" records) in $(field "$file" doneMS) ms"
  # One second is the aim; three are allowed to a machine that others use too.
  if [ $status -eq 0 ] && [ "$(field "$file" firstMS)" -lt 3000 ] &&
    [ "$(field "$file" first)" = 5001 ] && [ "$(field "$file" records)" = 5001 ]; then
    ok "$text"
  else not_ok "$text"; fi
  # Heartbeats go on; a backlog of 5,000 records would be 3,700 datagrams.
  check "another viewer receives none of it ($((after - before)) datagrams meanwhile)" \
    test $((after - before)) -lt 50
}

# As above, with a viewer that holds the packets, and a link that loses some of them.
neighbour() {
  local name=neighbour status holder file=$surf_dir/neighbour.v3.out app=$surf_dir/neighbour.app
  watching=()
  # A neighbour that halts is not waited for, nor is one heard by who halts, and no word of an app
  # that halts vouches for one: the app is asked.
  SURF_SPARED=1 publish "$name" --count 5001 --size 1000
  view "$name" v1 --expect 5001 --size 1000
  SURF_SPARED=1 view "$name" v2 --expect 9999 --size 1000 --hold 67108864
  holder=$spawned
  eventually 30 are_ready "$name" 2
  touch "$surf_dir/$name.go"
  wait "${watching[0]}"
  eventually 120 is_quiet v2
  net_lose 10 v2 v3
  watching=()
  SURF_SPARED=1 view "$name" v3 --expect 5001 --size 1000
  wait "${watching[0]}"
  status=$?
  net_lose 0 v2 v3
  end "$holder"
  touch "$surf_dir/$name.stop"
  wait "$publisher"
  if [ $status -eq 0 ] && [ "$(field "$file" records)" = 5001 ]; then
    ok "another viewer's backlog: $(field "$file" had) packets in $(field "$file" doneMS) ms"
  else not_ok "another viewer's backlog: $(tail -n 1 "$file")"; fi
  check "of which the app sends next to nothing ($(field "$app" history) packets)" \
    test "$(field "$app" history)" -lt 20 -a "$(field "$file" had)" -gt 3000
}

# True once a host receives no more than heartbeats.
is_quiet() {
  local before
  before=$(udp_received "$1")
  sleep 0.3
  [ $(($(udp_received "$1") - before)) -le 3 ]
}

# Two strangers send a million damaged datagrams to a live viewer and a live app.
garbage() {
  local name=garbage host status
  local viewer=$surf_dir/$name.v1.out app=$surf_dir/$name.app
  watching=()
  publish "$name" --count 3000 --size 500 --rate 200
  view "$name" v1 --expect 3000 --size 500
  eventually 30 are_ready "$name" 1
  touch "$surf_dir/$name.go"
  for host in v2 v3; do
    spawn probe $host garbage --count 500000 --seed "${host#v}" >"$surf_dir/$name.$host"
    watching+=("$spawned")
  done
  everybody "$name"
  status=$?
  if [ $status -eq 0 ] && [ "$(field "$viewer" records)" = 3000 ]; then
    ok "a million damaged datagrams cost no record"
  else not_ok "a million damaged datagrams: $(tail -n 1 "$viewer")"; fi
  # Else the test would pass with nobody sending, or nobody listening.
  check "which reached the viewer ($(field "$viewer" dropped) dropped)" \
    test "$(field "$viewer" dropped)" -gt 100000
  check "and the app ($(field "$app" dropped) dropped)" test "$(field "$app" dropped)" -gt 100000
  # Both keep the stream itself as well: 1.5 MB and some.
  check "the viewer does not grow ($(field "$viewer" growthKB) kB)" \
    test "$(field "$viewer" growthKB)" -lt 65536
  check "nor does the app ($(field "$app" growthKB) kB)" test "$(field "$app" growthKB)" -lt 65536
}

killed() {
  local app began
  spawn probe app publish --count 10 --size 100 --stop "$surf_dir/never" >/dev/null
  app=$spawned
  # The command, as a person would see it.
  spawn on v1 "$bin/statesurf" watch --json --interface eth0 >"$surf_dir/killed.out"
  eventually 30 grep -q '"row":10' "$surf_dir/killed.out"
  began=$(date +%s%N)
  end "$app" KILL
  # That it takes 2.6 s is for the simulations to hold: a busy machine may add to it.
  check "an app killed by -9 is seen as gone" \
    eventually 30 grep -q '"event":"gone"' "$surf_dir/killed.out"
  echo "# after $((($(date +%s%N) - began) / 1000000)) ms"
}

for permille in 10 50 200; do loss $permille; done
blackout
beyond
crowd 1
one=$data
crowd 20
# Four a record, and fewer where a busy machine makes records wait, which then share packets.
check "the app sends no more to 20 viewers than to 1 ($one, $data data datagrams)" \
  test "$one" -le 8000 -a "$data" -le 8000
narrow
late
neighbour
garbage
killed
finish
