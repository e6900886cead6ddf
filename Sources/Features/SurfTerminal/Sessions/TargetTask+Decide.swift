import ReduxDevTools
import SurfTimeline
import SurfViewer
import SurfWire

extension TargetTask {
  /// Decides what to do next, with the rows that have arrived.
  func decide(_ search: RowSearch) -> Decision {
    let timeline = search.instance.timeline
    switch self {
    case .show(let show): return Self.show(show, search)
    case .diff(let diff): return Self.difference(diff, search)
    case .take(let row):
      return search.number(row) { number in
        search.content(.number(number)) { .take(number, $0) }
      }
    case .save(let row, let path):
      return search.content(row) { content in
        guard let content else { return .fail(Self.untold(search.instance)) }
        return .finish([.write(content.bytes, path: path)])
      }
    case .jump(let row): return search.number(row) { search.move(to: $0) }
    case .back(let count):
      let atEnd = "is at its initial state already"
      return Self.step(search, count, timeline.back, timeline.target(above:skipsHoles:), atEnd)
    case .forward(let count):
      let isLost = timeline.position == .elsewhere
      let atEnd =
        isLost ? "is in a state that is in no row, so none is next" : "is at the tip already"
      let next = { timeline.target(below: Position(wire: $0), skipsHoles: $1) }
      return Self.step(search, count, timeline.forward, next, atEnd)
    case .reset: return .move(.initial, nil)
    case .load(let content, let file): return Self.load(content, file, search)
    case .rewrite(let command): return Self.decide(command, search)
    case .dispatch(let actions): return Self.decide(.dispatch(actions[0]), search)
    case .export(let path):
      guard search.isComplete else { return .wait }
      return .finish([.write(Self.exported(search.instance), path: path)])
    }
  }

  /// If a row has the same state, moves the app to that row, so that viewers show the row.
  private static func load(
    _ content: Content, _ file: String?, _ search: RowSearch
  ) -> Decision {
    guard search.isComplete else { return .wait }
    if let row = search.instance.timeline.row(holding: content) {
      return .move(.record(row), content)
    }
    return .move(.elsewhere, content, from: file)
  }

  /// Saving an unknown initial state would write an empty file, which no command loads.
  private static func untold(_ instance: Instance) -> Failure {
    Failure(
      "\(instance.label) does not tell its initial state",
      meaning: "Only an app that takes commands does. Nothing was saved.",
      advice: "statesurf jump initial puts the app into it; a row's state can be saved")
  }

  /// Takes `count` steps, or as many as there are: `first`, and then `next` from the row reached.
  private static func step(
    _ search: RowSearch, _ count: Int, _ first: (Bool) -> NavigationStep,
    _ next: (SequenceNumber, Bool) -> NavigationStep, _ atEnd: String
  ) -> Decision {
    func steps(_ skipsHoles: Bool) -> NavigationStep {
      var reached = first(skipsHoles)
      for _ in 1..<count {
        guard case .row(let number) = reached else { break }
        let further = next(number, skipsHoles)
        guard further != .end else { break }
        reached = further
      }
      return reached
    }
    return step(search, steps, atEnd)
  }

  static func step(
    _ search: RowSearch, _ step: (Bool) -> NavigationStep, _ atEnd: String
  ) -> Decision {
    switch step(false) {
    case .row(let number): return search.move(to: number)
    case .end:
      return .fail(Failure("\(search.instance.label) \(atEnd)", meaning: "Nothing was sent."))
    case .notLoaded where !search.isComplete: return .wait
    case .notLoaded(let range): return search.beyond(range, step(true)) { search.move(to: $0) }
    }
  }

  /// The loaded history in the format that a Redux DevTools panel exports.
  static func exported(_ instance: Instance) -> [UInt8] {
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
    return Array(panel.liftedText.utf8)
  }

  private static func show(_ show: ShowOptions, _ search: RowSearch) -> Decision {
    search.number(show.row) { number in
      search.content(.number(number), payload: show.part == .payload) { content in
        let view = StateView(options: show, row: number, instance: search.instance)
        return finish { () throws(Failure) in try view.actions(content) }
      }
    }
  }

  private static func difference(_ diff: DiffOptions, _ search: RowSearch) -> Decision {
    guard let row = diff.old else {
      return search.parent(of: diff.new) { old, new in
        difference(diff, .number(old), .number(new), search)
      }
    }
    return difference(diff, row, diff.new, search)
  }

  private static func difference(
    _ diff: DiffOptions, _ old: RowReference, _ new: RowReference, _ search: RowSearch
  ) -> Decision {
    side(old, search) { old in
      side(new, search) { new in
        let view = DifferenceView(options: diff, old: old, new: new)
        return finish { () throws(Failure) in try view.actions() }
      }
    }
  }

  private static func side(
    _ row: RowReference, _ search: RowSearch, then next: (DifferenceView.Side) -> Decision
  ) -> Decision {
    search.number(row) { number in
      search.content(.number(number)) { state in
        next(DifferenceView.Side(instance: search.instance, row: number, state: state))
      }
    }
  }

  private static func finish(_ actions: () throws(Failure) -> [CommandAction]) -> Decision {
    do throws(Failure) {
      return .finish(try actions())
    } catch {
      return .fail(error)
    }
  }
}
