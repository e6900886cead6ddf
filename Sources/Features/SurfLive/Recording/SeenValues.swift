internal import FoundationEssentials
internal import JSONTree
internal import MirrorJSON
internal import SurfThreads

// Values that are not `Codable`, for `StateSurf.Reflected`: their JSON is what reflection sees, and
// JSON that looks the same leads back to the value.
extension Recorder {
  /// Writes what reflection sees of a value, and keeps the value.
  package static func encode(reflecting value: some Sendable, to encoder: any Encoder) throws {
    let text = MirrorJSON.encode(value)
    let look = try Look(JSON(parsing: Array(text.utf8)))
    try look.encode(to: encoder)
    // A value that was cut looks like others.
    guard !text.contains(MirrorJSON.truncated) else { return }
    SeenValues.all.keep(value, as: look, byteCount: text.utf8.count)
  }

  /// The newest value of this type that looks like this.
  package static func value<Value>(
    _ type: Value.Type, seenIn decoder: any Decoder
  ) throws -> Value {
    if let value = SeenValues.all.value(type, try Look(from: decoder)) { return value }
    throw DecodingError.dataCorrupted(
      DecodingError.Context(
        codingPath: decoder.codingPath,
        debugDescription: "the program has no \(type) that looks like this; it keeps the newest"
          + " \(SeenValues.countMax) values that are not Codable, or fewer with 16 MiB of JSON"))
  }
}

/// The newest values that reflection has seen in this process.
private final class SeenValues: Sendable {
  static let all = SeenValues()
  /// The bounds of a generation. At least one generation is kept, and at most two.
  static let countMax = 256
  private static let byteCountMax = 16 << 20

  private struct Key: Hashable {
    let type: ObjectIdentifier
    /// A hash of 64 bits with a seed of this process's: two that look different are different.
    let look: Int
  }

  private struct Generation {
    var values: [Key: any Sendable] = [:]
    /// Octets of JSON. The values themselves take about as much.
    var byteCount = 0
  }

  private let generations = Monitor((young: Generation(), old: Generation()))

  func keep<Value: Sendable>(_ value: Value, as look: Look, byteCount: Int) {
    let key = Key(type: ObjectIdentifier(Value.self), look: look.hashValue)
    // Release former values after unlocking: that may run the app's code.
    _ = generations.withLock { generations in
      let former = generations.young.values.updateValue(value, forKey: key)
      generations.young.byteCount += former == nil ? byteCount : 0
      guard
        generations.young.values.count == Self.countMax
          || generations.young.byteCount > Self.byteCountMax
      else { return (former, Generation()) }
      let old = generations.old
      generations = (Generation(), generations.young)
      return (former, old)
    }
  }

  func value<Value>(_ type: Value.Type, _ look: Look) -> Value? {
    let key = Key(type: ObjectIdentifier(type), look: look.hashValue)
    return generations.withLock { $0.young.values[key] ?? $0.old.values[key] } as? Value
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

  init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    let readings: [() throws -> Look] = [
      { .string(try container.decode(String.self)) },
      { .integer(try container.decode(Int64.self)) },
      { Look(try container.decode(Decimal.self)) },
      { .number(try container.decode(Double.self)) },
      { .bool(try container.decode(Bool.self)) },
      { .array(try container.decode([Look].self)) },
    ]
    if container.decodeNil() {
      self = .null
    } else if let look = readings.lazy.compactMap({ Self.result(of: $0) }).first {
      self = look
    } else {
      self = .object(try container.decode([String: Look].self))
    }
  }

  private static func result(of read: () throws -> Look) -> Look? {
    do { return try read() } catch { return nil }
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
