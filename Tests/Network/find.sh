#!/bin/bash
# `statesurf find` and its kin against a live app on loopback: which rows they find, what they
# print, and how they end.
# Usage: Tests/Network/find.sh .build/release
set -u
bin=$(realpath "$1")
. "$(dirname "$0")/lib/surf.sh"
. "$(dirname "$0")/lib/command.sh"
alone "$(realpath "$0")" "$bin"

on_loopback
cd "$surf_dir" || exit 1
surf() { timeout 20 "$bin/statesurf" "$@"; }
# ended_by SIGNAL PID
ended_by() {
  wait "$2"
  test $? -eq $((128 + $1))
}
# finds ROWS WORD…: these rows, in this order.
finds() {
  local wanted=$1
  shift
  surf find --json "$@" >out || [ -z "$wanted" ] || return 1
  diff <(echo $wanted) <(echo $(sed 's/.*"row":\([0-9]*\),.*/\1/' out))
}

check "nobody is there, which is the usual error" exits 1 surf find changed --timeout 0.5
check "in the usual words" grep -q 'no instance is live' said
check "what is not a query is refused before anybody is asked" exits 64 surf find kinds:action
check "with the nearest word" grep -q "Did you mean 'kind:'" said
check "the language is explained" eval 'surf help query | grep -q "becomes Q"'

mkfifo todo.in
# Opened for both directions: opening one end alone waits for the other.
exec 3<>todo.in
spawn "$bin/Todo" <&3 >todo.out
printf '%s\n' 'add Buy milk' 'add Call Bob' 'done 1' 'done 1' 'edit 2 Call Bob and Ada' clear lift >&3
eventually 40 has_rows Todo 7 || not_ok "Todo has its rows"

check "a field" finds '3 4' name:done
check "a place that became a value" finds 3 'todos[id:1].isDone changed to true'
check "the same in words of their own" finds 3 todos.%.isDone changed to true
check "an action that changed nothing" finds 4 kind:action not changed
check "a text in a line of the log" finds 7 kind:log lift
check "a text of two words" finds 1 todos.%.title is 'Buy milk' not before todos.%.title is 'Buy milk' or row:1
check "a sum" finds '2 3 4 5' todos.@count is 2
check "whoever has a space in it is one word" finds '2 3 4' todos.%.title is 'Call Bob'
check "the first one" finds 2 todos.@count over 1 --first
check "the last one" finds 5 todos.@count over 1 --last
check "how many" test "$(surf find todos.@count over 1 --count)" = 4
check "one is enough" exits 0 surf find name:clear
check "none is told by the exit code alone" exits 1 surf find name:gone
check "which says so beside the result" eval 'test ! -s out && grep -qx "statesurf: no row matches" said'
check "with what stands at a place" eval "surf find row:2 --show todos[1].title | grep -q '    todos\[1\].title: \"Call Bob\"'"
# For the last but one question, the app was asked for its initial state, in a row.
check "a first word with a dash stands behind two" finds '1 2' -- -name:done,edit,clear -kind:log,revision
traced() { surf trace 'todos[id:2].title' | sed -E 's/  Todo.*//'; }
check "a place has its writes" eval 'test "$(traced)" = "     2  – → \"Call Bob\"  add(\"Call Bob\")
     5  \"Call Bob\" → \"Call Bob and Ada\"  edit(2, \"Call Bob and Ada\")"'
check "a place that nobody wrote has none" exits 1 surf trace gone

# Counting.
check "the actions are counted" eval 'surf report Todo >out'
check "by name" grep -Eq '^add +2 +0 +0 ' out
check "with those that changed nothing" grep -Eq '^done +2 +1 +0 ' out
check "and what came again" grep -q '   2 × done(1)  rows 3–4, 1 changed nothing' out
check "for programs too" eval 'surf report Todo --json | grep -q "\"count\":2,.*\"name\":\"done\",.*\"unchanged\":1"'

# Watching.
watched() { surf watch Todo --since 1 --for 2 --json "$@" | grep '"event":"record"' | sed 's/.*"row":\([0-9]*\),.*/\1/'; }
check "a filter shows some rows alone" eval 'test "$(echo $(watched --where "todos.@count is 2 changed"))" = "2 3 5"'
check "lines for programs have states and payloads if they are asked for" eval 'surf watch Todo --since 1 --for 2 --json --states --payloads --where name:clear | grep -q "\"payload\":.*\"state\":{.*Call Bob and Ada"'

# Waiting.
check "what is so already is not waited for" exits 0 surf wait todos.@count is 1 --for 5
check "what is not so in time is told" exits 2 surf wait todos.@count is 9 --for 0.5
check "in words" grep -q 'matched the query in time' said
surf wait becomes todos.@count is 2 --then 'save two.json' >waited &
waiter=$!
sleep 1
echo 'add Fetch Ada' >&3
check "a wait ends when it is so" wait $waiter
check "with the old and the new value" grep -q 'todos.@count: 1 → 2' waited
check "and the state is kept" grep -q 'Fetch Ada' two.json
surf wait name:done --then back >waited &
waiter=$!
sleep 1
echo 'done 3' >&3
check "a wait can lead back" wait $waiter
check "to the state before" grep -q 'is at row 9 (applied)' waited
surf wait name:undone --then -- sh -c '"$0" show "$STATESURF_ROW" todos[1].isDone -i "$STATESURF_INSTANCE"; kill -HUP $$' "$bin/statesurf" >waited &
waiter=$!
sleep 1
echo 'undone 3' >&3
check "a program can go on, and signals reach it" ended_by 1 $waiter
check "it finds the app and the row" eval 'test "$(tail -1 waited)" = false'
check "one that is not there is told" exits 127 surf wait todos.@count is 2 --then -- ./gone
# Just after its start the second may not be heard yet.
is_ambiguous() { exits 1 surf find changed && grep -q "instances, so nothing was sent" said; }
check "two instances must be told apart" eval 'spawn "$bin/Todo" <&3 >/dev/null; eventually 40 is_ambiguous'
check "by name or id" grep -q 'Try: .*-i' said

finish
