internal import JSONTree

extension DevToolsMachine {
  private var frames: Frames {
    Frames(
      instance: environment.instanceId, name: environment.name,
      connection: environment.transport == .socketCluster ? session?.id : nil)
  }

  // MARK: What the app did

  /// Reads what came, and what came meanwhile; a few times only, so that an app that never rests
  /// leaves time for the relay. Whoever leaves something in the empty box calls again.
  mutating func takeMail(at now: Duration) {
    guard !isReading else { return }
    isReading = true
    defer { isReading = false }
    for _ in 0..<4 {
      let (letters, dropped) = app.mailbox.take()
      if dropped > 0 { refuse("\(dropped) actions came too fast and are not shown", at: now) }
      for letter in letters { read(letter, at: now) }
      if letters.isEmpty { break }
    }
  }

  private mutating func read(_ letter: StepMailbox.Letter, at now: Duration) {
    switch letter {
    case .initial(let encode): begin(encode(), at: now)
    case .step(let encode): record(encode, at: now)
    case .action(let action): apply(action, at: now)
    case .restored(let number): finish(number, at: now)
    case .settled(let number): settle(number, at: now)
    case .refused:
      state.refusedActionCount += 1
      // Told once, or a timer of the app would fill the panel with it.
      if state.refusedActionCount == 1 { refuse("locked: an action was refused", at: now) }
    }
  }

  private mutating func begin(_ text: String, at now: Duration) {
    guard history == nil else { return }
    initial = text
    history = History(
      initial: text, countMax: environment.maxHistorySize,
      byteCountMax: environment.historySizeMax)
    // A relay may have been reached before the app was idle.
    if session?.id != nil { tellAll(at: now) }
  }

  private mutating func record(_ encode: () -> History.Step, at now: Duration) {
    guard history != nil, !state.isPaused else { return }
    let step = encode()
    history?.append(step)
    state.currentActionIndex = nil
    showSkipped()
    guard let tip = history?.tip, session?.id != nil else { return }
    send(frames.action(step, number: tip - panelBase), at: now)
  }

  private mutating func showSkipped() {
    guard let history else { return }
    let shown = Set(history.skipped.map { $0 - panelBase })
    if shown != state.skippedActionIds { state.skippedActionIds = shown }
  }

  // MARK: What the panel is told

  /// The whole history, which begins with number 0 for the panel.
  mutating func tellAll(at now: Duration) {
    guard let history else { return }
    let place = state.currentActionIndex.map { $0 + panelBase }
    panelBase = history.baseIndex
    state.currentActionIndex = place.map { max(0, $0 - panelBase) }
    showSkipped()
    guard session?.id != nil else { return }
    send(frames.initial(history.base), at: now)
    for (offset, step) in history.kept.enumerated() {
      send(frames.action(step, number: offset + 1), at: now)
    }
    if state.currentActionIndex != nil || !history.skipped.isEmpty { tellPlace(at: now) }
  }

  private mutating func tellPlace(at now: Duration) {
    guard let history else { return }
    let place = state.currentActionIndex ?? history.tip - panelBase
    if let frame = frames.place(place, skipped: state.skippedActionIds) { send(frame, at: now) }
  }

  private mutating func refuse(_ reason: String, at now: Duration) {
    state.failure = reason
    send(frames.failure(reason), at: now)
  }
}

// What the panel wants.
extension DevToolsMachine {
  /// Commands that wait for a restore; each costs a person a click.
  private static let waitingMax = 256

  /// Obeys now, or once the app is in the state that an earlier command wanted it in.
  mutating func obey(_ command: RemoteDevCommand, at now: Duration) {
    if restoring == nil {
      perform(command, at: now)
      // Where the store was idle, a restore is over already.
      takeMail(at: now)
    } else if waiting.count < Self.waitingMax {
      waiting.append(command)
    } else {
      refuse("the app is too busy to follow", at: now)
    }
  }

  private mutating func perform(_ command: RemoteDevCommand, at now: Duration) {
    switch command {
    case .start: tellAll(at: now)
    case .jumpToAction(let number), .jumpToState(let number): jump(to: number, at: now)
    case .toggleAction(let number): toggle(number, at: now)
    case .reset: restore(nil, .beginning, at: now)
    case .commit: commit(at: now)
    case .rollback: restore(history?.committed, .commit, at: now)
    case .importState(let lifted): take(lifted, at: now)
    case .sweep: sweep(at: now)
    case .export: export(at: now)
    case .pauseRecording(let on): state.isPaused = on
    case .lockChanges(let on):
      state.isLocked = on
      state.refusedActionCount = 0
      app.lock(on)
    case .dispatch(let text):
      if let reason = app.dispatch(text) { refuse(reason, at: now) }
    case .unknown(let word):
      state.unknownCommandCount += 1
      refuse("this app knows no '\(word)'", at: now)
    }
  }

