import JSONTree
import SurfControl
import SurfTimeline
import SurfViewer
import SurfWire

// Requests to an app.
extension Debugger {
  mutating func act(_ command: ViewerCommand, in catalog: Catalog) -> [DebuggerEffect] {
    guard let app, let instance = catalog[app], let view = views[app] else { return [] }
    let timeline = instance.timeline
    let row = view.shownRow(in: timeline) ?? 0
    let control = instance.heartbeat.control
    switch command {
    case .surf: return surf(to: row, instance)
    case .back, .forward:
      let step = step(command, instance)
      if let target = step.target { return move(to: target, instance) }
      if let end = step.end { tell(end, while: .end(command, app, end)) }
    case .undo: return undo(instance)
    case .goOn:
      let isLocked = control.contains(.locked) && control.contains(.takesCommands)
      return surf(to: row, instance, goesOn: isLocked)
    case .scrub: toggleScrub(app)
    case .drive: return drive(instance)
    case .reset: return move(to: .initial, instance)
    case .toggle:
      // Without knowing whether it is left out, the app decides.
      let isLeftOut = view.leftOut.contains(row, in: timeline)
      let command = HistoryCommand.toggle(row, skipped: isLeftOut.map { !$0 })
      return ask(
        command, command.deed(in: timeline) + future(of: row, instance), instance,
        undoneBy: .toggle(row, skipped: isLeftOut))
    case .pause:
      let isOn = control.contains(.paused)
      return ask(.pause(!isOn), isOn ? "recording goes on" : "recording is paused", instance)
    case .lock:
      let isOn = control.contains(.locked)
      return ask(.lock(!isOn), isOn ? "the app is unlocked" : "the app is locked", instance)
    default: break
    }
    return []
  }

  /// Where `back` or `forward` leads, or else why it leads no further.
  func step(_ command: ViewerCommand, _ instance: Instance) -> (target: Position?, end: String?) {
    let timeline = instance.timeline
    let isBack = command == .back
    let step = isBack ? timeline.back(skipsHoles: true) : timeline.forward(skipsHoles: true)
    if let target = step.target { return (target, nil) }
    return (nil, isBack ? "\(instance.label) is at its initial state already" : instance.forwardEnd)
  }

  /// To the state in force at a row, which may be that of a row before it.
  private mutating func surf(
    to number: SequenceNumber, _ instance: Instance, goesOn: Bool = false
  ) -> [DebuggerEffect] {
    let timeline = instance.timeline
    let note = timeline.row(number).flatMap { inForceText(of: $0, in: timeline) }
    return move(
      to: Position(wire: timeline.rowInForce(at: number) ?? number), instance, title: note ?? "",
      goesOn: goesOn)
  }

  mutating func move(
    to target: Position, _ instance: Instance, title: String = "",
    undo: PendingMoves.Undo? = nil, isUndo: Bool = false, goesOn: Bool = false
  ) -> [DebuggerEffect] {
    // A request without a state would put the app into its initial one.
    if case .record(let number) = target {
      let row = instance.timeline.row(number)
      guard row?.holdsState == true else {
        let wasNeverHere = row.map { $0.stateSize == nil } ?? false
        tell(
          wasNeverHere
            ? "row \(number) has no state here"
            : "the state of row \(number) is no longer here: it was evicted for newer ones", .failed
        )
        return []
      }
    }
    let request = PendingMoves.Request(
      session: instance.session, title: title,
      undo: undo ?? .move(isUndo ? target : instance.timeline.position), isUndo: isUndo,
      goesOn: goesOn)
    return [.move(instance.session, to: target, serial: pendingMoves.add(request, at: now))]
  }

  /// Says that a row belongs to a future that the app is not in; else empty.
  private func future(of row: SequenceNumber, _ instance: Instance) -> String {
    let branches = views[instance.session]?.branches ?? BranchGraph()
    let (timeline, order) = (instance.timeline, HistoryOrder(instance.timeline))
    return branches.leads(from: row, to: timeline.position, in: order)
      ? "" : ", in a future that the app is not in"
  }

