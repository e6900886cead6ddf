/// The names that the sources declare for everybody, with the labels of their parameters.
struct PublicDeclarations {
  /// For each name, the labels of each declaration.
  private var labels: [String: [Set<String>]] = [:]

  init() throws {
    for file in try Repository.swiftFiles(in: "Sources") { add(file.lines) }
  }

  init(of lines: [String]) { add(lines) }

  /// Of `Store`, `Store.dispatch` and `lift(action:state:)`. Each part of a path must be declared,
  /// and one declaration must have all labels.
  func contain(_ name: String) -> Bool {
    let parts = name.split(separator: "(", maxSplits: 1)
    let wanted = parts.count < 2 ? [] : parts[1].dropLast().split(separator: ":").map(String.init)
    let path = parts[0].split(separator: ".").map(String.init)
    guard let last = path.last, path.allSatisfy({ labels[$0] != nil }) else { return false }
    return labels[last, default: []].contains { $0.isSuperset(of: wanted) }
  }

  private mutating func add(_ lines: [String]) {
    /// The line that ends the enum or protocol, whose members are as public as it is.
    var end: String?
    for (index, line) in lines.enumerated() {
      if line == end { end = nil }
      let isPublic = line.has("public ", "open ")
      guard isPublic || end != nil, !line.unindented.hasPrefix("//") else { continue }
      for name in isPublic ? Self.declared(in: line) : Self.members(in: line) {
        labels[name, default: []].append(Self.labels(lines[index...]))
      }
      if isPublic, !line.hasSuffix("}"), line.contains(#/public (indirect )?(enum|protocol) /#) {
        end = line.prefix { $0 == " " } + "}"
      }
    }
  }

  private static func declared(in line: String) -> [String] {
    let pattern =
      #/\b(?:public|open) (?:\w+ )*?(?:func|var|let|struct|enum|class|actor|protocol|typealias|init|subscript)(?:\b ?`?(\w+|<>))?/#
    guard let match = line.firstMatch(of: pattern) else { return [] }
    return [match.1.map(String.init) ?? "init"]
  }

  private static func members(in line: String) -> [String] {
    let text = line.unindented
    if text.hasPrefix("case ") {
      return text.matches(of: #/(?:^case |, )(\w+)(?=[(,\s]|$)/#).map { String($0.1) }
    }
    let pattern = #/^(?:static |mutating )*(?:func|var|associatedtype) (\w+)/#
    // In an enum these are as hidden as they say.
    return line.has("{ get") || !line.has("{")
      ? text.firstMatch(of: pattern).map { [String($0.1)] } ?? [] : []
  }

  /// Of the parameters that begin on the first of these lines.
  private static func labels(_ lines: ArraySlice<String>) -> Set<String> {
    var text = ""
    var depth = 0
    for line in lines.prefix(40) {
      for character in line {
        depth += character == "(" ? 1 : character == ")" ? -1 : 0
        text.append(character)
        if depth == 0, character == ")" || character == "{" { return words(text) }
      }
      if depth == 0 { break }
      text.append("\n")
    }
    return words(text)
  }

  private static func words(_ text: String) -> Set<String> {
    Set(text.matches(of: #/[(,]\s*(\w+)(?: \w+)?:/#).map { String($0.1) })
  }
}
