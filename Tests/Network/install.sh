#!/bin/bash
# `Demo/install`, and what it puts in place, each read by the program that it is for: the completions
# by bash, zsh and fish, the manual page by groff.
# Usage: Tests/Network/install.sh .build/release
set -u
bin=$(realpath "$1")
root=$(realpath "$(dirname "$0")/../..")
. "$(dirname "$0")/lib/surf.sh"
alone "$(realpath "$0")" "$bin"

on_loopback
cd "$surf_dir" || exit 1
export HOME=$surf_dir XDG_DATA_HOME=$surf_dir/data
prefix=$surf_dir/here
installs() { "$root/Demo/install" --prefix "$prefix" "$@" >said 2>&1; }

check "it installs what was built" installs --from "$bin"
check "and says what, and that the PATH lacks it" \
  grep -qx "$prefix/bin is not on your PATH. For bash: export PATH=\"$prefix/bin:\$PATH\"" said
find "$prefix" -type f | sed "s,^$prefix/,," | LC_ALL=C sort >files
check "the command, a page, and three completions" diff files - <<'F'
bin/statesurf
share/bash-completion/completions/statesurf
share/fish/vendor_completions.d/statesurf.fish
share/man/man1/statesurf.1
share/zsh/site-functions/_statesurf
F
PATH=$prefix/bin:$PATH
check "the command runs" statesurf --version
check "a second time replaces it" installs --from "$bin"
check "and the PATH has it now" grep -qx 'Try: statesurf list' said

groff -Kutf8 -man -Tutf8 -P-cbu -ww -wmac "$prefix/share/man/man1/statesurf.1" >page 2>warnings
check "groff has nothing against the page" test -s page -a ! -s warnings
shows_all() {
  local name
  for name in $(statesurf help all | sed -n 's/^  \([a-z]*\)  .*/\1/p'); do
    grep -q "statesurf $name" page || { echo "no $name" && return 1; }
  done
}
check "which tells of every subcommand" shows_all

mkfifo todo.in
exec 4<>todo.in
mkdir -p config/statesurf
printf 'as = Ada\ninterfac = lo\n' >config/statesurf/settings
check "a person's file of settings counts" eval 'statesurf settings 2>said | grep -q "^as *Ada .*line 1)"'
check "what it does not know is told" grep -q "line 2: there is no setting 'interfac'" said
rm config/statesurf/settings
spawn "$bin/Todo" <&4 >todo.out
is_live() { statesurf list --json --wait 0.5 | grep -q '"app":"Todo"'; }
eventually 40 is_live || not_ok "Todo is announced"

# in_bash WORD…: what bash offers for the last word, which it splits at = : and @ as well.
in_bash() {
  bash -c '. "$0"; COMP_WORDBREAKS=$1; shift; COMP_LINE=$*; COMP_POINT=${#COMP_LINE}
    read -ra COMP_WORDS <<<"$(sed "s/[=:@]/ & /g" <<<"$COMP_LINE")"
    case $COMP_LINE in *[=:@\ ]) COMP_WORDS+=("") ;; esac
    COMP_CWORD=$((${#COMP_WORDS[@]} - 1)); _statesurf; printf "%s\n" "${COMPREPLY[@]}"' \
    "$prefix/share/bash-completion/completions/statesurf" $' \t\n"\'><=;|&(:@' statesurf "$@"
}
in_fish() {
  fish -c 'source "'"$prefix"'/share/fish/vendor_completions.d/statesurf.fish"; complete -C "'"$*"'"' |
    cut -f 1
}
# zsh completes on a terminal only: Python has one, types the words and a TAB, and prints the line.
in_zsh() { python3 "$root/Tests/Network/lib/zsh_tab.py" "$prefix/share/zsh/site-functions" "$*"; }
offers() {
  local wanted=$1
  shift
  diff <(printf '%s\n' $wanted) <("$@" | LC_ALL=C sort)
}
check "bash offers subcommands" offers "save settings show skip surf sweep" in_bash s
check "bash offers options of a subcommand" offers "--patch --port" in_bash diff --p
check "bash offers rows where one may stand" offers "tip tip~1" in_bash show -i x t
check "bash offers topics of help" offers "network" in_bash help ne
check "bash offers interfaces behind =" eval 'in_bash list --interface=l | grep -qx lo'
check "bash offers files behind =" offers /etc/passwd \
  eval 'in_bash gateway --token-file=/etc/passwd | grep -vx "/etc/passwd-"'
mkdir save.d
check "a folder is no subcommand" offers "save" in_bash sav
printf 'add Buy milk\n' >&4
has_row() { in_bash jump -i Todo 1 | grep -qx 1; }
check "bash offers rows of an app" eventually 20 has_row
check "bash offers places" offers "todos" in_bash show -i Todo to
check "bash offers places within" offers "todos[0].title" in_bash trace Todo 'todos[0].t'
check "bash offers actions" offers "add" in_bash dispatch -i Todo a
check "bash offers live instances" eval 'in_bash show -i T | grep -qx "Todo#[0-9]*"'
check "bash offers files" offers /etc/passwd eval 'in_bash load /etc/passwd | grep -vx "/etc/passwd-"'
check "fish offers subcommands" offers "show" in_fish statesurf sho
check "fish offers shells" offers "bash fish zsh" in_fish "statesurf completions "
check "fish offers topics of help" offers "query" in_fish "statesurf help que"
check "fish offers options" offers "--raw" in_fish "statesurf show --ra"
check "fish offers places" offers "todos" in_fish "statesurf show -i Todo tod"
check "fish offers live instances" eval 'in_fish "statesurf show -i T" | grep -qx "Todo#[0-9]*"'
check "zsh completes a subcommand" eval 'in_zsh statesurf dif | grep -q "statesurf diff "'
check "zsh completes an option" eval 'in_zsh statesurf show --ra | grep -q "show --raw "'
check "zsh completes a topic of help" eval 'in_zsh statesurf help que | grep -q "help query "'
check "zsh completes a place" eval 'in_zsh statesurf trace -i Todo filt | grep -q "filter "'
check "zsh completes a live instance" eval 'in_zsh statesurf show -i T | grep -q "Todo[^ ]*#[0-9]"'

# Apps are strangers: what they are called must never be run.
mkfifo evil.in
exec 3<>evil.in
spawn "$bin/LogProbe" '$(touch evil)' <&3
is_evil_live() { statesurf list --json --wait 0.5 | grep -q 'touch evil'; }
eventually 40 is_evil_live || not_ok "an app of an evil name is announced"
check "what nobody may offer is not run" eval 'in_bash show -i "" | grep -q Todo && test ! -e evil'

check "it removes what it installed" installs --uninstall
check "all of it" test -z "$(find "$prefix" -type f)"
check "a folder without the command is refused" \
  eval '! installs --from "$surf_dir" && grep -q "there is no statesurf in" said'
check "an option that it lacks is refused" eval '! installs --purge && grep -q "no option .--purge" said'
finish
