#!/bin/bash
# DNS-SD between two hosts, with daemons and buses that die and come back.
# Usage, as root: Tests/Network/discovery.sh .build/release
set -u
[ $# -eq 1 ] && [ -x "$1/DiscoveryProbe" ] || {
  echo "usage: $0 DIRECTORY-OF-BINARIES (with DiscoveryProbe, PauseProbe, statesurf, SystemMonitor)" >&2
  exit 64
}
probe=$(realpath "$1/DiscoveryProbe")
. "$(dirname "$0")/lib/avahi.sh"
avahi_begin ssd

failures=0
# check NAME COMMAND…: succeeds within 40 s, more than the longest wait between two tries.
check() {
  local name=$1
  shift
  if eventually 40 "$@"; then
    echo "ok $name"
  else
    failures=$((failures + 1))
    echo "not ok $name ($*)"
    tail -n 20 "$avahi_dir"/{app,twin,viewer,lone,seeker,gate,relay,monitor,dialler}.{out,err} 2>/dev/null | sed 's/^/# /'
  fi
}

says() { grep -qE -- "$2" "$avahi_dir/$1.out"; }
# says_times TAG PATTERN COUNT: at least so often.
says_not() { ! says "$@"; }
says_times() { [ "$(grep -cE -- "$2" "$avahi_dir/$1.out")" -ge "$3" ]; }
lives() { kill -0 "$(pid_of "$1")"; }
ended() { ! lives "$1"; }
is_silent() { [ ! -s "$avahi_dir/$1.err" ]; }
descriptor_count() { ls "/proc/$(pid_of "$1")/fd" | wc -l; }
thread_count() { ls "/proc/$(pid_of "$1")/task" | wc -l; }
has_resources() { [ "$(descriptor_count "$1") $(thread_count "$1")" = "$2 $3" ]; }
# Bit 12 of SigIgn is SIGPIPE.
keeps_sigpipe() {
  local mask
  mask=$(sed -n 's/^SigIgn:\t//p' "/proc/$(pid_of "$1")/status")
  [ $((0x$mask & 0x1000)) -eq 0 ]
}

avahi_pair a b || exit 1

host_spawn a lone "$probe" register lone 7000 browse
check "without bus and daemon, discovery is unavailable" says lone "daemon unavailable"
check "and the process lives" lives lone
check "and says nothing on standard error" is_silent lone
kill -TERM "$(pid_of lone)"
check "and stops at once" says lone "stopped true"

avahi_start a && avahi_start b || { echo "not ok daemons start"; exit 1; }
host_spawn b viewer "$probe" browse
check "a browse runs" says viewer "daemon running"
host_spawn a app "$probe" register demo 7001
check "an app is registered" says app "^registered demo$"
check "a viewer on another host finds it" says viewer "^found demo$"
check "and resolves what it says" says viewer "^resolved demo at a.local.:7001 app=demo id=7001 \
pid=$(pid_of app) group=239.255.7.7:7001 type=application/json$"

host_spawn a twin "$probe" register demo 7002
check "a second instance is renamed" says twin "^registered demo #2$"
check "and found as one of its own" says viewer "^resolved demo #2 at a.local.:7002 app=demo id=7002"
kill -TERM "$(pid_of twin)"
check "an instance that stops" says twin "^stopped true$"
check "is removed" says viewer "^removed demo #2$"

host_spawn b seeker "$probe" browse-relays
host_spawn a gate "$probe" register-relay gate 8000
check "a relay of Redux DevTools is found by its own type, and its address without the resolver" \
  says seeker "^located gate at 10.77.0.1:8000$"
check "and by no browse for instances" says_not viewer gate
kill -TERM "$(pid_of gate)"
check "and is removed when it stops" says seeker "^removed gate$"
kill -TERM "$(pid_of seeker)"

# A gateway that others find, and one that looks for it, without the help of libnss-mdns.
bin=$(dirname "$probe")
token=$avahi_dir/token
host_spawn a relay "$bin/statesurf" gateway --interface veth --listen 10.77.0.1:8002 \
  --token-file "$token"
check "the relay has a token" test -s "$token"
host_spawn b monitor env STATESURF_INTERFACE=veth "$bin/SystemMonitor"
host_spawn b dialler "$bin/statesurf" gateway --interface veth \
  --browse "StateSurf on $(hostname)" --relay-token "$token"
if ip netns exec "$(netns b)" getent hosts a.local >/dev/null; then
  echo "skip the system's resolver knows a.local: nothing is proved of the address"
