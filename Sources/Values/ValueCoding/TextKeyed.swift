import FoundationEssentials
import Redaction

/// A dictionary that may be an object, though its keys are not strings: most apps write their ids
/// as text.
protocol TextKeyed {
  /// The same with texts for keys; nil if not every key has a text of its own from which it is read
  /// again.
  func withTextKeys(marksRedacted: Bool) throws -> (any ManyValues)?
  /// Whether it may have a key of this text.
  func hasKey(written text: String) -> Bool
  /// `nil` if it is not an object, or is read as one anyway.
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
