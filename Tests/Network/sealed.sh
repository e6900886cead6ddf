#!/bin/bash
# An app with a key on one host; viewers with the key, with its watch key and without it on another.
# The key lets a viewer surf, the watch key lets it look on, and nobody can read the link.
# Usage, as root: Tests/Network/sealed.sh .build/release
set -u
bin=$(realpath "$1")
here=$(realpath "$(dirname "$0")")
. "$here/lib/surf.sh"
. "$here/lib/topology.sh"
command -v python3 >/dev/null || { skip "sealed apps (no python3)"; finish; exit; }
net_up app desk || { not_ok "namespaces"; finish; exit 1; }
unset STATESURF STATESURF_GROUP STATESURF_PORT STATESURF_REALM
export STATESURF_INTERFACE=eth0

# at HOST NAME COMMAND…: on that host, under a name that must not be read.
at() {
  on "$1" unshare -u bash -c 'echo "$1" >/proc/sys/kernel/hostname && shift && exec "$@"' at "${@:2}"
}
# surf KEY ARGUMENT…: with the key in that file.
surf() {
  at desk "${said}desk" env STATESURF_KEY_FILE="$1" timeout -k 5 60 "$bin/statesurf" "${@:2}" \
    --no-dnssd --as "${said}viewer"
}
# start KEY: an app under that key; what is typed into it goes to descriptor 3.
start() {
  rm -f "$surf_dir/typed" && mkfifo "$surf_dir/typed" && exec 3<>"$surf_dir/typed"
  spawn at app "${said}host" env STATESURF_KEY_FILE="$1" "$bin/Todo" <&3 >"$surf_dir/app.out" 2>&1
  app=$spawned
  echo "add ${said}state" >&3
}
# start_other KEY: another one, with values, lines and marks to tell.
start_other() {
  rm -f "$surf_dir/told" && mkfifo "$surf_dir/told" && exec 4<>"$surf_dir/told"
  spawn at app "${said}host" env STATESURF_KEY_FILE="$1" "$bin/ValueProbe" "${said}app" \
    <&4 >"$surf_dir/other.out" 2>&1
  other_app=$spawned
  printf '%s\n' "set ${said}value 1" "long ${#long}" 'logs 3' "${said}mark" >&4
}
# moves KEY: a viewer makes it do secret things, too.
moves() {
  surf "$1" dispatch '{"add":"canary-payload"}' -i Todo &&
    surf "$1" values "${said}app" --json >"$surf_dir/values" &&
    grep -qF "${said}value" "$surf_dir/values" && grep -qF "$long" "$surf_dir/values"
}
overhear() {
  spawn on bridge python3 "$here/peers/overhear.py" "$1" >"$surf_dir/ear"
  ear=$spawned
  eventually 20 grep -q listening "$surf_dir/ear"
}
tells() { grep -qF "$1" <<<"$("${@:2}" 2>&1)" || { "${@:2}"; return 1; }; }
lists() { tells 'Todo#' surf "$1" list; }
has() { tells "$2" surf "$1" show -i Todo; }
fails() { ! "$@" >/dev/null; }
overheard() { grep -aqF "$2" "$1"; }

key=$surf_dir/key watch=$surf_dir/watch other=$surf_dir/other
"$bin/statesurf" key new "$key" >/dev/null
STATESURF_KEY_FILE=$key "$bin/statesurf" key watch >"$watch"
"$bin/statesurf" key new - >"$other"
id=$(STATESURF_KEY_FILE=$key "$bin/statesurf" key list --json | sed -n 's/.*"id":"\([^"]*\)".*/\1/p')
said=canary-
# A long value, and the words that must not be readable on the link, or must.
long=$(printf 'x%.0s' {1..60})
secrets=(canary-state canary-payload canary-host canary-viewer canary-app canary-value canary-mark
  'line 2' "$long" Todo application/json)

overhear "$surf_dir/sealed"
start "$key"
check "who has the key sees the app" eventually 40 lists "$key"
check "and its state" eventually 40 has "$key" canary-state
check "and the doctor counts it" tells ' apps       1 under ' surf "$key" doctor
check "and moves it" surf "$key" back -i Todo
check "to where it was" tells 'row 0 (initial)' surf "$key" list
start_other "$key"
check "and hears the values of another" eventually 40 tells canary-app surf "$key" list
check "and rewrites its history, and asks for values" moves "$key"
check "and its lines" eventually 20 tells 'line 2' surf "$key" logs canary-app
check "a ring opens with any of its keys" eval 'cat "$other" "$key" >"$surf_dir/ring"; lists "$surf_dir/ring"'

check "who has the watch key sees it" eventually 40 lists "$watch"
check "and its state" eventually 40 has "$watch" canary-payload
check "and cannot move it" tells 'watch key' surf "$watch" reset -i Todo
check "so that it stays where it is" has "$watch" canary-payload
observes() { tells "$1" surf "$watch" "${@:2}" --observe; }
check "an observer says that nothing proves it alive" \
  eventually 40 observes 'liveness unproven' list --wait 2
check "in JSON, too" observes '"standing":"unproven"' list --wait 2 --json
check "and while its numbers grow" eval \
  '{ sleep 1; echo "add more" >&3; } & observes "liveness unproven" watch --for 3; wait $!'
check "who has asked it does not" fails tells unproven surf "$watch" list

stranger="2 apps sealed under a key that you do not have (id $id, from 10.99.77.1)"
for none in none "$other"; do
  check "who lacks the key hears that somebody is there" eventually 40 tells "$stranger" surf "$none" list
  check "and sees no app" fails lists "$none"
done
check "the doctor tells it" tells "$stranger" surf none doctor
check "a key that cannot be read is no reason to do without" \
  tells 'No such file' surf "$surf_dir/nothing" list
end "$app"
end "$other_app"
end "$ear"
for word in canary "${secrets[@]}"; do
  check "nobody reads '$word' on the link" fails overheard "$surf_dir/sealed" "$word"
done

overhear "$surf_dir/open"
start none
check "an app without a key is open" eventually 40 has none canary-state
check "and who has a key sees it" eventually 40 has "$key" canary-state
check "but does not move it" tells 'is open' surf "$key" reset -i Todo
check "and says that it is open" tells ', open' surf "$key" list
check "and that --open moves it" tells 'Try: --open' surf "$key" dispatch '"clear"' -i Todo
check "nor loads a state into it" fails surf "$key" load - -i Todo <<<'{}'
check "which it does when told to" surf "$key" reset -i Todo --open
check "whoever has none does" surf none reset -i Todo
start_other none
check "the values of another are open, too" eventually 40 tells canary-app surf none list
check "and so are requests" moves none
end "$ear"
for word in "${secrets[@]}"; do
  check "there, everybody reads '$word'" overheard "$surf_dir/open" "$word"
done
end "$app"
end "$other_app"

start "$surf_dir/nothing"
check "an app whose key cannot be read says so" eventually 20 grep -q 'sends nothing' "$surf_dir/app.out"
check "and is open to nobody" fails tells 'Todo#' surf none list
finish
