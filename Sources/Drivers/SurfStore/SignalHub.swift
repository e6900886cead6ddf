#if canImport(Glibc)
  internal import Glibc
  internal import SurfThreads

  /// Where the signal handler writes the number of each signal; -1 before the first listener. It is
  /// a global with a constant initial value, so that a handler can read it at any moment.
  // Unsafe: written once, before the handler is installed.
  private nonisolated(unsafe) var signalPipe: Int32 = -1

  /// Delivers the signals of this process to listeners, for persistence and for events from
  /// outside. A signal handler may do very little. Ours only writes to a pipe, and a thread calls
  /// listeners.
  package final class SignalHub: Sendable {
    package static let shared = SignalHub()

    /// What happens to the process after every listener has returned.
    package enum Effect: Sendable {
      case none
      /// The process stops, as SIGTSTP stops it.
      case stop
      /// The process ends. When such a listener goes last, the signal gets its default action back.
      case end
    }

    private struct Entry: Sendable {
      let listener: Listener<Void>
      let effect: Effect
    }

    private struct Content: Sendable {
      /// A signal keeps an empty entry when its listeners are gone, and stays caught: it must not
      /// end a program that has only stopped listening.
      var entries: [Int32: [Entry]] = [:]
      /// Never ends.
      var thread: Thread?
    }

    private let content = Monitor(Content())

    /// Calls `receive` on the hub's thread. From now on the signal has no effect but `effect`. If
    /// the process has no descriptor or thread left, `receive` is never called.
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

    /// Whether nobody else handles the signal: it is ours already, or has its default action.
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
      // Do not interrupt the program's own system calls.
      action.sa_flags = SA_RESTART
      sigaction(number, &action, nil)
      // Let the hub's thread unblock it: the program may have started with all signals blocked.
      var octet: UInt8 = 0
      _ = write(signalPipe, &octet, 1)
    }

    private func start(_ content: inout Content) -> Bool {
      if content.thread != nil { return true }
      var ends: [Int32] = [-1, -1]
      guard pipe(&ends) == 0 else { return false }
      for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
      // A handler that blocked on a full pipe would stop the program.
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

    /// Unblocks the signals on the calling thread, the hub's own.
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
        // By its default action, so that the parent process sees which signal it was.
        signal(number, SIG_DFL)
        kill(getpid(), number)
      }
    }
  }
#endif
