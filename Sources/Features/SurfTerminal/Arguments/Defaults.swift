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

  /// Nil if neither sets the option.
  func find(_ name: OptionName) -> Found? {
    if let variable = name.variable, let text = environment[variable], !text.isEmpty {
      // The variable is a number of columns, the option a flag.
      let value = name == .ambiguousWide ? "\(text == "2")" : text
      return Found(text: value, origin: .variable(variable))
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
