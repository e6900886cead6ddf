internal import CSurfTTY
import Glibc

/// Another program that has the terminal, started by `Terminal.lend`.
struct ForegroundJob {
  enum State: Equatable {
    case running, stopped
    case ended(JobEnd)
  }

  private let process: pid_t
  private let terminal: Int32

  /// - Parameter words: the program and its arguments.
  init(_ words: [String], on terminal: Int32) throws(TerminalError) {
    var pointers = words.map { strdup($0) } + [nil]
    defer { for pointer in pointers { free(pointer) } }
    let result = surf_tty_start(terminal, &pointers)
    guard result != -ECANCELED else { throw .closed }
    guard result > 0 else { throw .noResources(errno: -result) }
    process = result
    self.terminal = terminal
  }

  /// Returns `ended` only once.
  var state: State {
    var status: Int32 = 0
    switch surf_tty_look_at_job(&status) {
    case SURF_TTY_RUNNING: return .running
    case SURF_TTY_STOPPED: return .stopped
    default:
      let signal = status & 0x7F
      return .ended(signal == 0 ? .exited(status >> 8 & 0xFF) : .killed(signal: signal))
    }
  }

  func takeTerminalBack() { _ = surf_tty_change_owner(terminal, process, getpgrp()) }

  func goOn() {
    _ = surf_tty_change_owner(terminal, process, process)
    kill(-process, SIGCONT)
  }

  /// Hangs the program up, as a closing shell does, and kills it after 1.5 seconds.
  func end() { surf_tty_end_job(terminal) }
}

/// How such a program ended.
package enum JobEnd: Equatable, Sendable {
  case exited(Int32)
  case killed(signal: Int32)
}

extension JobEnd: CustomStringConvertible {
  /// A predicate: what the program did.
  package var description: String {
    switch self {
    // Every shell uses these two codes (POSIX, Shell Command Language, 2.8.2).
    case .exited(126): "cannot be run"
    case .exited(127): "was not found"
    case .exited(let code): "ended with code \(code)"
    case .killed(let signal): "was ended by signal \(signal)"
    }
  }
}
