extension [String: String] {
  /// The folder that a variable of an environment names, or else the one of this name in the home
  /// directory (XDG Base Directory Specification). A path that is not absolute counts for nothing.
  package func folder(_ variable: String, home name: String) -> String? {
    let absolute = { self[$0].flatMap { $0.hasPrefix("/") ? $0 : nil } }
    return absolute(variable) ?? absolute("HOME").map { "\($0)/\(name)" }
  }
}
