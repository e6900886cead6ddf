internal import FoundationEssentials
internal import JSONTree
internal import Redaction
internal import ValueCoding

/// A state from a viewer with marks in it.
struct MarkedState: Sendable {
  private let json: JSON

  /// Nil if it has no mark.
  init?(_ bytes: [UInt8]) {
    // Reading it takes as long as decoding it: only what may have a mark is read twice.
    guard RedactionMark.mayStand(in: bytes), let json = JSON(ifValid: bytes), json.hasMark else {
      return nil
    }
    self.json = json
  }

  /// What the app is to decode.
  func filled(from live: LiveValue?) throws(UnfilledMark) -> LiveValue {
    try json.filled(from: live)
  }

  /// The same over an app's state. A state with a number that JSON does not have is one that a
  /// person wants to leave.
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
      // Where it failed may be inside of what is told as a mark.
      throw .unfilled(reason: explanation(of: error, over: LiveValue(clear: .null, told: told)))
    }
  }
}

/// Why a state was not taken, without what was filled in. All viewers hear it.
func explanation(
  of error: any Error, over filled: LiveValue?,
  tellsValues: Bool = !ValueCoder.current.redactsPaths
) -> String {
  guard let filled else { return explanation(of: error, tellsValues: tellsValues) }
  return explanation(of: error, tellsValues: false) { filled.openCount(of: $0) }
}

extension LiveValue {
  /// Refuses a state that was made of this, and that would tell what was filled in.
  func check(_ state: some Encodable, _ coder: ValueCoder) throws(RefusedState) {
    do {
      try check(in: coder.json(state))
    } catch {
      throw .unfilled(reason: explanation(of: error, over: self))
    }
  }
}
