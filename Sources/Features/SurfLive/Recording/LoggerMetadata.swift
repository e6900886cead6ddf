/// A logger's metadata. It is encoded on the encoding thread, not on the thread that logs.
struct LoggerMetadata<Value: Sendable>: Encodable, Sendable {
  let label: String
  let values: [String: Value]

  var isEmpty: Bool { label.isEmpty && values.isEmpty }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    var pieces = values.mapValues { LoggerPiece<Value>.value($0) }
    if !label.isEmpty, pieces["label"] == nil { pieces["label"] = .text(label) }
    try container.encode(pieces)
  }
}

/// An entry of the metadata. swift-log's is an enum of texts, lists, dictionaries, and values that
/// describe themselves. This recognizes its cases by their payloads.
private enum LoggerPiece<Value: Sendable>: Encodable, Sendable {
  case text(String)
  case value(Value)

  func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    switch self {
    case .text(let text): try container.encode(text)
    case .value(let value):
      switch Self.held(by: value) {
      case let text as String: try container.encode(text)
      case let number as Int: try container.encode(number)
      case let flag as Bool: try container.encode(flag)
      // JSON has no other numbers.
      case let number as Double where number.isFinite: try container.encode(number)
      case let pieces as [String: Value]: try container.encode(pieces.mapValues(Self.value))
      case let pieces as [Value]: try container.encode(pieces.map(Self.value))
      default: try container.encode(String(describing: value))
      }
    }
  }

  private static func held(by value: Value) -> Any {
    let mirror = Mirror(reflecting: value)
    guard mirror.displayStyle == .enum, let child = mirror.children.first else { return value }
    return child.value
  }
}
