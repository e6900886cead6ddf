/// The values of options that a command line leaves out: from the environment, or else from the
/// settings file.
struct Defaults {
  let environment: [String: String]
  let file: SettingsFile?

  struct Found: Equatable {
    let text: String
    let origin: Origin
  }

  enum Origin: Equatable {
    case variable(String)
    case line(Int, String)
  }

  /// `STATESURF_AMBIGUOUS` is the number of columns of an ambiguous letter, its option a flag.
  private static func value(_ text: String, of name: OptionName) -> String {
    name == .ambiguousWide ? ["1": "false", "2": "true"][text] ?? text : text
  }

  /// Nil if neither sets the option. An empty variable sets nothing.
  func find(_ name: OptionName) -> Found? {
    if let variable = name.variable, let text = environment[variable], !text.isEmpty {
      return Found(text: Self.value(text, of: name), origin: .variable(variable))
    }
    guard let file, let entry = file.entries[name] else { return nil }
    return Found(text: entry.text, origin: .line(entry.line, file.path))
  }
}

extension Defaults.Origin: CustomStringConvertible {
  var description: String {
    switch self {
    case .variable(let name): name
    case .line(let number, let path): "\(path), line \(number)"
    }
  }
}
