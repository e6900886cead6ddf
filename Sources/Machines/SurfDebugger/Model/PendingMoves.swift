import JSONTree
import SurfControl
import SurfViewer
import SurfWire

/// The debugger's unanswered requests to apps, and what takes back each one that was done.
struct PendingMoves: Sendable {
  struct Request: Equatable, Sendable {
    let session: SessionID
    /// Shown with the answer.
    let title: String
    /// Its undo, if it has one. For an undo, the same again, in case it fails.
    var undo: Undo?
    var isUndo = false
    /// Whether nothing that was done before can be undone afterwards.
    var endsUndo = false
    /// Whether to unlock the app once it was moved.
    var goesOn = false
    /// Whether the app will be locked then; nil if that stays as it is.
    var locks: Bool?
    /// The wheel request, if it is one.
    var wheel: WheelRequest?
    /// What the person typed for it.
    var answer: TypedAnswer?
    /// The dispatch that it is part of.
    var dispatch: Dispatch?

    /// The file that it waits for, and not the app.
    var file: String? {
      switch answer?.question {
      case .save, .exportHistory: answer?.text
      case .importHistory where title.isEmpty, .load where title.isEmpty: answer?.text
      default: nil
      }
    }

    /// Whether its undo is a move. A rewrite may move the app too, and is undone by a rewrite.
    var movesApp: Bool {
      switch undo {
      case .move, .show(_, movesApp: true): true
      case .show, .rewrite, nil: false
      }
    }
  }

  /// A typed action. The app gets one meaning after another until it takes one.
  struct Dispatch: Equatable, Sendable {
    /// The meanings that the app has not seen.
    var left: ArraySlice<JSON>
    /// Why it refused the first one.
    var refusal: String?
  }

  /// The answer to a prompt, which opens again if the request fails.
  struct TypedAnswer: Equatable, Sendable {
    let question: Prompt.Question
    let text: String
    /// `Debugger.inputCount` at that time.
    let inputCount: Int
  }

  enum Undo: Equatable, Sendable {
    /// Back to where the app was.
    case move(Position)
    case rewrite(HistoryCommand<SequenceNumber>)
    /// Show a deleted row again, and move the app back if it was moved out of that row.
    case show(SequenceNumber, movesApp: Bool)
  }

  private var nextSerial = 1
  private var pending: [Int: Request] = [:]
  /// The requests that the person does not know to be unanswered, the oldest first.
  private var unreported: [(serial: Int, end: Duration)] = []
  private var done: [SessionID: [Undo]] = [:]

  /// More undo steps than a person remembers.
  static let depthMax = 1_000

  /// After this time without an answer, a person wonders whether the key did anything.
  static let patience = Duration.seconds(1)

  mutating func add(_ request: Request, at now: Duration) -> Int {
    defer { nextSerial += 1 }
    pending[nextSerial] = request
    // A wheel is renewed without a word.
    if request.wheel == nil || !request.title.isEmpty {
      unreported.append((nextSerial, now + Self.patience))
    }
    return nextSerial
  }

  func isPending(_ serial: Int) -> Bool { pending[serial] != nil }

  /// When to call `takeUnanswered`; nil for never.
  var patienceEnd: Duration? { unreported.first?.end }

  /// Each request is returned once, unless an answer comes before.
  mutating func takeUnanswered(at now: Duration) -> (serial: Int, request: Request)? {
    guard let (serial, end) = unreported.first, end <= now else { return nil }
    unreported.removeFirst()
    return pending[serial].map { (serial, $0) }
  }

  /// Pops the undo of the last thing done, if any.
  mutating func takeBack(_ session: SessionID) -> Undo? { done[session]?.popLast() }

  /// Pushes the undo of something that was just done.
  mutating func push(_ undo: Undo, of session: SessionID) {
    done[session, default: []].append(undo)
    if let count = done[session]?.count, count > Self.depthMax { done[session]?.removeFirst() }
  }

  /// Call it when all deleted rows are shown again. The moves out of them can still be undone.
  mutating func forgetDeletions(_ session: SessionID) {
    done[session] = done[session]?.compactMap { (undo) -> Undo? in
      guard case .show(let row, let movesApp) = undo else { return undo }
      return movesApp ? .move(.record(row)) : nil
    }
  }

  func canUndo(_ session: SessionID) -> Bool { done[session]?.isEmpty == false }

  /// Returns the request that this answers, if any. Pushes the undo of a done request, and pushes a
  /// failed undo back. A row stays deleted even if the app could not be moved out of it.
  mutating func settle(_ serial: Int, isDone: Bool) -> Request? {
    guard let request = pending.removeValue(forKey: serial) else { return nil }
    unreported.removeAll { $0.serial == serial }
    switch request.undo {
    case .show(let row, _) where !isDone:
      push(.show(row, movesApp: false), of: request.session)
    case let undo? where isDone != request.isUndo: push(undo, of: request.session)
    default: break
    }
    if isDone, request.endsUndo { done[request.session] = nil }
    return request
  }
}
