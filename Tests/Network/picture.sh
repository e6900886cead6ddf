#!/bin/bash
# README's pictures are screens of the debugger as they are: this produces the screens once more,
# and compares the texts. Then a browser renders the pictures in two fonts, each frame of one that
# moves, and each glyph must be in its column.
# Usage: Tests/Network/picture.sh .build/release [draw]
# With `draw`, it redraws them.
set -u
bin=$(realpath "$1")
root=$(realpath "$(dirname "$0")/../..")
. "$(dirname "$0")/lib/surf.sh"
. "$(dirname "$0")/lib/tmux.sh"
alone "$(realpath "$0")" "$bin" "${@:2}"

on_loopback
cd "$surf_dir" || exit 1
need_tmux
newest() { timeout 20 "$bin/statesurf" list --json --wait 0.8 | sed -n "s/.*\"app\":\"$1\".*\"newestRow\":\([0-9]*\).*/\1/p"; }
has_rows() { test "$(newest "$1")" = "$2"; }
# surfs SESSION APP: a debugger of 100 by 28.
surfs() {
  pane=$1
  TERM=xterm-256color LANG=C.UTF-8 mux new-session -d -s "$1" -x 100 -y 28 \
    "'$bin/statesurf' surf $2 --as ada@desk"
}
# looks_at ROW
looks_at() { keys C-g && typed "$1" && keys Enter && shows "^▸.* $1 "; }

mkfifo prime.in
exec 3<>prime.in
spawn "$bin/PrimeTime" <&3 >prime.out
prime=$spawned
printf '%s\n' + + p f + p f n >&3
# What the search for a prime finds is a row of its own, when it is found.
eventually 40 has_rows PrimeTime 9 || not_ok "PrimeTime has found the prime"
printf '%s\n' + + p f >&3
eventually 40 has_rows PrimeTime 13 || not_ok "PrimeTime has its rows"
surfs a PrimeTime
shows '^▸◆ .* 13 ' || not_ok "the newest row is under the cursor"
# Apps are listed in the order that the debugger hears them.
mkfifo basket.in
exec 4<>basket.in
spawn "$bin/Basket" <&4 >basket.out
shows 'Basket#[0-9]+ ●' || not_ok "another app is heard"
looks_at 7 && keys b
typed '/favourites changed' && keys Enter && shows 'of 3|3 found'
looks_at 10 && keys m
timeout 20 "$bin/statesurf" jump 12 -i PrimeTime --as bob@lap >/dev/null
shows '⤺ bob@lap moved the app' || not_ok "the move of another is told"
shows 'count: 3 → 4' || not_ok "the difference from the base is shown"

# Times and process numbers differ, and so do the places of rows in the strip of times.
said() { sed -E 's/#[0-9]+/#/g; /^ *[0-9:]{8} .*[0-9:]{8}/d; s/[0-9:]{8}(\.[0-9]{3})?/TIME/g; s/ +/ /g; s/ $//'; }
picture() { python3 "$root/Tests/Network/lib/picture.py" "$@"; }
# shot KEYS: the screen after these keys is the next frame. No keys: the only one.
shot() {
  [ $# = 0 ] || printf '\f%s\n' "$1" >>shots
  mux capture-pane -e -p -N -t "$pane" >>shots
  frames=$((frames + 1))
  screen | said >"is.$frames"
}
frames=0
# pictured PICTURE APP: the shots.
pictured() {
  local frame
  [ -z "$draws" ] || picture draw "statesurf surf $2" <shots >"$root/Demo/$1.svg"
  for frame in $(seq "$frames"); do
    picture still "$frame" <"$root/Demo/$1.svg" | picture read | said >was
    check "frame $frame of README's picture of $2 is the screen as it is" diff was "is.$frame"
  done
  rm shots
  frames=0
}
draws=${2:-}
shot
pictured debugger PrimeTime

# Where README's reader finds the fault, in the only live app: tabs stand as apps are heard.
end "$prime"
eventually 20 ended "$prime" || not_ok "PrimeTime ends"
printf '%s\n' 'add 40' coupon 'add 10' 'remove 40' >&4
surfs b Basket
shows '^▸◆ .* remove' || not_ok "the fault is under the cursor"
shot 'a total below zero'
keys Tab Down
shows '── total ─' || not_ok "the cursor is on the total"
shot 'Tab ↓ · to the total'
keys '*'
shows 'find: total changed +4 of 4' || not_ok "the row wrote it itself"
shot '* · who wrote it?'
keys N
shows '^▸ .* add\(10\)' || not_ok "the writer before"
shot 'N · the writer before'
keys N
shows '^▸ .* coupon' || not_ok "the row that wrote it wrongly is found"
shot 'N · the coupon left the prices as they were'
pictured fault Basket

# looks_right PICTURE FRAME FONT: in a browser whose font that is.
looks_right() {
  local width height font=$3
  picture still "$2" <"$root/Demo/$1.svg" >still.svg
  read -r width height < <(sed -nE 's/.*<svg [^>]* width="([0-9]+)" height="([0-9]+)".*/\1 \2/p' still.svg)
  sed "s/font-family=\"[^\"]*\"/font-family=\"$font\"/" still.svg >font.svg
  HOME=$surf_dir timeout 60 "$browser" --no-sandbox --disable-gpu --hide-scrollbars \
    --force-device-scale-factor=1 --window-size="$width,$height" --screenshot="$surf_dir/font.png" \
    "file://$surf_dir/font.svg" >browser.out 2>&1 || { cat browser.out && return 1; }
  picture look font.svg "$font" <font.png
}
browser=$(command -v chromium-headless-shell chromium google-chrome | head -n 1)
for font in 'DejaVu Sans Mono' 'Liberation Mono'; do
  if [ -z "$browser" ]; then
    skip "a browser shows README's pictures in $font: there is no Chromium"
  elif [ -z "$(fc-list "$font")" ]; then
    skip "a browser shows README's pictures in $font: there is no such font"
  else
    for frame in debugger:1 fault:1 fault:2 fault:3 fault:4 fault:5; do
      check "a browser shows each glyph of $frame in its column, in $font" \
        looks_right "${frame%:*}" "${frame#*:}" "$font"
    done
  fi
done
finish
