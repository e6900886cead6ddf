internal import FoundationEssentials
internal import JSONTree
internal import Redaction
internal import SurfStore
internal import ValueCoding

/// How an app makes its states, for `Controller`.
struct StateFactory<State: Codable & Sendable>: Sendable {
  /// The state that the app starts in.
  let initial: State
  /// The state in a viewer's bytes; nil refuses them.
  let read: @Sendable (Data) -> State?

  /// The state in `data`. Without data, the initial state.
  ///
  /// - Parameter filled: The same state, if the app's redacted values were filled in. A refusal
  ///   does not quote them.
  func restored(from data: Data?, over filled: AppValue? = nil) throws(RefusedState) -> State {
    guard let data, !data.isEmpty else { return initial }
    guard let state = read(data) else { throw refusal(of: data, over: filled) }
    return state
  }

  /// Decodes again to find the reason, since a failable initializer gives none.
  private func refusal(of data: Data, over filled: AppValue?) -> RefusedState {
    let type = String(reflecting: State.self)
    do {
      _ = try ValueCoder.current.decodeStrictly(State.self, from: data)
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
  /// A mark is in a place where the app has no value.
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
