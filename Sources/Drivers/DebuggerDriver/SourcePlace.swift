/// A place in a source as an app tells it: `PrimeTime/Main.swift:73`. A stranger wrote it.
package struct SourcePlace: Equatable {
  package let path: String
  /// From 1.
  package let line: Int

  package init(_ text: String) {
    let parts = text.split(separator: ":", omittingEmptySubsequences: false)
    let number = parts.count > 1 ? Int(parts[parts.count - 1]) : nil
    line = max(1, number ?? 1)
    path = number == nil ? text : parts.dropLast().joined(separator: ":")
  }

  /// Where it is: as it stands; or in one of these folders, in their `Sources`, or there without
  /// the module that Swift puts before the file's name.
  package func file(in folders: [String], exists: (String) -> Bool) -> String? {
    guard !path.isEmpty else { return nil }
    if path.hasPrefix("/") { return exists(path) ? path : nil }
    let name = path.split(separator: "/").last.map(String.init) ?? path
    let places = [path, "Sources/\(path)", "Demo/\(path)", name]
    // With its folder before it, no name is taken for an option.
    return folders.flatMap { folder in places.map { "\(folder)/\($0)" } }.first(where: exists)
  }
}
