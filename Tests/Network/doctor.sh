#!/bin/bash
# What a program needs to start, and what `statesurf doctor` says of a machine that lacks something:
# without Avahi's library, and with a port that somebody else holds.
# Usage: Tests/Network/doctor.sh .build/release
set -u
bin=$(realpath "$1")
. "$(dirname "$0")/lib/surf.sh"
alone "$(realpath "$0")" "$bin"

on_loopback

# says WORDS COMMAND…: whatever its exit code; shows what it said instead.
says() {
  local words=$1
  shift
  "$@" >"$surf_dir/said" 2>&1
  grep -F -- "$words" "$surf_dir/said" || ! cat "$surf_dir/said"
}
is_live() { "$bin/statesurf" list --json --wait 0.5 | grep -q "\"app\":\"$1\""; }

# The library, which a machine may lack: neither named in the programs nor needed to run them.
needs_avahi() { readelf -d "$bin/$1" | grep NEEDED | grep -E 'dns_sd|avahi'; }
if command -v readelf >/dev/null; then
  for name in Todo statesurf; do
    check "$name is not linked to Avahi" eval "! needs_avahi $name"
  done
else
  skip "there is no readelf to look into programs with"
fi
# The first file of that name is none: as if it were not installed.
: >"$surf_dir/libdns_sd.so.1"
without_library() { LD_LIBRARY_PATH=$surf_dir${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH} "$@"; }
mkfifo "$surf_dir/todo.in"
exec 3<>"$surf_dir/todo.in"
LD_LIBRARY_PATH=$surf_dir${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH} \
  spawn "$bin/Todo" <&3 >"$surf_dir/todo.out" 2>&1
check "an app starts without the library, and is found by its beacons" eventually 20 is_live Todo
check "the doctor starts, too, and says what is missing" \
  says "library libdns_sd.so.1 is not installed" without_library "$bin/statesurf" doctor
is_fine() { without_library "$bin/statesurf" doctor | grep '^!!'; test $? = 1; }
check "which is no fault" is_fine

# hold PORT: by a process that does not share it.
hold() {
  spawn python3 -c 'import socket, sys, time
holder = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
holder.bind(("0.0.0.0", int(sys.argv[1])))
print("held", flush=True)
time.sleep(300)' "$1" >"$surf_dir/holder.out"
  eventually 20 grep -q held "$surf_dir/holder.out"
}
if command -v python3 >/dev/null; then
  # Where the app from above is not.
  on_loopback
  for held in $STATESURF_PORT $((STATESURF_PORT + 1)); do
    hold "$held" || not_ok "port $held can be held"
    check "a taken port is told by its number and its holder" \
      says "UDP port $held is held by python3#$spawned and not shared" "$bin/statesurf" doctor
    check "with what to do" says "Try: end that process, or use another port: --port here" \
      "$bin/statesurf" doctor
    check "and the interface is not blamed" eval '! grep interface "$surf_dir/said"'
    end "$spawned"
    eventually 20 ended "$spawned"
  done
  check "with both back all is fine" "$bin/statesurf" doctor
else
  skip "there is no Python to hold a port with"
fi
finish
