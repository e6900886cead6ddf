internal import Glibc
internal import SurfThreads

/// Where the signal handler writes the number of the signal that came; -1 before the first
/// listener. A global with a constant value: a handler may read it at any moment.
// Unsafe: written once, before the handler is installed.
private nonisolated(unsafe) var signalPipe: Int32 = -1

/// Who listens to which signals of this process, and the thread that tells them. A handler of
/// signals may do next to nothing, so it only writes to a pipe.
final class SignalHub: Sendable {
  static let shared = SignalHub()

  private struct Content: Sendable {
    /// A signal without any stays here: it must not end a program that has stopped listening.
    var listeners: [Int32: [Listener<Void>]] = [:]
    /// Kept for as long as the process runs.
    var thread: Thread?
  }

  private let content = Monitor(Content())

  /// Calls `receive` on the hub's thread. From now on the signal has no other effect. There are no
  /// calls if the process has no descriptor or thread left.
  func listen(to number: Int32, _ receive: @escaping @Sendable () -> Void) -> Subscription {
    let listener = Listener<Void>(receive)
    content.withLock { content in
      guard start(&content) else { return }
      if content.listeners[number] == nil { install(number) }
      content.listeners[number, default: []].append(listener)
    }
    return Subscription { [weak listener] in
      guard let listener else { return }
      listener.cancel()
      SignalHub.shared.remove(listener, from: number)
    }
  }

  private func remove(_ listener: Listener<Void>, from number: Int32) {
    content.withLock { $0.listeners[number]?.removeAll { $0 === listener } }
  }

  private func install(_ number: Int32) {
    var action = sigaction()
    action.__sigaction_handler.sa_handler = { number in
      let saved = errno
      var octet = UInt8(truncatingIfNeeded: number)
      _ = write(signalPipe, &octet, 1)
      errno = saved
    }
    // The program's own system calls go on as if nothing had been.
    action.sa_flags = SA_RESTART
    sigaction(number, &action, nil)
  }

  private func start(_ content: inout Content) -> Bool {
    if content.thread != nil { return true }
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else { return false }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    // A handler that waited for room would stop the program.
    _ = fcntl(ends[1], F_SETFL, O_NONBLOCK)
    signalPipe = ends[1]
    do throws(ThreadError) {
      content.thread = try Thread.start(name: "surf-signals") { [end = ends[0]] in
        SignalHub.shared.run(from: end)
      }
      return true
    } catch {
      for end in ends { close(end) }
      return false
    }
  }

  private func run(from end: Int32) {
    var octet: UInt8 = 0
    while true {
      let count = read(end, &octet, 1)
      if count < 0, errno == EINTR { continue }
      guard count == 1 else { return }
      let listeners = content.withLock { $0.listeners[Int32(octet)] ?? [] }
      for listener in listeners { listener(()) }
    }
  }
}
