import Foundation

/// Processes that take all the time that they get, each in a session of its own as builds in other
/// windows are.
final class BusyLoops {
  private var pids: [pid_t] = []

  init(_ count: Int) throws {
    for _ in 0..<count {
      pids.append(try ChildProcess.spawn(["/bin/sh", "-c", "while :; do :; done"], [:]) { _ in })
    }
  }

  deinit {
    for pid in pids {
      kill(pid, SIGKILL)
      waitpid(pid, nil, 0)
    }
  }
}
