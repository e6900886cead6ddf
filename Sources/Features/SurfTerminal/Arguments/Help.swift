/// The text of `--help`.
package enum Help {
  package static let version = "statesurf 1.0 (protocol version 1)"

  package static var overview: [String] {
    var lines = [
      "Usage: statesurf SUBCOMMAND [options]", "", "Watch and surf the states of live apps.",
    ]
    var group: Subcommand.Group?
    for subcommand in Subcommand.all {
      if subcommand.group != group { lines += ["", "\(subcommand.group.rawValue):"] }
      group = subcommand.group
      lines.append("  " + padded(subcommand.name, 12) + subcommand.summary)
    }
    return lines + [""] + environment + [""] + exitCodes + [
      "",
      "`statesurf SUBCOMMAND --help` says more, with examples; `--version` prints the version.",
    ]
  }

  static let environment = [
    "STATESURF_INTERFACE, STATESURF_GROUP, STATESURF_PORT and STATESURF_REALM set the defaults of",
    "--interface, --group, --port and --realm, here and in the apps. STATESURF_KEY_FILE names the",
    "file with their key, or says `none`; `statesurf key --help` says more.",
  ]

  static let exitCodes = [
    "Exit codes: 0 done; 1 not done, or the output could not be written; 2 the app did not",
    "answer in time; 64 misuse; 141 the reader of the output closed it; 128 plus a signal's",
    "number if that signal ended the command.",
  ]

  package static func page(_ subcommand: Subcommand) -> [String] {
    let positionals = subcommand.positionals
    let words = ["Usage: statesurf", subcommand.name] + positionals.map { $0.usage("<", ">") }
    var lines = [(words + ["[options]"]).joined(separator: " "), "", subcommand.summary + "."]
    if positionals.contains(where: { $0.kind == .row }) {
      lines += ["A row is a number, initial (0), app, tip, or tip~1 for the row before the tip."]
    }
    lines += subcommand.notes
    lines += ["", "Options:"] + subcommand.options.map(option)
    lines += ["", "Examples:"]
    for example in subcommand.examples {
      lines.append("  " + padded("statesurf \(example.line)", 52) + "# \(example.means)")
    }
    return lines
  }

  private static func option(_ name: OptionName) -> String {
    let short = name.spec.short.map { "-\($0), " } ?? "    "
    let value = name.spec.value.placeholder.map { " \($0)" } ?? ""
    return "  " + padded("\(short)--\(name.word)\(value)", 30) + name.spec.help
  }
}
