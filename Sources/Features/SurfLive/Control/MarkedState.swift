internal import FoundationEssentials
internal import JSONTree
internal import Redaction
internal import ValueCoding

/// A state from a viewer with marks in it.
struct MarkedState: Sendable {
  private let json: JSON

  /// Nil if it has no mark.
  init?(_ data: Data?) {
    // Reading it takes as long as decoding it: only what may have a mark is read twice.
    guard let data, RedactionMark.mayStand(in: [UInt8](data)),
      let json = JSON(ifValid: Array(data)), json.hasMark
    else { return nil }
    self.json = json
  }

  /// What the app is to decode.
  func filled(from live: LiveValue?) throws(UnfilledMark) -> LiveValue {
    try json.filled(from: live)
  }

  /// The same over an app's state.
  func filled(from live: some Encodable, _ coder: ValueCoder) throws(RefusedState) -> LiveValue {
    do {
      return try filled(from: LiveValue(clear: coder.clear.json(live), told: coder.json(live)))
    } catch {
      throw .unfilled(reason: explanation(of: error, tellsValues: false))
    }
  }
}

extension LiveValue {
  /// Refuses a state that was made of this, and that would tell what was filled in.
  func check(_ state: some Encodable, _ coder: ValueCoder) throws(RefusedState) {
    do {
      try check(in: coder.json(state))
    } catch {
      throw .unfilled(reason: explanation(of: error, tellsValues: false))
    }
  }
}
