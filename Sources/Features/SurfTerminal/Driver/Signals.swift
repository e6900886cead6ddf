import DebuggerDriver
import Glibc
import SurfThreads

/// The signals that end or stop a command. They are blocked from the start, so that none is lost,
/// and a thread takes them. Until the command listens, they end the process immediately. From then
/// on they are events, so that the command ends where it chooses.
///
/// Signals that the caller ignores stay ignored, as with `nohup` and a shell's background jobs.
final class Signals: Sendable {
  private enum Listener {
    case nobody
    case inbox(any SignalInbox)
    /// The inbox got a signal. The next one ends the process.
    case told
  }

  /// Given back before a signal ends or stops the process.
  let keyboard = Keyboard()
  private let listener = Monitor(Listener.nobody)
  /// The signals that end or stop a command, without those that the caller ignores.
  private let wanted: sigset_t
  private let ignoresPipes: Bool

  /// How long a command has to take a signal. One that is blocked in a write never looks at its
  /// events, so the process ends after this time.
  private static let patience = timespec(tv_sec: 2, tv_nsec: 0)

  /// Create it before any thread: threads inherit the signal mask.
  init() {
    // Writing to a closed pipe then fails with EPIPE.
    ignoresPipes = Self.isIgnored(SIGPIPE)
    signal(SIGPIPE, SIG_IGN)
    wanted = Self.set(
      [SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGTSTP].filter { !Self.isIgnored($0) })
    Self.mask(SIG_BLOCK, wanted)
    do throws(ThreadError) {
      _ = try Thread.start(name: "signals") { [self] in take() }
    } catch {
      // Without the thread, signals end the process by default.
      Self.mask(SIG_UNBLOCK, wanted)
    }
  }

  /// Sends signals to `inbox` from now on.
  func tell(_ inbox: some SignalInbox) { listener.withLock { $0 = .inbox(inbox) } }

  /// Ends the process by the signal itself, so that a shell sees it.
  static func end(by number: Int32) -> Never {
    signal(number, SIG_DFL)
    mask(SIG_UNBLOCK, set([number]))
    raise(number)
    _exit(128 + number)
  }

  /// Replaces this process with a program, with the original signal settings. Returns only if the
  /// program cannot be started.
  func give(
    to successor: Successor, with variables: [(name: String, value: String)]
  ) -> Failure {
    if !ignoresPipes { signal(SIGPIPE, SIG_DFL) }
    for (name, value) in variables { setenv(name, value, 1) }
    Self.mask(SIG_UNBLOCK, wanted)
    var words = successor.words.map { strdup($0) } + [nil]
    defer { for word in words { free(word) } }
    execvp(successor.words[0], &words)
    // A shell's codes for a command that it cannot find or may not start.
    let isMissing = errno == ENOENT
    return Failure(
      "cannot start '\(successor.words[0])': \(systemError())", exitCode: isMissing ? 127 : 126)
  }

  private func take() {
    while true {
      guard let number = Self.wait(for: wanted) else { continue }
      if number == SIGTSTP {
        keyboard.lend(Self.stop)
        continue
      }
      guard let inbox = tell(number) else { abandon(by: number) }
      let second = Self.wait(for: wanted, Self.patience)
      if second != nil || inbox.holdsSignal { abandon(by: second ?? number) }
    }
  }

  /// Ends the process in the middle of whatever the command does.
  private func abandon(by number: Int32) -> Never {
    keyboard.giveBack()
    Terminal.giveBack()
    Self.end(by: number)
  }

  /// Stops the process until SIGCONT.
  private static func stop() {
    mask(SIG_UNBLOCK, set([SIGTSTP]))
    raise(SIGTSTP)
    mask(SIG_BLOCK, set([SIGTSTP]))
  }

  /// Nil if there is no inbox, or it already has a signal.
  private func tell(_ number: Int32) -> (any SignalInbox)? {
    let inbox: (any SignalInbox)? = listener.withLock { listener in
      guard case .inbox(let inbox) = listener else { return nil }
      listener = .told
      return inbox
    }
    inbox?.put(signal: number)
    return inbox
  }

  private static func wait(for wanted: sigset_t, _ patience: timespec? = nil) -> Int32? {
    var wanted = wanted
    if var patience {
      let number = sigtimedwait(&wanted, nil, &patience)
      return number > 0 ? number : nil
    }
    let number = sigwaitinfo(&wanted, nil)
    return number > 0 ? number : nil
  }

  private static func isIgnored(_ number: Int32) -> Bool {
    var action = sigaction()
    guard sigaction(number, nil, &action) == 0 else { return false }
    return unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self)
      == unsafeBitCast(SIG_IGN, to: Int.self)
  }

  private static func set(_ numbers: [Int32]) -> sigset_t {
    var set = sigset_t()
    sigemptyset(&set)
    for number in numbers { sigaddset(&set, number) }
    return set
  }

  private static func mask(_ how: Int32, _ signals: sigset_t) {
    var signals = signals
    pthread_sigmask(how, &signals, nil)
  }
}

/// The queue of a command that ends when it finds a signal there.
protocol SignalInbox: Sendable {
  func put(signal number: Int32)
  /// Whether the command has yet to take a signal.
  var holdsSignal: Bool { get }
}

extension EventQueue: SignalInbox {
  func put(signal number: Int32) { push(.signal(number)) }
}

extension DebuggerQueue: SignalInbox {
  func put(signal number: Int32) { end(.signal(number)) }
  var holdsSignal: Bool { ending != nil }
}
