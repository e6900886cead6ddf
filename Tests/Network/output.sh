#!/bin/bash
# The command where it can write nothing, or only a part: it reports each failure and exits with 1,
# and an existing file stays whole.
# Usage: Tests/Network/output.sh .build/release
set -u
bin=$(realpath "$1")
. "$(dirname "$0")/lib/surf.sh"

on_loopback
cd "$surf_dir" || exit 1
surf() { timeout 20 "$bin/statesurf" "$@"; }
rows() { surf list --json --wait 0.3 2>/dev/null | sed 's/.*"newestRow":\([0-9]*\).*/\1/'; }
has_rows() { test "$(rows)" = 2; }

# A state of 300 kB, so that a pipe of 64 kB and a disk of 128 kB have no room for it.
head -c 300000 /dev/urandom >state
head -c 1 /dev/zero >small
mkfifo in
exec 3<>in
spawn "$bin/OpaqueProbe" "$surf_dir" state small <&3
eventually 40 has_rows || { not_ok "OpaqueProbe is announced, with its rows"; finish; exit 1; }

# fails WORDS COMMAND…: exits with 1 and says so on standard error.
fails() {
  local words=$1 status
  shift
  "$@" 2>said
  status=$?
  grep -qF -- "$words" said && test $status = 1 || ! { echo "exit $status"; cat said; }
}
full() { surf "$@" >/dev/full; }
closed() { surf "$@" >&-; }
# Long enough to find the app even if it halts for two seconds: a list of nobody says nothing.
list="list --wait 3"
for command in "save 1 -" "show 1" "show 1 --raw" "diff 1 2" "export -" "$list" "$list --json" \
  "watch --since 1 --until-records 1" "watch --json --since 1 --until-records 1" "doctor" \
  "gateway --listen 127.0.0.1:0" "--version" "--help" "save --help" "save 1 copy"; do
  # shellcheck disable=SC2086 # words are meant
  check "$command on a full disk is told" fails "No space left on device" full $command
done
check "the file itself was written" cmp state copy
check "so is output that was closed" fails "Bad file descriptor" closed save 1 -
check "which no socket takes the place of" fails "Bad file descriptor" closed list --wait 3
left() { surf "$@" 2>said | true; test "${PIPESTATUS[0]} $(wc -c <said)" = "141 0"; }
check "a reader that leaves ends it quietly, as SIGPIPE would" left save 1 -
check "the same for a command that goes on" left watch --since 1

# Files of all kinds.
mkfifo pipe
spawn cat pipe >piped
check "a FIFO is written through" surf save 1 pipe
check "exactly" eventually 20 cmp state piped
check "and stays one" test -p pipe
# Of our own: one that is replaced must not be the machine's.
if mknod null c 1 3 2>/dev/null && mknod full c 1 7 && : 2>/dev/null >null; then
  check "a device is written through" surf save 1 null
  check "and stays one" test -c null
  check "a full device is told" fails "cannot write 'full': No space left" surf save 1 full
else
  skip "devices: none can be made here"
fi
ln -s target link
check "a link that leads nowhere is followed" surf save 1 link
check "and stays one" test "$(readlink link)" = target
chmod 600 target
check "an export follows it too" surf export link
check "and keeps the mode" test "$(stat -c %a target)" = 600
appended() { (echo before && surf save 1 /dev/stdout) >shared; }
check "what is open already is written on" appended
check "behind what is there, without a word in between" cmp <(echo before && cat state) shared
check "a directory is not a regular file" fails "it is a directory" surf save 1 .

# A state that would drive a terminal, turn its text or hide in it: a terminal gets escapes, a file
# the bytes.
printf '{"a":"\033]0;owned\007\342\200\256x","b":"\357\277\271\363\240\200\201"}' >state2
spawn "$bin/OpaqueProbe" "$surf_dir" state2 </dev/zero
hostile=$spawned
is_there() { surf list --json --wait 0.3 2>/dev/null | grep -q "\"pid\":$hostile\b"; }
check "an app with a hostile state is announced" eventually 40 is_there
on_terminal() { script -qec "'$bin/statesurf' $*" /dev/null </dev/null | tr -d '\r' >shown; }
harmless() {
  on_terminal "$@" -i "OpaqueProbe#$hostile"
  test -s shown && ! LC_ALL=C.UTF-8 grep -qP '[\x00-\x1f\x{202e}\x{fff9}\x{e0001}]' shown ||
    ! cat -v shown
}
for command in "save 1 -" "show 1 --raw" "show 1" "show 1 --json" "export -" "save 1 /dev/stdout" \
  "save 1 /dev/tty"; do
  # shellcheck disable=SC2086 # words are meant
  check "$command on a terminal has no escape sequence" harmless $command
done
check "a file has the bytes" eval 'surf save 1 - -i "OpaqueProbe#$hostile" | cmp - state2'
end "$hostile"

# As a user who may not write there.
nobody() { setpriv --reuid 65534 --regid 65534 --clear-groups "$@"; }
if [ "$(id -u)" -eq 0 ]; then
  chmod 755 .
  # Others may be kept out of the directory that it was built in.
  cp "$bin/statesurf" readable
  mkdir shut && echo old >shut/file && chmod 666 shut/file
  check "a directory that takes no new file is told" \
    fails "cannot write 'shut/file': Permission denied" nobody ./readable save 1 shut/file
  check "and its file is what it was" grep -qx old shut/file
  mkdir open && echo old >open/file && chmod 777 open && chmod 644 open/file
  check "so is a file that is not to be written" \
    fails "cannot write 'open/file': Permission denied" nobody ./readable save 1 open/file
  check "though its directory would allow it" grep -qx old open/file
else
  skip "files of others: not root"
fi

# A disk of 128 kB, in a mount namespace of its own.
on_full_disk() {
  unshare -m bash -c '
    mount -t tmpfs -o size=128k tmpfs "$1" && echo old >"$1/file" || exit 100
    "$2" save 1 "$1/file" 2>said
    echo "$? $(ls -A "$1") $(cat "$1/file")" >after
    "$2" export "$1/file" 2>>said
    echo "$? $(ls -A "$1") $(cat "$1/file")" >>after' _ "$surf_dir/disk" "$bin/statesurf"
}
mkdir disk
if unshare -m true 2>/dev/null && on_full_disk; then
  check "a disk that fills up is told" test "$(grep -c 'No space left on device' said)" = 2
  check "the old file stays whole, and nothing beside it" test "$(cat after)" = "1 file old
1 file old"
else
  skip "a disk that fills up: no mount namespaces"
fi

# Killed in the middle: a few times, and more often if there is time.
count=10
[ -z "${STATESURF_LONG-}" ] || count=300
echo old >killed
for ((i = 0; i < count; i++)); do
  "$bin/statesurf" save 1 killed >/dev/null 2>&1 &
  pid=$!
  sleep "0.$(printf %03d $((RANDOM % 600)))"
  kill -KILL $pid 2>/dev/null
  wait $pid 2>/dev/null
  cmp -s killed state || grep -qx old killed || not_ok "killed $i times: the file is torn"
done
check "whoever saves after $count kills" surf save 1 killed
check "has all of it" cmp killed state
check "and clears what they left" test -z "$(find . -name '*part*')"
finish
