import SurfControl
import SurfWire

/// What was asked of the apps and is not answered, and where they were before each move that was
/// done: the way back.
struct PendingMoves: Sendable {
  struct Request: Equatable, Sendable {
    let session: SessionID
    /// In words, for the answer.
    let title: String
    /// Where the app was; nil if the request does not move it.
    let origin: Position?
    let isUndo: Bool
    /// Whether the app is to act by itself again, once it was moved.
    var goesOn = false
    /// If it is about the wheel.
    var wheel: WheelRequest?
  }

  private var nextSerial = 1
  private var pending: [Int: Request] = [:]
  private var done: [SessionID: [Position]] = [:]

  /// More steps back than a person remembers.
  static let depthMax = 1_000

  mutating func add(_ request: Request) -> Int {
    defer { nextSerial += 1 }
    pending[nextSerial] = request
    return nextSerial
  }

  /// Takes the position to go back to; nil if there is none.
  mutating func takeBack(_ session: SessionID) -> Position? { done[session]?.popLast() }

  func canUndo(_ session: SessionID) -> Bool { done[session]?.isEmpty == false }

  /// The request that is answered; nil if nobody made it.
  mutating func settle(_ serial: Int, isDone: Bool) -> Request? {
    guard let request = pending.removeValue(forKey: serial) else { return nil }
    // What was done can be undone; what could not be undone still can.
    if let origin = request.origin, isDone != request.isUndo {
      done[request.session, default: []].append(origin)
      if let count = done[request.session]?.count, count > Self.depthMax {
        done[request.session]?.removeFirst()
      }
    }
    return request
  }
}
