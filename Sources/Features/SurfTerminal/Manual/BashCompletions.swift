/// The completion script for bash, which works with and without the package `bash-completion`.
enum BashCompletions {
  static var script: [String] {
    ["# bash completion for statesurf: source it, or put it among the completions of bash."]
      + helpers + ["_statesurf() {"] + body.map { $0.isEmpty ? "" : "  " + $0 } + ["}"]
      + ["complete -o filenames -o bashdefault -F _statesurf statesurf"]
  }

  private static let helpers = [
    "_statesurf_instances() {", "  \(instanceCommand)", "}",
    "_statesurf_interfaces() {", "  \(interfaceCommand)", "}",
  ]

  private static var body: [String] {
    [
      "local current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD - 1]}",
      "local command='' count=0 word words='' last=''",
      "local takers=' \(takers.flatMap(ArgumentParser.spellings).joined(separator: " ")) '",
      "COMPREPLY=()",
      "for word in \"${COMP_WORDS[@]:1:COMP_CWORD-1}\"; do",
      "  if [[ $word != -* && $takers != *\" $last \"* ]]; then",
      "    if [[ -z $command ]]; then command=$word; else count=$((count + 1)); fi",
      "  fi",
      "  last=$word",
      "done",
    ] + values + options + words + offer
  }

  /// Options whose value is the next word.
  private static var takers: [OptionName] {
    OptionName.allCases.filter { $0.spec.value.isNeeded }
  }

  private static var values: [String] {
    var lines = ["case $previous in"]
    for name in takers {
      let spellings = ArgumentParser.spellings(name).joined(separator: "|")
      lines.append("  \(spellings)) \(offer(name.candidates)) return ;;")
    }
    return lines + ["esac"]
  }

  private static var options: [String] {
    var lines = ["if [[ $current == -* ]]; then", "  case $command in"]
    for subcommand in Subcommand.listed {
      let words = subcommand.options.map { "--\($0.word)" }.joined(separator: " ")
      lines.append("    \(subcommand.name)) words='\(words)' ;;")
    }
    return lines + ["    *) words='--help --version' ;;", "  esac"]
  }

  private static var words: [String] {
    let names = Subcommand.listed.map(\.name).joined(separator: " ")
    var lines = ["elif [[ -z $command ]]; then", "  words='\(names) help'", "else"]
    lines += ["  case $command:$count in", "    help:*) words='\(names)' ;;"]
    for subcommand in Subcommand.listed {
      for (index, candidates) in subcommand.candidates.enumerated() where candidates != .nothing {
        lines.append("    \(subcommand.name):\(index)) \(offer(candidates)) return ;;")
      }
    }
    return lines + ["  esac", "fi"]
  }

  private static let offer = [
    "mapfile -t COMPREPLY < <(compgen -W \"$words\" -- \"$current\")"
  ]

  private static func offer(_ candidates: Candidates) -> String {
    let made =
      switch candidates {
      case .nothing: "true;"
      case .files: "compgen -f -- \"$current\""
      case .instances: "compgen -W \"$(_statesurf_instances)\" -- \"$current\""
      case .interfaces: "compgen -W \"$(_statesurf_interfaces)\" -- \"$current\""
      case .words(let words): "compgen -W '\(words.joined(separator: " "))' -- \"$current\""
      }
    return candidates == .nothing ? made : "mapfile -t COMPREPLY < <(\(made));"
  }
}
