#!/bin/bash
# The command against live apps on loopback: what viewers see, what is restored and refused.
# Usage: Tests/Network/surf.sh .build/release
set -u
bin=$(realpath "$1")
. "$(dirname "$0")/lib/surf.sh"
alone "$(realpath "$0")" "$bin"

on_loopback
surf() { "$bin/statesurf" "$@"; }
row_of() { surf list --json --wait 0.8 | grep "\"app\":\"$1\"" | sed 's/.*"row":\([^,}]*\).*/\1/'; }
newest_of() { surf list --json --wait 0.8 | grep "\"app\":\"$1\"" | sed 's/.*"newestRow":\([0-9]*\).*/\1/'; }
id_of() { surf list --json --wait 0.8 | grep "\"app\":\"$1\"" | sed 's/.*"instance":"\(.\{8\}\).*/\1/'; }
is_at() { test "$(row_of "$1")" = "$2"; }
has_rows() { test "$(newest_of "$1")" = "$2"; }
is_live() { surf list --json --wait 0.8 | grep -q "\"app\":\"$1\""; }

# Two apps, two viewers.
mkfifo "$surf_dir/prime.in" "$surf_dir/todo.in"
# Opened for both directions: opening one end alone waits for the other.
exec 3<>"$surf_dir/prime.in" 4<>"$surf_dir/todo.in"
spawn "$bin/PrimeTime" <&3 >"$surf_dir/prime.out"
prime=$spawned
spawn "$bin/Todo" <&4 >"$surf_dir/todo.out"
eventually 40 is_live PrimeTime && eventually 40 is_live Todo || not_ok "both apps are announced"
spawn "$bin/statesurf" watch PrimeTime --json --as ada@one >"$surf_dir/ada.out"
spawn "$bin/statesurf" watch PrimeTime --json --as bob@two >"$surf_dir/bob.out"
eventually 40 test -s "$surf_dir/bob.out" || not_ok "watch tells of an app"
printf '+\n+\n+\n' >&3
printf 'add Buy milk\nadd Call Bob\n' >&4

todo_has() { surf list --json | grep '"app":"Todo"' | grep -q "$1"; }
check "the list says on what an app runs" eval 'todo_has "\"machine\":\"" && todo_has "\"system\":\""'
library=$(surf --version | awk '{ print $2 }')
check "and with which StateSurf" todo_has "\"library\":\"$library\""
check "each app has its own timeline" eventually 40 has_rows PrimeTime 3
check "whatever the other does" eventually 40 has_rows Todo 2
check "a jump is applied" surf jump 1 -i PrimeTime --as ada@one
check "and the app is in that state" eventually 40 grep -q '^count 1 ' "$surf_dir/prime.out"
sees_ada() { grep '"event":"restored"' "$surf_dir/bob.out" | grep -q 'ada@one'; }
check "the other viewer shows who did it" eventually 40 sees_ada
check "the other app stays where it was" eventually 40 is_at Todo 2
check "back from row 1 is row 0" surf back -i PrimeTime
is_initial() { test "$(tail -n 1 "$surf_dir/prime.out" | cut -c1-8)" = "count 0 "; }
check "which is the initial state" eventually 40 is_initial
check "forward is row 1 again" surf forward -i PrimeTime
check "row 0 by number" surf jump 0 -i PrimeTime
check "reset is row 0 too" surf reset -i PrimeTime
# Eight digits of an id identify an app immediately, without a wait for others.
has_id() { id=$(id_of PrimeTime) && [ -n "$id" ]; }
eventually 40 has_id || not_ok "PrimeTime has an id"
hundred() { for _ in {1..50}; do surf jump 1 -i "$id" && surf jump 3 -i "$id" || return 1; done; }
check "a hundred restores are applied" hundred
check "and add no records" eventually 40 has_rows PrimeTime 3

# Files.
check "save writes a state" surf save 2 "$surf_dir/two.json" -i PrimeTime
check "exactly as it was encoded" \
  test "$(cat "$surf_dir/two.json")" = '{"answer":"","count":2,"favourites":[]}'
check "load puts it back" eval 'surf load "$surf_dir/two.json" -i PrimeTime >"$surf_dir/said"'
check "which leads to the row that has it" grep -q ' is at row 2 ' "$surf_dir/said"
check "where the app is has a name" eval 'surf save - -i PrimeTime | cmp - "$surf_dir/two.json"'
echo '{"count":"many"}' >"$surf_dir/bad.json"
refused() { ! surf load "$1" -i PrimeTime 2>"$surf_dir/reason"; }
check "a state that does not decode is refused" refused "$surf_dir/bad.json"
check "with the app's reason" grep -q 'count' "$surf_dir/reason"
check "a missing file is one clear line" refused "$surf_dir/none"
check "so is a directory" refused "$surf_dir"
for state in '' '{"count":1,}' '{"count":1,"count":2,"favourites":[],"answer":null}'; do
  printf '%s' "$state" >"$surf_dir/odd.json"
  check "'$state' is refused" refused "$surf_dir/odd.json"
