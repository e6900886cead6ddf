import ReduxDevTools
import SurfTimeline
import SurfViewer
import SurfWire

extension TargetTask {
  /// Decides what to do next, with the rows that have arrived.
  func decide(_ lookup: RowLookup) -> Decision {
    do throws(Decision) { return try decision(lookup) } catch { return error }
  }

  private func decision(_ lookup: RowLookup) throws(Decision) -> Decision {
    let timeline = lookup.instance.timeline
    switch self {
    case .show(let show): return try Self.show(show, lookup)
    case .diff(let diff): return try Self.difference(diff, lookup)
    case .take(let row): return .take(try Self.side(row, lookup))
    case .save(let row, let path):
      let (number, note) = try lookup.inForce(lookup.number(row))
      guard let content = try lookup.content(number) else {
        return .fail(Self.untold(lookup.instance))
      }
      return .finish(Self.told(note) + [.write(content.bytes, path: path)])
    case .jump(let row):
      let (number, note) = try lookup.inForce(lookup.number(row))
      return try lookup.move(to: number, note: note)
    case .back(let count):
      let atEnd = "\(lookup.instance.label) is at its initial state already"
      return try Self.step(lookup, count, timeline.back, timeline.target(above:skipsHoles:), atEnd)
    case .forward(let count):
      let next = { timeline.target(below: Position(wire: $0), skipsHoles: $1) }
      return try Self.step(lookup, count, timeline.forward, next, lookup.instance.forwardEnd)
    case .reset: return .move(.initial, nil)
    case .load(let content, let file): return Self.load(content, file, lookup)
    case .rewrite(let command): return try Self.decide(command, lookup)
    case .dispatch(let actions): return try Self.decide(.dispatch(actions[0]), lookup)
    case .export(let path):
      guard lookup.isComplete else { return .wait }
      return .finish([.write(Self.exported(lookup.instance).bytes, path: path)])
    }
  }

  /// If a row has the same state, moves the app to that row, so that viewers show the row.
  private static func load(
    _ content: Content, _ file: String?, _ lookup: RowLookup
  ) -> Decision {
    guard lookup.isComplete else { return .wait }
    if let row = lookup.instance.timeline.row(holding: StateSpellings(of: content)) {
      return .move(.record(row.number), row.state)
    }
    return .move(.elsewhere, content, from: file)
  }

  /// Saving an unknown initial state would write an empty file, which no command loads.
  private static func untold(_ instance: Instance) -> Failure {
    Failure(
      "\(instance.label) does not tell its initial state",
      meaning: "Only an app that takes commands does. Nothing was saved.",
      advice: "statesurf jump initial \(option(for: instance.label)) puts the app into it; a row's"
        + " state can be saved")
  }

  /// Takes `count` steps, or as many as there are: `first`, and then `next` from the row reached.
  private static func step(
    _ lookup: RowLookup, _ count: Int, _ first: (Bool) -> NavigationStep,
    _ next: (SequenceNumber, Bool) -> NavigationStep, _ atEnd: String
  ) throws(Decision) -> Decision {
    var taken = 1
    func steps(_ skipsHoles: Bool) -> NavigationStep {
      var reached = first(skipsHoles)
      taken = 1
      while taken < count, case .row(let number) = reached {
        let further = next(number, skipsHoles)
        guard further != .end else { break }
        reached = further
        taken += 1
      }
      return reached
    }
    let decision = try step(lookup, steps, atEnd)
    guard taken < count, case .move(let target, let state, _, _, _) = decision else {
      return decision
    }
    return .move(target, state, steps: taken)
  }

  static func step(
    _ lookup: RowLookup, _ step: (Bool) -> NavigationStep, _ atEnd: String
  ) throws(Decision) -> Decision {
    switch step(false) {
    case .row(let number): return try lookup.move(to: number)
    case .end:
      return .fail(Failure(atEnd, meaning: "Nothing was sent."))
    case .notLoaded where !lookup.isComplete: return .wait
    case .notLoaded(let range): return try lookup.move(to: lookup.beyond(range, step(true)))
    }
  }

  /// The loaded history in the format that a Redux DevTools panel exports.
  package static func exported(
    _ instance: Instance
  ) -> (bytes: [UInt8], actionCount: Int) {
    var bounds = PanelInstance.Bounds()
    bounds.rowCountMax = .max
    // A file may be as large as the history here, whatever a panel takes.
    bounds.byteCountMax = instance.timeline.bounds.byteCountMax
    bounds.frameSizeMax = instance.timeline.bounds.byteCountMax
    var panel = PanelInstance(id: instance.label, heartbeat: instance.heartbeat, bounds: bounds)
    for row in instance.timeline.rows {
      if let record = instance.timeline.record(row.number) { _ = panel.receive(record) }
    }
    _ = panel.note(instance.heartbeat)
    return (Array(panel.liftedText.utf8), panel.actionCount)
  }

  private static func show(
    _ show: ShowOptions, _ lookup: RowLookup
  ) throws(Decision) -> Decision {
    var (number, note) = (try lookup.number(show.row), nil as String?)
    if show.part == .state { (number, note) = try lookup.inForce(number) }
    let content = try lookup.content(number, payload: show.part == .payload)
    let view = StateView(options: show, row: number, instance: lookup.instance)
    return finish { () throws(Failure) in told(note) + (try view.actions(content)) }
  }

  static func told(_ note: String?) -> [CommandAction] { note.map { [.complain($0)] } ?? [] }

  private static func difference(
    _ diff: DiffOptions, _ lookup: RowLookup
  ) throws(Decision) -> Decision {
    let (old, new): (RowReference, RowReference)
    if let row = diff.old {
      (old, new) = (row, diff.new)
    } else {
      let (parent, row) = try lookup.parent(of: diff.new)
      (old, new) = (.number(parent), .number(row))
    }
    let view = DifferenceView(
      options: diff, old: try side(old, lookup), new: try side(new, lookup))
    return finish { () throws(Failure) in try view.actions() }
  }

  private static func side(
    _ row: RowReference, _ lookup: RowLookup
  ) throws(Decision) -> DifferenceView.Side {
    let (number, note) = try lookup.inForce(lookup.number(row))
    return DifferenceView.Side(
      instance: lookup.instance, row: number, state: try lookup.content(number), note: note)
  }

  private static func finish(_ actions: () throws(Failure) -> [CommandAction]) -> Decision {
    do throws(Failure) {
      return .finish(try actions())
    } catch {
      return .fail(error)
    }
  }
}
