import JSONTools
import JSONTree
import ReduxDevTools
import SurfTimeline
import SurfViewer
import SurfWire

extension TargetTask {
  /// What to do now, with what is there to be searched.
  func decide(_ search: RowSearch) -> Decision {
    let timeline = search.instance.timeline
    switch self {
    case .show(let row, let raw, let payload):
      return search.content(row, payload: payload) { content in
        .finish(raw ? [.printBytes(content?.bytes ?? [])] : Self.view(content))
      }
    case .diff(let first, let second):
      return search.content(first) { old in
        search.content(second) { new in Self.difference(old, new) }
      }
    // The initial state is an empty file.
    case .save(.number(0), let path): return .finish([Self.write([], to: path)])
    case .save(let row, let path):
      return search.content(row) { content in
        .finish([Self.write(content?.bytes ?? [], to: path)])
      }
    case .jump(let row): return search.number(row) { search.move(to: $0) }
    case .back(let count):
      let atEnd = "is at its initial state already"
      return Self.step(search, count, timeline.back, timeline.target(before:skipsHoles:), atEnd)
    case .forward(let count):
      let isLost = timeline.position == .elsewhere
      let atEnd =
        isLost ? "is in a state that is in no row, so none is next" : "is at the tip already"
      return Self.step(search, count, timeline.forward, timeline.target(after:skipsHoles:), atEnd)
    case .load(let content): return .move(content == nil ? .initial : .elsewhere, content)
    case .rewrite(let command): return Self.decide(command, search)
    case .export(let path):
      return search.isComplete ? Self.export(search.instance, to: path) : .wait
    }
  }

  /// This many steps, or as many as there are: a first one, and from its row on the others.
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

  /// All that is loaded, as a panel would be shown it.
  private static func export(_ instance: Instance, to path: String?) -> Decision {
    var bounds = PanelInstance.Bounds()
    bounds.rowCountMax = .max
    // Written out whole, and all at once.
    bounds.byteCountMax = instance.timeline.bounds.byteCountMax
    var panel = PanelInstance(id: instance.label, heartbeat: instance.heartbeat, bounds: bounds)
    for row in instance.timeline.rows {
      if let record = instance.timeline.record(row.number) { _ = panel.receive(record) }
    }
    _ = panel.note(instance.heartbeat)
    return .finish([write(Array(panel.liftedText.utf8), to: path)])
  }

  private static func write(_ bytes: [UInt8], to path: String?) -> CommandAction {
    path.map { .write(bytes, path: $0) } ?? .printBytes(bytes)
  }

  private static func view(_ content: Content?) -> [CommandAction] {
    content.map(ContentView.actions) ?? [.print(Line("(the initial state: no record carries it)"))]
  }

  private static func difference(_ old: Content?, _ new: Content?) -> Decision {
    guard let old, let new else {
      return .fail(
        Failure(
          "the initial state cannot be compared",
          meaning: "No row carries this state, and the app does not send it.",
          advice: "diff 1 tip"))
    }
    do throws(JSONError) {
      let changes = JSON.diff(try JSON(parsing: old.bytes), try JSON(parsing: new.bytes))
      let lines = DiffLine.lines(changes).map { Line($0.description, $0.kind.style) }
      return .finish((lines.isEmpty ? [Line("no difference", .dim)] : lines).map { .print($0) })
    } catch {
      let isSame = old == new
      let sizes = "\(byteText(old.bytes.count)) and \(byteText(new.bytes.count))"
      return .finish([.print(Line(isSame ? "no difference" : "bytes differ, \(sizes); not JSON"))]
      )
    }
  }
}

extension DiffLine.Kind {
  var style: Style {
    switch self {
    case .added: .good
    case .removed: .bad
    case .changed: .caution
    }
  }
}
