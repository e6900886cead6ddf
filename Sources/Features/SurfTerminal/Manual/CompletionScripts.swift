/// The completion scripts. Each asks `statesurf complete` for the possible words at the cursor.
extension Shell {
  /// Bash splits a line at `=`, `:` and `@` as well (COMP_WORDBREAKS) and replaces the last part
  /// only. Works with and without the package `bash-completion`.
  static let bashScript = #"""
    # bash completion for statesurf: source it, or put it among the completions of bash.
    _statesurf() {
      local rest=${COMP_LINE:0:COMP_POINT} breaks=${COMP_WORDBREAKS//[!=:@]/} cut='' word reply
      local -a words=() found=()
      for word in "${COMP_WORDS[@]:0:COMP_CWORD+1}"; do
        # What follows without a blank is the same word.
        if [[ ${#words[@]} -eq 0 || $rest == [[:space:]]* ]]; then words+=(''); fi
        rest=${rest#"${rest%%[![:space:]]*}"}
        [[ $rest == "$word"* ]] || word=$rest
        words[${#words[@]}-1]+=$word
        rest=${rest#"$word"}
      done
      word=${words[${#words[@]}-1]}
      if [[ -n $breaks ]]; then cut=${word%"${word##*[$breaks]}"}; fi
      COMPREPLY=()
      mapfile -t found < <("${words[0]/#\~/$HOME}" complete -- "${words[@]:1}" 2>/dev/null)
      for reply in "${found[@]}"; do
        case $reply in
          :files)
            compopt -o filenames 2>/dev/null
            while IFS= read -r reply; do COMPREPLY+=("$reply"); done \
              < <(compgen -f -- "${word#"$cut"}")
            ;;
          :more) compopt -o nospace 2>/dev/null ;;
          *)
            reply=${reply%%$'\t'*}
            COMPREPLY+=("${reply#"$cut"}")
            ;;
        esac
      done
    }
    complete -o nosort -F _statesurf statesurf
    """#

  static let zshScript = #"""
    #compdef statesurf

    _statesurf() {
      local line
      local -a found values shown more
      line=${(Q)words[1]}
      found=("${(@f)$($line complete -- "${(@)words[2,CURRENT-1]}" "$PREFIX" 2>/dev/null)}")
      for line in $found; do
        case $line in
          :files)
            compset -P '--[a-z-]#='
            _files
            ;;
          :more) more=(-S '') ;;
          *$'\t'*)
            values+=("${line%%$'\t'*}")
            shown+=("${line%%$'\t'*}  -- ${line#*$'\t'}")
            ;;
          ?*)
            values+=("$line")
            shown+=("$line")
            ;;
        esac
      done
      if (( $#values )); then compadd -V statesurf -l "${more[@]}" -d shown -a values; fi
    }

    _statesurf "$@"
    """#

  static let fishScript = #"""
    function __statesurf
      set -l words (commandline -opc)
      set -l current (commandline -ct)
      for line in (command $words[1] complete -- $words[2..] "$current" 2>/dev/null)
        switch $line
          case ':files'
            __fish_complete_path "$current"
          case ':more'
          case '*'
            echo $line
        end
      end
    end
    complete -c statesurf -f -a '(__statesurf)'
    """#
}
