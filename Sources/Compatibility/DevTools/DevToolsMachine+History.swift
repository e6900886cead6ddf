internal import JSONTree
internal import MirrorJSON
internal import ReduxDevTools
internal import SurfStore

// The app's actions.
extension DevToolsMachine {
  /// Empties the mailbox. Repeats that for letters that arrive meanwhile, but only a few times, so
  /// that a busy app leaves time for the relay. The next letter in the empty box calls this again.
  mutating func takeMail(at now: Duration) {
    guard !isReading else { return }
    isReading = true
    defer { isReading = false }
    for _ in 0..<4 {
      let (letters, dropped) = app.mailbox.take()
      if dropped > 0 {
        isCut = true
        refuse("\(dropped) actions came too fast and are not shown", at: now)
      }
      for letter in letters { read(letter, at: now) }
      if letters.isEmpty { break }
    }
  }

  private mutating func read(_ letter: StepMailbox<Action, State>.Letter, at now: Duration) {
    switch letter {
    case .initial(let value): begin(value, at: now)
    case .step(let action, let value, let time): record(action, value, time, at: now)
    case .rejection(let action, let objection, let time):
      reject(action, objection, time, at: now)
    case .action(let action):
      confirmedState.reduce(action)
      apply(action, isNews: false, at: now)
    case .emitted(let number): noteTaken(number)
    case .restored(let number): finish(number, at: now)
    case .settled(let number): settle(number, at: now)
    case .refused:
      state.refusedActionCount += 1
      // Reported once, or a timer in the app would fill the panel with it.
      if state.refusedActionCount == 1 { refuse("locked: an action was refused", at: now) }
    }
  }

  private mutating func begin(_ value: State, at now: Duration) {
    guard history == nil else { return }
    history = NumberedHistory(
      initial: value,
      bounds: .init(count: environment.maxHistorySize, byteCount: environment.historySizeMax),
      reducer: app.replay, encode: { [environment] in environment.told(state: $0) })
    state.isExact = app.reducer != nil
    // The relay may have connected before the app was idle.
    if session?.id != nil { sendHistory(at: now) }
  }

  private mutating func record(
    _ action: Action, _ value: State, _ time: Int64, at now: Duration
  ) {
    guard history != nil else { return }
    isTravelling = false
    if state.isPaused {
      history?.miss(value)
    } else {
      let step = ReportedStep(
        name: MirrorAction.typePath(action), action: environment.told(action: action),
        state: environment.told(state: value), time: time)
      history?.record(isCut ? nil : action, step, value)
      if let tip = history?.tip { send(frames.action(step, number: tip), at: now) }
    }
    isCut = false
    show()
  }
}

// The actions that the app's validators rejected.
extension DevToolsMachine {
  /// Adds a row for the action with its objection and the unchanged state.
  private mutating func reject(
    _ action: Action, _ objection: Objection, _ time: Int64, at now: Duration
  ) {
    guard let history, !state.isPaused else { return }
    isTravelling = false
    let name = "rejected: \(MirrorAction.typePath(action))"
    state.rejection = "\(environment.title(of: action)) (\(objection))"
    let told: JSON = [
      "type": .string(name),
      "action": JSON(orText: environment.told(action: action)),
      "objection": .string("\(objection)"),
    ]
    let step = ReportedStep(name: name, action: told.text(), state: history.stateText, time: time)
    self.history?.reject(step)
    if let tip = self.history?.tip { send(frames.action(step, number: tip), at: now) }
    show()
  }
}

// Reports to the panel.
extension DevToolsMachine {
  private var frames: Frames {
    Frames(
      shapes: PanelFrames(instance: environment.instanceId, name: environment.name),
      connection: environment.transport == .socketCluster ? session?.id : nil,
      isExact: state.isExact)
  }

  /// Sends the panel the whole history, renumbered from 0.
  mutating func sendHistory(at now: Duration) {
    history?.renumber()
    show()
    guard let history, session?.id != nil else { return }
    send(frames.initial(history.base), at: now)
    for (offset, step) in history.steps.enumerated() {
      send(frames.action(step, number: offset + 1), at: now)
    }
    let isPlain = state.currentActionIndex == nil && state.skippedActionIds.isEmpty
    if !isPlain || state.isLocked || state.isPaused { sendPosition(at: now) }
  }

  mutating func sendPosition(at now: Duration) {
    send(frames.lifted(standing), at: now)
  }

  /// Updates `state` from the history.
  mutating func show() {
    guard let history else { return }
    state.currentActionIndex = isTravelling ? history.place : nil
    state.skippedActionIds = history.skipped
    state.isPaused = history.isPaused
    state.isLocked = history.isLocked
  }

  mutating func export(at now: Duration) {
    guard let history else { return }
    send(frames.export(history.stepsInForce, from: history.base), at: now)
  }

  /// The part of the lifted state that says where the app is and what is skipped or locked, by the
  /// panel's numbers.
  var standing: JSONObject {
    guard let history else { return JSONObject() }
    return [
      "currentStateIndex": .number(history.place ?? history.tip),
      "skippedActionIds": .array(history.skipped.sorted().map { .number($0) }),
      "isLocked": .bool(history.isLocked), "isPaused": .bool(history.isPaused),
    ]
  }

  mutating func refuse(_ reason: String, at now: Duration) {
    (state.failure, refusal) = (reason, reason)
    send(frames.failure(reason), at: now)
  }
}
