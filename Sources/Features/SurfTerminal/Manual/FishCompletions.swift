/// The completion script for fish, a file in its completions folder.
enum FishCompletions {
  static var script: [String] {
    let seen =
      "__fish_seen_subcommand_from \(Subcommand.listed.map(\.name).joined(separator: " "))"
    var lines = [
      "function __statesurf_instances", "  \(instanceCommand)", "end",
      "function __statesurf_interfaces", "  \(interfaceCommand)", "end",
      "complete -c statesurf -f",
      "complete -c statesurf -n 'not \(seen)' -l help -d 'Show help'",
      "complete -c statesurf -n 'not \(seen)' -l version -d 'Show the version'",
    ]
    for subcommand in Subcommand.listed {
      let name = subcommand.name
      lines.append(
        "complete -c statesurf -n 'not \(seen)' -a \(name) -d \(quoted(subcommand.summary))")
      let here = "complete -c statesurf -n '__fish_seen_subcommand_from \(name)'"
      lines += subcommand.options.map { here + option($0) }
      // Fish ignores a word's position, and offers the candidates of every position.
      for candidates in subcommand.candidates { lines += words(candidates).map { here + $0 } }
    }
    return lines
  }

  private static func option(_ name: OptionName) -> String {
    let short = name.spec.short.map { " -s \($0)" } ?? ""
    let takesValue = name.spec.value.placeholder != nil
    let value = takesValue ? (words(name.candidates).first ?? "") : ""
    return short + " -l \(name.word)" + (name.spec.value.isNeeded ? " -x" : "") + value
      + " -d \(quoted(name.spec.help))"
  }

  private static func words(_ candidates: Candidates) -> [String] {
    switch candidates {
    case .nothing: []
    case .files: [" -F"]
    case .instances: [" -a '(__statesurf_instances)'"]
    case .interfaces: [" -a '(__statesurf_interfaces)'"]
    case .words(let words): [" -a \(quoted(words.joined(separator: " ")))"]
    }
  }

  private static func quoted(_ text: String) -> String {
    "'" + text.replacing("\\", with: "\\\\").replacing("'", with: "\\'") + "'"
  }
}
