import SurfViewer

/// The page of `man statesurf` in the macros of man(7), generated from the tables behind `--help`
/// and those of the debugger.
package enum ManualPage {
  package static var lines: [String] {
    [".TH STATESURF 1 \"\" \(quoted(Help.version)) \"User Commands\""]
      + [".SH NAME", "statesurf \\- watch and surf the states of live apps"]
      + [".SH SYNOPSIS", ".B statesurf", ".I SUBCOMMAND", "[options]"]
      + [".SH DESCRIPTION"] + description + [".SH SUBCOMMANDS"] + Subcommand.listed.flatMap(entry)
      + [".SH OPTIONS"] + OptionName.allCases.flatMap(option)
      + [".SH KEYS"] + keys + [".SH QUERIES", ".nf"] + QueryHelp.lines.map(text) + [".fi"]
      + closing
  }

  private static let description = [
    "An instrumented program announces itself, and sends every action and the state after it by",
    "UDP multicast. \\fBstatesurf\\fR shows this history, saves a state to a file, and puts the",
    "program into any of its states again.",
  ]

  private static func entry(_ subcommand: Subcommand) -> [String] {
    let words = subcommand.usage.map { "\\fI\(text($0.usage()))\\fR" }
    var lines = [".SS \(quoted("\(subcommand.group.rawValue): \(subcommand.name)"))"]
    lines += [".B statesurf \(text(subcommand.name))"]
    if !words.isEmpty { lines.append(words.joined(separator: " ")) }
    lines += [".PP", text(subcommand.summary + ".")]
    lines += subcommand.rules.map(text)
    lines += subcommand.notes.map { $0.isEmpty ? ".PP" : text($0) }
    let own = subcommand.ownOptions.map { "\\fB\\-\\-\(text($0.word))\\fR" }
    if !own.isEmpty { lines += [".PP", "Its options: " + own.joined(separator: ", ") + "."] }
    for example in subcommand.examples {
      lines += [".TP", ".B statesurf \(text(example.line))", text(example.means)]
    }
    return lines
  }

  private static func option(_ name: OptionName) -> [String] {
    let spellings = ArgumentParser.spellings(name).map { "\\fB\(text($0))\\fR" }
    let value = name.spec.value.placeholder.map { " \\fI\(text($0))\\fR" } ?? ""
    return [".TP", spellings.joined(separator: ", ") + value, text(name.spec.help + ".")]
  }

  private static let keys =
    [
      "In the debugger. Digits ask for a row. A command without a key is in the palette. The",
      "settings file changes the keys of a command by its name, as in",
      ".BR \"key.surf = s\" .",
    ] + CommandGroup.allCases.flatMap { [".SS \($0.rawValue)"] + $0.commands.flatMap(key) }

  private static func key(_ command: ViewerCommand) -> [String] {
    let labels = command.spec.keys.map(\.written).joined(separator: " ")
    let keys = labels.isEmpty ? [] : ["\\fB\(text(labels))\\fR"]
    return [".TP", (keys + ["(\(text(command.rawValue)))"]).joined(separator: " ")]
      + [text(command.spec.title + ".")]
  }

  private static let files: [(name: String, means: String)] = [
    ("~/.config/statesurf/settings", "Defaults of options, and the debugger's colours and keys."),
    (
      "~/.config/statesurf/key",
      "Keys that seal what apps and viewers say. STATESURF_KEY_FILE names another file."
    ),
    (
      "Sources",
      "The debugger looks for them below the working directory, and below the folders of the "
        + "setting sources or of STATESURF_SOURCES."
    ),
  ]

  private static let closing =
    [".SH FILES"] + files.flatMap { [".TP", ".I \(text($0.name))", text($0.means)] }
    + [".PP", "$XDG_CONFIG_HOME takes the place of ~/.config if it is set."]
    + [".SH ENVIRONMENT", text(Help.environment), ".SH TIMES", text(Help.times)]
    + [".SH EXIT STATUS", text(Help.exitCodes)]

  /// Escapes a line so that roff reads it as text, without escapes or requests.
  private static func text(_ line: String) -> String {
    let escaped = line.replacing("\\", with: "\\e").replacing("-", with: "\\-")
    return escaped.hasPrefix(".") || escaped.hasPrefix("'") ? "\\&" + escaped : escaped
  }

  private static func quoted(_ argument: String) -> String {
    "\"" + text(argument).replacing("\"", with: "\\(dq") + "\""
  }
}
