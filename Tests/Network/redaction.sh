#!/bin/bash
# An app with secrets, watched and moved. No secret is on the link, or in a file that a viewer
# writes. A restore keeps the app's own secrets.
# Usage: Tests/Network/redaction.sh .build/release
set -u
bin=$(realpath "$1")
here=$(realpath "$(dirname "$0")")
. "$here/lib/surf.sh"
. "$here/lib/command.sh"
alone "$(realpath "$0")" "$bin"

only_alone "redaction"
on_loopback
cd "$surf_dir" || exit 1
surf() { timeout 60 "$bin/statesurf" "$@"; }
spawn python3 "$here/peers/capture.py" captured
eventually 40 test -e captured || not_ok "the link is read"
mkfifo vault.in
exec 3<>vault.in
spawn "$bin/VaultProbe" Vault <&3 >vault.out
eventually 40 has_rows Vault 0 || not_ok "Vault is announced"
spawn "$bin/statesurf" watch Vault --json --since 1 --states --payloads >watched

printf '%s\n' 'note first sparrow' 'login canary-1' 'key canary-2' 'value canary-3' 'log canary-4' \
  "note $(printf 'long sparrow %.0s' {1..200})" 'login canary-5' 'login canary-5-and-longer' \
  'note last sparrow' >&3
eventually 40 has_rows Vault 9 || not_ok "Vault has its rows"
is_live() { test "$(tail -n 1 vault.out)" = "$1"; }
secrets="password 'canary-5-and-longer' key 'canary-2'"
check "the app has its secrets" eventually 40 is_live "note 'last sparrow' $secrets"

check "a viewer has marks" exits 0 surf show tip
mark='{"$redacted":"string"}'
shows() { test "$(tr -d ' \n' <out)" = "$1"; }
check "and what is open" shows "{\"key\":$mark,\"note\":\"lastsparrow\",\"password\":$mark}"
check "values have them too" exits 0 surf values Vault --json
check "by their names" shows "{\"password\":$mark}"
check "an action is named without its secrets" eventually 40 grep -qF '"login(…)"' watched

check "a jump over marks is applied" surf jump 1 -i Vault
echo 'look' >&3
check "and keeps the secrets that the app has" eventually 40 is_live "note 'first sparrow' $secrets"
check "a state is saved with marks" surf save 9 state.json -i Vault
check "which a load keeps the secrets in" surf load state.json -i Vault
echo 'look' >&3
check "as the app shows" eventually 40 is_live "note 'last sparrow' $secrets"
check "another action is left out" surf toggle 1 -i Vault
check "a history is exported" surf export history.json -i Vault
check "and imported" surf import history.json -i Vault --yes
echo 'look' >&3
check "over the same secrets" eventually 40 is_live "note 'last sparrow' $secrets"
check "an action with a mark is refused" exits 1 surf dispatch -i Vault \
  '{"login":{"user":"ada","password":{"$redacted":"string"}}}'
check "with a reason" grep -q 'the action has a redacted value' said
sed 's/"first sparrow"/17/; s/"last sparrow"/17/' state.json >wrong.json
check "a state that does not decode is refused" exits 1 surf load wrong.json -i Vault
check "by its field" grep -q 'note: it is not String' said

spawn "$bin/statesurf" watch Vault --json --since 1 --states --payloads >late
eventually 40 grep -q 'sparrow' late || not_ok "who comes late has the history"
echo 'note done' >&3
eventually 40 grep -q '"note(\\"done\\")"' watched || not_ok "the last row is seen"
sleep 0.5
has() { grep -qaF "$1" "${@:2}"; }
check "the capture has what is open" has 'last sparrow' captured
check "and marks" has '{"$redacted":"string"}' captured
lacks() { ! grep -aoF canary "$@"; }
check "and no octet of a secret" lacks captured
check "nor has a viewer's file" lacks state.json history.json watched late
finish
