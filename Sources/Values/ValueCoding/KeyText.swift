import FoundationEssentials
import JSONTree
import Redaction

/// A text that names a member. It is the text form of a dictionary key that is not a `CodingKey`.
/// Enums in their short form use it for the names of cases and labels.
struct KeyText: CodingKey {
  let stringValue: String
  var intValue: Int? { nil }

  init(stringValue: String) { self.stringValue = stringValue }
  init?(intValue: Int) { nil }

  private static let clearCoder = ValueCoder(.readable)
  private static let markingCoder = ValueCoder(.readable, redacting: RedactedPaths.none)

  /// Makes the text form of a key; nil if it encodes neither as a text nor as a number.
  ///
  /// - Parameter marksRedacted: whether a `Redacted` key has no text form.
  init?(_ key: some Encodable, marksRedacted: Bool) throws {
    let coder = marksRedacted ? Self.markingCoder : Self.clearCoder
    if let id = key as? UUID {
      self.init(stringValue: id.uuidString)
      return
    }
    let octets = try coder.bytes(of: key)
    if let text = Self.plainText(octets) {
      self.init(stringValue: text)
      return
    }
    switch try JSON(parsing: octets) {
    case .string(let text): self.init(stringValue: text)
    case .number(let number): self.init(stringValue: number.literal)
    default: return nil
    }
  }

  /// The text of a JSON string without escapes.
  private static func plainText(_ octets: [UInt8]) -> String? {
    guard octets.first == UInt8(ascii: "\""), !octets.contains(UInt8(ascii: "\\")) else {
      return nil
    }
    return String(decoding: octets[1..<(octets.count - 1)], as: UTF8.self)
  }

  /// The key with this text form. If the text is a number and `type` can decode a number, it does.
  func key<Key: Decodable>(_ type: Key.Type, at path: [any CodingKey]) throws -> Key {
    if type == UUID.self, let id = UUID(uuidString: stringValue) as? Key { return id }
    let readings = [JSON(number: stringValue), .string(stringValue)].compactMap(\.self)
    for reading in readings {
      do { return try EnumReader(json: reading, coder: Self.clearCoder).key(type) } catch {
        continue
      }
    }
    throw DecodingError.dataCorrupted(
      DecodingError.Context(
        codingPath: path, debugDescription: "\(stringValue) is not a valid \(type)"))
  }

  /// Whether decoding the text gives this key again. It does not for a text key that looks like a
  /// number, if its type also decodes numbers.
  func isRead<Key: Decodable & Equatable>(as key: Key) -> Bool {
    if Key.self == UUID.self { return true }
    do { return try self.key(Key.self, at: []) == key } catch { return false }
  }
}

extension JSON {
  /// The number that this text writes in JSON; nil if it is not a number.
  fileprivate init?(number text: String) {
    guard let first = text.utf8.first, first == UInt8(ascii: "-") || (0x30...0x39).contains(first),
      let json = JSON(ifValid: Array(text.utf8)), case .number = json
    else { return nil }
    self = json
  }
}
