internal import FoundationEssentials
internal import JSONTree
internal import Redaction
internal import ValueCoding

/// The state that an app with an `onReset` handler is in, as far as is known. Its values replace
/// the marks in a state that a viewer sends.
enum LiveState: Sendable {
  case unknown
  /// The app recorded this state, which was sent as these octets.
  case recorded(Piece, told: [UInt8])
  /// The app recorded this state, which was not sent.
  case leftOut(Piece)
  /// A viewer put the app into this state, which had marks.
  case restored(LiveValue)
  /// A viewer put the app into this state, which had no marks.
  case brought(Data)

  /// The state with its values, and with marks as viewers see it.
  func value(_ coder: ValueCoder) -> LiveValue? {
    switch self {
    case .unknown: nil
    case .recorded(let piece, let told):
      piece.json(coder.clear).map { LiveValue(clear: $0, told: JSON(ifValid: told)) }
    case .leftOut(let piece):
      piece.json(coder.clear).flatMap { clear in
        piece.json(coder).map { LiveValue(clear: clear, told: $0) }
      }
    case .restored(let value): value
    case .brought(let data): JSON(ifValid: Array(data)).map { LiveValue(clear: $0, told: $0) }
    }
  }
}

extension Piece {
  /// A state as this coder encodes it; nil for a state that viewers cannot send back.
  fileprivate func json(_ coder: ValueCoder) -> JSON? {
    switch self {
    case .value(let state):
      do {
        return try coder.json(state)
      } catch {
        // `RecordWriter` reports the error when it encodes the state.
        return nil
      }
    case .bytes(let bytes, _): return coder.json(of: bytes)
    case .data(let data, _): return coder.json(of: Array(data))
    case .none, .givenUp, .action, .reflection, .reflectedState, .report: return nil
    }
  }
}

extension ValueCoder {
  /// Nil if the octets are not JSON.
  fileprivate func json(of octets: [UInt8]) -> JSON? {
    do {
      return JSON(ifValid: try redact(foreign: octets))
    } catch {
      return nil
    }
  }
}
