import DebuggerDriver
import Glibc
import SurfTTY
import SurfThreads

/// The signals that end a command. They are blocked from the first moment on, so that none is lost,
/// and a thread takes them. Before a command listens they end the process at once; from then on
/// they are events, so that the command ends at a place of its choice.
///
/// One that the caller ignores, as `nohup` and a shell's background do, stays ignored.
final class Signals: Sendable {
  private enum Listener {
    case nobody
    case inbox(any SignalInbox)
    /// Was told; the next signal is meant.
    case told
  }

  /// Given back before a signal ends or stops us.
  let keyboard = Keyboard()
  private let listener = Monitor(Listener.nobody)
  /// Those that end or stop a command, but for what the caller ignores.
  private let wanted: sigset_t
  private let ignoresPipes: Bool

  /// A command that writes to a reader that does not read never looks at its events; after this
  /// time we stop waiting for it.
  private static let patience = timespec(tv_sec: 2, tv_nsec: 0)

  /// Make it before all else: threads inherit what is blocked.
  init() {
    // A closed pipe is an error of `write`.
    ignoresPipes = Self.isIgnored(SIGPIPE)
    signal(SIGPIPE, SIG_IGN)
    wanted = Self.set(
      [SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGTSTP].filter { !Self.isIgnored($0) })
    Self.mask(SIG_BLOCK, wanted)
    do throws(ThreadError) {
      _ = try Thread.start(name: "signals") { [self] in take() }
    } catch {
      // Without a thread, a signal ends the process without further ado.
      Self.mask(SIG_UNBLOCK, wanted)
    }
  }

  /// From now on it is told.
  func tell(_ inbox: some SignalInbox) { listener.withLock { $0 = .inbox(inbox) } }

  /// Ends the process as the signal would have, so that a shell knows it.
  static func end(by number: Int32) -> Never {
    signal(number, SIG_DFL)
    mask(SIG_UNBLOCK, set([number]))
    raise(number)
    _exit(128 + number)
  }

  /// Lets a program go on in this process, with the signals as they were. Returns only if it cannot
  /// be started.
  func give(
    to successor: Successor, with variables: [(name: String, value: String)]
  ) -> Failure {
    if !ignoresPipes { signal(SIGPIPE, SIG_DFL) }
    for (name, value) in variables { setenv(name, value, 1) }
    Self.mask(SIG_UNBLOCK, wanted)
    var words = successor.words.map { strdup($0) } + [nil]
    defer { for word in words { free(word) } }
    execvp(successor.words[0], &words)
    // With the codes of a shell that finds no such command, or may not start it.
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

  /// In the middle of whatever the command does.
  private func abandon(by number: Int32) -> Never {
    keyboard.giveBack()
    Terminal.giveBack()
    Self.end(by: number)
  }

  /// Until SIGCONT lets it go on.
  private static func stop() {
    mask(SIG_UNBLOCK, set([SIGTSTP]))
    raise(SIGTSTP)
    mask(SIG_BLOCK, set([SIGTSTP]))
  }

  /// Nil if there is nobody to tell, or somebody was told before.
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

/// Where a command hears of a signal.
protocol SignalInbox: Sendable {
  func put(signal number: Int32)
  /// Whether one is there that the command has not taken.
  var holdsSignal: Bool { get }
}

extension EventQueue: SignalInbox {
  func put(signal number: Int32) { push(.signal(number)) }
}

extension DebuggerQueue: SignalInbox {
  func put(signal number: Int32) { end(.signal(number)) }
  var holdsSignal: Bool { ending != nil }
}