fi
check "a gateway dials a relay at the address that DNS-SD tells" \
  says dialler "^SystemMonitor#[0-9]+ is known to ws://10.77.0.1:8002/socketcluster/$"
for tag in dialler monitor relay; do pid_end "$tag"; done

# One that speaks to another group: announced, and not heard.
host_spawn a distant env STATESURF_INTERFACE=veth STATESURF_GROUP=239.9.9.9 \
  STATESURF_REALM=atelier "$bin/SystemMonitor"
diagnosis() {
  DBUS_SYSTEM_BUS_ADDRESS=$(bus_address b) ip netns exec "$(netns b)" \
    "$bin/statesurf" doctor --interface veth --realm "$1"
}
warns() { diagnosis "$1" | grep -qE '^!!  announced .*SystemMonitor#'; }
is_quiet() { diagnosis "$1" | grep -E '^(ok|!!)  announced ' | grep -qv 'SystemMonitor#'; }
check "doctor tells those of its realm that an app is announced and not heard" warns atelier
check "and those who see all realms" warns '*'
check "and no others" is_quiet ''
pid_end distant

# An app that leaves the network and returns, again and again.
mkfifo "$avahi_dir/pausing.in"
exec 6<>"$avahi_dir/pausing.in"
host_spawn a pausing env STATESURF_INTERFACE=veth sh -c 'exec "$1" <"$2"' sh \
  "$bin/PauseProbe" "$avahi_dir/pausing.in"
tell() { echo "$1" >&6; }
says_done() { [ "$(tail -n 1 "$avahi_dir/pausing.out")" = "$1" ]; }
# How often the viewer has found the service more often than it has lost it.
is_there() {
  local found removed
  found=$(grep -cE '^found Pausing#[0-9]+( #[0-9]+)?$' "$avahi_dir/viewer.out")
  removed=$(grep -cE '^removed Pausing#[0-9]+( #[0-9]+)?$' "$avahi_dir/viewer.out")
  [ $((found - removed)) = "$1" ]
}
tell resume
check "an app that resumes is found" is_there 1
tell suspend
check "and is no more when it suspends" is_there 0
check "having suspended" says_done suspend
away="$(descriptor_count pausing) $(thread_count pausing)"
tell resume
check "and is found again" is_there 1
present="$(descriptor_count pausing) $(thread_count pausing)"
for round in 1 2; do
  tell cycle
  check "twenty times more, round $round" says_times pausing '^cycle$' "$round"
  # shellcheck disable=SC2086
  check "it has no more descriptors and threads than before ($present)" \
    has_resources pausing $present
  check "and is one service" is_there 1
  check "under its own name" says_not viewer 'Pausing#[0-9]+ #'
done
tell suspend
check "and none in the end" is_there 0
# shellcheck disable=SC2086
check "with nothing left of it ($away)" has_resources pausing $away
pid_end pausing
exec 6>&-

descriptors=$(descriptor_count app) threads=$(thread_count app)
avahi_stop a
check "a daemon that ends takes its instances along" says viewer "^removed demo$"
check "and the app knows" says app "daemon unavailable"
avahi_start a
check "a new daemon is told again" says_times app "^registered demo$" 2
check "and the viewer sees it again" says_times viewer "^resolved demo at" 2
check "nothing is left of the old operations" has_resources app "$descriptors" "$threads"

viewer_descriptors=$(descriptor_count viewer) viewer_threads=$(thread_count viewer)
avahi_stop b KILL
bus_stop b KILL
check "a viewer without its bus forgets what it found" says_times viewer "^removed demo$" 2
check "and lives" lives viewer
avahi_start b
check "and finds it again" says_times viewer "^resolved demo at" 3
check "with nothing left of before" has_resources viewer "$viewer_descriptors" "$viewer_threads"

avahi_stop a KILL
bus_stop a KILL
check "an app whose bus is killed knows" says_times app "daemon unavailable" 2
check "and lives" lives app
check "and still ends at a broken pipe, as it chose" keeps_sigpipe app
avahi_start a
check "and is registered on the next" says_times app "^registered demo$" 3

kill -STOP "$(pid_of a-bus)"
kill -TERM "$(pid_of app)"
check "an app stops though the bus hangs" says app "^stopped"
check "and is gone" ended app
kill -CONT "$(pid_of a-bus)"

kill -TERM "$(pid_of viewer)"
check "a viewer stops" says viewer "^stopped true$"
for tag in app twin viewer; do check "$tag said nothing on standard error" is_silent "$tag"; done
[ "$failures" -eq 0 ]
