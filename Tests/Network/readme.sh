#!/bin/bash
# Runs the commands in README.md and its pages against their programs and three live demos on
# loopback. First come the examples in their tables, then the lines `$ …` of their console blocks.
# Usage: Tests/Network/readme.sh .build/release
set -u
bin=$(realpath "$1")
root=$(realpath "$(dirname "$0")/../..")
pages=("$root"/{README,Demo/README,Sources/Instrumenting,Sources/Stores,Sources/Configuring,Sources/Libraries,Sources/Debugger,Sources/Command,Sources/Query,Sources/ReduxDevTools}.md)
. "$(dirname "$0")/lib/surf.sh"
# The gateway of the pages listens on 8000, where something else may.
alone "$(realpath "$0")" "$bin"

on_loopback
cd "$surf_dir" || exit 1

# One command a line, as a shell can run it here: `.build/debug/statesurf` is what we were given.
# The blocks come last: they leave PrimeTime in states that have no row after them.
commands() {
  cat "${pages[@]}" | grep '^|' | grep -o '`statesurf [^`]*`' | tr -d '`'
  sed -n '/^```console$/,/^```$/s/^\$ \(\.build\/debug\/statesurf .*\)/\1/p' "${pages[@]}"
}
runnable() { sed -E 's,^(\.build/debug/)?statesurf,"$bin/statesurf",' <<<"$1"; }

# A watch or a gateway without an end of its own has done well if it had to be ended.
run() {
  local status
  local limit=120
  case $1 in *"statesurf gateway"*) limit=5 ;; esac
  # A key is made where a person would have it; all else here is open.
  local key=$STATESURF_KEY_FILE
  case $1 in *"statesurf key"*) key= ;; esac
  STATESURF_KEY_FILE=$key bin=$bin timeout -k 5 $limit bash -c "$(runnable "$1")" >"$surf_dir/run.out" 2>&1 </dev/null
  status=$?
  case $1 in *"statesurf watch"* | *"statesurf gateway"*) [ $status -ne 124 ] || status=0 ;; esac
  return $status
}

is_at() {
  "$bin/statesurf" list --json --wait 0.5 | grep "\"app\":\"$1\"" | grep -qE "\"newestRow\":$2[,}]"
}

# starts NAME: by a page's own line, with more input from fd 3.
starts() {
  local line
  line=$(sed -n "s,^\\$ \\(.*| \\)\\.build/debug/$1\$,\\1,p" "${pages[@]}")
  [ -n "$line" ] || not_ok "README: $1 is started"
  spawn bash -c "$line \"\$0\"" "$bin/$1" <&3 >"$1.out"
}
# types NAME LINE…: what a person would, into a program that then stands still.
types() {
  local name=$1
  shift
  mkfifo "$name.in"
  # The script keeps it open: the input never ends.
  spawn bash -c 'exec 4<>"$0.in"; "$1" <&4' "$name" "$bin/$name" >"$name.out"
  printf '%s\n' "$@" >"$name.in"
}

# PrimeTime at rest: a step back must find a step forward, whatever the time between.
mkfifo nothing.in
exec 3<>nothing.in
starts PrimeTime
starts Basket
types Todo 'add Buy milk' 'add Call Bob' 'done 1' 'edit 2 Call Bob and Ada' clear list lift
types Clicker '' '' undo
types Thermostat 23
spawn "$bin/SystemMonitor" </dev/null >monitor.out
spawn "$bin/ShakeAndCount" <&3 >shaken.out
spawn "$bin/Server" --port 0 >server.out
eventually 20 test -s server.out || not_ok "Server listens"
# Both are under way before either is answered.
for _ in 1 2; do
  spawn bash -c 'exec 4<>"/dev/tcp/127.0.0.1/$0"
    printf "POST /orders?item=milk&count=2 HTTP/1.1\r\n\r\n" >&4; cat <&4' \
    "$(sed 's/.*://' server.out)" >order.out
done
# board NAME OPTION: reads NAME.in.
board() {
  mkfifo "$1.in"
  spawn bash -c 'exec 4<>"$0.in"; "$1" "$2" 127.0.0.1:17731 --name "$0" <&4' "$1" "$bin/Board" "$2" \
    >"$1.out"
}
board Ada --listen
eventually 20 test -s Ada.out || not_ok "Board listens"
board Bob --join
echo 'add Buy milk' >Ada.in
have_card() { "$bin/statesurf" show tip cards -i Bob | grep -q '"Buy milk"'; }
eventually 20 have_card || not_ok "Bob has Ada's card"
boards_differ() { "$bin/statesurf" diff -i Ada --with Bob 2>&1 | grep -q column; }
# Whether both have edited before either has heard of it. If not, the card has to be as before.
boards_part() {
  echo 'edit 1 Buy oat milk' >Ada.in
  echo 'move 1 done' >Bob.in
  sleep 1.5
  boards_differ && return
  printf '%s\n' 'edit 1 Buy milk' 'move 1 todo' >Ada.in
  sleep 1.5
  false
}
eventually 40 boards_part || not_ok "the boards differ"
for rows in PrimeTime:13 Todo:6 Basket:4 Clicker:3 Thermostat:1 Server:13 'SystemMonitor:[0-9]+' \
  'ShakeAndCount:[0-9]+'; do
  eventually 40 is_at "${rows%:*}" "${rows#*:}" || not_ok "${rows%:*} is announced, with its rows"
done

# What the pages show under a line `$ COMMAND`.
shown() {
  awk -v command="\$ $1" '/^(\$ |```)/ { inside = 0 } inside; $0 == command { inside = 1 }' "${pages[@]}"
}
# A key's fingerprint is another one each time, and people live elsewhere.
unnamed() { sed -E 's/key [0-9a-f]{8}, in .*/key …, in …/'; }
# Whether the output is that of a page, where it is the same in every run.
is_as_shown() {
  case $1 in
    *" key new") diff <(shown "$1" | unnamed) <(unnamed <"$surf_dir/run.out") ;;
    # Above the differences stand the numbers of the processes.
    *" diff "*Ada*) diff <(shown "$1" | grep '^~') <(grep '^~' "$surf_dir/run.out") ;;
    *" trace "*Ada) grep -q '"Buy oat milk" → "Buy milk"' "$surf_dir/run.out" ;;
    # One of the two takes what the other has.
    *" trace "*Server) grep -q ' 1 → -1 ' "$surf_dir/run.out" ;;
    *build*" show "*Clicker | *build*" diff "*Todo | *build*" show "*Thermostat | \
      *" trace "*Basket)
      shown "$1" | diff - "$surf_dir/run.out" >"$surf_dir/diff.out" ||
        { mv "$surf_dir/diff.out" "$surf_dir/run.out" && false; } ;;
  esac
}

count=0
while IFS= read -r command; do
  count=$((count + 1))
  case $command in
    # Tests stay on loopback.
    *--interface*) skip "README: $command (not on loopback)" && continue ;;
    *"statesurf gateway"*)
      [ -n "${SURF_ALONE-}" ] || { skip "README: $command (its port may be taken)" && continue; } ;;
  esac
  if run "$command" && is_as_shown "$command"; then ok "README: $command"; else
    not_ok "README: $command"
    sed 's/^/# /' "$surf_dir/run.out"
  fi
done < <(commands)
check "the key that may look on is one" grep -q '^statesurf-watch-1-' watch.key
check "the README and its pages show every subcommand" test "$count" -ge 39
finish
