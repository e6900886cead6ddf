import Glibc
import SurfThreads

/// The terminal's keys, for commands that a key can end. From `take` to `giveBack` the terminal
/// delivers each key immediately and does not echo it, so that typing does not garble the rows.
final class Keyboard: Sendable {
  private let state = Monitor(State())

  private struct State {
    var isWanted = false
    /// The settings to restore; nil while the terminal has them.
    var before: termios?
  }

  var isTaken: Bool { state.withLock { $0.before != nil } }

  /// Changes nothing without a terminal, or in the background, where the terminal would stop us.
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

  /// Gives the terminal back to the shell while `body` runs.
  func lend(_ body: () -> Void) {
    state.withLock { Self.restore(&$0) }
    body()
    if state.withLock({ $0.isWanted }) { take() }
  }

  /// Reads what was typed. Empty if that includes an escape sequence, such as an arrow key. Gives
  /// the terminal back if its input has ended.
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
