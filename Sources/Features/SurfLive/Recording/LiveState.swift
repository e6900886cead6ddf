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
  /// The same, and it was not sent.
  case leftOut(Piece)
  /// A viewer put it into this one, which had marks.
  case restored(LiveValue)
  /// The same, without marks.
  case brought(Data)

  /// As it is, and as it is told.
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
  /// A state as this coder tells it; nil for one that no viewer can send back.
  fileprivate func json(_ coder: ValueCoder) -> JSON? {
    switch self {
    case .value(let state):
      do {
        return try coder.json(state)
      } catch {
        // It tells of itself when it is sent.
        return nil
      }
    case .bytes(let bytes, _): return coder.json(of: bytes)
    case .data(let data, _): return coder.json(of: Array(data))
    case .none, .givenUp, .action, .reflection, .reflectedState, .report: return nil
    }
  }
}

extension ValueCoder {
  /// Nil if the octets are no JSON.
  fileprivate func json(of octets: [UInt8]) -> JSON? {
    do {
      return JSON(ifValid: try redact(foreign: octets))
    } catch {
      return nil
    }
  }
}