  /// The place of a panel's number; nil if it is out of all bounds.
  private func place(_ number: Int) -> Int? {
    let (place, overflow) = number.addingReportingOverflow(panelBase)
    return overflow || number < 0 ? nil : place
  }

  private mutating func jump(to number: Int, at now: Duration) {
    guard let place = place(number), let text = history?.state(at: place) else {
      return refuse("action \(number) can no longer be had: only the latest are kept", at: now)
    }
    restore(text, .place(place), at: now)
  }

  private mutating func toggle(_ number: Int, at now: Duration) {
    guard let place = place(number), let nearest = history?.toggle(place),
      let text = history?.state(at: nearest)
    else { return refuse("action \(number) is none of this history", at: now) }
    // Where nothing can be restored, nothing is left out.
    if !restore(text, .place(nearest), at: now) { _ = history?.toggle(place) }
  }

  private mutating func commit(at now: Duration) {
    guard let history else { return }
    let place = state.currentActionIndex.map { $0 + panelBase } ?? history.tip
    guard let text = history.state(at: place) else { return }
    self.history?.restart(from: text, committed: text)
    beginAnew(at: now)
  }

  private mutating func sweep(at now: Duration) {
    let place = state.currentActionIndex.map { $0 + panelBase }
    guard let swept = history?.sweep(place: place) else { return }
    // The panel's numbers begin with what there is.
    panelBase = history?.baseIndex ?? 0
    state.currentActionIndex = swept.map { $0 - panelBase }
    tellAll(at: now)
  }

  private mutating func export(at now: Duration) {
    guard let history else { return }
    let kept = zip(history.kept, (history.baseIndex + 1)...)
    let actions = kept.filter { !history.skipped.contains($0.1) }.map { $0.0.action }
    send(frames.export(actions, from: history.base), at: now)
  }

  private mutating func take(_ lifted: ImportedLiftedState, at now: Duration) {
    if environment.decodeState == nil { return finish(.imported(lifted), at: now) }
    restore(lifted.states[lifted.currentStateIndex], .imported(lifted), at: now)
  }

  /// Has the app restore a state, nil for the one at its start; the change follows once it is in.
  @discardableResult
  private mutating func restore(_ text: String?, _ change: Change, at now: Duration) -> Bool {
    let number = nextNumber()
    restoring = Restoring(number: number, change: change)
    guard let reason = app.restore(text, number) else { return true }
    restoring = nil
    refuse(reason, at: now)
    return false
  }

  /// The app is in the state that was to be restored.
  private mutating func finish(_ number: UInt, at now: Duration) {
    guard let change = restoring?.change, restoring?.number == number else { return }
    restoring = nil
    finish(change, at: now)
    performWaiting(at: now)
  }

  /// The app has had its chance to restore a state.
  private mutating func settle(_ number: UInt, at now: Duration) {
    guard restoring?.number == number else { return }
    restoring = nil
    refuse("the app refused to be restored", at: now)
    performWaiting(at: now)
  }

  private mutating func performWaiting(at now: Duration) {
    while restoring == nil, !waiting.isEmpty { perform(waiting.removeFirst(), at: now) }
  }

  private mutating func finish(_ change: Change, at now: Duration) {
    switch change {
    case .place(let place):
      state.currentActionIndex = place - panelBase
      showSkipped()
      tellPlace(at: now)
      return
    case .beginning:
      history?.restart(from: initial, committed: nil)
    case .commit:
      let committed = history?.committed
      let text = committed ?? initial
      history?.restart(from: text, committed: committed)
    case .imported(let lifted): return finish(lifted, at: now)
    }
    beginAnew(at: now)
  }

  private mutating func finish(_ lifted: ImportedLiftedState, at now: Duration) {
    let time = wallTime()
    history?.replace(by: lifted, time: time)
    panelBase = 0
    // Without decodeState the app is where it was.
    state.currentActionIndex = environment.decodeState == nil ? nil : lifted.currentStateIndex
    state.stateHistory = lifted.states
    state.actionHistory = lifted.actions
    state.isPaused = lifted.isPaused
    state.isLocked = lifted.isLocked
    app.lock(lifted.isLocked)
    tellAll(at: now)
  }

  private mutating func beginAnew(at now: Duration) {
    panelBase = 0
    state.currentActionIndex = nil
    state.stateHistory = []
    state.actionHistory = []
    tellAll(at: now)
  }
}
