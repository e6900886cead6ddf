import SurfControl
import SurfWire

/// The debugger's unanswered requests to apps, and each app's undo stack: where it was before each
/// move.
struct PendingMoves: Sendable {
  struct Request: Equatable, Sendable {
    let session: SessionID
    /// Shown with the answer.
    let title: String
    /// Where the app was before; nil if the request does not move it.
    let origin: Position?
    let isUndo: Bool
    /// Whether to unlock the app once it was moved.
    var goesOn = false
    /// The wheel request, if it is one.
    var wheel: WheelRequest?
  }

  private var nextSerial = 1
  private var pending: [Int: Request] = [:]
  private var done: [SessionID: [Position]] = [:]

  /// More undo steps than a person remembers.
  static let depthMax = 1_000

  mutating func add(_ request: Request) -> Int {
    defer { nextSerial += 1 }
    pending[nextSerial] = request
    return nextSerial
  }

  /// Pops the position to return to; nil if there is none.
  mutating func takeBack(_ session: SessionID) -> Position? { done[session]?.popLast() }

  func canUndo(_ session: SessionID) -> Bool { done[session]?.isEmpty == false }

  /// The request that this answers; nil if there is none. Pushes a done move onto the undo stack,
  /// and pushes a failed undo back.
  mutating func settle(_ serial: Int, isDone: Bool) -> Request? {
    guard let request = pending.removeValue(forKey: serial) else { return nil }
    if let origin = request.origin, isDone != request.isUndo {
      done[request.session, default: []].append(origin)
      if let count = done[request.session]?.count, count > Self.depthMax {
        done[request.session]?.removeFirst()
      }
    }
    return request
  }
}
