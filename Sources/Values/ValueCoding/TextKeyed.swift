import FoundationEssentials
import Redaction

/// A dictionary that may be written as an object although its keys are not strings, because most
/// apps write their ids as text.
protocol TextKeyed {
  /// The same dictionary with text keys; nil if a key has no text of its own that decodes to the
  /// same key again.
  func withTextKeys(marksRedacted: Bool) throws -> (any ManyValues)?
  /// Whether a key may have this text form.
  func hasKey(written text: String) -> Bool
  /// Nil if the JSON is not an object, or if the standard library reads it from one anyway.
  static func decoded(from decoder: some Decoder) throws -> Self?
}

extension Dictionary: TextKeyed where Key: Codable, Value: Codable {
  func withTextKeys(marksRedacted: Bool) throws -> (any ManyValues)? {
    guard !Self.isObjectAnyway else { return nil }
    var members: [String: Value] = [:]
    members.reserveCapacity(count)
    for (key, value) in self {
      guard let text = try KeyText(key, marksRedacted: marksRedacted), text.isRead(as: key) else {
        return nil
      }
      members[text.stringValue] = value
    }
    return members.count == count ? members : nil
  }

  func hasKey(written text: String) -> Bool {
    if let keys = self as? [String: Value] { return keys[text] != nil }
    guard Key.self != Int.self else { return false }
    return keys.contains { key in
      do { return try KeyText(key, marksRedacted: false)?.stringValue == text } catch {
        return true
      }
    }
  }

  static func decoded(from decoder: some Decoder) throws -> Self? {
    guard !isObjectAnyway else { return nil }
    let object: KeyedDecodingContainer<KeyText>
    // It is an array, as in the foundation style.
    do { object = try decoder.container(keyedBy: KeyText.self) } catch { return nil }
    var dictionary: Self = [:]
    for text in object.allKeys {
      let key = try text.key(Key.self, at: object.codingPath)
      dictionary[key] = try object.decode(Value.self, forKey: text)
    }
    return dictionary
  }
}
