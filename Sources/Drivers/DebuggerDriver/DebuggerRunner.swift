import Glibc
import SurfControl
import SurfDebugger
import SurfThreads
import SurfTimeline
import SurfViewer
import SurfWire
import TerminalScreen

/// Runs a `Debugger` on the caller's thread, for `statesurf surf`, `AppDebugger` and
/// `DebuggerPane`. It feeds the screen's and the source's events in, draws frames, and carries out
/// the effects.
///
/// A key gets a frame immediately. Other news gets at most 30 frames a second, and only what
/// changed is written. A search continues between frames.
package final class DebuggerRunner {
  let terminal: any DebuggerScreen
  let queue: DebuggerQueue
  let source: any HistorySource
  private let reader: RowReader
  private let start = monotonicNow()
  private var debugger: Debugger
  package private(set) var ending: DebuggerEnding?
  /// When the next frame may be drawn if there was no input.
  private var nextFrame = Duration.zero
  /// Whether the picture may have changed since the last frame.
  private var isStale = false

  /// Wheels given back, but not yet confirmed by their apps.
  private let leftWheels = Monitor(0)
  private let unwritten = Monitor(0)

  private static let framePeriod = Duration.milliseconds(33)

  /// - Parameter queue: must wake `terminal.nextEvents`.
  package init(
    _ terminal: any DebuggerScreen, _ setting: Debugger.Setting, _ source: any HistorySource,
    queue: DebuggerQueue
  ) {
    self.terminal = terminal
    self.queue = queue
    self.source = source
    debugger = Debugger(setting, size: terminal.size)
    reader = RowReader(source, queue)
    send(.news)
  }

  /// Runs until the person quits, a signal arrives, or the terminal is gone.
  package func run() throws(TerminalError) -> DebuggerEnding {
    try draw()
    while true {
      if let ending { return ending }
      try turn()
    }
  }

  private var now: Duration { monotonicNow() - start }

  /// Waits for the next events and handles them.
  package func turn() throws(TerminalError) {
    defer { if ending != nil { leaveWheels() } }
    let events = try terminal.nextEvents(until: wakeup)
    for event in events where ending == nil { receive(event) }
    let hasInput = events.contains { $0 != .woken }
    // News waits for the next frame. The queue merges it and wakes this thread once.
    let isFrame = hasInput || now >= nextFrame || queue.ending != nil
    if isFrame {
      ending = ending ?? queue.ending
      for event in queue.takeAll() where ending == nil { send(event) }
    }
    if let deadline = debugger.deadline, deadline <= now {
      send(.time)
      isStale = true
    }
    if isFrame, ending == nil { try draw() }
  }

  /// When to look again if nothing happens.
  private var wakeup: Duration? {
    let news: Duration? = queue.isEmpty && !isStale ? nil : nextFrame
    return [news, debugger.deadline].compactMap(\.self).min().map { start + $0 }
  }

  /// Waits for driven apps to confirm that the wheel is free, but not longer than `patience`: an
  /// abandoned wheel becomes free after a while anyway.
  package func waitForFarewells(_ patience: Duration) {
    leaveWheels()
    leftWheels.wait(until: monotonicTime(after: patience)) { $0 == 0 }
  }

  /// Waits until files that the person asked for are written, so that quitting does not lose them.
  /// Returns the errors.
  ///
  /// Writing to a pipe without a reader never ends; a second signal ends the process.
  ///
  /// - Parameter onDelay: Called once if it takes longer than a second.
  package func waitForFiles(onDelay: () -> Void) -> [String] {
    if !unwritten.wait(until: monotonicTime(after: .seconds(1)), for: { $0 == 0 }) {
      onDelay()
      while queue.ending == nil, unwritten.withLock({ $0 > 0 }) { usleep(50_000) }
    }
    return queue.takeAll().compactMap {
      switch $0 {
      case .told(let text, isFailure: true), .filed(_, .failed(let text)): text
      case .filed(_, .exists(let path)): "\(path) exists, and was not replaced"
      default: nil
      }
    }
  }

  /// What the person should know after quitting.
  package var farewell: [String] { source.read { debugger.farewell(in: $0) } }

  private func leaveWheels() {
    let apps = debugger.takeWheels()
    leftWheels.withLock { $0 += apps.count }
    for app in apps {
      source.command(app, .drive(.giveBack)) { [leftWheels] _ in leftWheels.withLock { $0 -= 1 } }
    }
  }

  private func draw() throws(TerminalError) {
    nextFrame = now + Self.framePeriod
    isStale = false
    try terminal.show(source.read { DebuggerPicture.screen(of: debugger, in: $0) })
  }

  // MARK: Events

  private func receive(_ event: TerminalEvent) {
    switch event {
    case .input(let input): DebuggerEvent(input).map(send)
    case .resized(let size): send(.size(size))
    case .continued, .woken: break
    }
  }

  func send(_ event: DebuggerEvent) {
    let now = now
    let effects = source.read { debugger.receive(event, in: $0, at: now) }
    for effect in effects where ending == nil { perform(effect) }
  }

  // MARK: Effects

  private func perform(_ effect: DebuggerEffect) {
    switch effect {
    case .follow(let app): source.follow(app)
    case .refetch(let app, let rows): source.refetch(rows, of: app)
    case .describe(let app): source.command(app, .describe) { _ in }
    case .inspect(let request): reader.inspect(request).map { send(.inspected($0)) }
    case .watch(let request):
      let rows = reader.watch(request)
      if !rows.isEmpty { send(.watched(rows)) }
    case .move(let app, let target, let serial): move(app, target, serial)
    case .load(let app, let path, let serial): load(app, path, serial)
    case .put(let app, let bytes, let serial, let file): put(bytes, into: app, serial, file)
    case .examine(let app, let path, let serial): examine(path, for: app, serial)
    case .check(let app, let path, let serial): check(path, for: app, serial)
    case .complete(let typed): complete(typed)
    case .command(let app, let command, let serial):
      source.command(app, command, completion: answer(serial))
    case .save(let app, let row, let target): save(app, row, to: target)
    case .values(let app): source.followValues(of: app)
    case .replace(let app, let path, let serial): importHistory(path, into: app, serial)
    case .export(let app, let target): exportHistory(of: app, to: target)
    case .set(let name, let value): set(name, value)
    case .openSource(let source, let folders): openSource(source, in: folders)
    case .edit(let app, let row): edit(row, of: app)
    case .editFile(let app, let path): edit(path, unless: nil, app)
    case .hide(let app, let row):
      source.hide(row, of: app)
      send(.news)
    case .showHidden(let app, let row):
      source.showHidden(row, of: app)
      send(.news)
    case .copy(let request): copy(request)
    case .mouse(let isTaken): terminal.takeMouse(isTaken)
    case .showPlain(let lines): terminal.showPlain(lines)
    case .endPlain: terminal.endPlain()
    case .redraw: terminal.repaint()
    case .suspend: terminal.suspend()
    case .quit: ending = .closed
    }
  }

  private func move(_ app: SessionID, _ target: Position, _ serial: Int) {
    let state = source.read { $0[app]?.timeline.state(of: target.wire) }
    source.reset(app, to: target, state: state, from: nil, completion: answer(serial))
  }

  /// On another thread, because a file may be slow and a pipe may never end.
  private func load(_ app: SessionID, _ path: String, _ serial: Int) {
    let source = source
    let completion = answer(serial)
    aside {
      do throws(FileFault) {
        let state = try source.loadState(from: HomePath.expanded(path))
        source.put(state, from: path, into: app, completion: completion)
      } catch {
        completion(.failed(error.text))
      }
    }
  }

  private func save(_ app: SessionID, _ row: SequenceNumber, to target: FileTarget) {
    let source = source
    let state = source.read { catalog -> Content? in
      guard let timeline = catalog[app]?.timeline else { return nil }
      return row == 0 ? timeline.initialState : timeline.state(of: row)
    }
    write(target) { path throws(FileFault) in
      guard let state else {
        throw FileFault(
          row == 0
            ? "the app has not reported its initial state: statesurf save 0 asks for it"
            : "the state of row \(row) is no longer here")
      }
      try source.saveState(state.bytes, to: path)
      return "saved \(target.path) (row \(row))"
    }
  }

  /// Writes a file on another thread, and answers what was written.
  func write(
    _ target: FileTarget, _ work: sending @escaping (String) throws(FileFault) -> String
  ) {
    let queue = queue
    asideWriting {
      let path = HomePath.expanded(target.path)
      do throws(FileFault) {
        let answer: FileAnswer =
          if !target.replaces, FileGlance.kind(of: path) == S_IFREG {
            .exists(path: target.path)
          } else {
            .written(try work(path))
          }
        queue.push(.filed(serial: target.serial, answer))
      } catch {
        queue.push(.filed(serial: target.serial, .failed(error.text)))
      }
    }
  }

  /// Like `aside`, for a file that must be complete before the process ends.
  func asideWriting(_ work: sending @escaping () -> Void) {
    let unwritten = unwritten
    unwritten.withLock { $0 += 1 }
    let isStarted = aside {
      work()
      unwritten.withLock { $0 -= 1 }
    }
    if !isStarted { unwritten.withLock { $0 -= 1 } }
  }

  @discardableResult
  func aside(_ work: sending @escaping () -> Void) -> Bool {
    do throws(ThreadError) {
      // Parsing deep states recurses.
      _ = try Thread.start(name: "statesurf-file", stackSize: 8 << 20, work)
      return true
    } catch {
      send(.told("\(error)", isFailure: true))
      return false
    }
  }

  func answer(_ serial: Int) -> @Sendable (MoveAnswer) -> Void {
    let queue = queue
    return { queue.push(.answered(serial: serial, $0)) }
  }
}

