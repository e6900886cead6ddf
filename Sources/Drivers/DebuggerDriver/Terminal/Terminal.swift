internal import CSurfTTY
import Glibc
import SurfThreads
import TerminalScreen

/// The process's terminal while it shows screens. One thread uses it; others wake that thread with
/// `waker`.
///
/// However the process ends, except by a signal that cannot be caught, the terminal gets its mode,
/// screen and cursor back. Only three calls block: `open` while it waits for the terminal's
/// answers, `nextEvents` until its deadline, and `lend` until the other program ends.
package final class Terminal {
  package let kind: TerminalKind
  /// Makes `nextEvents` return. Use it from any thread.
  package let waker: Waker
  /// The size as of the last event.
  package private(set) var size: ScreenSize
  /// Whether the background is light, as far as the terminal or the environment tells.
  package var isLight: Bool { modes.luminance.map { $0 > 0.5 } ?? kind.isLight }
  /// Text widths as the terminal reported them, where it did.
  package var textWidth: TextWidth { modes.textWidth(of: kind) }

  private let device: TerminalDevice
  /// Woken by signal handlers.
  private let signals: Waker
  private var modes = TerminalModes()
  private var parser: InputParser
  private var writer: ScreenWriter
  private var outgoing: OutgoingBytes
  /// The newest screen, written once the terminal has taken the one before.
  private var latest: Screen?
  private var isLatestShown = true
  /// Events from before `nextEvents` was called.
  private var early: [TerminalEvent] = []
  /// Whether plain text is shown instead of our screen.
  private var isPlain = false
  private var isClosed = false

  /// Takes over the terminal: raw mode, alternate screen.
  ///
  /// - Parameters:
  ///   - path: By default the process's controlling terminal.
  ///   - answerDelay: How long to wait for answers; most terminals need a few milliseconds.
  ///   - patience: How long the terminal may take no octet before it counts as stuck.
  ///   - outputSizeMax: If not nil, what the process writes to the terminal by standard output and
  ///     error is kept in memory until the end, and never blocks. Then its newest octets, up to
  ///     this number, are shown after a line about what was cut. Output of children started
  ///     meanwhile is lost from then on.
  package static func open(
    path: String = "/dev/tty", kind: TerminalKind, answerDelay: Duration = .milliseconds(200),
    patience: Duration = .seconds(10), outputSizeMax: Int? = nil
  ) throws(TerminalError) -> Terminal {
    guard kind.canDraw else { throw .cannotDraw(name: kind.name) }
    let terminal = try Terminal(TerminalDevice.open(path: path), kind, patience)
    do throws(TerminalError) {
      // Do this first: output would be lost with the alternate screen.
      if let outputSizeMax { try terminal.keepOutput(sizeMax: outputSizeMax) }
      try terminal.begin(answerDelay)
      return terminal
    } catch {
      terminal.close()
      throw error
    }
  }

  private init(
    _ device: consuming TerminalDevice, _ kind: TerminalKind, _ patience: Duration
  ) throws(TerminalError) {
    guard !device.isInBackground else { throw .inBackground }
    do throws(ThreadError) {
      waker = try Waker()
      signals = try Waker()
    } catch { throw .noResources(errno: error.errno) }
    let result = surf_tty_begin(device.raw, signals.fileDescriptor)
    guard result == 0 else { throw .alreadyOpen }
    self.kind = kind
    size = device.size
    parser = InputParser(escapeDelay: kind.escapeDelay)
    writer = ScreenWriter(hasColours: kind.hasColours)
    outgoing = OutgoingBytes(patience: patience)
    self.device = device
  }

  deinit { close() }

  /// Shows a screen now, or once the terminal has taken the one before. Skips screens in between.
  /// Writes nothing if the screen is shown already.
  package func show(_ screen: Screen) throws(TerminalError) {
    latest = screen
    isLatestShown = false
    try flush()
  }

  /// Draws the whole screen next time, because something else has written on it.
  package func repaint() {
    writer.forget()
    isLatestShown = false
  }

  /// Waits for events, or until the monotonic clock passes the deadline. May return early without
  /// any.
  package func nextEvents(until deadline: Duration?) throws(TerminalError) -> [TerminalEvent] {
    guard !isClosed else { throw .closed }
    if !early.isEmpty {
      defer { early = [] }
      return early
    }
    try flush()
    let wakeup = try wait(until: deadline)
    var events: [TerminalEvent] = []
    if wakeup.readable.contains(signals.fileDescriptor) { events += try takeSignals() }
    if wakeup.readable.contains(waker.fileDescriptor) {
      waker.clear()
      events.append(.woken)
    }
    if wakeup.readable.contains(device.raw) { events += try read() }
    events += take(parser.advance(to: monotonicNow()))
    try flush()
    return events
  }

  /// Copies to the clipboard of the person's machine; false if it is too much.
  package func copy(_ bytes: [UInt8]) -> Bool {
    guard let sequence = Clipboard.bytes(toHold: bytes) else { return false }
    outgoing.add(sequence)
    return true
  }

  /// Handles clicks and the scroll wheel, or leaves them to the terminal.
  package func takeMouse(_ isTaken: Bool) {
    modes.takesMouse = isTaken
    outgoing.add(modes.mouseBytes)
  }

  /// Shows text on the terminal's own screen, for selecting and scrolling, and pauses ours until
  /// `endPlain`. Keys still arrive.
  package func showPlain(_ lines: [String]) {
    isPlain = true
    let text = lines.map { escaped($0) + "\r\n" }.joined()
    outgoing.add(modes.off + Array("\r\n\(text)-- a key goes back --".utf8))
  }

  package func endPlain() {
    guard isPlain else { return }
    isPlain = false
    outgoing.add(Array("\r\n".utf8) + TerminalModes.enter + modes.on)
    repaint()
  }

  /// Lends the terminal to another program until it ends, as a shell does. Meanwhile nothing is
  /// shown and no key is read. If the program is stopped, this process stops, too, and both
  /// continue together. If this process ends, the program gets a hangup, as from a closing shell.
  ///
  /// - Parameter isWanted: Polled several times a second. Once it returns false, the program is
  ///   ended.
  package func lend(
    to words: [String], while isWanted: () -> Bool
  ) throws(TerminalError) -> JobEnd {
    guard !isClosed else { throw .closed }
    surf_tty_give_back()
    defer { notice(device.size) }
    let job: ForegroundJob
    do throws(TerminalError) {
      job = try ForegroundJob(words, on: device.raw)
    } catch {
      try resume()
      throw error
    }
    let end = wait(for: job, while: isWanted)
    job.takeTerminalBack()
    _ = surf_tty_take_continued()
    try resume()
    return end
  }

  /// Stops the process, as Ctrl-Z does elsewhere, and gives the terminal to the shell meanwhile.
  package func suspend() { kill(getpid(), SIGTSTP) }

  /// Frees the memory of kept output that will not be shown. Any thread may call it.
  package static func trimOutput() { surf_tty_trim_output() }

  /// Makes a signal wake `waker` until the process ends. Works once per process.
  package static func wake(_ waker: Waker, by signal: Int32) throws(TerminalError) {
    let result = surf_tty_call_by(signal, waker.fileDescriptor)
    guard result == 0 else { throw .noResources(errno: -result) }
  }

  /// Gives the terminal back. A second call does nothing.
  package func close() {
    guard !isClosed else { return }
    isClosed = true
    surf_tty_end()
  }

  /// Gives the process's terminal back for good, even while it is lent to a program. For code that
  /// ends the process without `close`. Any thread may call it.
  package static func giveBack() { surf_tty_leave() }
}

