import FoundationEssentials
import JSONTree

/// The kind of a value that is not told.
package enum MarkedKind: String, CaseIterable, Sendable {
  case null, boolean, number, string, array, object

  /// By the first octet of a value's JSON.
  init(firstOctet: UInt8) {
    self =
      switch firstOctet {
      case ASCII.quote: .string
      case ASCII.openBrace: .object
      case ASCII.openBracket: .array
      case ASCII.t, ASCII.f: .boolean
      case ASCII.n: .null
      default: .number
      }
  }

  /// Of a value that need not have a JSON.
  init(of value: Any) {
    switch value {
    case is Bool: self = .boolean
    case is any Numeric: self = .number
    case is any StringProtocol, is Date, is Data, is UUID, is URL: self = .string
    default: self.init(Mirror(reflecting: value))
    }
  }

  private init(_ mirror: Mirror) {
    switch mirror.displayStyle {
    case .optional:
      if let child = mirror.children.first { self.init(of: child.value) } else { self = .null }
    case .collection, .set: self = .array
    case .enum where mirror.children.isEmpty: self = .string
    default: self = .object
    }
  }
}
