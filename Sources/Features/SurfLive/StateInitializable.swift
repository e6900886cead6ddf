public import FoundationEssentials
internal import JSONTree
internal import Redaction
internal import SurfStore
internal import ValueCoding

/// A state that a viewer can send back: it has an initial value, and it can be read from bytes.
///
/// A `Codable` type with `init()` conforms by declaring so.
public protocol StateInitializable: Codable, Sendable {
  /// The state that the app starts in, and to which a reset without bytes returns.
  init()

  /// The state that `data` describes; `nil` refuses it, and the app stays as it is.
  ///
  /// Called on a thread of StateSurf's. The default reads JSON as the configuration's `coding`
  /// wrote it.
  init?(from data: Data)
}

extension StateInitializable {
  /// Reads JSON; `nil` if `data` is not JSON by RFC 8259, repeats a key in an object, or is not of
  /// this type.
  public init?(from data: Data) {
    do {
      self = try ValueCoder.current.decodeStrictly(Self.self, from: data)
    } catch {
      return nil
    }
  }

  /// The state in `data`, read in the way that the type chose; `nil` data means the initial state.
  ///
  /// - Parameter filled: The same, if it has values of the app's own: a refusal does not say them.
  static func restored(
    from data: Data?, over filled: LiveValue? = nil
  ) throws(RefusedState) -> Self {
    guard let data, !data.isEmpty else { return Self() }
    guard let state = Self(from: data) else { throw refusal(of: data, over: filled) }
    return state
  }

  /// An optional initializer does not say why; a decoder often can.
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

/// What makes `data` no JSON, with line and column, which a decoder does not tell; nil if it is
/// JSON.
func syntaxError(in data: Data) -> String? {
  do throws(JSONError) {
    try JSON.check(Array(data))
    return nil
  } catch {
    return "not JSON: \(error)"
  }
}

/// A state that a viewer sent and that the app does not take.
enum RefusedState: Error, Equatable, CustomStringConvertible {
  /// The bytes do not describe a state of the app.
  case malformed(type: String, reason: String)
  /// The app has no value to keep in the place of a mark.
  case unfilled(reason: String)
  /// A validator of the app objects.
  case rejected(Objection)

  var description: String {
    switch self {
    case .malformed(let type, let reason): "not a \(type): \(reason)"
    case .unfilled(let reason): reason
    case .rejected(let objection): "the app rejects this state (\(objection))"
    }
  }
}
