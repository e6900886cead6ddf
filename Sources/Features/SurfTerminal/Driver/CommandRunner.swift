import Glibc
import SurfObserver
import SurfSockets
import SurfThreads
import SurfTimeline
import SurfViewer
import SurfWire

/// Runs a `CommandSession` on the caller's thread: passes it catalog changes and the time, and
/// performs the actions that it returns.
final class CommandRunner {
  private var session: any CommandSession
  private let queue: EventQueue
  private let output: Output
  /// Nil if no key ends the command.
  private let keyboard: Keyboard?
  private let timeout: Duration
  private let start = monotonicNow()
  private var live: LiveCatalog?
  private var interface = ""
  private var exitCode: Int32?
  /// The program that replaces this one when the command is done.
  private(set) var successor: Successor?
  /// The terminal's width that the session knows.
  private var columns: Int?
  /// Whether an app has yet to answer a reset or a command.
  private var isUploading = false
  /// Whether the user has yet to answer a question.
  private var isAsking = false

  init(
    _ session: any CommandSession, queue: EventQueue, output: Output, keyboard: Keyboard?,
    timeout: Duration
  ) {
    self.session = session
    self.queue = queue
    self.output = output
    self.keyboard = keyboard
    self.timeout = timeout
  }

  /// Returns when the command ends, a signal interrupts it, or its output has lost its reader.
  func run(_ configuration: Observer.Configuration) throws(SocketError) -> Int32 {
    let queue = queue
    let live = try LiveCatalog(configuration: configuration) { queue.push(.change($0)) }
    self.live = live
    interface = configuration.interface
    keyboard?.take()
    defer {
      keyboard?.giveBack()
      live.observer.stop()
      output.setStatus(nil)
      output.setProgress(nil)
    }
    while exitCode == nil {
      wait()
      followSize()
      for event in queue.takeAll() { take(event) }
      if exitCode == nil { advance() }
      showProgress()
      if output.fault != nil { exitCode = exitCode ?? ExitCode.done }
    }
    for event in queue.takeAll() { take(event) }
    return exitCode ?? ExitCode.done
  }

  /// A signal wins over an exit code that was set a moment before.
  private func take(_ event: EventQueue.Event) {
    if case .signal(let number) = event {
      exitCode = 128 + number
      successor = nil
    } else if exitCode == nil {
      receive(event)
    }
  }

  private static let progressPeriod = Duration.milliseconds(100)

  private var now: Duration { monotonicNow() - start }

  /// Called in every turn of the loop, so SIGWINCH need not be caught.
  private func followSize() {
    guard let columns = output.terminal.currentColumns, columns != self.columns else { return }
    self.columns = columns
    session.resize(columns: columns)
  }

  private func wait() {
    let picture = isUploading && output.showsProgress ? now + Self.progressPeriod : nil
    let deadline = [session.deadline, picture].compactMap(\.self).min().map { start + $0 }
    let keys = keyboard?.isTaken == true || isAsking ? [STDIN_FILENO] : []
    do throws(ThreadError) {
      let wakeup = try Poller.wait(
        reading: [queue.fileDescriptor] + keys, watching: [STDOUT_FILENO], until: deadline)
      if !wakeup.abandoned.isEmpty { output.readerLeft() }
      if wakeup.readable.contains(STDIN_FILENO) { if isAsking { readAnswer() } else { readKeys() } }
    } catch {
      // The loop checks the queue and tries again.
    }
  }

  private func readKeys() {
    if keyboard?.read().contains(UInt8(ascii: "q")) == true { exitCode = ExitCode.done }
  }

  /// The terminal hands over whole lines. The end of the input is not a yes.
  private func readAnswer() {
    isAsking = false
    var bytes = [UInt8](repeating: 0, count: 256)
    let count = read(STDIN_FILENO, &bytes, bytes.count)
    let word = String(decoding: bytes.prefix(max(0, count)), as: UTF8.self)
    let isSure = ["y", "yes"].contains(word.lowercased().filter { !$0.isWhitespace })
    tell(.reply(isSure: isSure))
  }

  private func receive(_ event: EventQueue.Event) {
    switch event {
    case .change(.rows(let app, let rows)): receive(rows, of: app)
    case .change(let change): tell(.change(change))
    case .dropped(let app, let range, let count): tell(.dropped(app, range, count: count))
    case .answer(let answer):
      isUploading = false
      output.setProgress(nil)
      tell(.answer(answer))
    case .signal: break
    case .line(let line): output.print(line)
    case .complaint(let text): output.note(text)
    }
  }