done
check "with the place of the repeated key" \
  grep -q 'line 1, column 12: a key that this object has already' "$surf_dir/reason"
failed_pipe() { ! false | surf load - -i PrimeTime 2>"$surf_dir/reason"; }
check "what a failed command left is not loaded" failed_pipe
check "and the reason says what to do" grep -q 'statesurf jump initial' "$surf_dir/reason"
truncate -s 1G "$surf_dir/huge"
check "a gigabyte is refused" refused "$surf_dir/huge"
check "which says the limit" grep -q '64 MiB\|67' "$surf_dir/reason"

# The row that an action grew from.
saw() { grep '"event":"record"' "$surf_dir/bob.out" | grep -qF -- "$1"; }
echo '{"answer":"","count":42,"favourites":[]}' >"$surf_dir/new.json"
check "a state that no row has is loaded" surf load "$surf_dir/new.json" -i PrimeTime
newest() { surf list --json | sed -n '/"app":"PrimeTime"/s/.*"newestRow":\([0-9]*\).*/\1/p'; }
made=$(newest)
python3 -m json.tool "$surf_dir/new.json" "$surf_dir/laid_out.json"
lands() { surf load "$surf_dir/laid_out.json" -i PrimeTime | grep -q "row $made"; }
check "laid out by another program it leads to that row" eventually 10 lands
check "and makes none" test "$(newest)" = "$made"
check "and makes a row" eventually 40 saw '"kind":"restored"'
check "which names the file" saw 'new.json from '
echo + >&3
saw_nowhere() { ! saw '"grownFrom":null,'; }
check "and so the action behind it grew from a row" saw_nowhere
surf jump 1 -i PrimeTime >"$surf_dir/jump.out" && echo + >&3
check "one behind a jump names the row" eventually 40 saw '"grownFrom":1,'
echo + >&3
is_quiet() { grep '"row":7,' "$surf_dir/bob.out" | grep -qv grownFrom; }
check "one behind the row before it says nothing" eventually 40 is_quiet
shows() { surf watch PrimeTime --since 1 --for 2 | grep -q "$1"; }
check "people are told as well" shows 'increment from row 1 '

# Todo's history, rewritten: rows 1 and 2 add two things, and the commands below count on.
todo() { surf "$1" -i Todo --as ada@one "${@:2}"; }
# says WORDS COMMAND…: whatever its exit code; shows what it said instead.
says() {
  local words=$1
  shift
  "$@" >"$surf_dir/said" 2>&1
  grep -F -- "$words" "$surf_dir/said" || ! cat "$surf_dir/said"
}
is_listed() { surf list --json --wait 0.8 | grep '"app":"Todo"' | grep -q "\"$1\":$2"; }
in_todo() { todo show tip --raw | grep -qF -- "$1"; }
spawn "$bin/statesurf" watch Todo --json --since 1 --as bob@two >"$surf_dir/todo.seen"
check "an app says what may be asked of it" eventually 40 is_listed replays true
check "an action is run" says "is at row 3 (dispatched)" todo dispatch '{"add":"Buy tea"}'
check "as if it were the app's own" in_todo '"id":3,"isDone":false,"title":"Buy tea"'
dispatch_done() { echo '{"type":"done","payload":3}' | todo dispatch -; }
check "one from standard input too" says "is at row 4 (dispatched)" dispatch_done
check "an action that the app does not have is refused, and those that it has are named" \
  says 'there is no action "fly"; there are {"add":<String>}, {"done":<Int>}' todo dispatch '"fly"'
check "so is a value that does not fit, with those that do" \
  says '{"filter":<open|done|all>}' todo dispatch '{"filter":"maybe"}'
check "one that is no JSON is shown its place" says "line 1, column 6" todo dispatch '{milk'
check "words are an action, too" says 'there is no action "milk"' todo dispatch milk
check "a row is skipped, exactly" says "is at row 5, without row 1 (exact)" todo skip 1
# The old number 2 is number 1 now, so no item is done.
check "those after it were run again" test "$(todo show tip --raw)" = '{"filter":"all","nextID":3,'\
'"todos":[{"id":1,"isDone":false,"title":"Call Bob"},{"id":2,"isDone":false,"title":"Buy tea"}]}'
check "a row is toggled back" says "is at row 6, with row 1 again (exact)" todo toggle 1
check "as if nothing had been" in_todo '"id":3,"isDone":true,"title":"Buy tea"'
check "a row is moved" says "with row 2 before row 1 (exact)" todo move 2 1
check "and comes first" in_todo '"todos":[{"id":1,"isDone":false,"title":"Call Bob"}'
check "a row that is no action is refused" says "refused the command" todo skip 6

