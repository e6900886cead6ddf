# Sourced by the scripts that need peers of independent make: a Python environment of the tests' own.

peers_dir=$(realpath -m "$(dirname "${BASH_SOURCE[0]}")/../../../.build/peers")
peers_packages=(websockets==17.4 python-socketio==5.18.1 aiohttp==3.14.5 redis==8.1.0
  socketclusterclient==1.3.6)

# peers_install: makes the environment unless it is there; false if it cannot be had, as without a
# network, and then $surf_dir/peers.out says why.
peers_install() {
  local stamp="$peers_dir/${peers_packages[*]// /_}"
  [ -e "$stamp" ] && return
  # Debian's Python comes without the module that makes environments.
  python3 -c 'import ensurepip' 2>/dev/null ||
    { apt-get update -qq && apt-get install -y -qq --no-install-recommends python3-venv; } \
      >/dev/null 2>&1
  rm -rf "$peers_dir"
  { python3 -m venv "$peers_dir" &&
    "$peers_dir/bin/pip" install -q --disable-pip-version-check "${peers_packages[@]}" &&
    touch "$stamp"; } >"$surf_dir/peers.out" 2>&1 || { sed 's/^/# /' "$surf_dir/peers.out"; return 1; }
}

# need_peers: ends the script with a skip where they cannot be had.
need_peers() {
  fetched peers_install && return
  skip "peers in Python: pip cannot install them: $(tail -n 1 "$surf_dir/peers.out")"
  finish
  exit
}

# peer FILE ARGUMENT…: runs one of Tests/Network/peers.
peer() {
  local file=$1
  shift
  timeout -k 5 180 "$peers_dir/bin/python" "$peers_source/$file" "$@"
}
peers_source=$(realpath "$(dirname "${BASH_SOURCE[0]}")/../peers")
