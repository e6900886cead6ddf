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
  func filled(from live: JSON?) throws(UnfilledMark) -> Data {
    Data(try json.filled(from: live).bytes())
  }

  /// The same over an app's state.
  func filled(from live: some Encodable, _ coder: ValueCoder) throws(RefusedState) -> Data {
    do {
      return try filled(from: coder.clear.json(live))
    } catch {
      throw .unfilled(reason: explanation(of: error, tellsValues: false))
    }
  }
}
