import SurfControl
import SurfDebugger
import SurfNetwork
import SurfObserver
import SurfTTY
import SurfThreads
import SurfTimeline
import SurfWire
import TerminalScreen

/// Runs the debugger on the caller's thread: what the terminal and the network say goes in, frames
/// and requests come out.
///
/// A key is answered by a frame at once. News alone makes at most 30 frames a second; what was
/// drawn already is not written again. A search goes on between frames.
final class DebuggerRunner {
  private let terminal: Terminal
  private let queue: EventQueue
  private let live: LiveCatalog
  private let desk: InspectionDesk
  private let settings: SettingsDesk
  private let timeout: Duration
  private let start = monotonicNow()
  private var debugger: Debugger
  private var exitCode: Int32?
  /// When the next frame may be drawn for news alone.
  private var nextFrame = Duration.zero
  /// Whether something may look different since the last frame.
  private var isStale = false

  private static let framePeriod = Duration.milliseconds(33)

  init(
    _ terminal: Terminal, _ setting: Debugger.Setting, _ configuration: Observer.Configuration,
    queue: EventQueue, settings: SettingsDesk, timeout: Duration
  ) throws(NetworkError) {
    self.terminal = terminal
    self.queue = queue
    self.settings = settings
    self.timeout = timeout
    debugger = Debugger(setting, size: terminal.size)
    let live = try LiveCatalog(configuration: configuration) { queue.push(.change($0)) }
    self.live = live
    desk = InspectionDesk(live, queue)
  }

  /// Until the person quits, a signal comes, or the terminal is gone.
  func run() throws(TerminalError) -> Int32 {
    defer { live.observer.stop() }
    try draw()
    while exitCode == nil { try turn() }
    return exitCode ?? ExitCode.done
  }

  private var now: Duration { monotonicNow() - start }

  private func turn() throws(TerminalError) {
    let events = try terminal.nextEvents(until: wakeup)
    for event in events where exitCode == nil { receive(event) }
    let hasInput = events.contains { $0 != .woken }
    // News wait for the next frame: the queue holds them together, and wakes nobody twice.
    let isFrame = hasInput || now >= nextFrame || queue.holdsSignal
    if isFrame {
      for event in queue.takeAll() where exitCode == nil { receive(event) }
    }
    if let deadline = debugger.deadline, deadline <= now {
      send(.time)
      isStale = true
    }
    if isFrame, exitCode == nil { try draw() }
  }

  /// When to look again if nothing comes.
  private var wakeup: Duration? {
    let news: Duration? = queue.isEmpty && !isStale ? nil : nextFrame
    return [news, debugger.deadline].compactMap(\.self).min().map { start + $0 }
  }

  private func draw() throws(TerminalError) {
    nextFrame = now + Self.framePeriod
    isStale = false
    try terminal.show(live.read { DebuggerPicture.screen(of: debugger, in: $0) })
  }

  // MARK: What happens

  private func receive(_ event: TerminalEvent) {
    switch event {
    case .input(let input): DebuggerEvent(input).map(send)
    case .resized(let size): send(.size(size))
    case .continued, .woken: break
    }
  }

  private func receive(_ event: EventQueue.Event) {
    switch event {
    case .change(.rows(let app, let rows)), .dropped(let app, let rows, _): send(.rows(app, rows))
    case .change(.completed(let app, let row)): send(.rows(app, row...row))
    case .change: send(.news)
    case .viewer(let event): send(event)
    case .signal(let number): exitCode = 128 + number
    case .answer, .line, .complaint: break
    }
  }

  private func send(_ event: DebuggerEvent) {
    let now = now
    let effects = live.read { debugger.receive(event, in: $0, at: now) }
    for effect in effects where exitCode == nil { perform(effect) }
  }

  // MARK: What is wanted

  private func perform(_ effect: DebuggerEffect) {
    switch effect {
    case .follow(let app): live.observer.follow(app, since: .since(1))
    case .values(let app): live.observer.followValues(of: app)
    case .inspect(let request): desk.inspect(request).map { send(.inspected($0)) }
    case .move(let app, let target, let serial): move(app, target, serial)
    case .load(let app, let path, let serial): load(app, path, serial)
    case .command(let app, let command, let serial): self.command(app, command, serial)
    case .save(let app, let row, let path): save(app, row, path)
    case .replace(let app, let path, let serial): replace(app, path, serial)
    case .export(let app, let path): export(app, path)
    case .set(let name, let value): set(name, value)
    case .redraw: terminal.repaint()
    case .suspend: terminal.suspend()
    case .quit: exitCode = ExitCode.done
    }
  }

