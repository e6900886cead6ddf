#!/bin/bash
# Three apps under load change their key, one after another, and no viewer misses a row. The new key
# becomes the second line everywhere, then the first line of the apps; then the old key goes.
# Usage: Tests/Network/rotation.sh .build/release
set -u
bin=$(realpath "$1")
here=$(realpath "$(dirname "$0")")
. "$here/lib/surf.sh"
alone "$(realpath "$0")" "$bin"
only_alone "a rotation"
command -v python3 >/dev/null || { skip "a rotation (no python3)"; finish; exit; }
on_loopback
cd "$surf_dir" || exit 1

# surf KEYS ARGUMENT…: with the keys in that file.
surf() { STATESURF_KEY_FILE=$surf_dir/$1 timeout -k 5 60 "$bin/statesurf" "${@:2}" --no-dnssd; }
# start NUMBER: an app that records some thirty rows a second, under the keys that apps have now.
start() {
  STATESURF_KEY_FILE=$surf_dir/apps spawn "$bin/PrimeTime" --auto 0.03 </dev/null >"app.$1" 2>&1
  apps[$1]=$spawned
}
follow() {
  STATESURF_KEY_FILE=$surf_dir/$1 spawn "$bin/statesurf" watch --json --since 1 --no-dnssd \
    >"$2" 2>/dev/null
}
# follows FILE COUNT: whether it has rows of COUNT apps.
follows() {
  [ "$(grep '"event":"record"' "$1" | grep -o '"instance":"[^"]*"' | sort -u | wc -l)" -ge "$2" ]
}
tells() { grep -qF "$1" <<<"$("${@:2}" 2>&1)"; }
lists() { [ "$(surf "$1" list 2>/dev/null | grep -c '^PrimeTime#')" = "$2" ]; }
silent() { ! tells 'under a key that you do not have' surf "$1" doctor; }

for name in old new; do "$bin/statesurf" key new $name >/dev/null; done
id=$(STATESURF_KEY_FILE=old "$bin/statesurf" key list --json | sed -n 's/.*"id":"\([^"]*\)".*/\1/p')
cat old >apps
cat old >desk
apps=()
for number in 1 2 3; do start $number; done
check "three apps are under the old key" eventually 40 lists desk 3

cat old new >desk
follow desk seen
check "a viewer with both keys follows them" eventually 40 follows seen 3
cat new old >apps
for number in 1 2 3; do
  check "$((4 - number)) of them are told under the old key" \
    eventually 20 tells "$((4 - number)) app" surf new list
  check "by its id" tells "(id $id, from 127.0.0.1)" surf new doctor
  end "${apps[number]}" INT
  check "app $number ends" eventually 20 ended "${apps[number]}"
  start $number
  check "and is back, under the new key" eventually 40 lists new "$number"
  check "while the others stay" lists desk 3
done
cat new >desk
cat new >apps
check "nobody is under the old key any more" eventually 20 silent desk
check "without it all are there" lists desk 3
check "who has the old key alone is told of three" eventually 20 tells '3 apps sealed' surf old list
follow desk late
check "a viewer that comes now follows them" eventually 40 follows late 3

check "all six runs were followed" eventually 40 follows seen 6
sleep 1
check "with every row of each" python3 "$here/peers/gapless.py" seen 6
check "and so were the last three" python3 "$here/peers/gapless.py" late 3
finish
