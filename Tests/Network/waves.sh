#!/bin/bash
# Invented sessions whose records never end and whose packets lack the first. A viewer holds no more
# of them than its bound, frees that memory when they are over, and reports it.
# Usage: Tests/Network/waves.sh .build/release
# STATESURF_LONG=1: ten waves of more than a gigabyte each.
set -u
bin=$(realpath "$1")
here=$(realpath "$(dirname "$0")")
. "$here/lib/surf.sh"

command -v python3 >/dev/null || { skip "waves (no python3)"; finish; exit; }
export PYTHONDONTWRITEBYTECODE=1
on_loopback
# Eight sessions of 5,000 packets are held in full without a bound: 160 MB of this, twice.
sessions=24 packets=5000 waves=2
[ "${STATESURF_LONG:-}" != 1 ] || sessions=40 packets=20000 waves=10

resident() { awk '/^VmRSS:/ {print int($2 / 1024)}' "/proc/$viewer/status"; }
is_below() { local now; now=$(resident) && [ "$now" -lt "$1" ]; }

mkfifo "$surf_dir/stranger.in" "$surf_dir/prime.in"
exec 3<>"$surf_dir/stranger.in" 4<>"$surf_dir/prime.in"
spawn "$bin/statesurf" watch --json >"$surf_dir/seen"
viewer=$spawned
spawn "$bin/PrimeTime" <&4 >/dev/null
check "an app is seen" eventually 30 grep -q PrimeTime "$surf_dir/seen"
before=$(resident)
spawn python3 "$here/foreign/stranger.py" waves --port "$STATESURF_PORT" --sessions $sessions \
  --packets $packets --waves $waves <&3 >"$surf_dir/waves"
came() { [ "$(grep -c wave "$surf_dir/waves")" -ge "$1" ]; }
for ((wave = 1; wave <= waves; wave++)); do
  eventually 600 came $wave || not_ok "wave $wave is over"
  # 65 MiB of sessions that never answered (Protocol.md §13), as much just dropped for the next, and
  # the pages between. 185 was seen, and more than 226 without a bound.
  check "wave $wave: the viewer holds what it may ($before MiB before, $(resident) now)" \
    is_below $((before + 210))
  echo >&3
done
check "when they have left it is given back" eventually 30 is_below $((before + 48))
echo "# $(resident) MiB"
echo + >&4
check "the app is seen all along" eventually 30 grep -q '"row":1,' "$surf_dir/seen"
finish
