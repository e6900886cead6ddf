#!/bin/bash
# Runs the commands that README.md shows, against two live demos on loopback: the examples in its
# tables, and then the lines `$ …` of its console blocks.
# Usage: Tests/network/readme.sh .build/release
set -u
bin=$(realpath "$1")
readme=$(realpath "$(dirname "$0")/../../README.md")
. "$(dirname "$0")/../lib/surf.sh"
# The gateway of the page listens on 8000, where something else may.
alone "$(realpath "$0")" "$bin"

# A port of this run's own, and loopback whatever the environment says.
export STATESURF_PORT=$((20000 + $$ % 6000 * 2)) STATESURF_INTERFACE=lo
unset STATESURF STATESURF_GROUP
cd "$surf_dir" || exit 1

# One command a line, as a shell can run it here: `.build/debug/statesurf` is what we were given.
# The blocks come last: they leave PrimeTime in states that have no row after them.
commands() {
  grep '^|' "$readme" | grep -o '`statesurf [^`]*`' | tr -d '`'
  sed -n '/^```console$/,/^```$/s/^\$ \(\.build\/debug\/statesurf .*\)/\1/p' "$readme"
}
runnable() { sed -E 's,^(\.build/debug/)?statesurf,"$bin/statesurf",' <<<"$1"; }

# A watch or a gateway without an end of its own has done well if it had to be ended.
run() {
  local status
  local limit=120
  case $1 in *"statesurf gateway"*) limit=5 ;; esac
  bin=$bin timeout -k 5 $limit bash -c "$(runnable "$1")" >"$surf_dir/run.out" 2>&1 </dev/null
  status=$?
  case $1 in *"statesurf watch"* | *"statesurf gateway"*) [ $status -ne 124 ] || status=0 ;; esac
  return $status
}

is_at() {
  "$bin/statesurf" list --json --wait 0.5 | grep "\"app\":\"$1\"" | grep -qE "\"newestRow\":$2[,}]"
}

# PrimeTime at rest: a step back must find a step forward, whatever the time between.
mkfifo prime.in
exec 3<>prime.in
spawn "$bin/PrimeTime" <&3 >prime.out
spawn "$bin/SystemMonitor" </dev/null >monitor.out
printf '%s\n' + + p f + p f n + + p f >&3
eventually 40 is_at PrimeTime 13 || not_ok "PrimeTime is announced, with its rows"
eventually 40 is_at SystemMonitor '[0-9]+' || not_ok "SystemMonitor is announced"

count=0
while IFS= read -r command; do
  count=$((count + 1))
  case $command in
    # Tests stay on loopback.
    *--interface*) skip "README: $command (not on loopback)" && continue ;;
    *"statesurf gateway"*)
      [ -n "${SURF_ALONE-}" ] || { skip "README: $command (its port may be taken)" && continue; } ;;
  esac
  if run "$command"; then ok "README: $command"; else
    not_ok "README: $command"
    sed 's/^/# /' "$surf_dir/run.out"
  fi
done < <(commands)
check "the README shows every subcommand" test "$count" -ge 39
finish
