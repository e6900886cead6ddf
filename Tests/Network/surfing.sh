#!/bin/bash
# Random commands that move an app or rewrite its history, from two viewers in turn, against a
# model. After each, the app must be where the model says, and `watch` must say from where.
# Usage: Tests/Network/surfing.sh .build/release; STATESURF_LONG=1 goes through twenty sequences.
set -u
bin=$(realpath "$1")
. "$(dirname "$0")/lib/surf.sh"
alone "$(realpath "$0")" "$bin"
on_loopback
surf() { "$bin/statesurf" "$@"; }
seeds="1 2" steps=40
[ "${STATESURF_LONG:-0}" = 1 ] && seeds=$(seq 1 20)

mkfifo "$surf_dir/todo.in"
exec 3<>"$surf_dir/todo.in"

# The model: rows with a state (1) or without (0), each row's parent, the app's place (a row or
# "none"), the rows that can still be left out, and whether the app is locked or paused.
begin() {
  rows=(1) parents=(none) at=0 checkpoint=0 inside=() out=" " locked= paused= moves=()
}
# Answers in $step: the row that back or forward leads to; empty if there is none. Back goes to the
# state that the row grew from. If that is in no row, it goes to the row before; and from such a
# state it goes to the newest row.
back() {
  step=
  local row=$at
  [ "$row" = none ] && row=${#rows[@]}
  [ "$row" = 0 ] && return
  step=${parents[row]-none}
  [ "$step" = none ] || return
  while [ $((--row)) -ge 0 ]; do [ "${rows[row]}" = 0 ] || { step=$row; return; }; done
}
# Forward goes to the newest that grew from it.
forward() {
  step=
  [ "$at" = none ] && return
  local row=${#rows[@]}
  while [ $((--row)) -gt "$at" ]; do
    [ "${rows[row]}" = 0 ] || [ "${parents[row]}" != "$at" ] || { step=$row; return; }
  done
}
add() {
  rows+=("$1") parents+=("$at")
  [ "$1" = 0 ] || at=$((${#rows[@]} - 1))
}
acted() {
  if [ "$paused" ]; then at=none; else add 1; inside+=("$at"); fi
}
move() { moves+=("$at $1") at=$1; }
is_inside() { [[ " ${inside[*]-} " == *" $1 "* ]]; }

# by COMMAND…: the viewers take turns.
turn=0
by() {
  turn=$((1 - turn))
  surf "$@" -i "$id" --as "$([ $turn = 1 ] && echo ada@one || echo bob@two)" >"$surf_dir/said" 2>&1
}
# goes WHERE COMMAND…: it is done, and the app is there.
goes() {
  local place="row $1" said
  [ "$1" = 0 ] && place="row 0 (initial)"
  [ "$1" = none ] && place="a state that is in no row"
  shift
  by "$@" || { fault="$* failed: $(cat "$surf_dir/said")"; return 1; }
  said=$(cat "$surf_dir/said")
  [[ "$said" == *" is at $place"[,' ']* || "$said" == *" is at $place" ]] ||
    { fault="$*: $said, and not $place"; return 1; }
}
stays() { ! by "$@" || { fault="$*: $(cat "$surf_dir/said"), and not refused"; return 1; }; }
has_row() { surf show "$1" -i "$id" --payload --raw >/dev/null 2>&1; }
is_elsewhere() { surf list --json --wait 0.2 | grep -q '"row":null'; }

# Does one step to the model and to the app, and compares the app's answer.
one_step() {
  local row=$((RANDOM % (${#rows[@]} + 1))) word
  case $((RANDOM % 20)) in
    0 | 1 | 2) # the app's own
      [ "$locked" ] && return
      printf 'add %s\n' "$RANDOM" >&3
      acted
      if [ "$at" = none ]; then eventually 20 is_elsewhere; else eventually 20 has_row "$at"; fi ||
        { fault="the app's own action is not seen"; return 1; } ;;
    3) [ "$locked" ] && { stays dispatch '"clear"'; return; }
      acted; goes "$at" dispatch '"clear"' ;;
    4 | 5 | 6) back; [ "$step" ] || { stays back; return; }; move "$step"; goes "$at" back ;;
    7 | 8 | 9) forward; [ "$step" ] || { stays forward; return; }
      move "$step"; goes "$at" forward ;;
    10 | 11) [ "${rows[row]:-0}" = 1 ] || { stays jump "$row"; return; }
      move "$row"; goes "$row" jump "$row" ;;
    12) move 0; goes 0 reset ;;
    13) # a state that no row has makes one
      echo "{\"filter\":\"all\",\"nextID\":$((1000 + ${#rows[@]})),\"todos\":[]}" >"$surf_dir/other.json"
      moves+=("$at ${#rows[@]}")
      add 1; goes "$at" load "$surf_dir/other.json" ;;
    14 | 15)
      word=skip
      [[ "$out" == *" $row "* ]] && word=unskip
      is_inside "$row" || { stays $word "$row"; return; }
      [ $word = skip ] && out+="$row " || out=${out/ $row / }
      add 1; goes "$at" $word "$row" ;;
    16) is_inside "$row" || { stays move "$row"; return; }
      add 1; goes "$at" move "$row" ;;
    17) word=(commit rollback sweep)
      word=${word[RANDOM % 3]}
      if [ $word = sweep ]; then
        local kept=()
        for row in ${inside[@]+"${inside[@]}"}; do [[ "$out" == *" $row "* ]] || kept+=("$row"); done
        inside=(${kept[@]+"${kept[@]}"})
      else inside=(); fi
      out=" "
      add 1; goes "$at" $word --yes ;;
    18) add 0
      if [ "$paused" ]; then paused=; goes "$at" resume; else paused=1; goes "$at" pause; fi ;;
    19) add 0
      if [ "$locked" ]; then locked=; goes "$at" unlock; else locked=1; goes "$at" lock; fi ;;
  esac
}

is_alone() { id=$(surf list --json --wait 0.3 | sed -n 's/.*"instance":"\(.\{8\}\).*"live":true.*/\1/p')
  [ -n "$id" ]; }
sequence() {
  local step_number
  RANDOM=$1 fault=
  begin
  for step_number in $(seq $steps); do
    one_step || { echo "# step $step_number: $fault; rows ${rows[*]}, at $at"; return 1; }
  done
}
# Each move, from and to, as in the model. "From" is absent where nobody could know it.
saw_all() {
  local move expected=
  for move in ${moves[@]+"${moves[@]}"}; do expected+="${move/none/null}"$'\n'; done
  expected=${expected//none/null}
  sed -n '/"event":"restored"/s/.*"from":\([^,}]*\).*"row":\([^,}]*\).*/\1 \2/p' "$surf_dir/watch" \
    >"$surf_dir/moves"
  [ "$(cat "$surf_dir/moves")" = "${expected%$'\n'}" ]
}

for seed in $seeds; do
  spawn "$bin/Todo" <&3 >"$surf_dir/todo.out"
  todo=$spawned
  eventually 40 is_alone || not_ok "the app is announced"
  spawn "$bin/statesurf" watch --json --as eve@three >"$surf_dir/watch"
  watch=$spawned
  eventually 20 test -s "$surf_dir/watch" || not_ok "watch sees the app"
  check "sequence $seed goes where the model says" sequence "$seed"
  check "and watch tells the way" eventually 20 saw_all
  end "$watch"
  end "$todo"
  eventually 20 ended "$todo" || not_ok "the app ends"
done
finish
