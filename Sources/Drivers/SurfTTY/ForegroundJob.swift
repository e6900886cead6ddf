internal import CSurfTTY
import Glibc

/// Another program, to which the terminal is lent.
struct ForegroundJob {
  enum State: Equatable {
    case running, stopped
    case ended(JobEnd)
  }

  private let process: pid_t
  private let terminal: Int32

  /// - Parameter words: a program, and its arguments.
  init(_ words: [String], on terminal: Int32) throws(TerminalError) {
    var pointers = words.map { strdup($0) } + [nil]
    defer { for pointer in pointers { free(pointer) } }
    let result = surf_tty_start(terminal, &pointers)
    guard result > 0 else { throw .noResources(errno: -result) }
    process = result
    self.terminal = terminal
  }

  /// Of an ended one only once.
  var state: State {
    var status: Int32 = 0
    let result = waitpid(process, &status, WNOHANG | WUNTRACED)
    if result < 0, errno != EINTR { return .ended(.exited(0)) }
    guard result == process else { return .running }
    // As wait(2) has it: 0x7F says that it stopped.
    let signal = status & 0x7F
    if signal == 0x7F { return .stopped }
    return .ended(signal == 0 ? .exited(status >> 8 & 0xFF) : .killed(signal: signal))
  }

  func takeTerminalBack() { _ = surf_tty_change_owner(terminal, process, getpgrp()) }

  func goOn() {
    _ = surf_tty_change_owner(terminal, process, process)
    kill(-process, SIGCONT)
  }

  func send(_ signal: Int32) {
    kill(-process, signal)
    kill(-process, SIGCONT)
  }
}

/// How a program ended that had the terminal.
package enum JobEnd: Equatable, Sendable {
  case exited(Int32)
  case killed(signal: Int32)
}

extension JobEnd: CustomStringConvertible {
  /// A clause about the program.
  package var description: String {
    switch self {
    case .exited(let code): "ended with code \(code)"
    case .killed(let signal): "was ended by signal \(signal)"
    }
  }
}