check "an app is locked" says "(locked)" todo lock
check "the list says so" eventually 40 is_listed locked true
check "what is dispatched is refused" says "the app is locked" todo dispatch '"clear"'
printf 'clear\n' >&4
refusal() { grep '"kind":"warning"' "$surf_dir/todo.seen" | grep -q 'refused while locked: clear'; }
check "what the app does itself is too, and seen" eventually 40 refusal
check "the other viewer sees who locked it" \
  eventually 40 grep -q '"name":"locked by ada@one"' "$surf_dir/todo.seen"
check "it is unlocked" says "(unlocked)" todo unlock
check "recording pauses" says "(recording paused)" todo pause
check "the list says that too" eventually 40 is_listed paused true
check "and resumes" says "(recording resumed)" todo resume
check "history begins here, and a script is not asked" says "(committed)" todo commit
check "a row from before can no longer be skipped" says "refused the command" todo skip 1
check "an action more" says "(dispatched)" todo dispatch '"clear"'
check "leaves two" test "$(todo show tip --raw | grep -o '"id"' | wc -l)" = 2
check "it is rolled back" says "(rolled back)" todo rollback --yes
check "to three" test "$(todo show tip --raw | grep -o '"id"' | wc -l)" = 3

# Rows that are not there, those that are left out, and the one before the first.
check "a row that is not there is not skipped" says "has no row 77" todo skip 77
check "nor shown, and those that are there are said" says "Its rows are 1 to" todo show 77
check "one below zero is no row" says "'-1' is not a row" todo jump -1
check "an action more" says "(dispatched)" todo dispatch '"clear"'
cleared=$(newest_of Todo)
check "is left out" says "without row $cleared (exact)" todo skip "$cleared"
check "the list says which" eventually 40 is_listed leftOut "\\[$cleared\\]"
check "to people too" says "left out: $cleared" surf list --wait 0.8
check "it is taken in again" says "with row $cleared again (exact)" todo unskip "$cleared"
check "and the list leaves it out" eventually 40 is_listed leftOut "\\[\\]"
check "the app is asked for its initial state" says '"nextID": 1' todo show 0
told=$(newest_of Todo)
check "which is shown again" says '"nextID": 1' todo show 0
check "saved as it was" says '"nextID":1' todo save 0 -
check "without another row" test "$(newest_of Todo)" = "$told"

# Bytes that are not text.
head -c 300000 /dev/urandom >"$surf_dir/a.bin"
head -c 1 /dev/zero >"$surf_dir/b.bin"
mkfifo "$surf_dir/opaque.in"
exec 5<>"$surf_dir/opaque.in"
spawn "$bin/OpaqueProbe" "$surf_dir" "$surf_dir/a.bin" "$surf_dir/b.bin" <&5
eventually 40 is_live OpaqueProbe
surf save 1 - -i OpaqueProbe >"$surf_dir/saved" 2>/dev/null
check "arbitrary bytes are saved exactly" cmp "$surf_dir/a.bin" "$surf_dir/saved"
check "and loaded" surf load "$surf_dir/saved" -i OpaqueProbe
check "exactly" cmp "$surf_dir/a.bin" "$surf_dir/reset.1"
check "a byte of zero too" surf load "$surf_dir/b.bin" -i OpaqueProbe
check "exactly" cmp "$surf_dir/b.bin" "$surf_dir/reset.2"
check "the initial state too" surf reset -i OpaqueProbe
check "for the app as well" test -e "$surf_dir/initial.3"
check "where nothing is run again, a skip is approximate" \
  says "is at row 0 (initial) (approximate: the app cannot run its actions again" surf skip 1 -i OpaqueProbe
check "a toggle says what to use" says "or statesurf unskip ROW" surf toggle 1 -i OpaqueProbe
check "and a lock is not asked for" says "takes no commands" surf lock -i OpaqueProbe

# Ends.
kill -KILL "$prime"
gone() { grep -q '"event":"gone"' "$surf_dir/bob.out"; }
check "an app that was killed is seen as gone" eventually 40 gone
check "and no command reaches it" refused "$surf_dir/two.json"
spawn "$bin/statesurf" watch --json >"$surf_dir/all.out"
eventually 40 test -s "$surf_dir/all.out" || not_ok "watch tells of an app"
ended_by() {
  kill "-$1" "$spawned"
  eventually 40 ended "$spawned" || return 1
  wait "$spawned"
  test $? = "$2"
}
# Bash starts it with interrupts ignored, so that a Ctrl-C is for what runs in the foreground.
kill -INT "$spawned"
check "a command in the background ignores an interrupt, and is ended with 143" ended_by TERM 143
spawn env --default-signal=INT "$bin/statesurf" watch --json >"$surf_dir/interrupted.out"
# Until env has run, the shell ignores it.
eventually 40 test -s "$surf_dir/interrupted.out" || not_ok "watch tells of an app again"
check "an interrupt ends a command with 130" ended_by INT 130
finish
