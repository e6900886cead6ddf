#!/bin/bash
# The programs that the pages in Sources show, one of each kind. A viewer sees what each does, puts
# it into an earlier state, and the program goes on from there.
# Usage: Tests/Network/kinds.sh .build/release
set -u
bin=$(realpath "$1")
. "$(dirname "$0")/lib/surf.sh"
alone "$(realpath "$0")" "$bin"
on_loopback
cd "$surf_dir" || exit 1

# begins PROGRAM NAME [COLUMNS]: a viewer of it, and then the program, which may end before a viewer
# that has just started has heard its first rows.
begins() {
  # A page-wide column would be cut.
  COLUMNS=200 spawn "$bin/statesurf" watch "$2" ${3:+--columns "$3"} >"$2.rows"
  viewers=$((viewers + 1))
  eventually 40 listen "$viewers" || not_ok "a viewer of $2 listens"
  spawn "$bin/$1" >"$2.out" <"${keys:-/dev/null}"
}
# listen COUNT: so many viewers do.
listen() { [ "$(ss -Huln "sport = :$STATESURF_PORT" | wc -l)" -ge "$1" ]; }
viewers=0
has() { grep -qE "$2" "$1.rows"; }
# goes_back NAME ROW PATTERN: once a row is as PATTERN has it.
goes_back() {
  eventually 40 has "$1" "$3" && "$bin/statesurf" jump "$2" -i "$1"
}

begins ActorKind Fridge items
begins ObservableKind Trip budget
begins PartsKind Kiosk cart.items,lamp
begins ReSwiftKind Tank litres
begins ComposableKind Meter count
begins RoutedKind Hello
check "an actor is put back" goes_back Fridge 1 ' 2  action  changed items'
check "so is an observable model" goes_back Trip 1 ' 2  action  changed budget, stops'
check "a restore reaches all parts of a state" goes_back Kiosk initial ' 2  action  cart: add milk'
check "and a store of ReSwift's shape" goes_back Tank initial ' 1  action  Fill'
check "and one of the Composable Architecture's" goes_back Meter initial ' 1  action  tick'
check "the actor goes on from there" eventually 40 has Fridge ' 3  action  changed items .*\["bread"\]'
check "the model, too" eventually 40 has Trip ' 3  action  changed budget, stops .* 420 '
check "the parts, too" eventually 40 has Kiosk ' 3  action  cart: add bread .*\["bread"\] .*false'
check "the store, too" eventually 40 has Tank ' 2  action  Fill.litres: 7. .* 7 '
check "and the other store" eventually 40 has Meter ' 2  action  tick .* 1 '
check "a request is the parent of its line" eventually 40 has Hello ' 2  info    said hello ←1'
check "and of its end" has Hello ' 3  info    answered GET /hello: 200 ←1'
check "a request that the server refuses has a status" eventually 40 has Hello \
  ' 5  warning answered GET /nowhere: 404 ←4'

# These start later, because a viewer must put each program back between two of its actions.
begins RexKind Gauge level
begins LoopKind Blocks score
check "a store of SwiftRex's shape is put back" goes_back Gauge initial ' 1  action  fill'
check "and a game" goes_back Blocks 1 ' 2  action  play'
check "the store goes on from there" eventually 40 has Gauge ' 2  action  fill.7. .* 7 '
check "and the game" eventually 40 has Blocks ' 3  action  play .* 2 '
# It waits for a key in between, and restores meanwhile.
mkfifo keys
exec 3<>keys
keys=keys begins KeysKind Piano notes
printf ab >&3
check "a program that waits for a key is put back" goes_back Piano 1 ' 2  action  key .* "ab"'
printf c >&3
check "and goes on from there with the next key" eventually 40 has Piano ' 3  action  key .* "ac"'
begins StoreKind Tape numbers
skips() { eventually 40 has Tape "$1" && "$bin/statesurf" skip 1 -i Tape; }
check "a program with a store of its own runs its actions again" skips ' 2  action  add.2.'
check "and goes on from there" eventually 40 has Tape ' 4  action  add.3. .*\[2,3\]'
finish
