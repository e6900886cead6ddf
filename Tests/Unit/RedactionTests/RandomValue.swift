import JSONTree
import TestSupport

/// Random values, paths to places in them, and what a mark in each such place makes of a value.
struct RandomValue {
  var random: SeededGenerator
  private var leafCount = 0

  init(seed: UInt64) { random = SeededGenerator(seed: seed) }

  /// With dots, quotes and brackets, empty, beyond ASCII, and spelled in two ways.
  static let keys = ["a", "b", "password", "a.b", "", "\u{e9}", "e\u{301}", "*", "x]", "\"\\", "0"]

  /// Each leaf has a text or a number of its own.
  mutating func value(depth: Int = 0) -> JSON {
    leafCount += 1
    switch Int.random(in: depth > 5 ? 4...7 : depth < 2 ? 0...3 : 0...7, using: &random) {
    case 0...1:
      return .array(
        (0..<Int.random(in: 0...3, using: &random)).map { _ in value(depth: depth + 1) })
    case 2...3:
      let members = (0..<Int.random(in: 0...4, using: &random)).map { _ in
        JSONObject.Member(
          key: Self.keys.randomElement(using: &random)!, value: value(depth: depth + 1))
      }
      return .object(JSONObject(members))
    case 4: return .number(7_000_000_000 + leafCount)
    case 5: return [.null, true, false].randomElement(using: &random)!
    default: return .string("canary \(leafCount) \"{[,:]}\\ \u{e9}")
    }
  }

  /// As many ways down as a value has, or some fewer.
  mutating func path() -> [String] {
    (0..<Int.random(in: 1...4, using: &random)).map { _ in
      (Self.keys.map { "=" + $0 } + ["*", "**", "=0", "=1", "=2"]).randomElement(using: &random)!
    }
  }

  /// A path as people write it; a name has `=` in front of it, other than `*` and `**`.
  mutating func text(_ path: [String]) -> String {
    path.enumerated().map { position, step in
      let dot = position == 0 ? "" : "."
      guard step.hasPrefix("=") else { return dot + step }
      let name = String(step.dropFirst())
      if Int(name) != nil, Bool.random(using: &random) { return "[\(name)]" }
      let isWord = !name.isEmpty && !name.contains { ".[]*\"".contains($0) }
      return isWord ? dot + name : "[\(JSON.string(name).text())]"
    }.joined()
  }
}

extension JSON {
  /// What redacting these places must make of a value.
  func model(_ paths: [[String]], at names: [String] = []) -> JSON {
    if paths.contains(where: { Self.leads($0[...], to: names[...]) }) { return mark }
    return switch self {
    case .array(let elements):
      .array(elements.enumerated().map { $1.model(paths, at: names + ["\($0)"]) })
    case .object(let object):
      .object(
        JSONObject(
          object.members.map {
            .init(key: $0.key, value: $0.value.model(paths, at: names + [$0.key]))
          }))
    default: self
    }
  }

  private static func leads(_ path: ArraySlice<String>, to names: ArraySlice<String>) -> Bool {
    guard let step = path.first else { return names.isEmpty }
    if step == "**", leads(path.dropFirst(), to: names) { return true }
    guard let name = names.first else { return false }
    if step == "**" { return leads(path, to: names.dropFirst()) }
    return (step == "*" || step == "=" + name) && leads(path.dropFirst(), to: names.dropFirst())
  }

  private var mark: JSON {
    switch self {
    case .null: ["$redacted": "null"]
    case .bool: ["$redacted": "boolean"]
    case .number: ["$redacted": "number"]
    case .string: ["$redacted": "string"]
    case .array: ["$redacted": "array"]
    case .object: ["$redacted": "object"]
    }
  }

  /// All of it that only one leaf has.
  var canaries: Set<String> {
    switch self {
    case .array(let elements): Set(elements.flatMap(\.canaries))
    case .object(let object): Set(object.members.flatMap(\.value.canaries))
    case .number(let number): [number.literal]
    case .string(let text) where text.hasPrefix("canary"): [text.prefix { $0 != "\"" }.description]
    default: []
    }
  }
}
