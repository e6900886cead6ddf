#!/bin/bash
# The probe of the way from an app's call to a person's screen finds every row, in lines and on
# terminals.
# Usage: Tests/Network/eye.sh .build/release
set -u
bin=$(realpath "$1")
. "$(dirname "$0")/lib/surf.sh"
alone "$(realpath "$0")" "$bin"

on_loopback
cd "$surf_dir" || exit 1
check "watch writes each row" \
  "$bin/statesurf-bench" eye --rates=200 --loads=0 --seconds=0.5 --viewers=pipe,watch
check "and they are counted" test "$(grep -c ' 100 of 100' check.out)" = 2
check "so is each of those that come together" \
  "$bin/statesurf-bench" eye --rates=10000 --loads=0 --seconds=0.2 --viewers=pipe,watch
check "a screen shows the newest row" \
  "$bin/statesurf-bench" eye --rates=200 --loads=0 --seconds=0.5 --viewers=debugger
finish
