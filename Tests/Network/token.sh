#!/bin/bash
# Which clients a gateway with a token admits: at an address that others reach, on loopback, and
# behind a TLS proxy, which is nginx with the lines of Sources/ReduxDevTools.md.
# Usage: Tests/Network/token.sh .build/release
set -u
bin=$(realpath "$1")
here=$(realpath "$(dirname "$0")")
. "$here/lib/surf.sh"

apt_nginx() {
  # Keep the installed server from starting: it would take the usual port.
  local guard=/usr/sbin/policy-rc.d status
  if [ -e $guard ]; then guard=; else printf '#!/bin/sh\nexit 101\n' >$guard && chmod +x $guard; fi
  apt-get update -qq &&
    DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends nginx openssl
  status=$?
  [ -z "$guard" ] || rm -f "$guard"
  return $status
}
has_nginx() { command -v nginx && command -v openssl; }
# Begun anew in a namespace, it reaches no mirror.
[ -n "${SURF_ALONE-}" ] || has_nginx >/dev/null || fetched apt_nginx >"$surf_dir/apt" 2>&1

. "$here/lib/panels.sh"
far=$((port + 2))
guest() { peer gateway_guest.py "$@"; }
# In the namespace it is ours alone, and nobody else reaches it.
other=10.99.78.1
has_other() { [ -n "${SURF_ALONE-}" ] && ip address add "$other/32" dev lo; }

start_gateway() {
  : >gateway.out
  spawn "$bin/statesurf" gateway --no-dnssd "$@" </dev/null >gateway.out 2>&1
  gateway=$spawned
  eventually 40 grep -q 'Ctrl-C\|"serving"' gateway.out || not_ok "a gateway starts ($*)"
}
end_gateway() {
  end "$gateway"
  eventually 10 ended "$gateway" || not_ok "the gateway ends"
}
token() { sed -n 's/.*#token=\([0-9a-f]\{32\}\) .*/\1/p' gateway.out; }
# refused CODE TEXT ARGUMENT…: the gateway does not even begin.
refused() {
  local code=$1 text=$2
  shift 2
  timeout 20 "$bin/statesurf" gateway --no-dnssd "$@" >refused.out 2>&1
  [ $? = "$code" ] && grep -qF -- "$text" refused.out || { cat refused.out && return 1; }
}

start_todo
printf 'add Milk\n' >&3
eventually 40 has_rows 1 || not_ok "Todo has an action"

