#!/bin/bash
# `statesurf values` against live apps: the values and scopes that it prints on loopback, and the
# old values that a late viewer still gets, between two hosts that lose datagrams.
# Usage: Tests/Network/values.sh .build/release
set -u
bin=$(realpath "$1")
here=$(realpath "$(dirname "$0")")
. "$here/lib/surf.sh"
. "$here/lib/command.sh"
. "$here/lib/topology.sh"

cd "$surf_dir" || exit 1
net_up app viewer || { skip "values (no namespaces)"; finish; exit; }
surf() { on viewer timeout 60 "$bin/statesurf" "$@" --interface eth0; }
app() { on app env STATESURF_INTERFACE=eth0 "$bin/ValueProbe" "$@"; }
# prints LINES COMMAND…: exactly, but for the times and process ids.
prints() {
  local wanted=$1
  shift
  "$@" >out 2>said
  diff <(printf '%s\n' "$wanted") <(sed -E 's/^[0-9:.]{12} //; s/#[0-9]+/#/' out) || ! cat said
}

mkfifo kitchen.in many.in
exec 3<>kitchen.in 4<>many.in
spawn app Kitchen <&3
eventually 40 has_rows Kitchen 0 || not_ok "Kitchen is announced"
check "an app without values has none" exits 1 surf values Kitchen
check "which it says beside the result" eval 'test ! -s out && grep -qx "statesurf: Kitchen#[0-9]* has no values" said'

printf '%s\n' 'recipe 2' 'set speed 3' 'open screen' 'in screen row 1' 'recipe 4' >&3
eventually 40 has_rows Kitchen 4 || not_ok "Kitchen has its rows"
check "values are opened two levels deep, by name" prints 'Kitchen#
  recipe
    foods: […2]
    portions: 4
    title: "soup"
  screen/row: 1
  speed: 3' surf values
check "or as deep as one likes" prints 'Kitchen#
  recipe: {…3}
  screen/row: 1
  speed: 3' surf values Kitchen --depth 1
check "a path leads into one of them" prints 'Kitchen#
  "potato"' surf values Kitchen 'recipe.foods[1].name'
check "and to all of a scope" prints 'Kitchen#
  screen/row: 1' surf values -i Kitchen screen
check "to nothing, which the exit code tells" exits 1 surf values Kitchen recipe.salt
check "and so do words" grep -q "no value is named 'recipe.salt'" said
check "which know what was meant" eval \
  '! surf values Kitchen sped 2>said && grep -q "Did you mean .speed.?" said'
check "one app is one object for a program" prints \
  '{"recipe":{"foods":[{"grams":200,"name":"leek"},{"grams":300,"name":"potato"}],"portions":4,"title":"soup"},"screen/row":1,"speed":3}' \
  surf values Kitchen --json
check "a place is its value" prints 300 surf values Kitchen 'recipe.foods[1].grams' --json
check "all apps are one object of theirs" prints \
  '{"Kitchen#":{"recipe":{"foods":[{"grams":200,"name":"leek"},{"grams":300,"name":"potato"}],"portions":4,"title":"soup"},"screen/row":1,"speed":3}}' \
  surf values --json

spawn surf values Kitchen --follow >follow.out
follower=$spawned
eventually 40 grep -q 'speed: 3' follow.out || not_ok "it begins with what is there"
printf '%s\n' 'set speed 4' 'close screen' 'remove recipe' 'set last 1' >&3
followed() {
  diff <(printf '%s\n' 'Kitchen# recipe: {"foods":[{"grams":200,"name":"leek"},{"grams":300,"name":"potato"}],"portions":4,"title":"soup"}' \
    'Kitchen# screen/row: 1' 'Kitchen# speed: 3' 'Kitchen# speed: 4' 'Kitchen# - screen' \
    'Kitchen# - recipe' 'Kitchen# last: 1') <(sed -E 's/^[0-9:.]{12} //; s/#[0-9]+/#/' follow.out)
}
check "and goes on with what changes" eventually 40 followed
end "$follower" INT
check "what has ended is gone for later ones" prints 'Kitchen#
  last: 1
  speed: 4' surf values

# A property, whose lines are those of Sources/Instrumenting.md.
echo 'shop 3' >&3
check "a property is a value" eventually 10 prints '{"items":3,"total":12.5}' surf values Kitchen cart --json

# Values of long ago: the app has forgotten the records that told them.
values=10000 records=20000
[ "${STATESURF_LONG:-0}" = 1 ] && records=100000
spawn app Many <&4
printf '%s\n' "many $values" "logs $records" 'again 1000' 'long 300000' 'named 1000000' >&4
newest=$((values + records + 1002))
eventually 120 has_rows Many $newest || not_ok "Many has its rows"
for loss in 0 50; do
  net_lose $loss viewer app
  began=$(date +%s%N)
  surf values Many --json >out 2>said
  took=$((($(date +%s%N) - began) / 1000000))
  check "$values values are all known at $((loss / 10)) % loss" python3 - out <<'PYTHON'
import json, sys
values = json.load(open(sys.argv[1]))
assert len(values) == 10003, len(values)
assert all(values[f"value {number}"] == number for number in range(10000))
assert values["again"] == 999 and values["long"] == "x" * 300000
assert values["n" * 4096] == 1
PYTHON
  echo "# in $took ms"
done
finish
