#!/bin/bash
# The needs of a program at its start, and the report of `statesurf doctor` on a machine that lacks
# one: Avahi's library or libcrypto, a free port, or a valid key file.
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
# An empty file comes first in the search path, as if the library were not installed.
: >"$surf_dir/libdns_sd.so.1"
without_library() { LD_LIBRARY_PATH=$surf_dir${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH} "$@"; }
mkfifo "$surf_dir/todo.in"
exec 3<>"$surf_dir/todo.in"
LD_LIBRARY_PATH=$surf_dir${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH} \
  spawn "$bin/Todo" <&3 >"$surf_dir/todo.out" 2>&1
todo=$spawned
check "an app starts without the library, and is found by its beacons" eventually 20 is_live Todo
check "the doctor starts, too, and says what is missing" \
  says "library libdns_sd.so.1 is not installed" without_library "$bin/statesurf" doctor
is_fine() { without_library "$bin/statesurf" doctor | grep '^!!'; test $? = 1; }
check "which is no fault" is_fine

# libcrypto, hidden the same way.
"$bin/statesurf" key new "$surf_dir/key" >"$surf_dir/made"
mkdir "$surf_dir/hidden" && : >"$surf_dir/hidden/libcrypto.so.3"
with_key() { STATESURF_KEY_FILE=$surf_dir/key "$@"; }
slowly() { LD_LIBRARY_PATH=$surf_dir/hidden with_key "$@"; }
check "without libcrypto the doctor says that sealing is slower" \
  says "our own, which is slower: " slowly "$bin/statesurf" doctor
check "and what to do" says "Try: apt-get install libssl3" slowly "$bin/statesurf" doctor
mkfifo "$surf_dir/slow.in"
exec 4<>"$surf_dir/slow.in"
slowly spawn "$bin/VaultProbe" Slow <&4 >"$surf_dir/slow.out"
check "an app without libcrypto seals" eventually 20 with_key is_live Slow
check "and who has libcrypto moves it" with_key "$bin/statesurf" reset -i Slow
check "but nobody without the key sees it" eval '! is_live Slow'

# A key file with a fault: no command and no app sends anything, and each says why.
end "$spawned" && eventually 20 ended "$spawned"
end "$todo" && eventually 20 ended "$todo"
faults=$surf_dir/faults
mkdir -p "$faults/folder" && : >"$faults/empty"
printf 'Dear Ada\n' >"$faults/letter"
printf -- '-----BEGIN OPENSSH PRIVATE KEY-----\n' >"$faults/ssh"
sed 's/./&\n/60' "$surf_dir/key" | sed '1s/a$/b/; t; 1s/.$/a/' | tr -d '\n' >"$faults/changed"
cut -c 1-40 "$surf_dir/key" >"$faults/cut"
mkfifo "$faults/pipe"
faulty() { STATESURF_KEY_FILE=$faults/$fault "$@"; }
# refuses WORDS ARGUMENT…: it ends with 1, says these words, and prints nothing.
refuses() {
  local words=$1
  shift
  faulty timeout 20 "$bin/statesurf" "$@" >"$surf_dir/out" 2>"$surf_dir/said" </dev/null
  [ $? = 1 ] && [ ! -s "$surf_dir/out" ] && grep -qF -- "$words" "$surf_dir/said" &&
    grep -q '^  Try: ' "$surf_dir/said" || ! cat "$surf_dir/out" "$surf_dir/said"
}
# examine: in the background, as a doctor listens for a while.
examine() { faulty "$bin/statesurf" doctor >"$surf_dir/$fault.said" 2>&1; echo $? >"$surf_dir/$fault.code"; }
# examined WORDS: the doctor has the rest to say as well, but ends with 1.
examined() {
  eventually 20 test -s "$surf_dir/$fault.code"
  [ "$(cat "$surf_dir/$fault.code")" = 1 ] && grep -q '^ok  instances' "$surf_dir/$fault.said" &&
    grep '^!!  key' "$surf_dir/$fault.said" | grep -F -- "$1" | grep -qF '  Try: ' ||
    ! cat "$surf_dir/$fault.said"
}
# goes_on WORDS: an app works without, and has one line to say.
goes_on() {
  printf 'note here\n' | faulty timeout 20 "$bin/VaultProbe" >"$surf_dir/out" 2>"$surf_dir/said"
  grep -qF "note 'here'" "$surf_dir/out" && [ "$(wc -l <"$surf_dir/said")" = 1 ] &&
    grep '^StateSurf sends nothing: ' "$surf_dir/said" | grep -qF -- "$1" ||
    ! cat "$surf_dir/out" "$surf_dir/said"
}
# Of the namespace, which is ours alone.
sent() { awk '/^Udp:/ && $2 + 0 == $2 { print $5 }' /proc/net/snmp; }
if [ -n "${SURF_ALONE-}" ]; then
  before=$(sent)
  for fault in missing empty folder letter ssh changed cut pipe; do spawn examine; done
  while IFS='|' read -r fault words; do
    for command in list 'watch --for 1' reset surf gateway 'gateway --no-token' 'list --observe' \
      'key list'; do
      check "a key file is $fault: $command" refuses "$words" $command
    done
    check "a key file is $fault: doctor" examined "$words"
    check "a key file is $fault: an app" goes_on "$words"
  done <<'FAULTS'
