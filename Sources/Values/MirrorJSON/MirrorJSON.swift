import FoundationEssentials

/// Any Swift value as JSON text, for people to read: values that conform to `Encodable` as they
/// encode themselves, all others as reflection sees them.
///
/// An enum has the same text with and without `Codable`, also inside a struct or class: the case's
/// name alone, or an object of the name and the payload. All else in what conforms to `Encodable`
/// is as `JSONEncoder` writes it.
public enum MirrorJSON {
  /// Levels of containers inside each other that are written; deeper ones become `"<Type>"`.
  public static let depthMax = 64

  /// The longest text in bytes; values that do not fit become `"<truncated>"`.
  public static let byteCountMax = 8 << 20

  /// `value` as one line of JSON: always valid, and the same text for the same value.
  ///
  /// Never throws: a value without a JSON form (functions, types) becomes a string that describes
  /// it, and an object that contains itself becomes `"<cycle>"`.
  public static func encode(_ value: Any?) -> String {
    encode(value, byteCountMax: byteCountMax)
  }

  /// The same within another bound, of 4096 bytes at least.
  package static func encode(_ value: Any?, byteCountMax: Int) -> String {
    guard let value else { return "null" }
    // Behind the limit come only the ends of open containers.
    var writer = MirrorWriter(byteCountMax: byteCountMax - 4096)
    writer.write(value)
    return String(decoding: writer.output, as: UTF8.self)
  }
}

/// The name of an action.
public enum MirrorAction {
  /// What `String(describing:)` has, but for an enum inside an enum, which follows behind a dot:
  /// `todo.add("x")` for `.todo(.add("x"))`. A type's own description counts.
  public static func title(_ action: Any) -> String {
    var (names, action) = ([String](), action)
    while names.count < MirrorJSON.depthMax, !(action is any CustomStringConvertible),
      let enumeration = EnumCase(action), let payload = enumeration.solePayload,
      EnumCase(payload) != nil
    {
      names.append(enumeration.name)
      action = payload
    }
    return (names + [String(describing: action)]).joined(separator: ".")
  }

  /// The names of the enum cases from `action` inwards, while the payload is one enum: `todo.add`
  /// for `.todo(.add("x"))`. For an action that is not an enum, the name of its type.
  ///
  /// At most `MirrorJSON.depthMax` names.
  public static func typePath(_ action: Any) -> String {
    var names: [String] = []
    var action = unwrapped(action)
    while names.count < MirrorJSON.depthMax, let enumeration = EnumCase(action) {
      names.append(enumeration.name)
      guard let payload = enumeration.solePayload else { break }
      action = payload
    }
    return names.isEmpty ? String(describing: type(of: action)) : names.joined(separator: ".")
  }
}