  /// How many rows to read at a time. The observer waits meanwhile, for a millisecond or two.
  private static let rowCountMax: WireCount = 64

  private func receive(_ rows: ClosedRange<SequenceNumber>, of app: SessionID) {
    var left = rows.halfOpen
    while !left.isEmpty, exitCode == nil, output.fault == nil {
      let end = min(left.lowerBound.advanced(by: Self.rowCountMax), left.upperBound)
      tell(.change(.rows(app, left.lowerBound...end.previous)))
      left = end..<left.upperBound
    }
  }

  private func advance() {
    guard let deadline = session.deadline, deadline <= now, let live else { return }
    var counters = ViewerCounters()
    counters.network = live.observer.counters
    counters.network.drop("unmade state", count: live.read { $0.unmadeCount })
    counters.overflows = queue.overflows
    tell(.deadline(counters))
  }

  /// Gives the session the locked catalog, then performs its actions without the lock.
  private func tell(_ event: SessionEvent) {
    guard let live else { return }
    let now = now
    let actions = live.read { session.receive(event, in: $0, at: now) }
    output.together { for action in actions where exitCode == nil { perform(action) } }
  }

  private func perform(_ action: CommandAction) {
    switch action {
    case .follow(let session, let wish): live?.observer.follow(session, since: wish)
    case .values(let session): live?.observer.followValues(of: session)
    case .reset(let session, let target, let state, let file):
      live?.reset(
        session, to: target, state: state, fileName: file, timeout: timeout, completion: upload())
    case .command(let session, let bytes):
      live?.observer.command(session, bytes, timeout: timeout, completion: upload())
    case .print(let line): output.print(line)
    case .printBytes(let bytes): output.print(bytes: bytes)
    case .write(let bytes, let path): save(bytes, path)
    case .ask(let question):
      output.ask(question)
      isAsking = true
    case .status(let line): output.setStatus(line)
    case .progress(let line): output.setProgress(line)
    case .complain(let text): output.note(text)
    case .fail(let failure): fail(failure)
    case .exit(let code): exitCode = code
    case .give(let next):
      successor = next
      exitCode = ExitCode.done
    }
  }

  /// Returns what to call with the app's answer.
  private func upload() -> @Sendable (ResetAnswer) -> Void {
    isUploading = true
    return { [queue] in queue.push(.answer($0)) }
  }

  private func showProgress() {
    guard isUploading, exitCode == nil, output.showsProgress else { return }
    if let upload = live?.observer.counters.upload { output.setProgress(progressLine(upload)) }
  }

  private func save(_ bytes: [UInt8], _ path: String?) {
    do throws(Failure) {
      // A note about the file would end up in it.
      guard let path, try !FileDestination(path).isStandardOutput else {
        return output.print(foreign: bytes)
      }
      try StateFile.write(bytes, to: path)
      let note = bytes.isEmpty ? "an empty file: the initial state" : byteText(bytes.count)
      output.print(Line("saved \(path) (\(note))"))
    } catch {
      fail(error)
    }
  }

  private func fail(_ failure: Failure) {
    output.show(failure)
    hintAtHiddenApps()
    exitCode = failure.exitCode
  }

  /// If no app is live, the link may be broken, or the app may be in another realm or sealed.
  private func hintAtHiddenApps() {
    guard let live, live.read({ $0.live.isEmpty }) else { return }
    let counters = live.observer.counters
    LinkCheck.remark(on: interface).map(output.note)
    let containers = LinkCheck.containerNetworks(besides: interface)
    LinkCheck.check(ofContainersOn: containers).map {
      output.note("\($0.finding); try: \($0.fix)")
    }
    ListSession.hidden(counters.otherRealmCount).map(output.note)
    for line in counters.strangers.lines { output.note(line) }
  }
}

/// The program of `wait --then`, which replaces the command.
package struct Successor: Equatable, Sendable {
  /// Its name, looked up in `PATH`, and its arguments.
  package let words: [String]
  let instance: InstanceID
  let row: SequenceNumber

  /// Environment variables for it, whose values `statesurf` takes after `-i` and as a row.
  package var variables: [(name: String, value: String)] {
    [("STATESURF_INSTANCE", "\(instance)"), ("STATESURF_ROW", "\(row)")]
  }
}

extension Invocation.Common {
  /// Environment variables that make another command use the same network and realm.
  var variables: [(name: String, value: String)] {
    [
      ("STATESURF_INTERFACE", interface), ("STATESURF_GROUP", IPv4.text(group)),
      ("STATESURF_PORT", "\(port)"), ("STATESURF_REALM", realms.text),
    ]
  }
}
