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
  /// `.todo(.add("x"))`, and that an action with closures is written without them. A type's own
  /// description takes precedence.
  public static func title(_ action: Any) -> String {
    var (names, action) = ([String](), action)
    while names.count < MirrorJSON.depthMax, !(action is any CustomStringConvertible),
      let enumeration = EnumCase(action), let payload = enumeration.solePayload,
      EnumCase(payload) != nil
    {
      names.append(enumeration.name)
      action = payload
    }
    let text = String(describing: action)
    // What Swift prints for every closure.
    let mayHaveClosure = text.contains("(Function)")
    return (names + [mayHaveClosure ? withoutClosures(action) : text]).joined(separator: ".")
  }

  /// The enums, structs and tuples in `value` without closures, modules and generic arguments:
  /// `binding(BindingAction(keyPath: \State.name, value: "Ada"))`.
  private static func withoutClosures(_ value: Any, depth: Int = 0) -> String {
    if depth == 0, let value = value as? any CustomStringConvertible { return value.description }
    let value = unwrapped(value)
    let mirror = Mirror(reflecting: value)
    let isPlain =
      value is any CustomStringConvertible || value is any CustomDebugStringConvertible
      || value is any TextOutputStreamable
    guard !isPlain, depth < MirrorJSON.depthMax, let style = mirror.displayStyle,
      [.struct, .tuple, .enum].contains(style), !mirror.children.isEmpty
    else { return String(reflecting: value) }
    let children = mirror.children.filter { !isClosure($0.value) }
    let texts = children.map { child in
      let text = withoutClosures(child.value, depth: depth + 1)
      // The label of an enum's child is the case's name, and that of a tuple's may be `.0`.
      guard style != .enum, let label = child.label, label.first != "." else { return text }
      return "\(label): \(text)"
    }
    let list = texts.joined(separator: ", ")
    if style == .enum {
      // A tuple has its own parentheses.
      return (mirror.children.first?.label ?? "") + (list.first == "(" ? list : "(\(list))")
    }
    let name = style == .tuple ? "" : String(describing: type(of: value)).prefix { $0 != "<" }
    return "\(name)(\(list))"
  }

  private static func isClosure(_ value: Any) -> Bool {
    let mirror = Mirror(reflecting: value)
    return mirror.displayStyle == nil && mirror.children.isEmpty
      && String(describing: type(of: value)).contains("->")
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
