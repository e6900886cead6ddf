import SurfControl
import SurfTimeline
import SurfViewer
import SurfWire

/// A yes-or-no question. The debugger asks it before it rewrites the history, takes control from
/// another viewer, or puts the app into a state from a file, a paste or an editor. After a fault in
/// an edited text, it asks whether to edit the text again.
struct Consent: Equatable, Sendable {
  /// What the person wants to do. The question is made from it, and made again before the debugger
  /// acts.
  enum Wish: Equatable, Sendable {
    case commit, rollback, sweep
    /// Move an action before its predecessor, or after its successor.
    case move(SequenceNumber, isLater: Bool)
    /// Replace the app's history with a file.
    case replace(path: String)
    /// Load a state from a file. `about` is its size and beginning, if known.
    case load(path: String, about: String)
    /// Load a pasted or typed state, or one from an editor's file.
    case put([UInt8], file: String? = nil, about: String, isTyped: Bool = false)
    /// Edit a file again that is not JSON, for this reason.
    case edit(path: String, fault: String)
    /// Replace a file by what the person saves or exports.
    case overwrite(Prompt.Question, path: String)
    /// Take the wheel from another viewer.
    case takeOver

    /// Whether nothing takes it back. Then Enter does not mean yes: a person may have pressed it
    /// once too often at the prompt before.
    var isFinal: Bool {
      switch self {
      case .commit, .rollback, .sweep, .replace, .overwrite: true
      case .move, .load, .put, .edit, .takeOver: false
      }
    }
  }

  /// What the question assumed. If it has changed when the answer arrives, the debugger asks again.
  enum Ground: Equatable, Sendable {
    case none
    case order(HistoryOrder)
    case state(HistoryOrder, Position)
    case command(HistoryCommand<SequenceNumber>)
    case lock(Bool)
    case driver(WheelDriver?)
  }

  let session: SessionID
  let wish: Wish
  let ground: Ground
  /// What will be done, as a question.
  let question: String
  /// What will be lost and who will see it, one paragraph each.
  var facts: [String]
}

extension Consent.Wish {
  /// What must still be met when the person answers.
  var needs: [CommandNeed] {
    switch self {
    case .commit, .rollback, .sweep, .replace: [.liveApp, .commands]
    case .move: [.liveApp, .commands, .replay]
    case .load, .put: [.liveApp, .restores]
    case .edit, .overwrite: []
    case .takeOver: [.liveApp, .wheel]
    }
  }

  /// The notice if nothing is done, after a no or a yes that came too late; nil for none.
  var refusal: String? {
    switch self {
    case .edit(let path, _), .put(_, let path?, _, _):
      "nothing was loaded; what you wrote is in \(path)"
    case .load, .put: "nothing was loaded"
    case .overwrite: "nothing was written"
    case .commit, .rollback, .sweep, .move, .replace, .takeOver: nil
    }
  }
}

extension Consent.Ground {
  /// Why an answer to the former question means something else now; nil if it does not.
  ///
  /// The app's own actions in the meantime do not count, because the questions mention them.
  func change(since former: Consent.Ground, in timeline: Timeline) -> String? {
    switch (former, self) {
    case (.order(let before), .order(let now)) where !now.continues(before),
      (.state(let before, _), .state(let now, _)) where !now.continues(before):
      "the history was rewritten meanwhile"
    case (.state(let before, let place), .state(_, let now))
    where !timeline.cameByItself(from: place, behind: before.newest):
      "the app was moved meanwhile, to \(positionText(now))"
    case (.command(let before), .command(let now)) where before != now:
      "the order of the actions has changed meanwhile"
    case (.lock(false), .lock(true)): "the app was locked meanwhile"
    case (.driver(let before), .driver(let now?)) where before?.viewer != now.viewer:
      "\(now.title) drives the app now"
    default: nil
    }
  }
}
