extension [String: String] {
  /// The folder that an environment variable names, or else the given one in the home directory
  /// (XDG Base Directory Specification). Relative paths are ignored.
  package func folder(_ variable: String, home name: String) -> String? {
    let absolute = { self[$0].flatMap { $0.hasPrefix("/") ? $0 : nil } }
    return absolute(variable) ?? absolute("HOME").map { "\($0)/\(name)" }
  }
}
