#!/bin/bash
# Both sides of the WebSocket against Autobahn|Testsuite: all its cases but 9.* (its benchmarks) and
# 12.* and 13.* (compression, which nobody here speaks).
# Usage: Tests/Network/autobahn.sh .build/release
#
# The suite is written in Python 2. Python 3 fails at its first import (`from _version import`), and
# `print` is a statement in 15 of its files. Without Python 2.7 this script is skipped, and the
# tables of Tests/Unit/SurfWebTests stand in.
set -u
bin=$(realpath "$1")
here=$(realpath "$(dirname "$0")")
. "$here/lib/surf.sh"

suite=$here/../../.build/autobahn
case_count=247

python2=$(command -v python2.7)
# Its pyenv stand-in is there for any version, and then fails.
[ -n "$python2" ] && "$python2" -c '' 2>/dev/null ||
  python2=$(ls -d ~/.pyenv/versions/2.7*/bin/python2.7 2>/dev/null | tail -n 1)
if [ -z "$python2" ]; then
  skip "Autobahn|Testsuite: this machine has no Python 2.7"
  finish
  exit
fi
install() {
  rm -rf "$suite.new"
  "$python2" -m pip install --quiet --disable-pip-version-check --target "$suite.new" \
    autobahntestsuite==25.10.1 && mv "$suite.new" "$suite"
}
if [ ! -d "$suite" ] && ! fetched install >"$surf_dir/pip" 2>&1; then
  skip "Autobahn|Testsuite: pip cannot install it: $(tail -n 1 "$surf_dir/pip")"
  finish
  exit
fi

alone "$(realpath "$0")" "$bin"

wstest() { "$python2" "$here/peers/wstest.py" "$suite" "$@"; }
# specification WHAT FILE: of a run whose report goes to the folder of the same name.
specification() {
  # The suite's own patience is a second, and a machine may halt for two.
  local options="\"openHandshakeTimeout\":9,\"closeHandshakeTimeout\":5"
  [ "$2" = clients ] || options+=",\"serverConnectionDropTimeout\":5"
  echo "{\"outdir\":\"$surf_dir/$2\",\"options\":{$options},$1,\"cases\":[\"*\"]," \
    '"exclude-cases":["9.*","12.*","13.*"],"exclude-agent-cases":{}}' >"$surf_dir/$2.json"
}
# judged NAME FOLDER: also says how many cases went how.
judged() {
  check "$1" python3 "$here/peers/autobahn_report.py" "$surf_dir/$2/index.json" "$case_count"
  sed 's/^/# /' "$surf_dir/check.out"
}

spawn "$bin/EchoProbe" >"$surf_dir/echo.out"
eventually 40 grep -q listening "$surf_dir/echo.out"
port=$(sed -n 's/listening //p' "$surf_dir/echo.out")
specification "\"servers\":[{\"agent\":\"server\",\"url\":\"ws://127.0.0.1:$port\"}]" servers
check "the suite connects to our server" \
  timeout 300 "$python2" "$here/peers/wstest.py" "$suite" \
  -m fuzzingclient -s "$surf_dir/servers.json"
judged "all cases of our server pass" servers

port=$(free_ports 1)
specification "\"url\":\"ws://127.0.0.1:$port\"" clients
# 0: no web pages.
spawn wstest -m fuzzingserver --webport 0 -s "$surf_dir/clients.json" >"$surf_dir/wstest.out" 2>&1
listens() { (: <"/dev/tcp/127.0.0.1/$port") 2>/dev/null; }
eventually 40 listens || sed 's/^/# /' "$surf_dir/wstest.out"
check "our client runs them" timeout 300 "$bin/EchoProbe" --connect "$port" --agent client
judged "all cases of our client pass" clients
finish