  private func move(_ app: SessionID, _ target: Position, _ serial: Int) {
    let state = live.read { $0[app]?.timeline.state(of: target.wire) }
    live.reset(
      app, to: target, state: state, timeout: timeout, completion: answer(serial, .state, app))
  }

  private func command(
    _ app: SessionID, _ command: HistoryCommand<SequenceNumber>, _ serial: Int
  ) {
    live.observer.command(
      app, command.map { $0.rawValue }.bytes, timeout: timeout,
      completion: answer(serial, .command(command), app))
  }

  /// On a thread of its own: a file may be slow, and a pipe may never end.
  private func load(_ app: SessionID, _ path: String, _ serial: Int) {
    let (live, queue, timeout) = (live, queue, timeout)
    let completion = answer(serial, .state, app)
    aside {
      do throws(Failure) {
        let state = try StateFile.read(path)
        live.reset(
          app, to: state == nil ? .initial : .elsewhere, state: state, timeout: timeout,
          completion: completion)
      } catch {
        queue.push(.viewer(.answered(serial: serial, .failed(error.what))))
      }
    }
  }

  private func save(_ app: SessionID, _ row: SequenceNumber, _ path: String) {
    let queue = queue
    let state = live.read { $0[app]?.timeline.state(of: row)?.bytes } ?? []
    aside {
      do throws(Failure) {
        guard row == 0 || !state.isEmpty else {
          throw Failure("the state of row \(row) is no longer here")
        }
        try StateFile.write(state, to: path)
        let note = row == 0 ? "an empty file: the initial state" : "row \(row)"
        queue.push(.viewer(.told("saved \(path) (\(note))", isFailure: false)))
      } catch {
        queue.push(.viewer(.told(error.what, isFailure: true)))
      }
    }
  }

  private func replace(_ app: SessionID, _ path: String, _ serial: Int) {
    let (live, queue, timeout, label) = (live, queue, timeout, label(of: app))
    aside {
      do throws(Failure) {
        let command = HistoryCommand<SequenceNumber>.replace(try LiftedStateFile.read(path))
        live.observer.command(
          app, command.map(\.rawValue).bytes, timeout: timeout,
          completion: DebuggerRunner.answer(serial, .command(command), label, queue))
      } catch {
        queue.push(.viewer(.answered(serial: serial, .failed(error.what))))
      }
    }
  }

  private func export(_ app: SessionID, _ path: String) {
    let (live, queue) = (live, queue)
    aside { queue.push(.viewer(DebuggerRunner.exported(live.read { $0[app] }, to: path))) }
  }

  private static func exported(_ instance: Instance?, to path: String) -> DebuggerEvent {
    guard let instance else { return .told("the app is not here any more", isFailure: true) }
    do throws(Failure) {
      try StateFile.write(TargetTask.exported(instance), to: path)
    } catch {
      return .told(error.what, isFailure: true)
    }
    let count = instance.timeline.rows.count
    return .told("exported \(count) rows to \(path)", isFailure: false)
  }

  private func set(_ name: String, _ value: String) {
    let (queue, settings) = (queue, settings)
    aside {
      do throws(Failure) {
        queue.push(.viewer(.personal(try settings.set(name, value))))
        queue.push(.viewer(.told("\(name) is kept", isFailure: false)))
      } catch {
        queue.push(.viewer(.told(error.what, isFailure: true)))
      }
    }
  }

  private func aside(_ work: sending @escaping () -> Void) {
    do throws(ThreadError) {
      // Deep states are read by recursion.
      _ = try Thread.start(name: "statesurf-file", stackSize: 8 << 20, work)
    } catch {
      send(.told("\(error)", isFailure: true))
    }
  }

  private func answer(
    _ serial: Int, _ question: AnswerReport.Question, _ app: SessionID
  ) -> @Sendable (ResetAnswer) -> Void {
    Self.answer(serial, question, label(of: app), queue)
  }

  private func label(of app: SessionID) -> String { live.read { $0[app]?.label } ?? "the app" }

  private static func answer(
    _ serial: Int, _ question: AnswerReport.Question, _ label: String, _ queue: EventQueue
  ) -> @Sendable (ResetAnswer) -> Void {
    { answer in
      queue.push(.viewer(.answered(serial: serial, MoveAnswer(answer, to: question, label))))
    }
  }
}

extension MoveAnswer {
  /// What the commands would say, in one line.
  fileprivate init(_ answer: ResetAnswer, to question: AnswerReport.Question, _ label: String) {
    if case .answered(.applied, let position) = answer {
      self = .applied(position)
      return
    }
    let failures = AnswerReport(answer, to: question, label: label).actions.compactMap { action in
      if case .fail(let failure) = action { failure.what } else { nil }
    }
    self = .failed(failures.first ?? "\(label) did not do it")
  }
}