extension Terminal {
  private func keepOutput(sizeMax: Int) throws(TerminalError) {
    let result = surf_tty_keep_output(sizeMax)
    guard result == 0 else { throw .noResources(errno: -result) }
  }

  private func begin(_ answerDelay: Duration) throws(TerminalError) {
    try device.hold(off: modes.off)
    outgoing.add(TerminalModes.enter)
    if kind.isAsked {
      outgoing.add(TerminalModes.questions)
      let deadline = monotonicTime(after: answerDelay)
      var events: [TerminalEvent] = []
      while !modes.areAnswered, monotonicNow() < deadline {
        events += try nextEvents(until: deadline)
      }
      early = events
      try device.hold(off: modes.off)
    }
    outgoing.add(modes.on)
    try flush()
  }

  /// Takes the terminal again after another program had it. Does not query it again.
  private func resume() throws(TerminalError) {
    guard !device.isInBackground else { return }
    try device.hold(off: modes.off)
    outgoing.drop()
    isPlain = false
    outgoing.add(TerminalModes.enter + modes.on)
    repaint()
  }

  private func wait(for job: ForegroundJob, while isWanted: () -> Bool) -> JobEnd {
    while true {
      switch job.state {
      case .ended(let end): return end
      case .stopped:
        job.takeTerminalBack()
        // Stop, too, until the shell continues us, perhaps first in the background.
        stopAndGoOn(isWanted)
        job.goOn()
      case .running:
        if isWanted() { usleep(30_000) } else { job.end() }
      }
    }
  }

  /// Stops the process and waits until it continues. The signal may reach another thread first, so
  /// the stop may come a moment after `suspend` returns.
  private func stopAndGoOn(_ isWanted: () -> Bool) {
    _ = surf_tty_take_continued()
    suspend()
    var rounds = 0
    while surf_tty_take_continued() == 0, rounds < Self.stopRounds, isWanted() {
      usleep(20_000)
      rounds += 1
    }
    while device.isInBackground, isWanted() { usleep(50_000) }
  }

  /// In steps of 20 ms. The system does not stop a process that nobody could continue.
  private static let stopRounds = 50

