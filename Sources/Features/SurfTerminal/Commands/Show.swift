import JSONTools
import SurfObserver
import SurfTimeline
import SurfWire

extension Subcommand {
  static let show = Self(
    "show", in: .see, "Show the state after a row, or where the app is",
    positionals: [.row.optional, .path.optional],
    options: [.instance, .raw, .json, .payload, .observe],
    examples: [
      ("show", "the state that the app is in"), ("show 12 --payload", "what came with action 12"),
      ("show tip~1 --raw | jq .count", "the bytes of the state before the tip"),
      ("show todos[0].title", "a place in the state that the app is in"),
    ], notes: pathNotes
  ) { words throws(Failure) in TargetTask.show(try ShowOptions(words)) }

  static let pathNotes = [
    "A path is written as `diff` prints it: todos[3].title, [\"a b\"], [0]. A last word that",
    "is not a row is a path.",
  ]
}

/// The options of `statesurf show`.
package struct ShowOptions: Equatable, Sendable {
  package var row: RowReference
  package var part: Part
  /// The place to show; the root for everything.
  package var path: JSONPath
  package var form: Form

  package enum Part: String, Equatable, Sendable { case state, payload }

  package enum Form: Equatable, Sendable {
    /// For people.
    case laidOut
    /// The unchanged bytes.
    case raw
    /// One object on one line.
    case json
  }

  package init(
    _ row: RowReference = .app, _ part: Part = .state, path: JSONPath = JSONPath(),
    form: Form = .laidOut
  ) {
    self.row = row
    self.part = part
    self.path = path
    self.form = form
  }

  init(_ words: Words) throws(Failure) {
    let (rows, path) = try words.rowsAndPath()
    try words.exclude(.raw, .json)
    if words.has(.raw), path != nil {
      throw words.misuse(
        "'--raw' is of all the bytes", meaning: "With a path, '--json' fits a script.")
    }
    self.init(
      rows.first ?? .app, words.has(.payload) ? .payload : .state, path: path ?? JSONPath(),
      form: words.has(.raw) ? .raw : words.has(.json) ? .json : .laidOut)
  }
}

extension Subcommand {
  static let diff = Self(
    "diff", in: .see, "Show the changes between two rows, or up to the newest",
    positionals: [.row.optional, .row.optional, .path.optional],
    options: [.instance, .with, .json, .patch, .observe],
    examples: [
      ("diff", "what the newest row changed in the state that it grew from"),
      ("diff 3 12 todos", "what changed in todos between rows 3 and 12"),
      ("diff 0 3", "from the initial state, which the app sends"),
      ("diff -i 'Todo#11' --with 'Todo#12'", "what differs between the states of two apps"),
      ("diff 3 12 --patch", "for a program that applies patches"),
    ], notes: pathNotes, makes: DiffOptions.init)
}

/// The options of `statesurf diff`: which two states to compare, and how to print the changes.
package struct DiffOptions: SessionCommand {
  /// Nil for the row that `new` grew from, or with two instances for the one that the app is at.
  package var old: RowReference?
  package var new: RowReference
  /// The place to compare; the root for everything.
  package var path: JSONPath
  package var form: Form
  /// The instance of `new`, if it is another one.
  package var other: String?

  package enum Form: Equatable, Sendable {
    /// For people.
    case lines
    /// One object on one line for each change.
    case json
    /// A patch (RFC 6902) that turns the old state into the new one.
    case patch
  }

  package init(
    _ old: RowReference? = nil, _ new: RowReference = .tip(before: 0),
    path: JSONPath = JSONPath(), form: Form = .lines, other: String? = nil
  ) {
    self.old = old
    self.new = new
    self.path = path
    self.form = form
    self.other = other
  }

  init(_ words: Words) throws(Failure) {
    let (rows, path) = try words.rowsAndPath()
    try words.exclude(.patch, .json)
    if words.has(.patch), path != nil {
      throw words.misuse("'--patch' is of whole states, and takes no path")
    }
    let other = words.text(.with)
    self.init(
      rows.first, rows.dropFirst().first ?? (other == nil ? .tip(before: 0) : .app),
      path: path ?? JSONPath(),
      form: words.has(.patch) ? .patch : words.has(.json) ? .json : .lines, other: other)
  }

  package func session(on stage: Stage) -> any CommandSession {
    guard other != nil else { return TargetTask.diff(self).session(on: stage) }
    return PairSession(self, stage.common)
  }
}

/// `diff` of two instances: gets a state of one, then a state of the other, and compares them.
package struct PairSession: CommandSession {
  private let options: DiffOptions
  private var common: Invocation.Common
  private var current: TargetSession
  /// The state of the first instance, while the second is looked for.
  private var first: DifferenceView.Side?

  package init(_ options: DiffOptions, _ common: Invocation.Common) {
    (self.options, self.common) = (options, common)
    current = TargetSession(.take(options.old ?? .app), common)
  }

  package var deadline: Duration? { current.deadline }

  package mutating func receive(
    _ event: SessionEvent, in catalog: Catalog, at now: Duration
  ) -> [CommandAction] {
    let actions = current.receive(event, in: catalog, at: now)
    guard let taken = current.taken else { return actions }
    guard let first else {
      first = taken
      (common.instance, common.first) = (options.other, taken.instance.session)
      current = TargetSession(.take(options.new), common)
      // The second instance may be known already, and send nothing more.
      return actions + receive(.deadline(ViewerCounters()), in: catalog, at: now)
    }
    do throws(Failure) {
      let view = DifferenceView(options: options, old: first, new: taken)
      return try actions + view.actions() + [.exit(ExitCode.done)]
    } catch {
      return actions + [.fail(error)]
    }
  }
}
