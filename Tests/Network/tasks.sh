#!/bin/bash
# How few keys a person needs for ten tasks in `statesurf surf`. Real keys on a terminal do each
# task. It must end with its answer on the screen, and keep its bound.
# Usage: Tests/Network/tasks.sh .build/release
set -u
bin=$(realpath "$1")
. "$(dirname "$0")/lib/surf.sh"
. "$(dirname "$0")/lib/tmux.sh"
alone "$(realpath "$0")" "$bin"

on_loopback
cd "$surf_dir" || exit 1
need_tmux
surf() { timeout 20 "$bin/statesurf" "$@"; }

# begin TASK BOUND: from here on keys count. What leads here is not part of the task.
begin() { task=$1 bound=$2 count=0 before=$(screen); }
# press KEY…, types TEXT: every word and every letter is a key.
press() { count=$((count + $#)); keys "$@"; }
types() { count=$((count + ${#1})); typed "$1"; }

# has SCREEN PATTERN…: whether it shows all of them together.
has() {
  local screen=$1 pattern
  shift
  for pattern in "$@"; do grep -qE -- "$pattern" <<<"$screen" || return 1; done
}
is_new() { ! has "$before" "$@"; }
answers() { has "$(screen)" "$@"; }
shows_all() { eventually 20 answers "$@" || { screen; false; }; }

# solved PATTERN…: the answer is on the screen, was not there before, and took few keys enough.
solved() {
  check "$task" shows_all "$@"
  check "$task: the screen did not say so before" is_new "$@"
  check "$task: keys pressed $count, at most $bound" test "$count" -le "$bound"
  printf '# %-44s %4d %8d\n' "$task" "$count" "$bound" >>table
}
# told NAME: asks NAME for the initial state, so that row 1 tells it. Else the debugger asks when it
# needs it, and who knows which row that is.
tells() { surf show 0 -i "$1" >/dev/null 2>&1; }
told() { eventually 20 tells "$1" || not_ok "$1 tells its initial state"; }
# at PATTERN: where the task begins.
at() { shows "$1" >/dev/null || not_ok "there is no $1 to begin at: $(screen)"; }

# Where a person sees that something is wrong: a total below zero.
mkfifo basket.in
exec 3<>basket.in
spawn "$bin/Basket" <&3 >/dev/null
told Basket
printf '%s\n' 'add 40' coupon 'add 10' 'remove 40' >&3
open basket "$bin/statesurf surf Basket"
at 'total: 30 → -10'
begin "find the fault in Basket" 7
press Tab Down '*' N N
solved '^▸ .* 3  coupon' '~ total: 40 → 20' 'from row 2 · 1 change$' '▸ unchanged 1$'

mkfifo todo.in other.in
exec 4<>todo.in 5<>other.in
spawn "$bin/Todo" <&4 >/dev/null
todo=$spawned
spawn "$bin/Todo" <&5 >/dev/null
other=$spawned
told "Todo#$todo"
printf '%s\n' 'add Milk' 'add Bread' 'done 1' 'filter open' 'add Tea' 'add Rye' >&4
printf '%s\n' 'add Milk' 'add Oats' >&5
open todo "$bin/statesurf surf Todo#$todo"
at '^▸◆ .* 7  add\("Rye"\)'
# In the state, at its top.
keys ']' Tab
at '▾ 3 keys'
begin "who last wrote a value" 2
press Down '*'
solved '^▸ .* 5  filter\.open' 'find: filter changed +1 of 1 '
begin "watch a value" 2
press Down w
solved '^ no filter .* nextID +│' ' 2  add\("Milk"\) +2 ' ' 5  filter\.open +3 ' \
  ' 7  add\("Rye"\) +5 '
keys w Tab G
at '^▸◆ .* 7  add\("Rye"\) .*\+38 B'

# Among three apps.
at "Todo#$other ●"
at 'Basket#[0-9]+ ●'
begin "compare two instances" 4
press C
types to
press Enter
solved "- Todo#$other row 2, its newest" "\+ Todo#$todo row 7 · [0-9]+ changes" \
  '~ todos\[1\]\.title: "Oats" → "Bread"'
keys d
at 'from row 6 · 2 changes'
begin "dispatch an action, beside its text" 2
press D
typed 'add Oats'
press Enter
solved '✓ dispatched \{add: "Oats"\}' '^▸◆ .* 8  add\("Oats"\)'
keys 3 Enter x
at '^▸x .* 3  add\("Bread"\)'
begin "undo a skip" 1
press u
solved '✓ unskipped row 3 ' '^▸   .* 3  add\("Bread"\)' ' 10  unskipped row 3 '
check "the app has undone it" eval "surf show tip --raw -i 'Todo#$todo' | grep -q Bread"
# Another viewer moves the app, which goes on for two rows.
surf jump 3 -i "Todo#$todo" >/dev/null
printf '%s\n' 'add Salt' 'add Pepper' >&4
keys G
at '^▸◆ .* 12  add\("Pepper"\)'
begin "back to the other future" 2
press '|' s
solved '^▸◆ .* 4  done\(1\)' "✓ moved Todo#$todo to row 4 "

begin "follow a restart" 0
kill -KILL "$todo"
# Else it may still take a line from the pipe.
wait "$todo" 2>/dev/null
spawn "$bin/Todo" <&4 >/dev/null
echo 'add Rhubarb' >&4
solved "\[Todo#$spawned ●\]" 'Todo restarted · 12 rows of the last run' \
  '^▸◆ .* [12]  add\("Rhubarb"\)'

# The state may not be read yet when the person begins.
python3 - <<'END_OF_STATE'
members = [f'"key{number}":{number}' for number in range(100_000)]
members[71_234] = '"key71234":{"note":"a ripe pear"}'
with open("large.json", "w") as file:
    file.write("{" + ",".join(members) + "}")
END_OF_STATE
mkfifo large.in
exec 3<>large.in
spawn "$bin/OpaqueProbe" "$surf_dir" large.json <&3
open large "$bin/statesurf surf OpaqueProbe"
at '^▸◆ .* 1  load large\.json'
begin "find a text in 100,000 keys" 8
press ']' Tab /
types pear
press Enter
solved 'find in State: pear +1 of 1 ' '── key71234\.note ──' 'note: "a ripe pear"'

# The debugger holds the newest 100,000 rows.
spawn "$bin/StreamProbe" publish --port "$port" --count 102000 --size 30 --history 268435456 \
  --go /dev/null --stop stop >probe.out 2>&1
open many "$bin/statesurf surf StreamProbe"
eventually 60 sees '^▸◆ .* 102000  step 102000 ' || not_ok "102,000 rows come"
at '^ no filter · 9[0-9]{4} rows '
begin "reach row 50, which is not loaded" $((2 + 2))
types 50
press Enter
solved '^▸  .* 50  step 50 ' '│ row 50 step ' ' 51  step 51 '

printf '# %-44s %4s %8s\n' task keys 'at most'
cat table
finish
