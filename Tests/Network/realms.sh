#!/bin/bash
# Two hosts, two realms and six apps on one LAN. Each viewer sees its own realm, and a command takes
# an app on the other host only when told to.
# Usage, as root: Tests/Network/realms.sh .build/release
set -u
bin=$(realpath "$1")
. "$(dirname "$0")/lib/surf.sh"
. "$(dirname "$0")/lib/topology.sh"
net_up desk pi || { not_ok "namespaces"; finish; exit 1; }
export STATESURF_INTERFACE=eth0
unset STATESURF STATESURF_GROUP STATESURF_PORT STATESURF_REALM

# at HOST COMMAND…: on that host, and under its name.
at() {
  on "$1" unshare -u bash -c 'echo "$1" >/proc/sys/kernel/hostname && shift && exec "$@"' at "$@"
}
surf() { at "$1" "$bin/statesurf" "${@:2}" --no-dnssd; }

# start HOST REALM APP [LINE…]: starts the app and types the lines.
start() {
  local typing
  mkfifo "$surf_dir/$1-$2-$3" && exec {typing}<>"$surf_dir/$1-$2-$3"
  [ $# -eq 3 ] || printf '%s\n' "${@:4}" >&$typing
  spawn at "$1" env STATESURF_REALM="$2" "$bin/$3" <&$typing >"$surf_dir/app.out" 2>&1
}

start desk atelier PrimeTime + +
start desk lab Todo 'add Milk'
start desk '' Todo 'add Tea' 'add Bread'
lone=$spawned
start pi lab PrimeTime +
start pi atelier Todo 'add Eggs'
moving=$spawned
start pi lab SystemMonitor

# apps HOST [OPTION…]: NAME@HOST of each app that a viewer there sees.
apps() {
  surf "$1" list --json "${@:2}" 2>"$surf_dir/list.err" |
    sed -n 's/.*"app":"\([^"]*\)".*"host":"\([^"]*\)".*/\1@\2/p' | LC_ALL=C sort | xargs
}
sees() { [ "$(apps "${@:2}")" = "$1" ] || { apps "${@:2}"; cat "$surf_dir/list.err"; return 1; }; }
tells() { surf "$@" 2>&1; }

all='PrimeTime@desk PrimeTime@pi SystemMonitor@pi Todo@desk Todo@desk Todo@pi'
check "who asks for all realms sees six apps" eventually 40 sees "$all" desk --realm '*'
for host in desk pi; do
  check "who is of the atelier sees its two, on $host" \
    sees 'PrimeTime@desk Todo@pi' $host --realm atelier
  check "is told of the others" \
    grep -qF "4 apps of other realms are not shown; --realm '*' shows all" "$surf_dir/list.err"
  check "who is of the lab sees its three, on $host" \
    sees 'PrimeTime@pi SystemMonitor@pi Todo@desk' $host --realm lab
  check "who has no realm sees the one without, on $host" sees 'Todo@desk' $host
done
check "the environment may name the realm" \
  env STATESURF_REALM=atelier bash -c "$(declare -f apps sees surf at on)
    bin='$bin' net='$net' surf_dir='$surf_dir'; sees 'PrimeTime@desk Todo@pi' pi"
if command -v python3 >/dev/null; then
  foreign() {
    [ "$(on desk env PYTHONDONTWRITEBYTECODE=1 python3 "$(dirname "$0")/foreign/viewer.py" \
      --interface 10.99.77.1 --list "$@" | grep -c '"app"')" = 2 ]
  }
  check "a viewer written from Protocol.md sees the same two" eventually 20 foreign --realm atelier
else
  skip "a foreign viewer (no python3)"
fi
mkdir -p "$XDG_CONFIG_HOME/statesurf"
echo 'realm = atelier' >"$XDG_CONFIG_HOME/statesurf/settings"
check "and a person's settings" sees 'PrimeTime@desk Todo@pi' pi
check "until the command line takes it back" sees 'Todo@desk' pi --realm ''
rm "$XDG_CONFIG_HOME/statesurf/settings"
check "a list of all realms has them in a column" \
  eval "tells pi list --realm '*' | grep -qE '^SystemMonitor#[0-9]+ +[0-9a-f]{8} +pi +lab +'"
check "a command that finds nobody tells of the others" \
  eval "tells pi back --realm nobody --timeout 1 | grep -q '^statesurf: 6 apps of other realms'"
check "a realm that is none is misuse" eval "surf pi list --realm $'a\\tb' 2>/dev/null; test \$? = 64"
check "doctor tells of the others" \
  eval "tells pi doctor --realm lab | grep -q '^ok  other realms  *3 apps of other realms'"

# The lone app without a realm is on desk.
position() { surf desk list --json 2>/dev/null | sed -n 's/.*"row":\([0-9]*\).*/\1/p'; }
refused() {
  local said code
  said=$(tells pi "$@")
  code=$?
  echo "$said"
  [ $code = 1 ] && grep -qx '  Try: -i Todo@desk' <<<"$said" &&
    grep -q 'only live instance is on another machine' <<<"$said"
}
check "a command on pi does not take desk's lone app" refused back
check "nor does one that reads" refused show
check "nor one that asks its history" refused find kind:action
check "it is where it was" test "$(position)" = 2
check "watch shows it all the same" \
  eval "surf pi watch --since 1 --for 2 --json | grep -q '\"name\":\"add'"
check "whoever names its host takes it" surf pi back -i Todo@desk
check "it has moved" test "$(position)" = 1
check "the host alone is enough" surf pi forward -i @desk
check "on desk itself nothing need be named" surf desk back
check "on a wrong host there is none" eval "! surf pi back -i Todo@pi --timeout 1"
check "and it is said which are live" eval "tells pi back -i Todo@pi --timeout 1 | grep -qE 'Todo#[0-9]+@desk'"

# Realms do not protect apps: a viewer that asks for all realms can move any app that it sees.
check "a viewer of all realms moves an app of one" surf pi back -i PrimeTime@desk --realm '*'

spawn at pi "$bin/statesurf" gateway --realm lab --listen 127.0.0.1:0 --no-dnssd --json \
  </dev/null >"$surf_dir/gateway.out"
gateway=$spawned
appeared() {
  sed -n 's/.*"event":"appeared","app":"\([^"#]*\)#[0-9]*","host":"\([^"]*\)".*/\1@\2/p' \
    "$surf_dir/gateway.out" | LC_ALL=C sort | xargs
}
shows() { [ "$(appeared)" = "$1" ]; }
check "a gateway of the lab shows the lab's" \
  eventually 20 shows 'PrimeTime@pi SystemMonitor@pi Todo@desk'

# An app that comes back in another realm, while the gateway listens.
end "$moving"
start pi lab Todo 'add Eggs'
check "an app that restarts in another realm is in that one" \
  eventually 20 sees 'PrimeTime@pi SystemMonitor@pi Todo@desk Todo@pi' desk --realm lab
check "and no more in its former one" eventually 20 sees 'PrimeTime@desk' desk --realm atelier
check "the gateway shows it" eventually 20 shows 'PrimeTime@pi SystemMonitor@pi Todo@desk Todo@pi'
end "$lone"
check "without it, nobody without a realm sees anything" eventually 20 sees '' pi
end "$gateway"

finish
