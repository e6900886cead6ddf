#!/bin/bash
# An app whose secrets are redacted by a path, in each spelling of that path. It has them in values,
# scopes, states, actions, attributes and errors, is moved, and refuses wrong states. No secret is
# on the link, plain or as anybody might write it.
# Usage: Tests/Network/canary.sh .build/release
set -u
bin=$(realpath "$1")
here=$(realpath "$(dirname "$0")")
. "$here/lib/surf.sh"
. "$here/lib/command.sh"
alone "$(realpath "$0")" "$bin"

only_alone "the canary"
on_loopback
cd "$surf_dir" || exit 1
surf() { timeout 60 "$bin/statesurf" "$@"; }

cat >lacks.py <<'PYTHON'
"""Ends with 1 if a file has one of the words, in any way to write it: lacks.py FILE WORD…"""
import base64
import re
import sys

text = open(sys.argv[1], "rb").read()
small = text.lower()
found = []
for word in sys.argv[2:]:
    octets = word.encode()
    ways = {"plain": octets, "hexadecimal": octets.hex().encode()}
    ways["percent"] = b"".join(b"%%%02x" % octet for octet in octets)
    ways["JSON"] = b"".join(b"\\u%04x" % octet for octet in octets)
    ways["UTF-16"] = b"\0".join(bytes([octet]) for octet in octets)
    found += [f"{word}: {way}" for way, octets in ways.items() if octets in small]
    for shift in range(3):
        # Without the digits that its neighbours have a part in.
        digits = base64.b64encode(bytes(shift) + octets)[-(-shift * 8 // 6) :]
        digits = digits[: (len(octets) * 8 - (-shift * 8 % 6)) // 6]
        if re.search(re.escape(digits), text):
            found.append(f"{word}: base64 at {shift}")
print(*found, sep="\n")
sys.exit(1 if found else 0)
PYTHON
printf 'a%%6B%%61%%6e%%61%%72%%69 %s %s' "$(printf kolibri | base64)" "$(printf 'xkanari' | base64)" >sample
check "the search finds words in disguise" eval '! python3 lacks.py sample kanari kolibri >found'
check "in each of them" test "$(wc -l <found)" = 3

# used NUMBER PATH: an app with words of its own and this path, and all that viewers can do with it.
used() {
  local app=Canary$1 row
  mkdir "$1" && cd "$1" || return
  mkfifo in
  exec 6<>in
  "$bin/CanaryProbe" "$app" "$2" "kan$(letter "$1")ari" "kol$(letter "$1")ibri" <&6 6>&- >out &
  eventually 60 grep -qs told out
  surf watch "$app" --json --since 1 --states --payloads --for 2 >seen
  surf values "$app" --json >values
  surf trace login -i "$app" >trace 2>&1
  surf find "login changed" -i "$app" >find 2>&1
  row=$(sed -nE 's/.*"kind":"action","name":"login.*"row":([0-9]+).*/\1/p' seen | head -n 1)
  {
    surf jump "${row:-1}" -i "$app"
    surf save "${row:-1}" state -i "$app"
    surf load state -i "$app"
    # Refused by the app's own decoder, by a validator, and as no state of this app.
    sed -E 's/"ada[^"]*"/"mallory"/' state | surf load - -i "$app"
    sed -E 's/"note": *""/"note":"much"/' state | surf load - -i "$app"
    sed -E 's/"ada[^"]*"/17/' state | surf load - -i "$app"
    surf dispatch '{"note":{"_0":"x"}}' -i "$app"
    surf dispatch '{"login":{"user":"eve","password":{"$redacted":"string"}}}' -i "$app"
    surf skip "${row:-1}" -i "$app"
    surf export history -i "$app"
    surf import history -i "$app" --yes
  } >said 2>&1
  printf '\nend\n' >&6
  exec 6>&-
  wait
}
# letter NUMBER: within the word, so that it counts in base64.
letter() { printf %b "\\x$(printf %x $((96 + $1)))"; }

paths=('login' 'login.password' '["login"]' '["login"].password' 'login["password"]'
  '["login"]["password"]' '**.password' '**.login' '*.password' 'login.*' 'login.**' '**' '$'
  # What cannot be read may mean anything.
  'login['
  # As viewers write the name of a value, which no state has.
  'login/password' '["login/password"]')
stateless=14
spawn python3 "$here/peers/capture.py" captured
eventually 40 test -e captured || not_ok "the link is read"
# One without any secret, which shows that the search has something to find.
for number in {0..16}; do
  [ "$(jobs -rp | wc -l)" -lt 7 ] || wait -n
  (used $((number + 1)) "${paths[number]-note.body}") &
  surf_pids+=($!)
done
for number in {1..17}; do wait "${surf_pids[-number]}"; done
sleep 0.5

lacks() { python3 lacks.py "$@"; }
open=$(letter 17)
check "without its path, each is on the link" eval \
  '! lacks captured "kan${open}ari" "kol${open}ibri" >found && grep -q kan found && grep -q kol found'
for number in "${!paths[@]}"; do
  folder=$((number + 1)) path=${paths[number]}
  words=("kan$(letter $folder)ari" "kol$(letter $folder)ibri")
  [ $number -lt $stateless ] || unset 'words[1]'
  check "$path: the app is heard" grep -q '{"$redacted":"string"}' $folder/seen
  check "$path: no octet of a secret is on the link" lacks captured "${words[@]}"
done
# The requests to the app that redacts only its password had the right outcomes.
sed 's/^/# /' 2/said
check "a jump, a load, a skip and an import are applied, over the app's own secrets" \
  test "$(grep -cE '\(applied\)|without row|actions imported' 2/said)" = 4
check "a state is refused by the app, and by its validator" \
  test "$(grep -c 'refused the state' 2/said)" = 3
finish
