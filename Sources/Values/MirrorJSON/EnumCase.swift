import ValueCoding

/// The name that the compiler stored for the case of `value`; `nil` if `value` is not an enum or
/// was compiled without case names. `Mirror` names only cases with a payload, and
/// `String(describing:)` may return a custom description.
@_silgen_name("swift_EnumCaseName")
private func storedCaseName<Value>(_ value: Value) -> UnsafePointer<CChar>?

/// The case name and associated values of an enum, found by reflection.
struct EnumCase {
  /// One associated value.
  struct Payload {
    let label: String?
    /// The key that synthesized `Codable` uses (SE-0295): the label, or `_` and the position.
    let key: String
    let value: Any
  }

  let name: String
  let payloads: [Payload]

  /// `nil` if `value` is not an enum; an optional does not count as one.
  init?(_ value: Any) {
    let mirror = Mirror(reflecting: value)
    guard mirror.displayStyle == .enum else { return nil }
    if let child = mirror.children.first, let label = child.label {
      name = label
      payloads = Self.payloads(child.value)
    } else {
      name = Self.name(value) ?? String(describing: value)
      payloads = []
    }
  }

  /// The associated value, if there is just one.
  var solePayload: Any? {
    payloads.count == 1 ? payloads.first?.value : nil
  }

  private static func name(_ value: some Any) -> String? {
    unsafe storedCaseName(value).map { unsafe String(cString: $0) }
  }

  private static func payloads(_ value: Any) -> [Payload] {
    let mirror = Mirror(reflecting: value)
    guard mirror.displayStyle == .tuple, !mirror.children.isEmpty else {
      return [Payload(label: nil, key: "_0", value: value)]
    }
    return members(of: mirror)
  }

  /// The elements of a tuple. Reflection labels an unlabelled element by its position: `.0`.
  static func members(of tuple: Mirror) -> [Payload] {
    tuple.children.enumerated().map { position, child in
      let label = child.label.flatMap { $0.hasPrefix(".") ? nil : $0 }
      return Payload(label: label, key: label ?? "_\(position)", value: child.value)
    }
  }
}

extension Encodable {
  /// Whether `encode(to:)` writes the form that the compiler synthesizes (SE-0295):
  /// `{"case":{"label":…,"_1":…}}`. `enumeration` is this value, taken apart.
  func isSynthesized(as enumeration: EnumCase) -> Bool {
    guard let shape = EnumShape(self), shape.name == enumeration.name else { return false }
    return shape.fields.map(\.key) == enumeration.payloads.map(\.key)
  }
}

/// Matches an optional of any type.
private protocol OptionalValue {
  var wrapped: Any? { get }
}

extension Optional: OptionalValue {
  fileprivate var wrapped: Any? { map { $0 } }
}

func isNone(_ value: Any) -> Bool {
  guard let optional = value as? any OptionalValue else { return false }
  return optional.wrapped == nil
}

/// The value inside `value`, through any nesting of optionals and `AnyHashable`, or a `nil`.
func unwrapped(_ value: Any) -> Any {
  var value = value
  while true {
    if type(of: value) == AnyHashable.self, let hashable = value as? AnyHashable {
      value = hashable.base
    } else if let optional = value as? any OptionalValue, let inner = optional.wrapped {
      value = inner
    } else {
      return value
    }
  }
}
