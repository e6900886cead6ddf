import SurfControl
import SurfTimeline
import SurfViewer
import SurfWire

/// A question before something that loses what others may want, or that nobody typed as a command.
struct Consent: Equatable, Sendable {
  /// What the person wanted. The question is made of it, and made again before anything is done.
  enum Wish: Equatable, Sendable {
    case commit, rollback, sweep
    /// To put an action before the one before, or behind the next one.
    case move(SequenceNumber, isLater: Bool)
    /// To put the history in a file in the place of the app's own.
    case replace(path: String)
    /// To put the app into the state in a file; `about` is what is known of that.
    case load(path: String, about: String)
    /// Into a state that came by a paste, or of an editor's file.
    case put([UInt8], file: String? = nil, about: String)
    /// To edit what is not a state yet, for this reason.
    case edit(path: String, fault: String)
    /// To drive the app in the place of another viewer.
    case takeOver
  }

  /// What the answer rests on: when that changes, it is asked again.
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
  /// What is to be done, as a question.
  let question: String
  /// What is lost by it, and who will see it; a paragraph each.
  var facts: [String]
}

extension Consent.Wish {
  /// What the app must still be able to do at the answer.
  var needs: [CommandNeed] {
    switch self {
    case .commit, .rollback, .sweep, .replace: [.liveApp, .commands]
    case .move: [.liveApp, .commands, .replay]
    case .load, .put: [.liveApp, .restores]
    case .edit: []
    case .takeOver: [.liveApp, .wheel]
    }
  }

  /// What a person who says no is told.
  var refusal: String? {
    switch self {
    case .edit(let path, _), .put(_, let path?, _):
      "nothing was loaded; what you wrote is in \(path)"
    case .load, .put: "nothing was loaded"
    case .commit, .rollback, .sweep, .move, .replace, .takeOver: nil
    }
  }
}

extension Consent.Ground {
  /// Why an answer that rested on the former ground means something else now; nil if it does not.
  ///
  /// What an app does by itself changes nothing: the questions say so.
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
