# Private Avahi daemons in network namespaces, for tests; source it, as root.
#
#   avahi_begin PREFIX        make the scratch directory and arm the clean-up of everything below
#   avahi_pair A B            two hosts (namespaces PREFIX<pid>A, …B) joined by a veth pair
#   avahi_start HOST          start a bus and a daemon on HOST
#   avahi_stop HOST [SIGNAL]  end the daemon of HOST (SIGTERM: it says goodbye to the network)
#   bus_stop HOST [SIGNAL]    end the bus of HOST
#   host_spawn HOST TAG …     run a program on HOST in the background; its output is in
#                             $avahi_dir/TAG.out and TAG.err, its pid in "$(pid_of TAG)"
#   eventually SECONDS …      wait until a command succeeds
#
# `ip netns exec` gives each daemon a mount namespace as well. It needs one: Avahi keeps its socket
# and pid file in /run/avahi-daemon and would take the second daemon for a second start. A daemon
# speaks on every interface it finds, so none is ever started without `allow-interfaces`.

PATH=$PATH:/usr/sbin:/sbin

avahi_begin() {
  avahi_prefix=$1$$
  avahi_dir=$(mktemp -d "/tmp/$avahi_prefix.XXXXXX")
  avahi_hosts=
  trap avahi_end EXIT
  trap 'exit 130' INT
  trap 'exit 143' TERM HUP
}

avahi_end() {
  local file host
  for file in "$avahi_dir"/*.pid; do
    [ -e "$file" ] && pid_end "$(basename "$file" .pid)" KILL
  done
  for host in $avahi_hosts; do ip netns del "$(netns "$host")" 2>/dev/null; done
  rm -rf "$avahi_dir"
}

netns() { echo "$avahi_prefix$1"; }

pid_of() { cat "$avahi_dir/$1.pid"; }

# Ends the process of a tag, stopped or not, and waits until it is gone.
pid_end() {
  local pid
  [ -e "$avahi_dir/$1.pid" ] || return 0
  pid=$(pid_of "$1")
  rm -f "$avahi_dir/$1.pid"
  kill "-${2:-TERM}" "$pid" 2>/dev/null
  kill -CONT "$pid" 2>/dev/null
  wait "$pid" 2>/dev/null
  return 0
}

eventually() {
  local tries=$(($1 * 10))
  shift
  while ! "$@" 2>/dev/null; do
    tries=$((tries - 1))
    [ "$tries" -gt 0 ] || return 1
    sleep 0.1
  done
}

avahi_pair() {
  local host address=1
  for host in "$1" "$2"; do
    ip netns add "$(netns "$host")" || return 1
    avahi_hosts="$avahi_hosts $host"
  done
  ip -n "$(netns "$1")" link add veth type veth peer name veth netns "$(netns "$2")" || return 1
  for host in "$1" "$2"; do
    ip -n "$(netns "$host")" link set lo up
    ip -n "$(netns "$host")" address add "10.77.0.$address/24" dev veth
    ip -n "$(netns "$host")" link set veth up
    ip -n "$(netns "$host")" route add 224.0.0.0/4 dev veth
    address=$((address + 1))
  done
}

bus_address() { echo "unix:path=$avahi_dir/$1.bus"; }

# Sources the pid of the process itself: every step to it is an `exec`.
host_spawn() {
  local host=$1 tag=$2
  shift 2
  DBUS_SYSTEM_BUS_ADDRESS=$(bus_address "$host") ip netns exec "$(netns "$host")" "$@" \
    >"$avahi_dir/$tag.out" 2>"$avahi_dir/$tag.err" </dev/null &
  echo $! >"$avahi_dir/$tag.pid"
}

# A bus without service directories, which starts nothing on its own.
bus_start() {
  cat >"$avahi_dir/$1.bus.conf" <<CONF
<busconfig>
  <type>session</type>
  <listen>$(bus_address "$1")</listen>
  <policy context="default">
    <allow send_destination="*"/>
    <allow receive_sender="*"/>
    <allow own="*"/>
  </policy>
</busconfig>
CONF
  rm -f "$avahi_dir/$1.bus"
  host_spawn "$1" "$1-bus" dbus-daemon --nofork --nopidfile --config-file "$avahi_dir/$1.bus.conf"
  eventually 40 test -S "$avahi_dir/$1.bus"
}

bus_stop() { pid_end "$1-bus" "${2:-TERM}"; }

avahi_start() {
  [ -e "$avahi_dir/$1-bus.pid" ] || bus_start "$1" || return 1
  printf '[server]\nhost-name=%s\nallow-interfaces=veth\nuse-iff-running=no\n' "$1" \
    >"$avahi_dir/$1.avahi.conf"
  mkdir -p /run/avahi-daemon
  host_spawn "$1" "$1-avahi" sh -c 'mount -t tmpfs tmpfs /run/avahi-daemon && exec "$@"' sh \
    avahi-daemon -f "$avahi_dir/$1.avahi.conf" --no-drop-root --no-chroot --no-rlimits
  eventually 40 grep -q "Server startup complete" "$avahi_dir/$1-avahi.err"
}

avahi_stop() { pid_end "$1-avahi" "${2:-TERM}"; }
