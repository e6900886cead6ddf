#!/bin/bash
# `statesurf surf` on a terminal, beside apps whose histories, states and names are hard to show. It
# answers keys, and says what it leaves out.
# Usage: Tests/Network/heavy.sh .build/release; STATESURF_LONG=1 makes a state of a million keys.
set -u
bin=$(realpath "$1")
. "$(dirname "$0")/lib/surf.sh"
. "$(dirname "$0")/lib/tmux.sh"
alone "$(realpath "$0")" "$bin"
on_loopback
cd "$surf_dir" || exit 1
need_tmux

# Just below 64 MiB, the most that a state may have.
size=$(((64 << 20) - 4096)) keys=250000 depth=100000
[ "${STATESURF_LONG:-0}" = 1 ] && keys=1000000
escape=$'\e]0;taken\a\e[2J\e[31mred' right_to_left=$'\u202e\u05e9\u05dc\u05d5\u05dd'
family=$'\U1f469\u200d\U1f469\u200d\U1f467' marks=$'e\u0301\u0323\u0301'
python3 - "$size" "$keys" "$depth" <<'END'
import sys
size, keys, depth = map(int, sys.argv[1:])
def write(name, text):
    with open(name, "w") as file:
        file.write(text)
write("large.json", '{"list":[' + ",".join(["1234567"] * ((size - 64) // 8)) + ']}')
write("keys.json", "{" + ",".join(f'"key{number}":{number}' for number in range(keys)) + "}")
write("deep.json", '{"in":' * depth + "1" + "}" * depth)
write("line.txt", "x" * (size // 4))
write("last.json", '{"count":1}')
END
for name in "$escape" "$right_to_left" "$family" "$marks"; do cp last.json "a$name.json"; done

# while_reading ROW WHAT: what a key brings is there before the state is.
brings() { screen >shot && grep -q "$1" shot; }
while_reading() { eventually 20 brings "$2" && grep -q "reading row $1" shot; }
row() { keys C-g && typed "$1" && keys Enter; }

mkfifo opaque.in
exec 3<>opaque.in
spawn "$bin/OpaqueProbe" "$surf_dir" large.json keys.json deep.json line.txt \
  "a$escape.json" "a$right_to_left.json" "a$family.json" "a$marks.json" last.json <&3
opaque=$spawned
open opaque "$bin/statesurf surf OpaqueProbe" 140
check "all rows are there" shows '^▸◆ .* 9  '
keys C-g 1 Enter ]
check "keys are answered while a large state is read" while_reading 1 '\[State\]'
check "until it is there" eventually 60 sees '▾ 1 key'
keys Tab Down
keys Enter
check "its list is cut into parts" shows '\[0…'
keys Tab
row 2
check "a state of many keys is a tree" eventually 60 sees '▾ [0-9]+ keys'
row 3
check "a deep one is told" shows 'as text: more than 512 levels of nesting'
row 4
check "a text without a space is cut" eventually 60 sees '▾ 16.7 MB of text'
row 9
check "and rows behind them are read" shows 'count: 1'
check "a name drives no terminal" shows 'load a\\u\{1b\}\]0;taken\\u\{7\}'
check "nor turns the direction of writing" shows 'load a\\u\{202e\}'
check "pictures stay whole" shows "load a$family.json"
check "marks stay where they belong" shows "load a$marks.json"
check "and the columns behind them stand in line" eventually 5 \
  test "$(screen | grep -E '^[ ▸][ ◆] .* [1-9]  load' | grep -c '│')" = 9
resizes() {
  local count
  for count in {1..200}; do
    mux resize-window -t "$pane" -x $((30 + count % 90)) -y $((6 + count % 30)) || return 1
  done
  mux resize-window -t "$pane" -x 140 -y 30
}
check "resized 200 times" resizes
check "it shows everything again" shows '^▸◆ .* 9  .*│'
kill -KILL "$opaque"
check "an app that was killed is told" shows 'OpaqueProbe#[0-9]+ ○ gone'
typed q
check "the terminal is as it was" left 0

spawn "$bin/StreamProbe" publish --port "$port" --count 100000 --size 200 --history 268435456 \
  --go /dev/null --stop stop >probe.out 2>&1
open many "$bin/statesurf surf StreamProbe"
check "100,000 rows come" eventually 120 sees ' 100000 records'
keys Home Down
check "the first is a key away" shows '^▸  .* 1  '
typed /
typed 'step 99999'
check "what is searched there is found" shows 'find: step 99999 +1 of 1'
keys Enter
keys End
check "and so is the last" shows '^▸◆ .* 100000  '
typed q
check "and the terminal is as it was" left 0
finish
