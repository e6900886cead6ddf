# Sourced by the scripts about one subcommand: what it prints, and how it ends. They define `surf`,
# which runs the command.

newest_of() { surf list --json --wait 0.8 | grep "\"app\":\"$1\"" | sed 's/.*"newestRow":\([0-9]*\).*/\1/'; }
has_rows() { test "$(newest_of "$1")" = "$2"; }
# exits CODE COMMAND…: its output is in out and said.
exits() {
  local wanted=$1 status
  shift
  "$@" >out 2>said
  status=$?
  [ $status = "$wanted" ] || ! { echo "exit $status"; cat out said; }
}