  private mutating func undo(_ instance: Instance) -> [DebuggerEffect] {
    switch pendingMoves.takeBack(instance.session) {
    case .move(.elsewhere):
      tell("before that, \(instance.label) was in a state that is in no row", .failed)
      return []
    case .move(let origin): return move(to: origin, instance, isUndo: true)
    case .rewrite(let command):
      let title = command.deed(in: instance.timeline)
      return ask(command, title, instance, undoneBy: command, isUndo: true)
    case .show(let row, let movesApp): return show(row, movesApp: movesApp, instance)
    case nil: return []
    }
  }

  private mutating func show(
    _ row: SequenceNumber, movesApp: Bool, _ instance: Instance
  ) -> [DebuggerEffect] {
    guard instance.timeline.row(row) != nil else {
      tell("row \(row) is no longer here", .failed)
      return []
    }
    let title = "row \(row) is shown again"
    tell(title, .done)
    let show = DebuggerEffect.showHidden(instance.session, row)
    guard movesApp else { return [show] }
    return [show] + move(to: .record(row), instance, title: title, isUndo: true)
  }

  /// - Parameter undo: the command that takes it back; of an undo, the same command, to try again.
  mutating func ask(
    _ command: HistoryCommand<SequenceNumber>, _ title: String, _ instance: Instance,
    undoneBy undo: HistoryCommand<SequenceNumber>? = nil, isUndo: Bool = false
  ) -> [DebuggerEffect] {
    var request = PendingMoves.Request(
      session: instance.session, title: title, undo: undo.map { .rewrite($0) }, isUndo: isUndo,
      endsUndo: command.forgetsRows)
    if case .lock(let isOn) = command { request.locks = isOn }
    if case .drive(let wish) = command { request.wheel = wish }
    return [.command(instance.session, command, serial: pendingMoves.add(request, at: now))]
  }

  mutating func dispatch(
    _ text: String, _ instance: Instance
  ) throws(Refusal) -> [DebuggerEffect] {
    do throws(ActionTextError) {
      let actions = try ActionText.actions(in: text)
      return send(
        PendingMoves.Dispatch(left: actions[...]), answer(.dispatch, text), to: instance.session)
    } catch {
      throw Refusal(error.what)
    }
  }

  private mutating func send(
    _ dispatch: PendingMoves.Dispatch, _ answer: PendingMoves.TypedAnswer?, to session: SessionID
  ) -> [DebuggerEffect] {
    var dispatch = dispatch
    guard let action = dispatch.left.popFirst() else { return [] }
    let request = PendingMoves.Request(
      session: session, title: "dispatched \(Excerpt.text(action, limit: 40))", answer: answer,
      dispatch: dispatch)
    return [.command(session, .dispatch(action), serial: pendingMoves.add(request, at: now))]
  }

  mutating func load(_ path: String, _ instance: Instance) -> [DebuggerEffect] {
    let request = PendingMoves.Request(
      session: instance.session, title: "loaded \(Excerpt.text(path, limit: 80))",
      undo: .move(instance.timeline.position), answer: answer(.load, path))
    return [.load(instance.session, path: path, serial: pendingMoves.add(request, at: now))]
  }

  mutating func settle(
    _ serial: Int, _ answer: MoveAnswer, in catalog: Catalog
  ) -> [DebuggerEffect] {
    switch answer {
    case .applied(let position):
      guard let request = pendingMoves.settle(serial, isDone: true) else { return [] }
      if let wish = request.wheel { settle(wish, of: request.session, isDone: true) }
      switch request.locks {
      case true?: ownLocks.insert(request.session)
      case false?: ownLocks.remove(request.session)
      case nil: break
      }
      // Unlock only now: before the move, the app would act in its old state.
      if request.goesOn, let instance = catalog[request.session] {
        return ask(.lock(false), "the app goes on from \(positionText(position))", instance)
      }
      // Do not report a renewal of the wheel.
      if request.wheel != nil, request.title.isEmpty { return [] }
      let label = catalog[request.session]?.label ?? "the app"
      // True of an app that goes on meanwhile, too.
      let place = request.movesApp ? "moved \(label) to \(positionText(position))" : ""
      let timeline = catalog[request.session]?.timeline
      let caveat = timeline.flatMap { doubt(about: position.row, in: $0) }
      let former = request.movesApp ? timeline.map { formerActions(at: position, $0) } : nil
      let text = [request.title, place, caveat ?? "", former ?? ""].filter { !$0.isEmpty }
        .joined(separator: " · ")
      let canUndo = request.undo != nil && !request.isUndo
      tell(
        canUndo ? personal.keys.text(text, separator: " · ", .undo, "undoes") : text,
        caveat == nil ? .done : .failed)
    case .refused(let text):
      guard let request = pendingMoves.settle(serial, isDone: false) else { return [] }
      forgetUndo(request, in: catalog)
      guard var dispatch = request.dispatch else { return fail(request, text) }
      // The refusal of the likeliest meaning says most.
      dispatch.refusal = dispatch.refusal ?? text
      let effects = send(dispatch, request.answer, to: request.session)
      return effects.isEmpty ? fail(request, dispatch.refusal ?? text) : effects
    case .failed(let text):
      return pendingMoves.settle(serial, isDone: false).map {
        fail($0, text + Self.fault(ofJSON: $0.answer))
      } ?? []
    }
    return []
  }

