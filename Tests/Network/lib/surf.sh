# Sourced by the scripts in Tests/Network: counting lines, waiting, and ending what was started.

surf_dir=$(mktemp -d)
# What the person who runs the tests has set for every command must not count here.
export XDG_CONFIG_HOME=$surf_dir/config STATESURF_KEY_FILE=none
surf_pids=()
passed=0 failed=0 skipped=0

ok() { passed=$((passed + 1)); echo "ok $*"; }
not_ok() { failed=$((failed + 1)); echo "not ok $*"; }
skip() { skipped=$((skipped + 1)); echo "skip $*"; }

# tries COMMAND…: what it says is in check.out. Where processes are stopped for up to two seconds, an
# app may just be taken for gone (Protocol.md §14, liveness) though it is not: it is asked again.
tries() {
  "$@" >"$surf_dir/check.out" 2>&1 && return
  [ -n "${SURF_DISTURBED-}" ] && grep -q ' is gone$' "$surf_dir/check.out" || return 1
  sleep 3
  "$@" >"$surf_dir/check.out" 2>&1
}

# check NAME COMMAND…: passes if the command does.
check() {
  local name=$1
  shift
  if tries "$@"; then ok "$name"; else
    not_ok "$name ($*)"
    sed 's/^/# /' "$surf_dir/check.out"
  fi
}

# eventually SECONDS COMMAND…: tries until it succeeds.
eventually() {
  local end=$((SECONDS + $1))
  shift
  until "$@"; do
    [ $SECONDS -lt $end ] || return 1
    sleep 0.1
  done
}

# spawn COMMAND…: in the background, ended with the script. The pid is in $spawned.
spawn() {
  # Without job control bash would give it /dev/null to read.
  "$@" <&0 &
  spawned=$!
  surf_pids+=("$spawned")
}

# end PID [SIGNAL]: it and what it started; a function in the background is a shell with children.
end() {
  local child
  for child in $(pgrep -P "$1"); do end "$child" "${2:-TERM}"; done
  kill "-${2:-TERM}" "$1" 2>/dev/null
}

ended() { ! kill -0 "$1" 2>/dev/null; }

surf_end() {
  local pid
  exec 3>&- 4>&- 5>&-
  for pid in "${surf_pids[@]}"; do end "$pid"; done
  for pid in "${surf_pids[@]}"; do
    # A program that SIGTERM does not end is a failure of its own, and must not outlive the script.
    eventually 5 ended "$pid" || end "$pid" KILL
  done
  rm -rf "$surf_dir"
}
trap surf_end EXIT
trap 'exit 130' INT
trap 'exit 143' TERM

# free_ports COUNT: the first of so many in a row that nobody has, below those that the system gives
# to clients.
free_ports() {
  local first port taken
  taken=$(awk '{ split($2, local, ":"); print local[2] }' /proc/net/{udp,udp6,tcp,tcp6} 2>/dev/null)
  while :; do
    first=$((20000 + RANDOM % 3000 * 4))
    for ((port = first; port < first + $1; port++)); do
      grep -qx "$(printf %04X "$port")" <<<"$taken" && continue 2
    done
    echo "$first"
    return
  done
}

# on_loopback [COUNT]: the script's programs use loopback, whatever the environment says, and COUNT
# ports of this run's own. The first is $port.
on_loopback() {
  port=$(free_ports "${1:-2}")
  export STATESURF_PORT=$port STATESURF_INTERFACE=lo
  unset STATESURF STATESURF_GROUP STATESURF_REALM
}

# fetched COMMAND…: what downloads and installs, one script at a time: apt refuses a second one.
surf_fetching=$(realpath -m "$(dirname "${BASH_SOURCE[0]}")/../../../.build/fetching")
fetched() {
  mkdir -p "${surf_fetching%/*}"
  (flock 8 && "$@") 8>"$surf_fetching"
}

# alone SCRIPT ARGUMENT…: begins the script anew in a network namespace with nothing but `lo`, where
# no port is taken and nobody else is heard. What must be fetched is fetched before. Goes on here
# where the machine allows no namespaces.
alone() {
  [ -z "${SURF_ALONE-}" ] && unshare -n true 2>/dev/null || return 0
  surf_end
  SURF_ALONE=1 exec unshare -n bash -c '
    PATH=$PATH:/usr/sbin:/sbin
    ip link set lo up multicast on && ip route add 224.0.0.0/4 dev lo && exec "$@"' alone "$@"
}

# only_alone WHAT: ends the script here if there are no namespaces.
only_alone() { [ -n "${SURF_ALONE-}" ] || { skip "$1 (no namespaces)"; finish; exit; }; }

finish() {
  echo "# $passed passed, $failed failed, $skipped skipped"
  [ "$failed" -eq 0 ]
}
