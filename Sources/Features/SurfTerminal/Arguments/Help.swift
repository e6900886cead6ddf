import SurfWire

/// The text of `--help`. No line has more than 80 columns, so that it fits a terminal as it is.
package enum Help {
  package static let version = "statesurf \(Introduction.libraryVersion) (protocol version 1)"
  package static let width = 80

  /// What `statesurf help` shows: what people use every day, and where the rest is.
  package static var overview: [String] {
    [
      "Usage: statesurf SUBCOMMAND [INSTANCE] [options]", "",
      "Watch and surf the states of live apps. Every day:",
    ] + Subcommand.daily.flatMap { entry($0.name, $0.summary) } + [
      "", "On a terminal, statesurf alone opens the debugger. If nothing is found:",
      "statesurf doctor.", "", "The rest:",
    ]
      + entry("help SUBCOMMAND", "One subcommand, with its options and examples", column: 18)
      + Topic.allCases.flatMap { entry("help \($0.rawValue)", $0.summary, column: 18) }
      + entry("--version", "The version", column: 18)
  }

  /// A page that is not about one subcommand.
  package enum Topic: String, CaseIterable, Sendable {
    case all, network, query

    var summary: String {
      switch self {
      case .all: "All subcommands, and the exit codes"
      case .network: "Which apps are found, for how long, and with which key"
      case .query: "The language of find, wait and watch --where"
      }
    }

    package var lines: [String] {
      switch self {
      case .all: Help.all
      case .network: Help.network
      case .query: QueryHelp.lines
      }
    }
  }

  private static var all: [String] {
    var lines = ["Usage: statesurf SUBCOMMAND [INSTANCE] [options]"]
    var group: Subcommand.Group?
    for subcommand in Subcommand.listed {
      if subcommand.group != group { lines += ["", "\(subcommand.group.rawValue):"] }
      group = subcommand.group
      lines += entry(subcommand.name, subcommand.summary)
    }
    return lines + [""] + wrapped(exitCodes)
  }

  private static var network: [String] {
    let listed = OptionName.network.filter { $0 != .help }
    return ["All subcommands that use the network take these options:"]
      + listed.flatMap(option) + [""] + wrapped(environment) + [""] + wrapped(times)
  }

  static let environment = """
    STATESURF_INTERFACE, STATESURF_GROUP, STATESURF_PORT and STATESURF_REALM set the defaults of \
    --interface, --group, --port and --realm, here and in the apps. STATESURF_KEY_FILE names the \
    file with their key, or says `none`; `statesurf key --help` says more.
    """

  /// The one meaning of each option that takes seconds.
  static let times = """
    Three options take a time. --wait is how long `list` and `doctor` collect apps before they \
    print. --timeout is how long nothing may come before the command gives up, with exit code 2. \
    --for is how long the command goes on, whatever comes.
    """

  static let exitCodes = """
    Exit codes: 0 done; 1 not done, or the output could not be written; 2 the app did not answer \
    in time; 64 misuse; 141 the reader of the output closed it; 128 plus a signal's number if \
    that signal ended the command.
    """

  package static func page(_ subcommand: Subcommand) -> [String] {
    let words = ["Usage: statesurf", subcommand.name] + subcommand.usage.map { $0.usage("<", ">") }
    var lines = wrapped((words + ["[options]"]).joined(separator: " "), indent: 2)
    lines += [""] + wrapped(subcommand.summary + ".")
    let rules = subcommand.rules
    if !rules.isEmpty { lines += wrapped(rules.joined(separator: " ")) }
    lines += paragraphs(subcommand.notes)
    lines += ["", "Options:"] + subcommand.listedOptions.flatMap(option)
    if subcommand.usesNetwork { lines.append("  and those of `statesurf help network`") }
    lines += ["", "Examples:"]
    return lines + examples(subcommand.examples.map { ("statesurf \($0.line)", $0.means) })
  }

  /// Each with its meaning behind it, or below it where that does not fit.
  static func examples(_ examples: [(line: String, means: String)]) -> [String] {
    let column = min(44, examples.map { columns($0.line) }.max() ?? 0) + 4
    return examples.flatMap { example -> [String] in
      let line = "  " + padded(example.line, column - 2) + "# \(example.means)"
      let fits = columns(example.line) <= column - 4 && columns(line) <= width
      return fits ? [line] : ["  \(example.line)"] + wrapped("      # \(example.means)", indent: 8)
    }
  }

  static func option(_ name: OptionName) -> [String] {
    let short = name.spec.short.map { "-\($0), " } ?? "    "
    let value = name.spec.value.placeholder.map { " \($0)" } ?? ""
    return entry("\(short)--\(name.word)\(value)", name.spec.help, column: 30)
  }

  /// A word, and what it means in a column of its own.
  private static func entry(_ word: String, _ means: String, column: Int = 12) -> [String] {
    let texts = wrapped(means, width: width - column - 2)
    return texts.enumerated().map { index, text in
      "  " + padded(index == 0 ? word : "", column) + text
    }
  }

  /// The lines as paragraphs. Lines that begin with a blank, such as those of a table, stay.
  static func paragraphs(_ lines: [String]) -> [String] {
    var result: [String] = []
    var words: [String] = []
    for line in lines + [""] {
      if line.isEmpty || line.hasPrefix(" ") {
        if !words.isEmpty { result += wrapped(words.joined(separator: " ")) }
        words = []
        result.append(line)
      } else {
        words.append(line)
      }
    }
    return result.dropLast()
  }

  /// - Parameter indent: of the lines after the first.
  static func wrapped(_ text: String, width: Int = Help.width, indent: Int = 0) -> [String] {
    var lines = [String(text.prefix { $0 == " " })]
    for word in text.split(separator: " ") {
      let last = lines[lines.count - 1]
      let isFirst = last.allSatisfy { $0 == " " }
      if !isFirst, columns(last) + 1 + columns(String(word)) > width {
        lines.append(String(repeating: " ", count: indent) + word)
      } else {
        lines[lines.count - 1] = isFirst ? last + word : "\(last) \(word)"
      }
    }
    return lines
  }
}
