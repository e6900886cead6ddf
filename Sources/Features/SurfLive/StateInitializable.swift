public import FoundationEssentials
internal import JSONTree
internal import Redaction
internal import SurfStore
internal import ValueCoding

/// A state that a viewer can send back. It has an initial value, and can be read from bytes.
///
/// A `Codable` type with `init()` conforms by declaring so.
public protocol StateInitializable: Codable, Sendable {
  /// The state that the app starts in. A reset without bytes returns to it.
  init()

  /// The state in `data`; `nil` refuses it, and the app's state does not change.
  ///
  /// Called on one of StateSurf's threads. The default decodes JSON as the configuration's `coding`
  /// encodes it.
  init?(from data: Data)
}

extension StateInitializable {
  /// Decodes JSON; `nil` if `data` is not JSON (RFC 8259), repeats a key in an object, or is not of
  /// this type.
  public init?(from data: Data) {
    do {
      self = try ValueCoder.current.decodeStrictly(Self.self, from: data)
    } catch {
      return nil
    }
  }

  /// Reads the state with the type's own `init(from:)`. Without data, returns the initial state.
  ///
  /// - Parameter filled: The same state, if the app's redacted values were filled in. A refusal
  ///   does not quote them.
  static func restored(
    from data: Data?, over filled: LiveValue? = nil
  ) throws(RefusedState) -> Self {
    guard let data, !data.isEmpty else { return Self() }
    guard let state = Self(from: data) else { throw refusal(of: data, over: filled) }
    return state
  }

  /// Decodes again to find the reason, since a failable initializer gives none.
  private static func refusal(of data: Data, over filled: LiveValue?) -> RefusedState {
    let type = String(reflecting: Self.self)
    do {
      _ = try ValueCoder.current.decodeStrictly(Self.self, from: data)
      return .malformed(type: type, reason: "its init?(from:) returned nil")
    } catch {
      let reason = syntaxError(in: data) ?? explanation(of: error, over: filled)
      return .malformed(type: type, reason: reason)
    }
  }
}

/// Why `data` is not JSON, with line and column, which decoders do not report; nil if it is JSON.
func syntaxError(in data: Data) -> String? {
  do throws(JSONError) {
    try JSON.check(Array(data))
    return nil
  } catch {
    return "not JSON: \(error)"
  }
}

/// Why the app refused a state from a viewer.
enum RefusedState: Error, Equatable, CustomStringConvertible {
  /// The bytes are not a state of the app.
  case malformed(type: String, reason: String)
  /// A mark stands where the app has no value.
  case unfilled(reason: String)
  /// A validator objects.
  case rejected(Objection)

  var description: String {
    switch self {
    case .malformed(let type, let reason): "not a \(type): \(reason)"
    case .unfilled(let reason): reason
    case .rejected(let objection): "the app rejects this state (\(objection))"
    }
  }
}
