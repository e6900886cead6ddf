# Sourced after surf.sh: a Python whose strangers can seal, as $python; false without one. Debian's own
# has the package python3-cryptography, another may not.

for python in python3 /usr/bin/python3; do
  "$python" -c 'import cryptography' 2>/dev/null && break
  python=
done
export PYTHONDONTWRITEBYTECODE=1
[ -n "$python" ]
