internal import FoundationEssentials
internal import JSONTree
internal import MirrorJSON
internal import ValueCoding

// Values that are not `Codable`, for `StateSurf.Reflected`: their JSON is what reflection sees, and
// JSON that looks the same leads back to the value.
extension Recorder {
  /// Writes what reflection sees of a value, and keeps the value.
  package static func encode(reflecting value: some Sendable, to encoder: any Encoder) throws {
    let (text, isWhole) = MirrorJSON.look(at: value)
    let look = try Look(JSON(parsing: text))
    try look.encode(to: encoder)
    // A value that was cut looks like others.
    if isWhole { ValueCoder.current.seen?.keep(value, as: look, byteCount: text.count) }
  }

  /// The newest value of this type that looks like this.
  package static func value<Value>(
    _ type: Value.Type, seenIn decoder: any Decoder
  ) throws -> Value {
    if let value = ValueCoder.current.seen?.value(type, try Look(from: decoder)) { return value }
    throw DecodingError.dataCorrupted(
      DecodingError.Context(
        codingPath: decoder.codingPath,
        debugDescription: "no value like this, redacted parts included, is among the newest of this"
          + " run; a state that is edited, older, or of another run can only be loaded if its types"
          + " are Codable"))
  }
}

/// JSON with one form for equal numbers, so that it is the same however it came.
private enum Look: Hashable, Codable {
  case null
  case bool(Bool)
  case integer(Int64)
  case decimal(Decimal)
  /// Out of `Decimal`'s range.
  case number(Double)
  case string(String)
  case array([Look])
  case object([String: Look])

  init(_ json: JSON) {
    switch json {
    case .null: self = .null
    case .bool(let value): self = .bool(value)
    case .number(let number):
      self = Decimal(string: number.literal).map { Look($0) } ?? .number(number.double)
    case .string(let text): self = .string(text)
    case .array(let elements): self = .array(elements.map { Look($0) })
    case .object(let object):
      let members = object.members.map { ($0.key, Look($0.value)) }
      self = .object(Dictionary(members) { $1 })
    }
  }

  private init(_ number: Decimal) {
    self = Int64(number.description).map { .integer($0) } ?? .decimal(number)
  }

  /// Attempts read only this level. If they read the levels below, the time could double at each.
  init(from decoder: any Decoder) throws {
    let value = try decoder.singleValueContainer()
    if value.decodeNil() {
      self = .null
    } else if let number = Self.attempt({ try value.decode(Int64.self) }) {
      self = .integer(number)
    } else if let text = Self.attempt({ try value.decode(String.self) }) {
      self = .string(text)
    } else if let object = Self.attempt({ try decoder.container(keyedBy: Name.self) }) {
      self = .object(
        try Dictionary(
          object.allKeys.map { ($0.stringValue, try object.decode(Look.self, forKey: $0)) }
        ) { $1 })
    } else if var list = Self.attempt({ try decoder.unkeyedContainer() }) {
      var elements: [Look] = []
      while !list.isAtEnd { elements.append(try list.decode(Look.self)) }
      self = .array(elements)
    } else if let bool = Self.attempt({ try value.decode(Bool.self) }) {
      self = .bool(bool)
    } else if let number = Self.attempt({ try value.decode(Decimal.self) }) {
      self.init(number)
    } else {
      self = .number(try value.decode(Double.self))
    }
  }

  private static func attempt<Value>(_ read: () throws -> Value) -> Value? {
    do { return try read() } catch { return nil }
  }

  private struct Name: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }

    init(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { return nil }
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    switch self {
    case .null: try container.encodeNil()
    case .bool(let value): try container.encode(value)
    case .integer(let value): try container.encode(value)
    case .decimal(let value): try container.encode(value)
    case .number(let value): try container.encode(value)
    case .string(let text): try container.encode(text)
    case .array(let elements): try container.encode(elements)
    case .object(let members): try container.encode(members)
    }
  }
}