  /// Says that the state of a row is from before a skip. The next rewrite takes these actions out
  /// again (Protocol.md §11.5). Empty if it has no such action.
  private func formerActions(at position: Position, _ timeline: Timeline) -> String {
    guard case .record(let row) = position, timeline.row(row)?.record.kind == .action,
      let branches = app.flatMap({ views[$0] })?.branches
    else { return "" }
    var order = HistoryOrder(timeline, upTo: row)
    let hadThen = Set(order.steps.lazy.filter { !$0.isLeftOut }.map(\.row))
    order.add(row.next...(.max), in: timeline)
    let count = order.steps.count {
      $0.isLeftOut && hadThen.contains($0.row)
        && branches.leads(from: $0.row, to: position, in: order)
    }
    return count == 0
      ? "" : "this state still has \(countText(count, "action")) left out, until the next skip"
  }

  /// Drops a refused undo of a skip that somebody else has taken back: it would be refused again,
  /// and nothing that was done before could be undone.
  private mutating func forgetUndo(_ request: PendingMoves.Request, in catalog: Catalog) {
    guard request.isUndo, case .rewrite(.toggle(let row, let skipped?)) = request.undo,
      let timeline = catalog[request.session]?.timeline,
      views[request.session]?.leftOut.contains(row, in: timeline) == skipped
    else { return }
    _ = pendingMoves.takeBack(request.session)
  }

  private mutating func fail(
    _ request: PendingMoves.Request, _ text: String
  ) -> [DebuggerEffect] {
    if let wish = request.wheel { settle(wish, of: request.session, isDone: false) }
    reopen(request, because: text)
    return []
  }

  /// Why the states after a rewrite may differ from real ones, if the revision at this row says so.
  func doubt(about row: SequenceNumber?, in timeline: Timeline) -> String? {
    let revision = row.flatMap { timeline.row($0) }?.record.revision
    return revision?.staging == nil ? nil : revision?.replay.doubt
  }
}

// Rewrites that cannot be undone, so the debugger asks first.
extension Debugger {
  mutating func rewrite(_ command: ViewerCommand, in catalog: Catalog) {
    guard let app, let instance = catalog[app] else { return }
    switch command {
    case .commit: ask(.commit, instance)
    case .rollback: ask(.rollback, instance)
    case .sweep: ask(.sweep, instance)
    default:
      guard let row = views[app]?.row(in: instance.timeline) else { return }
      ask(.move(row, isLater: command == .moveLater), instance)
    }
  }

  mutating func replace(by path: String, _ instance: Instance) -> [DebuggerEffect] {
    let request = PendingMoves.Request(
      session: instance.session, title: "imported \(Excerpt.text(path, limit: 80))",
      endsUndo: true, answer: answer(.importHistory, path))
    return [.replace(instance.session, path: path, serial: pendingMoves.add(request, at: now))]
  }
}

extension HistoryCommand {
  /// Whether rows before it are no longer part of history.
  fileprivate var forgetsRows: Bool {
    switch self {
    case .commit, .rollback, .sweep: true
    default: false
    }
  }
}
