import SurfNetwork
import SurfReceiving
import SurfSockets
import SurfThreads
import SurfTimeline
import SurfTransport
import SurfWire

/// How much of a session's past a viewer requests.
package typealias HistoryRequest = SurfReceiving.HistoryRequest

/// A viewer's end of the network: finds every instance on one interface, receives the records of
/// those that it follows, and sends states and commands to them.
///
/// All calls are safe from any thread, and only `stop` waits. The observer calls the handler on its
/// own thread, `statesurf-view`, one event at a time, and the handler must return soon.
package final class Observer: Sendable {
  package struct Configuration: Sendable {
    /// Loopback by default.
    package var interface = "lo"
    package var group = NetworkDefaults.group
    package var port = NetworkDefaults.port
    /// Which apps the observer reports: by default those without a realm.
    package var realms = RealmFilter.only(nil)
    /// Shown to apps and other viewers when this viewer restores a state.
    package var viewerName = ""
    /// Also browse DNS-SD. The beacon alone finds every instance in the group.
    package var browsesDNSSD = true
    /// The keys that open sealed sessions.
    package var sealing: Sealing?
    /// Whether a viewer with keys moves apps without keys, too (Protocol.md §18.5).
    package var movesOpenApps = false
    /// Never transmit. A silent observer hears heartbeats and what apps send to all, from now on.
    /// Missed records are lost, states whose base was missed cannot be built, and requests are
    /// answered with `observing`.
    package var isSilent = false
    /// Octets of packets to hold for viewers that join later, so that they need not ask the app; 0
    /// for none. All followed sessions share them. The memory used is a thirtieth more.
    package var heldSizeMax = 0

    package init() {}
  }

  package let viewer: ViewerID
  private let inbox: LoopInbox<ObserverCommand, NetworkCounters>
  private let thread: Monitor<Thread?>

  /// Opens the sockets and probes for apps. Throws if the interface does not exist, or a socket
  /// cannot be opened.
  package init(
    configuration: Configuration, handler: @escaping @Sendable (ObserverEvent) -> Void
  ) throws(SocketError) {
    let inbox = try SocketError.wrapping { () throws(ThreadError) in
      try LoopInbox<ObserverCommand, NetworkCounters>(NetworkCounters())
    }
    let link = try Link(
      interface: configuration.interface, group: configuration.group,
      port: NetworkDefaults.probePort(configuration.port), listeningPort: configuration.port)
    let loop = ObserverLoop(
      link: link, inbox: inbox, configuration: configuration, handler: handler)
    self.inbox = inbox
    viewer = loop.viewer
    thread = Monitor(try Self.start(loop))
  }

  /// The new thread takes the loop over.
  private static func start(_ loop: sending ObserverLoop) throws(SocketError) -> Thread {
    do throws(ThreadError) {
      return try Thread.start(name: "statesurf-view") { loop.run() }
    } catch {
      throw .threads(error)
    }
  }

  deinit { stop() }

  /// Starts to receive the records of a session: the newest state first, then the backlog. A second
  /// call requests more of the past.
  package func follow(_ session: SessionID, since past: HistoryRequest) {
    inbox.append(.follow(session, past))
  }

  /// Requests the live values of a followed app (Protocol.md §10.10), and keeps them up to date.
  package func followValues(of session: SessionID) { inbox.append(.values(session)) }

  /// Requests records again that the observer has delivered and the viewer has dropped. Each is
  /// delivered again, as a record or as lost. A call replaces the one before.
  package func refetch(_ session: SessionID, _ records: ClosedRange<SequenceNumber>) {
    inbox.append(.refetch(session, records))
  }

  /// Puts the app into `state`: nil for its initial one, which only the target `.initial` means.
  ///
  /// `completion` is called once: on this thread for `.noState` and `.tooLarge`, otherwise on the
  /// observer's, which calls it no more after `stop()`.
  ///
  /// - Parameters:
  ///   - base: A record that the app has sent, whose state is the wanted one or similar. While the
  ///     app still holds that record, the observer sends only a delta.
  ///   - fileName: The file that the state is from, for the row that the app makes of it.
  ///   - timeout: How long to wait for the app to accept more of it, or of a request before it.
  package func reset(
    _ session: SessionID, to target: Position, state: Content?,
    from base: ResetBase? = nil, fileName: String? = nil,
    timeout: Duration = Timers.resetTimeout,
    completion: @escaping @Sendable (ResetAnswer) -> Void
  ) {
    // The app would refuse it too. This answer comes sooner, and names the cause.
    guard target == .initial || state?.bytes.isEmpty == false else { return completion(.noState) }
    let delta = state.flatMap { state in base.flatMap { Self.delta(to: state, $0) } }
    request(
      ObserverRequest(
        session: session, target: target, fileName: fileName, content: state, delta: delta,
        isCommand: false, timeout: timeout, completion: completion))
  }

  /// Computes the delta on the caller's thread. Returns nil if the state fits in one datagram, or
  /// if the states differ so much that the search would take long.
  private static func delta(to state: Content, _ base: ResetBase) -> Delta? {
    let size = state.bytes.count
    guard size > Limits.datagramSizeMin, size <= Limits.contentSizeMax else { return nil }
    switch base {
    case .same(let record): return Delta(unchanged: size, base: record)
    case .similar(let record, let other):
      return Delta.between(other.bytes, state.bytes, baseRecord: record, sizeMax: size / 4)
    }
  }

  /// Sends the app a command about its history (Protocol.md §11.5), as encoded bytes. Calls
  /// `completion` as `reset` does.
  package func command(
    _ session: SessionID, _ bytes: [UInt8], timeout: Duration = Timers.resetTimeout,
    completion: @escaping @Sendable (ResetAnswer) -> Void
  ) {
    request(
      ObserverRequest(
        session: session, target: .elsewhere,
        content: Content(type: "application/json", bytes: bytes), isCommand: true,
        timeout: timeout, completion: completion))
  }

  private func request(_ request: ObserverRequest) {
    guard (request.content?.bytes.count ?? 0) <= Limits.contentSizeMax else {
      return request.completion(.tooLarge(limit: Limits.contentSizeMax))
    }
    inbox.append(.request(request))
  }

  /// The counts of everything received, sent and dropped since the start.
  package var counters: NetworkCounters { inbox.counters }

  /// Ends the thread and closes the sockets. Idempotent. If called on the observer's own thread, it
  /// returns before that thread ends.
  package func stop() {
    inbox.close()
    thread.withLock { thread in
      thread?.join()
      thread = nil
    }
  }
}

/// An event that an observer reports.
package typealias ObserverEvent = SurfReceiving.ObserverEvent

/// News about the live values of an app.
package typealias ValueNews = SurfReceiving.ValueNews

/// A state that the app has sent. A reset is sent as a delta from it.
package enum ResetBase: Sendable {
  /// This record has the wanted state.
  case same(SequenceNumber)
  /// This record has another state, which is probably similar.
  case similar(SequenceNumber, Content)
}

/// The result of a reset or command.
package typealias ResetAnswer = SurfReceiving.ResetAnswer
