internal import FoundationEssentials
internal import JSONTree
internal import Redaction
internal import ValueCoding

/// A state from a viewer that has marks in the place of redacted values.
struct MarkedState: Sendable {
  private let json: JSON

  /// Nil if there is no mark.
  init?(_ bytes: [UInt8]) {
    // Parsing takes as long as decoding, so only parse what may have a mark.
    guard RedactionMark.mayStand(in: bytes), let json = JSON(ifValid: bytes), json.hasMark else {
      return nil
    }
    self.json = json
  }

  /// The state with the app's own values in the place of marks.
  func filled(from live: LiveValue?) throws(UnfilledMark) -> LiveValue {
    try json.filled(from: live)
  }

  /// The same, with the values of an app's state. Numbers that JSON does not have become null: a
  /// person may want to leave just such a state.
  func filled(from live: some Encodable, _ coder: ValueCoder) throws(RefusedState) -> LiveValue {
    let coder = coder.withNullNumbers
    let told: JSON
    do {
      told = try coder.json(live)
    } catch {
      let reason = coder.explanation(of: error, in: [])
      throw .unfilled(reason: "the app is in a state of which it can keep nothing: \(reason)")
    }
    do {
      return try filled(from: LiveValue(clear: coder.clear.withNullNumbers.json(live), told: told))
    } catch {
      // The fault may lie inside a redacted value.
      throw .unfilled(reason: explanation(of: error, over: LiveValue(clear: .null, told: told)))
    }
  }
}

/// Why the app refused a state, without the values that were filled in. All viewers see it.
func explanation(
  of error: any Error, over filled: LiveValue?,
  tellsValues: Bool = !ValueCoder.current.redactsPaths
) -> String {
  guard let filled else { return explanation(of: error, tellsValues: tellsValues) }
  return explanation(of: error, tellsValues: false) { filled.openCount(of: $0) }
}

extension LiveValue {
  /// Refuses a decoded state that would show a filled-in value to viewers.
  func check(_ state: some Encodable, _ coder: ValueCoder) throws(RefusedState) {
    do {
      try check(in: coder.json(state))
    } catch {
      throw .unfilled(reason: explanation(of: error, over: self))
    }
  }
}
