import FoundationEssentials
import JSONTree
import Redaction

/// A member's name, made of a key that is not a `CodingKey`.
struct KeyText: CodingKey {
  let stringValue: String
  var intValue: Int? { nil }

  init(stringValue: String) { self.stringValue = stringValue }
  init?(intValue: Int) { nil }

  private static let clearCoder = ValueCoder(.foundation)
  private static let markingCoder = ValueCoder(.foundation, redacting: RedactedPaths.none)

  /// The text form of a key, if it encodes as a text or a number.
  ///
  /// - Parameter marksRedacted: whether a key that is `Redacted` has no text.
  static func text(of key: some Encodable, marksRedacted: Bool) throws -> String? {
    let coder = marksRedacted ? markingCoder : clearCoder
    if let id = key as? UUID { return id.uuidString }
    return switch try coder.json(key) {
    case .string(let text): text
    case .number(let number): number.literal
    default: nil
    }
  }

  /// The key with this text form.
  func key<Key: Decodable>(_ type: Key.Type, at path: [any CodingKey]) throws -> Key {
    let texts = [JSON.string(stringValue).bytes(), Array(stringValue.utf8)]
    for text in texts {
      do { return try JSONDecoder().decode(type, from: Data(text)) } catch { continue }
    }
    throw DecodingError.dataCorrupted(
      DecodingError.Context(codingPath: path, debugDescription: "\(stringValue) is no \(type)"))
  }
}
