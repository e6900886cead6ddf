import FoundationEssentials

/// Turns any Swift value into JSON text for people to read. An `Encodable` value encodes itself;
/// reflection reads all others.
///
/// An enum has the same text with and without `Codable`, also inside a struct or class. It is the
/// case's name alone, or an object with the name as its key and the payload as its value. Every
/// other `Encodable` value reads as `JSONEncoder` writes it.
public enum MirrorJSON {
  /// The deepest nesting of containers. A container below it becomes `"<Type>"`.
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

  /// The same, and whether all of the value is in it. The limit is at least 4096.
  package static func look(
    at value: Any, byteCountMax: Int = byteCountMax
  ) -> (text: [UInt8], isWhole: Bool) {
    // Beyond its limit the writer adds only `"<truncated>"` and closing brackets.
    var writer = MirrorWriter(byteCountMax: byteCountMax - 4096)
    writer.write(value)
    return (writer.output, !writer.isFull && !writer.isTooDeep)
  }

  /// The same text with a limit of its own.
  package static func encode(_ value: Any?, byteCountMax: Int) -> String {
    guard let value else { return "null" }
    return String(decoding: look(at: value, byteCountMax: byteCountMax).text, as: UTF8.self)
  }
}

/// Names an action for people.
public enum MirrorAction {
  /// `String(describing:)`, except that an enum inside an enum follows a dot: `todo.add("x")` for
  /// `.todo(.add("x"))`. A type's own description takes precedence.
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

  /// The names of the nested enum cases, outermost first: `todo.add` for `.todo(.add("x"))`. Stops
  /// at a payload that is not a single enum. For an action that is not an enum, its type's name.
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
