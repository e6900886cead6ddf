internal import CSurfTTY
import Glibc
package import SurfThreads
package import TerminalScreen

/// The terminal of this process, while it shows screens. One thread uses it; others wake that.
///
/// However the process ends, if only by a signal that it can see, the terminal is given back as it
/// was: its mode, its screen, its cursor. Nothing blocks but `open`, for its answers, and
/// `nextEvents`, until its deadline.
package final class Terminal {
  package let kind: TerminalKind
  /// Makes `nextEvents` return; from any thread.
  package let waker: Waker
  /// As of the last event.
  package private(set) var size: ScreenSize
  /// How light the background is, from 0 to 1; nil if the terminal did not say.
  package var luminance: Double? { modes.luminance }
  /// As the terminal draws it, as far as it said.
  package var textWidth: TextWidth { modes.textWidth(of: kind) }

  private let device: TerminalDevice
  /// Set by the handlers of signals.
  private let signals: Waker
  private var modes = TerminalModes()
  private var parser: InputParser
  private var writer: ScreenWriter
  private var outgoing: OutgoingBytes
  /// The newest screen; shown when the terminal has taken the one before.
  private var latest: Screen?
  private var isLatestShown = true
  /// Typed while the terminal was being asked.
  private var early: [TerminalEvent] = []
  /// Text stands on the terminal's own screen, and ours waits.
  private var isPlain = false
  private var isClosed = false

  /// Takes the terminal over: raw, on its other screen.
  ///
  /// - Parameters:
  ///   - path: The process's own, unless said otherwise.
  ///   - answerDelay: How long to wait for answers; most terminals need some milliseconds.
  ///   - patience: How long the terminal may take no octet before it is an error.
  ///   - outputSizeMax: If it is not nil, what the process writes to the terminal by standard
  ///     output and error is kept in memory until the end, and never waits. Then its newest octets,
  ///     up to this number, are shown behind a line about what was cut. A child that was started
  ///     meanwhile is not heard any more.
  package static func open(
    path: String = "/dev/tty", kind: TerminalKind, answerDelay: Duration = .milliseconds(200),
    patience: Duration = .seconds(10), outputSizeMax: Int? = nil
  ) throws(TerminalError) -> Terminal {
    guard kind.canDraw else { throw .cannotDraw(name: kind.name) }
    let terminal = try Terminal(TerminalDevice.open(path: path), kind, patience)
    do throws(TerminalError) {
      // First: what is printed meanwhile would be lost with the other screen.
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

  /// Shows a screen now, or as soon as the terminal has taken the one before; those in between are
  /// left out. Nothing is written if it is shown already.
  package func show(_ screen: Screen) throws(TerminalError) {
    latest = screen
    isLatestShown = false
    try flush()
  }

  /// Draws all of the screen again: something else has written on it.
  package func repaint() {
    writer.forget()
    isLatestShown = false
  }

  /// Waits until something happens, or the monotonic clock passes the deadline: then it is empty.
  /// May return early with nothing.
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

  /// Gives octets to the clipboard of the terminal's person; false if they are too many.
  package func copy(_ bytes: [UInt8]) -> Bool {
    guard let sequence = Clipboard.bytes(toHold: bytes) else { return false }
    outgoing.add(sequence)
    return true
  }

  /// Takes clicks and the wheel, or leaves them to the terminal.
  package func takeMouse(_ isTaken: Bool) {
    modes.takesMouse = isTaken
    outgoing.add(modes.mouseBytes)
  }

  /// Shows text on the terminal's own screen, where the terminal selects and scrolls it, and no
  /// screen of ours until `endPlain`. Keys come as before.
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

  /// Lends the terminal to another program, as a shell does, until it ends. Nothing is shown and no
  /// key is read meanwhile. If the program is stopped, so is this process, and both go on together.
  /// If this process ends, so does the program, which is told as by a shell that goes away.
  ///
  /// - Parameter isWanted: Asked some times a second; once it says no, the program is ended.
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

  /// Stops the process as Ctrl-Z does elsewhere, and gives the terminal to the shell meanwhile.
  package func suspend() { kill(getpid(), SIGTSTP) }

  /// Frees memory of kept output that will not be shown. From any thread.
  package static func trimOutput() { surf_tty_trim_output() }

  /// From now on, and until the process ends, a signal wakes; once for a process.
  package static func wake(_ waker: Waker, by signal: Int32) throws(TerminalError) {
    let result = surf_tty_call_by(signal, waker.fileDescriptor)
    guard result == 0 else { throw .noResources(errno: -result) }
  }

  /// Gives the terminal back. Nothing happens the second time.
  package func close() {
    guard !isClosed else { return }
    isClosed = true
    surf_tty_end()
  }

  /// Gives the terminal back for good, if this process has one, also from a program to which it is
  /// lent: for who ends the process by other means. From any thread.
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

  /// After a stop, in which the shell had it. It answers as before, so it is not asked.
  private func resume() throws(TerminalError) {
    guard !device.isInBackground else { return }
    try device.hold(off: modes.off)
    outgoing.drop()
    isPlain = false
    outgoing.add(TerminalModes.enter + modes.on)
    writer.forget()
    isLatestShown = false
  }

  private func wait(for job: ForegroundJob, while isWanted: () -> Bool) -> JobEnd {
    while true {
      switch job.state {
      case .ended(let end): return end
      case .stopped:
        job.takeTerminalBack()
        // Here we are, too, until the shell lets us go on; perhaps at first in the background.
        stopAndGoOn(isWanted)
        job.goOn()
      case .running:
        if isWanted() { usleep(30_000) } else { job.end() }
      }
    }
  }

  /// Another thread may be the one that the signal stops us by, a moment later.
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

  /// Of 20 ms: a process that nobody can let go on is not stopped by the system at all.
  private static let stopRounds = 50

  /// Signals of it went to the other program.
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
      // To read in the background would stop us.
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
    // Also after a stop, in which a window may have changed unseen.
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

  /// Answers stay here; a late one is no key.
  private func take(_ events: [InputEvent]) -> [TerminalEvent] {
    events.compactMap { event in
      guard case .reply(let reply) = event else { return .input(event) }
      modes.note(reply)
      return nil
    }
  }

  /// As much as the terminal takes now.
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
