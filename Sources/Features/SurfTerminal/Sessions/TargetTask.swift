import JSONTree
import SurfControl
import SurfObserver
import SurfTimeline
import SurfWire

/// What a command wants of one instance.
package enum TargetTask: Equatable, Sendable {
  case show(ShowOptions)
  case diff(DiffOptions)
  /// The state of a row, for `PairSession`.
  case take(RowReference)
  /// To a path, or nil for standard output.
  case save(RowReference, to: String?)
  /// This many steps, or as many as there are.
  case back(Int)
  case forward(Int)
  case jump(RowReference)
  case reset
  /// From a file of this name.
  case load(Content, from: String? = nil)
  case rewrite(HistoryCommand<RowReference>)
  /// The history as Redux DevTools has it, to a path or to standard output.
  case export(to: String?)

  /// What must be loaded first.
  enum Wish: Equatable {
    case nothing
    case rows(HistoryRequest)
    static let all = Wish.rows(.since(1))
  }

  /// What to do next with what is loaded.
  enum Decision {
    case wait
    /// The row may lie before all that was asked for.
    case loadAll
    case finish([CommandAction])
    /// Nil for an initial state that nobody tells.
    case take(SequenceNumber, Content?)
    case move(Position, Content?, from: String? = nil)
    case command(HistoryCommand<SequenceNumber>)
    /// The app must tell its initial state.
    case ask
    case fail(Failure)
  }

  /// Octets of a state that a load looks for among the rows of the app.
  private static let searchedSizeMax = 1_024 * 1_024

  /// Rows between two states that carry none, such as log lines: this many are loaded at once, and
  /// all only if these were not enough.
  static let window: Int = 256

  package var movesApp: Bool {
    switch self {
    case .back, .forward, .jump, .reset, .load, .rewrite: true
    case .show, .diff, .take, .save, .export: false
    }
  }

  var isRewrite: Bool {
    if case .rewrite = self { true } else { false }
  }

  func wish(for instance: Instance) -> Wish {
    let timeline = instance.timeline
    // Where the app is may change until the rows are here; then the rows behind it are here, too.
    func resolved(_ row: RowReference) -> RowReference {
      row == .app ? timeline.position.row.map { .number($0) } ?? .tip(before: 0) : row
    }
    return switch self {
    case .show(let show) where show.part == .state: Self.wishState(resolved(show.row))
    case .show(let show): Self.wish(resolved(show.row))
    case .take(let row), .save(let row, _): Self.wishState(resolved(row))
    case .jump(let row): Self.wish(resolved(row))
    case .diff(let diff):
      diff.old.map { Self.wish(resolved($0), resolved(diff.new)) }
        ?? Self.wishParent(of: resolved(diff.new))
    case .back(let count): Self.wishBack(count, from: timeline.position)
    case .forward: Self.wishForward(from: timeline.position)
    // One of the rows may have this very state. A large one is not worth all rows of a slow link.
    case .load(let content, _):
      content.bytes.count <= Self.searchedSizeMax ? .all : .nothing
    case .reset: .nothing
    case .rewrite(let command): Self.wish(command, instance.heartbeat)
    case .export: .all
    }
  }

  /// One of the newest rows may tell the initial state.
  private static func wishState(_ row: RowReference) -> Wish {
    row == .number(0) ? .rows(.last(WireCount(window))) : wish(row)
  }

  static func wish(_ row: RowReference) -> Wish {
    switch row {
    case .number(0): .nothing
    case .number(let number): .rows(.since(number))
    case .tip(0): .rows(.newestState)
    // Resolved before.
    case .app: .rows(.newestState)
    case .tip(let before): .rows(.last(WireCount(before + window)))
    }
  }

  /// Most rows grew from one of the rows above.
  private static func wishParent(of row: RowReference) -> Wish {
    switch row {
    case .number(let number): wishBefore(number)
    case .tip(let before): wish(.tip(before: before + 1))
    case .app: .all
    }
  }

  private static func wish(_ first: RowReference, _ second: RowReference) -> Wish {
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

  private static func wishBack(_ count: Int, from position: Position) -> Wish {
    switch position {
    case .initial: .nothing
    case .record(let row): wishBefore(row, count)
    case .elsewhere: wish(.tip(before: count - 1))
    }
  }

  /// For the nearest state before a row, or for the one that is `count` states before it.
  static func wishBefore(_ row: SequenceNumber, _ count: Int = 1) -> Wish {
    .rows(.since(max(row.goingBack(by: WireCount(count - 1 + window)), 1)))
  }

  private static func wishForward(from position: Position) -> Wish {
    switch position {
    case .initial: .all
    case .record(let row): .rows(.since(row.next))
    case .elsewhere: .nothing
    }
  }
}
