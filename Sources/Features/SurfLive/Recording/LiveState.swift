internal import FoundationEssentials
internal import JSONTree
internal import Redaction
internal import ValueCoding

/// The state that an app without a store is in, as far as is known: what it keeps where a viewer
/// brings marks.
enum LiveState: Sendable {
  case unknown
  /// It recorded this one, which was sent as these octets.
  case recorded(Piece, told: [UInt8])
  /// A viewer put it into this one, which had marks.
  case restored(LiveValue)
  /// The same, without marks.
  case brought(Data)

  /// As it is, and as it is told.
  func value(_ coder: ValueCoder) -> LiveValue? {
    switch self {
    case .unknown: nil
    case .recorded(let piece, let told):
      piece.json(coder).map { LiveValue(clear: $0, told: JSON(ifValid: told)) }
    case .restored(let value): value
    case .brought(let data): JSON(ifValid: Array(data)).map { LiveValue(clear: $0, told: $0) }
    }
  }
}

extension Piece {
  /// A state with all that is redacted in it; nil for one that no viewer can send back.
  fileprivate func json(_ coder: ValueCoder) -> JSON? {
    switch self {
    case .value(let state):
      do {
        return try coder.clear.json(state)
      } catch {
        // It was encoded before, or it would not be here.
        return nil
      }
    case .bytes(let bytes, _): return JSON(ifValid: bytes)
    case .data(let data, _): return JSON(ifValid: Array(data))
    case .none, .givenUp, .action, .reflection, .reflectedState, .report: return nil
    }
  }
}
