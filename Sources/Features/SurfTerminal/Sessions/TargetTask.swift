import JSONTree
import SurfControl
import SurfObserver
import SurfTimeline
import SurfWire

/// The task of a command for one instance, run by a `TargetSession`.
package enum TargetTask: Equatable, Sendable {
  case show(ShowOptions)
  case diff(DiffOptions)
  /// Gets the state of a row, for `PairSession`.
  case take(RowReference)
  /// To a path, or nil for standard output.
  case save(RowReference, to: String?)
  /// Takes this many steps, or as many as there are.
  case back(Int)
  case forward(Int)
  case jump(RowReference)
  case reset
  /// Loads a state, with its file's name.
  case load(Content, from: String? = nil)
  case rewrite(HistoryCommand<RowReference>)
  /// Runs the first of these actions that the app can read.
  case dispatch([JSON])
  /// Writes the history in Redux DevTools' format to a path, or to standard output for nil.
  case export(to: String?)

  /// What to do next. `RowLookup` throws it when it cannot find a row yet, or at all.
  enum Decision: Error {
    case wait
    /// The row may be older than all requested rows.
    case loadAll
    case finish([CommandAction])
    case take(DifferenceView.Side)
    /// - Parameters:
    ///   - steps: how many steps lead there, if fewer than asked for.
    ///   - note: to print with the answer.
    case move(Position, Content?, from: String? = nil, steps: Int? = nil, note: String? = nil)
    case command(HistoryCommand<SequenceNumber>)
    /// Ask the app for its initial state.
    case ask
    case fail(Failure)
  }

  /// In octets. `load` searches the app's rows for a state of this size or less.
  private static let searchedSizeMax = 1_024 * 1_024

  /// How many extra rows to load, because rows between two states, such as log lines, may have
  /// none. If these are not enough, the task loads all rows.
  static let window: Int = 256

  package var movesApp: Bool {
    switch self {
    case .back, .forward, .jump, .reset, .load, .rewrite, .dispatch: true
    case .show, .diff, .take, .save, .export: false
    }
  }

  /// What to load first; nil for nothing.
  func wish(for instance: Instance) -> HistoryRequest? {
    let timeline = instance.timeline
    // The app may move before the rows arrive, but then the later rows arrive too.
    func resolved(_ row: RowReference) -> RowReference {
      row == .app ? timeline.position.row.map { .number($0) } ?? .tip(before: 0) : row
    }
    return switch self {
    case .show(let show) where show.part == .state: Self.wishState(resolved(show.row))
    case .show(let show): Self.wish(resolved(show.row))
    case .take(let row), .save(let row, _): Self.wishState(resolved(row))
    case .jump(let row): Self.wish(resolved(row))
    case .diff(let diff):
      if let old = diff.old {
        Self.wish(resolved(old), resolved(diff.new))
      } else {
        Self.wishParent(of: resolved(diff.new))
      }
    case .back(let count): Self.wishBack(count, from: timeline.position)
    case .forward: Self.wishForward(from: timeline.position)
    // A row may have the same state. For a large state, loading all rows is not worth it.
    case .load(let content, _):
      content.bytes.count <= Self.searchedSizeMax ? .all : nil
    case .reset, .dispatch: nil
    case .rewrite(let command): Self.wish(command, instance.heartbeat)
    case .export: .all
    }
  }

  /// One of the newest rows may contain the initial state.
  private static func wishState(_ row: RowReference) -> HistoryRequest? {
    row == .number(0) ? .last(WireCount(window)) : wish(row)
  }

  static func wish(_ row: RowReference) -> HistoryRequest? {
    switch row {
    case .number(0): nil
    case .number(let number): .since(number)
    case .tip(0): .newestState
    // `wish(for:)` has resolved it.
    case .app: .newestState
    case .tip(let before): .last(WireCount(before + window))
    }
  }

  /// Most rows grew from a row shortly before them.
  private static func wishParent(of row: RowReference) -> HistoryRequest? {
    switch row {
    case .number(let number): wishBefore(number)
    case .tip(let before): wish(.tip(before: before + 1))
    case .app: .all
    }
  }

  private static func wish(_ first: RowReference, _ second: RowReference) -> HistoryRequest? {
    switch (first, second) {
    case (.tip(let first), .tip(let second)): wish(.tip(before: max(first, second, 1)))
    case (.number(let first), .number(let second)):
      // Row 0 has nothing to load.
      wish(.number(first == 0 || second == 0 ? max(first, second) : min(first, second)))
    case (.number(let number), .tip), (.tip, .number(let number)):
      number == 0 ? wish(.tip(before: 1)) : .all
    case (.app, _), (_, .app): .all
    }
  }

  private static func wishBack(_ count: Int, from position: Position) -> HistoryRequest? {
    switch position {
    case .initial: nil
    case .record(let row): wishBefore(row, count)
    case .elsewhere: wish(.tip(before: count - 1))
    }
  }

  /// For the state that is `count` states before a row.
  static func wishBefore(_ row: SequenceNumber, _ count: Int = 1) -> HistoryRequest? {
    .since(max(row.goingBack(by: WireCount(count - 1 + window)), 1))
  }

  private static func wishForward(from position: Position) -> HistoryRequest? {
    switch position {
    case .initial: .all
    case .record(let row): .since(row.next)
    case .elsewhere: nil
    }
  }
}

extension HistoryRequest {
  static let all = Self.since(1)
}