extension DebuggerRunner {
  /// Copies to the terminal's clipboard, or into a private file if the terminal cannot take it. A
  /// terminal does not confirm a copy.
  func copy(_ request: CopyRequest) {
    guard let bytes = source.bytes(of: request.content) else {
      return send(.told("\(request.title) is no longer here", isFailure: true))
    }
    let size = byteText(bytes.count)
    if terminal.copy(bytes) {
      return send(.told("\(request.title) (\(size)) sent to the terminal", isFailure: false))
    }
    do throws(FileFault) {
      let path = try PrivateFile.write(bytes, suffix: ".txt")
      // Too large, or no terminal.
      send(.told("\(request.title) (\(size)) is in \(path)", isFailure: false))
    } catch {
      send(.told(error.text, isFailure: true))
    }
  }
}

/// Where a `DebuggerRunner` draws and gets its keys: a `Terminal`, or part of a program's own
/// screen.
package protocol DebuggerScreen: AnyObject {
  var size: ScreenSize { get }
  /// Waits for events, or until the monotonic clock passes the deadline.
  func nextEvents(until deadline: Duration?) throws(TerminalError) -> [TerminalEvent]
  func show(_ screen: Screen) throws(TerminalError)
  /// Draws the whole screen next time, because something else has written on it.
  func repaint()
  /// Stops the process, as Ctrl-Z does.
  func suspend()
  /// Copies to the person's clipboard; false if it cannot take the bytes.
  func copy(_ bytes: [UInt8]) -> Bool
  /// Handles clicks and the scroll wheel, or leaves them to the terminal.
  func takeMouse(_ isTaken: Bool)
  /// Shows text on the terminal's own screen until `endPlain`.
  func showPlain(_ lines: [String])
  func endPlain()
  /// Lends the terminal to another program until it ends or `isWanted` returns false.
  func lend(to words: [String], while isWanted: () -> Bool) throws(TerminalError) -> JobEnd
}

extension Terminal: DebuggerScreen {}
