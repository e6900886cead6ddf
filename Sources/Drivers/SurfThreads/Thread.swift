#if canImport(Glibc)
  internal import CSurfSystem
  import Glibc

  /// A thread for a loop that blocks, which code in the cooperative pool must never do.
  package final class Thread: Sendable {
    private let handle: pthread_t
    private let isJoined = Monitor(false)

    private init(_ handle: pthread_t) { self.handle = handle }

    deinit {
      if !isJoined.withLock({ $0 }) { pthread_detach(handle) }
    }

    /// Runs `body` on a new thread. It blocks all signals except faults, so the app's own handling
    /// of them is unaffected. The system shows the first 15 bytes of `name`.
    ///
    /// - Parameter stackSize: in octets; only those in use take memory. Nil for the system's
    ///   default.
    package static func start(
      name: String, stackSize: Int? = nil, _ body: sending @escaping () -> Void
    ) throws(ThreadError) -> Thread {
      let task = Unmanaged.passRetained(ThreadBody(name, body))
      var attributes = pthread_attr_t()
      pthread_attr_init(&attributes)
      defer { pthread_attr_destroy(&attributes) }
      if let stackSize { pthread_attr_setstacksize(&attributes, stackSize) }
      var handle = pthread_t()
      let result = withSignalsBlocked {
        pthread_create(&handle, &attributes, runThread, task.toOpaque())
      }
      guard result == 0 else {
        task.release()
        throw .noThread(name: name, errno: result)
      }
      return Thread(handle)
    }

    /// Waits until `body` has returned. Concurrent calls all wait. A call from the thread itself
    /// returns immediately.
    package func join() {
      // Before the lock, which a thread that waits for this one holds.
      guard pthread_equal(handle, pthread_self()) == 0 else { return }
      isJoined.withLock { isJoined in
        if !isJoined { pthread_join(handle, nil) }
        isJoined = true
      }
    }

    /// A new thread inherits the mask, so it never gets a signal before it can block it.
    private static func withSignalsBlocked(_ body: () -> Int32) -> Int32 {
      var blocked = sigset_t()
      var previous = sigset_t()
      sigfillset(&blocked)
      // Faults of the thread itself. If they were blocked, they would kill the process without a
      // crash report.
      for fault in [SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGABRT, SIGSYS] {
        sigdelset(&blocked, fault)
      }
      pthread_sigmask(SIG_SETMASK, &blocked, &previous)
      defer { pthread_sigmask(SIG_SETMASK, &previous, nil) }
      return body()
    }
  }

  private final class ThreadBody {
    let name: String
    let body: () -> Void

    init(_ name: String, _ body: @escaping () -> Void) {
      self.name = name
      self.body = body
    }
  }

  private func runThread(_ context: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
    guard let context else { return nil }
    let task = Unmanaged<ThreadBody>.fromOpaque(context).takeRetainedValue()
    _ = surf_name_thread(shortened(task.name))
    task.body()
    return nil
  }

  /// At most 15 bytes, cut between characters. The kernel rejects longer names.
  private func shortened(_ name: String) -> String {
    var short = name
    while short.utf8.count > 15 { short.removeLast() }
    return short
  }

  /// Which resource the system lacked, and its error number.
  package enum ThreadError: Error, Equatable, Sendable {
    /// For a waker or a timer.
    case noDescriptor(errno: Int32)
    case noThread(name: String, errno: Int32)
    /// Memory, or more descriptors than the process may wait for.
    case noWait(errno: Int32)

    package var errno: Int32 {
      switch self {
      case .noDescriptor(let errno), .noThread(_, let errno), .noWait(let errno): errno
      }
    }
  }

  extension ThreadError: CustomStringConvertible {
    /// One line for people: what failed and what the system says.
    package var description: String {
      let action =
        switch self {
        case .noDescriptor: "open a descriptor"
        case .noThread(let name, _): "start the thread '\(name)'"
        case .noWait: "wait for descriptors"
        }
      return "cannot \(action): \(String(cString: strerror(errno))) (errno \(errno))"
    }
  }
#endif
