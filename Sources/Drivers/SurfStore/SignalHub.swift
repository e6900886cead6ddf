internal import Glibc
internal import SurfThreads

/// Where the signal handler writes the number of the signal that came; -1 before the first
/// listener. A global with a constant value: a handler may read it at any moment.
// Unsafe: written once, before the handler is installed.
private nonisolated(unsafe) var signalPipe: Int32 = -1

/// The listeners to signals of this process, and the thread that tells them. A handler of
/// signals may do next to nothing, so it only writes to a pipe.
package final class SignalHub: Sendable {
  package static let shared = SignalHub()

  /// What a signal does to the process when every listener has returned.
  package enum Effect: Sendable {
    case none
    /// Stops it, as SIGTSTP does.
    case stop
    /// Ends it. When no listener is left that wants this, the signal has its default effect again.
    case end
  }

  private struct Entry: Sendable {
    let listener: Listener<Void>
    let effect: Effect
  }

  private struct Content: Sendable {
    /// A signal without any stays here: it must not end a program that has stopped listening.
    var entries: [Int32: [Entry]] = [:]
    /// Kept for as long as the process runs.
    var thread: Thread?
  }

  private let content = Monitor(Content())

  /// Calls `receive` on the hub's thread. From now on the signal has that effect and no other.
  /// There are no calls if the process has no descriptor or thread left.
  package func listen(
    to number: Int32, then effect: Effect = .none, _ receive: @escaping @Sendable () -> Void
  ) -> Subscription {
    let listener = Listener<Void>(receive)
    content.withLock { content in
      guard start(&content) else { return }
      if content.entries[number] == nil { install(number) }
      content.entries[number, default: []].append(Entry(listener: listener, effect: effect))
    }
    return Subscription { [weak listener] in
      guard let listener else { return }
      listener.cancel()
      SignalHub.shared.remove(listener, from: number, effect)
    }
  }

  /// Whether the signal comes here, or has its default effect: whether nobody else has it.
  package func mayListen(to number: Int32) -> Bool {
    var action = sigaction()
    guard sigaction(number, nil, &action) == 0 else { return false }
    let isOurs = content.withLock { $0.entries[number] != nil }
    return isOurs || action.__sigaction_handler.sa_handler == nil
  }

  private func remove(_ listener: Listener<Void>, from number: Int32, _ effect: Effect) {
    content.withLock { content in
      content.entries[number]?.removeAll { $0.listener === listener }
      guard case .end = effect, content.entries[number]?.isEmpty == true else { return }
      content.entries[number] = nil
      signal(number, SIG_DFL)
    }
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
    // The hub's thread takes it: a program may have been started with all signals blocked.
    var octet: UInt8 = 0
    _ = write(signalPipe, &octet, 1)
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
      guard octet > 0 else {
        takeSignals()
        continue
      }
      let number = Int32(octet)
      let entries = content.withLock { $0.entries[number] ?? [] }
      for entry in entries { entry.listener(()) }
      finish(number, entries.map(\.effect))
    }
  }

  /// On the hub's thread.
  private func takeSignals() {
    var wanted = sigset_t()
    sigemptyset(&wanted)
    for number in content.withLock({ $0.entries.keys }) { sigaddset(&wanted, number) }
    pthread_sigmask(SIG_UNBLOCK, &wanted, nil)
  }

  private func finish(_ number: Int32, _ effects: [Effect]) {
    if effects.contains(.stop) {
      kill(getpid(), SIGSTOP)
    } else if effects.contains(.end) {
      // The process that started this one sees which signal it was.
      signal(number, SIG_DFL)
      kill(getpid(), number)
    }
  }
}
