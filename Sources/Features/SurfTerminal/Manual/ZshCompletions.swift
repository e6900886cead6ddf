/// The completion script for zsh, the file `_statesurf` in a folder of its `fpath`.
enum ZshCompletions {
  static var script: [String] {
    ["#compdef statesurf", ""] + helpers + [""] + main + ["", "_statesurf \"$@\""]
  }

  private static let helpers = [
    "_statesurf_instances() {",
    "  local -a found",
    "  found=(${(f)\"$(\(instanceCommand))\"})",
    "  compadd -a found",
    "}",
    "_statesurf_interfaces() {",
    "  local -a found",
    "  found=(${(f)\"$(\(interfaceCommand))\"})",
    "  compadd -a found",
    "}",
  ]

  private static var main: [String] {
    var lines = [
      "_statesurf() {", "  local context state state_descr line", "  typeset -A opt_args",
      "  _arguments -C '--help[Show help]' '--version[Show the version]' \\",
      "    '1: :->command' '*:: :->rest'", "  case $state in", "    command)",
      "      local -a commands", "      commands=(",
    ]
    for subcommand in Subcommand.listed {
      let summary = subcommand.summary.replacing(":", with: "\\:")
      lines.append("        \(quoted("\(subcommand.name):\(summary)"))")
    }
    lines += [
      "      )", "      _describe subcommand commands ;;", "    rest)", "      case $words[1] in",
    ]
    for subcommand in Subcommand.listed {
      let words = arguments(of: subcommand).joined(separator: " \\\n            ")
      lines += ["        \(subcommand.name))", "          _arguments \(words) ;;"]
    }
    return lines + ["      esac ;;", "  esac", "}"]
  }

  private static func arguments(of subcommand: Subcommand) -> [String] {
    var specs: [String] = []
    for name in subcommand.options {
      for spelling in ArgumentParser.spellings(name) { specs.append(option(spelling, name)) }
    }
    for (index, candidates) in subcommand.candidates.enumerated() {
      let positional = subcommand.positionals[index]
      let colons = positional.isNeeded ? ":" : "::"
      specs.append(quoted("\(index + 1)\(colons)\(positional.name):\(action(candidates))"))
    }
    return specs
  }

  private static func option(_ spelling: String, _ name: OptionName) -> String {
    let help = name.spec.help.filter { $0 != "[" && $0 != "]" }.replacing(":", with: "\\:")
    guard let placeholder = name.spec.value.placeholder else {
      return quoted("\(spelling)[\(help)]")
    }
    let word = placeholder.filter { $0 != "[" && $0 != "]" }.replacing(":", with: "\\:")
    let colons = placeholder.hasPrefix("[") ? "::" : ":"
    return quoted("\(spelling)[\(help)]\(colons)\(word):\(action(name.candidates))")
  }

  private static func action(_ candidates: Candidates) -> String {
    switch candidates {
    case .nothing: " "
    case .files: "_files"
    case .instances: "_statesurf_instances"
    case .interfaces: "_statesurf_interfaces"
    case .words(let words): "(\(words.joined(separator: " ")))"
    }
  }

  private static func quoted(_ text: String) -> String {
    "'" + text.replacing("'", with: "'\\''") + "'"
  }
}