if has_other; then
  start_gateway --listen "$other:$gate" --listen "127.0.0.1:$gate" --inspector "$other:$far"
  token=$(token)
  query="?token=$token"
  check "at an address for others a token is printed" test ${#token} = 32
  check "a panel shows it in its field for the host" \
    guest panel ws "$other:$gate/socketcluster/$query&" $gate
  check "which is what the page says" guest page "http://$other:$gate/#token=$token" \
    "$other:$gate/socketcluster/$query&" "$gate" "http://$other:$gate/$query"
  for transport in polling websocket; do
    check "Socket.IO shows it, too ($transport)" guest socketio "http://$other:$gate/$query" $transport
  done
  check "and a WebSocket by its subprotocol" guest subprotocol "ws://$other:$far/ws" "$token"
  spawn peer inspector.py front "ws://$other:$far/ws$query" >front.heard 2>front.said
  check "and a front end of RemoteInspector" eventually 40 grep -q '"id":"Todo"' front.heard
  check "without it nobody gets in, whatever the path" guest doors "ws://$other:$gate" "$token"
  check "on loopback a panel needs none" guest panel ws 127.0.0.1 $gate
  check "a flood of wrong ones keeps nobody out" guest flood $other $gate "$token" 2000
  sed 's/^/# /' check.out
  check "who was turned away is told a few times at most" \
    test "$(grep -c 'turned away' gateway.out)" -le 3
  check "and the token stands where it was printed, and nowhere else" \
    test "$(grep -c "$token" gateway.out)" = 2
  end_gateway
  start_gateway --json --listen "$other:$gate"
  check "for programs it is a member" grep -qE '"event":"serving".*"token":"[0-9a-f]{32}"' gateway.out
  end_gateway
  check "others are not served without one" \
    refused 64 "'--no-token' is for this machine alone" --no-token --listen "$other:$gate"
else
  skip "an address for others: this machine allows no network namespaces"
fi

start_gateway --no-token --listen "127.0.0.1:$gate"
check "on loopback it can be left out, which is said" grep -q 'no token is asked for' gateway.out
end_gateway

start_gateway --token-file secret --listen "127.0.0.1:$gate"
token=$(token)
check "a token may be kept" test "$(cat secret)" = "$token"
check "for its owner alone" test "$(stat -c %a secret)" = 600
end_gateway
start_gateway --token-file secret --listen "127.0.0.1:$gate"
check "and is the same the next time" test "$(token)" = "$token"
check "then it is needed on loopback, too" guest doors "ws://127.0.0.1:$gate" "$token"

proxied() {
  openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2 -subj /CN=desk \
    -addext subjectAltName=IP:127.0.0.1 -keyout desk.key -out desk.pem 2>openssl.out || return 1
  sed -n '/^```nginx$/,/^```$/{/^```/!p}' "$here/../../Sources/ReduxDevTools.md" | sed \
    "s,listen 443,listen 127.0.0.1:$far,; s,127.0.0.1:8000,127.0.0.1:$gate,; s,/etc/ssl/,$PWD/," \
    >desk.conf
  cat >nginx.conf <<CONF
daemon off;
user root;
pid nginx.pid;
events {}
http {
  client_body_temp_path body;
  proxy_temp_path proxy;
  fastcgi_temp_path fastcgi;
  uwsgi_temp_path uwsgi;
  scgi_temp_path scgi;
  access_log access.log;
  include desk.conf;
}
CONF
  spawn nginx -p "$PWD/" -e error.log -c nginx.conf 2>nginx.out
  eventually 20 listens $far
}
if has_nginx >/dev/null; then
  export SSL_CERT_FILE=$PWD/desk.pem
  check "nginx begins with the lines of the page" proxied
  query="?token=$token"
  check "a panel comes through it" \
    guest panel wss "127.0.0.1:$far/socketcluster/$query&" $far
  check "which is what the page says there" guest page "https://127.0.0.1:$far/#token=$token" \
    "127.0.0.1:$far/socketcluster/$query&" "$far, secure" "https://127.0.0.1:$far/$query"
  for transport in polling websocket; do
    check "and Socket.IO ($transport)" guest socketio "https://127.0.0.1:$far/$query" $transport
  done
  check "but nobody without the token" guest doors "wss://127.0.0.1:$far" "$token"
  check "of which nginx keeps nothing" bash -c "! grep -rqs $token access.log error.log nginx.out"
else
  skip "a proxy: nginx cannot be installed: $(tail -n 1 "$surf_dir/apt" 2>/dev/null)"
fi
end_gateway
chmod 644 secret
check "a file that others may read is refused" refused 1 'Try: chmod 600' --token-file secret

# A gateway that holds a key, or its watch key, before an app that is sealed.
under() { STATESURF_KEY_FILE=$PWD/$1 "${@:2}"; }
"$bin/statesurf" key new our.key >made.out
under our.key "$bin/statesurf" key watch >watch.key
end "$todo" && eventually 20 ended "$todo"
gateway=
under our.key start_todo
printf 'add Milk\n' >&3
eventually 40 under our.key has_rows 1 || not_ok "the sealed Todo has an action"
check "without the key nobody sees the app" eval '! has_rows 1'

place=127.0.0.1:$gate door=$((port + 3))
under our.key start_gateway --listen "$place" --inspector "127.0.0.1:$door"
token=$(token)
check "a gateway with a key prints a token on loopback" test ${#token} = 32
check "and lets nobody in without it" guest doors "ws://$place" "$token"
check "nor at RemoteInspector's door" guest doors "ws://127.0.0.1:$door" "$token"
check "a panel with it sees the sealed app" guest panel ws "$place/socketcluster/?token=$token&" $gate
check "and has moved it" eventually 20 under our.key is_at_row 0
mkfifo guest.in && exec 4<>guest.in
spawn peer inspector.py app "ws://127.0.0.1:$door/?token=$token" FoodNoms/12 <&4 2>app.said
printf '{"type":"update","id":"canary","data":1}\n' >&4
sees_guest() { "$bin/statesurf" list --json --wait 0.5 | grep -q '"app":"FoodNoms"'; }
check "an app of RemoteInspector is sealed, too" eventually 40 under our.key sees_guest
check "so that nobody else sees it" eval '! sees_guest'
end_gateway
under our.key start_gateway --no-token --listen "$place"
check "--no-token lifts that here, and says so" grep -q 'no token is asked for' gateway.out
check "for a panel" guest panel ws 127.0.0.1 $gate
end_gateway

printf 'add Eggs\n' >&3
row() {
  under our.key "$bin/statesurf" list --json --wait 0.5 | sed -n 's/.*"app":"Todo".*"row":\([0-9]*\).*/\1/p'
}
goes_on() { at=$(row) && [ "${at:-0}" -gt 0 ]; }
eventually 20 goes_on || not_ok "Todo goes on"
under watch.key start_gateway --listen "$place"
token=$(token)
check "with the watch key a panel sees the app" \
  guest panel ws "$place/socketcluster/?token=$token&" $gate
check "and is told that it cannot move it" eventually 20 grep -q 'watch key alone' gateway.out
check "so that it stays where it is" test "$(row)" = "$at"
end_gateway

for where in "--listen $other:$gate" "--connect ws://desk:$far" '--auto' '--browse desk'; do
  check "with a key nothing leaves this machine: $where" \
    under our.key refused 64 'would leave this machine in the clear' $where
  check "also with the watch key: $where" \
    under watch.key refused 64 'would leave this machine in the clear' $where
done
check "without a token not even if told twice" \
  under our.key refused 64 "is for this machine alone" --no-token --expose --listen "$other:$gate"
if ip address show dev lo 2>/dev/null | grep -q "$other/"; then
  under our.key start_gateway --listen "$other:$gate" --expose
  token=$(token)
  check "told twice it serves others" \
    guest panel ws "$other:$gate/socketcluster/?token=$token&" $gate
  end_gateway
fi
under our.key start_gateway --connect "ws://127.0.0.1:$far"
check "a relay on this machine is dialled" grep -q 'dialling ws://127.0.0.1' gateway.out
end_gateway
finish
