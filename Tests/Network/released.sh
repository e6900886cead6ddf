#!/bin/bash
# An app makes, uses and releases transceivers of each kind, beside a viewer, and `DevTools` beside
# a relay. They leave no memory, no thread and no file behind.
# Usage: Tests/Network/released.sh .build/release; STATESURF_LONG=1 makes a thousand of each.
set -u
bin=$(realpath "$1")
. "$(dirname "$0")/lib/surf.sh"
alone "$(realpath "$0")" "$bin"
on_loopback 3
gate=$((port + 2))
cd "$surf_dir" || exit 1
count=100
[ "${STATESURF_LONG:-0}" = 1 ] && count=1000

listens() { (: <"/dev/tcp/127.0.0.1/$gate") 2>/dev/null; }
field() { sed -nE "s/.* $2 ([0-9]+).*/\1/p" "$1"; }
# is_flat KIND FIELD MORE: from a tenth of them to all, it grows by no more.
is_flat() {
  local first last
  first=$(field "$1" "$2" | head -n 1)
  last=$(field "$1" "$2" | tail -n 1)
  test -n "$first" -a "$((last - first))" -le "$3"
}
# released KIND: each uses a hundred kilobytes. If they stayed, 90 of them would be nine megabytes. A
# process that has just started still grows by up to three.
released() {
  check "$count times $1: used and released" timeout 600 "$bin/ReleasedProbe" "$1" $count "$gate"
  cp check.out "$1"
  sed 's/^/# /' "$1"
  check "$1: no more memory" is_flat "$1" resident 4096
  check "$1: no more threads" is_flat "$1" threads 0
  check "$1: no more files" is_flat "$1" files 0
}
spawn "$bin/statesurf" gateway --listen "127.0.0.1:$gate" --no-dnssd >gateway
check "a relay listens" eventually 20 listens
for kind in plain history store swifty devtools; do released $kind; done
finish
