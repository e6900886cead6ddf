import Glibc
import SurfThreads

/// The keys of the terminal. From `take` to `giveBack` each key comes at once and is not shown, so
/// that what a person types is not in the middle of a row.
final class Keyboard: Sendable {
  private let state = Monitor(State())

  private struct State {
    var isWanted = false
    /// The terminal's former settings; nil while they are in force.
    var before: termios?
  }

  var isTaken: Bool { state.withLock { $0.before != nil } }

  /// Does nothing without a terminal, or in the background of one: it would stop us.
  func take() {
    state.withLock {
      $0.isWanted = true
      var mode = termios()
      guard $0.before == nil, tcgetpgrp(STDIN_FILENO) == getpgrp(),
        tcgetattr(STDIN_FILENO, &mode) == 0
      else { return }
      $0.before = mode
      mode.c_lflag &= ~tcflag_t(ICANON | ECHO)
      tcsetattr(STDIN_FILENO, TCSADRAIN, &mode)
    }
  }

  func giveBack() {
    state.withLock {
      $0.isWanted = false
      Self.restore(&$0)
    }
  }

  /// The terminal is the shell's while `body` runs.
  func lend(_ body: () -> Void) {
    state.withLock { Self.restore(&$0) }
    body()
    if state.withLock({ $0.isWanted }) { take() }
  }

  /// What was typed. Keys that are more than a letter, such as arrows, are left out.
  func read() -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: 256)
    let count = Glibc.read(STDIN_FILENO, &bytes, bytes.count)
    if count == 0 || count < 0 && errno != EINTR && errno != EAGAIN { giveBack() }
    let escape: UInt8 = 0x1B
    let typed = bytes.prefix(max(0, count))
    return typed.contains(escape) ? [] : Array(typed)
  }

  private static func restore(_ state: inout State) {
    guard var before = state.before else { return }
    state.before = nil
    tcsetattr(STDIN_FILENO, TCSADRAIN, &before)
  }
}