missing|No such file or directory
empty|there is no key in it
folder|is a folder
letter|this is not a key
ssh|this is a key of another program, such as ssh
changed|the checksum does not match: a letter is wrong
cut|this key is cut off
pipe|is not a regular file
FAULTS
  check "and nothing was sent, not even in the clear" test "$(sent)" = "$before"
else
  skip "faults of a key file: this machine allows no network namespaces"
fi

# hold PORT: by a process that does not share it.
hold() {
  spawn python3 -c 'import socket, sys, time
holder = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
holder.bind(("0.0.0.0", int(sys.argv[1])))
print("held", flush=True)
time.sleep(300)' "$1" >"$surf_dir/holder.out"
  eventually 20 grep -q held "$surf_dir/holder.out"
}
# goes_on_without INTERFACE WORDS: an app that prefers to wait for the network records more than its
# queue holds, on an unusable interface. It says in one line why no viewer sees it, and ends.
goes_on_without() {
  printf '%s\n' 'many 20000' 'many 20000' | STATESURF_INTERFACE=$1 timeout 120 "$bin/ValueProbe" \
    2>"$surf_dir/said.$1" && [ "$(wc -l <"$surf_dir/said.$1")" = 1 ] &&
    grep '^StateSurf: no viewer can see ValueProbe: ' "$surf_dir/said.$1" | grep -q -- "$2" ||
    ! cat "$surf_dir/said.$1"
}
check "an app does not wait for an interface that nobody has" goes_on_without none 'named .none.'
if [ -n "${SURF_ALONE-}" ]; then
  ip link add idle type veth peer name other && ip addr add 10.99.78.1/24 dev idle
  check "nor for one that is down" goes_on_without idle 'Network is unreachable'
  ip link delete idle
fi

if command -v python3 >/dev/null; then
  # Where the app from above is not.
  on_loopback
  for held in $STATESURF_PORT $((STATESURF_PORT + 1)); do
    hold "$held" || not_ok "port $held can be held"
    check "a taken port is told by its number and its holder" \
      says "UDP port $held is held by python3#$spawned and not shared" "$bin/statesurf" doctor
    check "with what to do" says "Try: end that process, or use another port: --port here" \
      "$bin/statesurf" doctor
    # The first port is that of viewers; an app listens to the second.
    [ "$held" = "$STATESURF_PORT" ] ||
      check "an app does not wait for it" goes_on_without lo 'Address already in use'
    check "and the interface is not blamed" eval '! grep "^!!  interface" "$surf_dir/said"'
    end "$spawned"
    eventually 20 ended "$spawned"
  done
  check "with both back all is fine" "$bin/statesurf" doctor
else
  skip "there is no Python to hold a port with"
fi
finish