  /// The other program got the resize signals.
  private func notice(_ size: ScreenSize) {
    guard size != self.size else { return }
    self.size = size
    early.append(.resized(size))
  }

  private var isHeld: Bool { surf_tty_is_held() != 0 }

  private func wait(until deadline: Duration?) throws(TerminalError) -> Wakeup {
    let deadlines = [deadline, parser.deadline, outgoing.deadline].compactMap { $0 }
    let own = [signals.fileDescriptor, waker.fileDescriptor]
    do throws(ThreadError) {
      // Reading in the background would stop the process.
      return try Poller.wait(
        reading: isHeld ? own + [device.raw] : own,
        writing: isHeld && !outgoing.isEmpty ? [device.raw] : [], until: deadlines.min())
    } catch { throw .noResources(errno: error.errno) }
  }

  private func takeSignals() throws(TerminalError) -> [TerminalEvent] {
    signals.clear()
    if surf_tty_is_ended() != 0 { throw .closed }
    var events: [TerminalEvent] = []
    if surf_tty_take_continued() != 0 {
      try resume()
      events.append(.continued)
    }
    let size = device.size
    // The window may also have changed during a stop.
    if surf_tty_take_resized() != 0 || size != self.size {
      if size != self.size { events.append(.resized(size)) }
      self.size = size
      writer.forget()
    }
    return events
  }

  private func read() throws(TerminalError) -> [TerminalEvent] {
    guard isHeld, let bytes = try device.read() else { return [] }
    return take(parser.receive(bytes, at: monotonicNow()))
  }

  /// Keeps replies out of the events; even a late one is not a key.
  private func take(_ events: [InputEvent]) -> [TerminalEvent] {
    events.compactMap { event in
      guard case .reply(let reply) = event else { return .input(event) }
      modes.note(reply)
      return nil
    }
  }

  /// Writes as much as the terminal takes now.
  private func flush() throws(TerminalError) {
    guard !isClosed else { throw .closed }
    guard isHeld else { return }
    try outgoing.write(to: device, at: monotonicNow())
    guard outgoing.isEmpty, !isLatestShown, !isPlain, let latest else { return }
    isLatestShown = true
    outgoing.add(writer.bytes(toShow: latest))
    try outgoing.write(to: device, at: monotonicNow())
  }
}

/// Octets that a `Terminal` has not taken yet: one screen at most, because no other is made before.
struct OutgoingBytes {
  private var bytes: ArraySlice<UInt8> = []
  private let patience: Duration
  /// When a terminal that takes nothing counts as stuck; nil while it keeps up.
  private(set) var deadline: Duration?

  init(patience: Duration) { self.patience = patience }

  var isEmpty: Bool { bytes.isEmpty }

  mutating func add(_ more: [UInt8]) { bytes += more }

  /// The shell had the terminal meanwhile, so the rest is meaningless.
  mutating func drop() {
    bytes = []
    deadline = nil
  }

  /// Writes what the terminal takes now.
  mutating func write(to device: borrowing TerminalDevice, at now: Duration) throws(TerminalError) {
    while !bytes.isEmpty {
      let count = try device.write(bytes)
      guard count > 0 else {
        if let deadline, now >= deadline { throw .stuck }
        deadline = deadline ?? now + patience
        return
      }
      bytes = bytes.dropFirst(count)
      deadline = nil
    }
    bytes = []
    deadline = nil
  }
}

/// Why a terminal cannot be used.
package enum TerminalError: Error, Equatable, Sendable {
  /// There is no terminal, as in a pipe or under a daemon.
  case noTerminal(errno: Int32)
  /// It shows only text; `name` is the value of TERM.
  case cannotDraw(name: String)
  /// It belongs to another job of the shell.
  case inBackground
  /// This process is using it already.
  case alreadyOpen
  /// Its window was closed, or its line hung up.
  case closed
  /// It has taken no output for too long.
  case stuck
  /// The process has no descriptors or memory left.
  case noResources(errno: Int32)
}

extension TerminalError: CustomStringConvertible {
  /// One line for people.
  package var description: String {
    switch self {
    case .noTerminal(let errno): "no terminal: \(String(cString: strerror(errno)))"
    case .cannotDraw(let name):
      "the terminal shows only text (TERM=\(name)); a screen cannot be drawn on it"
    case .inBackground: "the terminal belongs to another job"
    case .alreadyOpen: "the terminal is in use by this process"
    case .closed: "the terminal was closed"
    case .stuck: "the terminal takes no output"
    case .noResources(let errno):
      "cannot wait for the terminal: \(String(cString: strerror(errno)))"
    }
  }
}

/// What `Terminal.nextEvents` returns.
package enum TerminalEvent: Equatable, Sendable {
  case input(InputEvent)
  /// The window's newest size.
  case resized(ScreenSize)
  /// The process was stopped and has continued. The last screen is shown again.
  case continued
  /// Some thread used `Terminal.waker`.
  case woken
}
