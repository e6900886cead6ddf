import FoundationEssentials
import Redaction

/// A dictionary that may be an object, though its keys are not strings: most apps write their ids
/// as text.
protocol TextKeyed {
  /// False, and nothing is written, if not every key has a text of its own.
  func encodeAsObject(to encoder: some Encoder) throws -> Bool
  /// `nil` if it is not an object, or is read as one anyway.
  static func decoded(from decoder: ReadableDecoder) throws -> Self?
}

extension Dictionary: TextKeyed where Key: Codable, Value: Codable {
  /// These are objects already, by the rules of the standard library.
  private static var isObjectAnyway: Bool {
    Key.self == String.self || Key.self == Int.self || Key.self is any CodingKeyRepresentable.Type
  }

  func encodeAsObject(to encoder: some Encoder) throws -> Bool {
    guard !Self.isObjectAnyway else { return false }
    var members: [String: Value] = [:]
    let marksRedacted = encoder.marksRedacted
    for (key, value) in self {
      guard let text = try KeyText.text(of: key, marksRedacted: marksRedacted) else { return false }
      members[text] = value
    }
    guard members.count == count else { return false }
    try members.encode(to: encoder)
    return true
  }

  static func decoded(from decoder: ReadableDecoder) throws -> Self? {
    guard !isObjectAnyway else { return nil }
    let object: KeyedDecodingContainer<KeyText>
    // Not an object: an array, as without this option.
    do { object = try decoder.container(keyedBy: KeyText.self) } catch { return nil }
    var dictionary: Self = [:]
    for text in object.allKeys {
      let key = try text.key(Key.self, at: object.codingPath)
      dictionary[key] = try object.decode(Value.self, forKey: text)
    }
    return dictionary
  }
}
