import SurfDelta
import SurfNetwork
import SurfReceiving
import SurfSockets
import SurfThreads
import SurfTimeline
import SurfTransport
import SurfWire

/// How much of a session's past a viewer wants.
package typealias HistoryRequest = SurfReceiving.HistoryRequest

/// The viewer's end: finds every instance on one interface, follows those that it is told to, and
/// sends states back to them.
///
/// All calls are safe from any thread and never block; the handler is called on the observer's own
/// thread, one event at a time, and must return soon.
package final class Observer: Sendable {
  package struct Configuration: Sendable {
    /// Loopback by default.
    package var interface = "lo"
    package var group = NetworkDefaults.group
    package var port = NetworkDefaults.port
    /// Which apps it tells of: by default those that have no realm.
    package var realms = RealmFilter.only(nil)
    /// Shown to each app and viewer that this viewer's restores concern.
    package var viewerName = ""
    /// Also browse DNS-SD; the beacon alone finds every instance that speaks to the group.
    package var browsesDNSSD = true
    /// The keys that open sealed sessions; nil if there are none.
    package var sealing: Sealing?
    /// Whether open apps are moved even by a viewer with keys (Protocol.md §18.5).
    package var movesOpenApps = false
    /// Never transmits anything: hears heartbeats and what apps send to all, from now on. What is
    /// missed is lost, states whose base was not heard cannot be made, and requests are answered
    /// with `observing`.
    package var isSilent = false
    /// Octets of packets to hold for viewers that join later, so that those need not get them from
    /// the app; 0 for none. All followed sessions share them, and a thirtieth comes on top.
    package var heldSizeMax = 0

    package init() {}
  }

  /// As apps know it.
  package let viewer: ViewerID
  private let inbox: LoopInbox<ObserverCommand, NetworkCounters>
  private let thread: Monitor<Thread?>

  /// Opens the sockets and probes for apps.
  ///
  /// - Throws: If the interface does not exist, or the sockets cannot be opened.
  package init(
    configuration: Configuration, handler: @escaping @Sendable (ObserverEvent) -> Void
  ) throws(NetworkError) {
    do throws(SocketError) {
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
    } catch {
      switch error {
      case .noSuchInterface(let name, let existing):
        throw .noInterface(name: name, existing: existing)
      case .noAddress(let name, let fault): throw .noAddress(interface: name, because: fault)
      case .system, .threads: throw .socket("\(error)")
      }
    }
  }

  /// The thread takes the loop over.
  private static func start(_ loop: sending ObserverLoop) throws(SocketError) -> Thread {
    do throws(ThreadError) {
      return try Thread.start(name: "statesurf-view") { loop.run() }
    } catch {
      throw .threads(error)
    }
  }

  deinit { stop() }

  /// Starts to receive the records of a session, beginning with the newest state, then the backlog.
  /// A second call asks for more of the past.
  package func follow(_ session: SessionID, since past: HistoryRequest) {
    inbox.append(.follow(session, past))
  }

  /// Asks a followed app for the values that are live in it (Protocol.md §10.10), and goes on to
  /// tell which they are.
  package func followValues(of session: SessionID) { inbox.append(.values(session)) }

  /// Asks a followed app once more for records that were told and dropped since. Each is told
  /// again, as a record or as lost. A call replaces the one before.
  package func refetch(_ session: SessionID, _ records: ClosedRange<SequenceNumber>) {
    inbox.append(.refetch(session, records))
  }

  /// Puts the app into a state: nil for its initial one, which only the target `.initial` means.
  /// `completion` is called once, on the observer's thread.
  ///
  /// - Parameters:
  ///   - base: a record that the app has sent. If its state is the wanted one, or differs little
  ///     from it, only the delta travels, while the app still holds the record.
  ///   - fileName: of the file that the state is from, for the row that the app makes of it.
  ///   - timeout: how long to wait for more of it to arrive, or of a request before it.
  package func reset(
    _ session: SessionID, to target: Position, state: Content?,
    from base: ResetBase? = nil, fileName: String? = nil,
    timeout: Duration = Timers.resetTimeout,
    completion: @escaping @Sendable (ResetAnswer) -> Void
  ) {
    guard state?.isRestorable != false else { return completion(.notRestorable) }
    guard target == .initial || state?.bytes.isEmpty == false else { return completion(.noState) }
    let delta = state.flatMap { state in base.flatMap { Self.delta(to: state, $0) } }
    request(
      ObserverRequest(
        session: session, target: target, fileName: fileName, content: state, delta: delta,
        isCommand: false, timeout: timeout, completion: completion))
  }

  /// Found on the caller's thread. A state that goes in one datagram gains nothing, and a long
  /// search between states that are hardly alike is not worth it.
  private static func delta(to state: Content, _ base: ResetBase) -> Delta? {
    let size = state.bytes.count
    guard size > Limits.datagramSizeMin, size <= Limits.contentSizeMax else { return nil }
    switch base {
    case .same(let record): return Delta(unchanged: size, base: record.rawValue)
    case .similar(let record, let other):
      return Delta.between(
        other.bytes, state.bytes, baseRecord: record.rawValue, sizeMax: size / 4)
    }
  }

  /// Asks the app to do something with its history: the bytes of a command (Protocol.md §11.5).
  /// `completion` is called once, on the observer's thread.
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

  /// What was received, sent, dropped and why, since the start.
  package var counters: NetworkCounters { inbox.counters }

  /// Ends the thread and closes everything. Idempotent; called on the observer's own thread, it
  /// returns before the thread has ended.
  package func stop() {
    inbox.close()
    thread.withLock { thread in
      thread?.join()
      thread = nil
    }
  }
}

/// What an observer tells.
package typealias ObserverEvent = SurfReceiving.ObserverEvent

/// What a viewer hears of the live values of an app.
package typealias ValueNews = SurfReceiving.ValueNews

/// A state that the app has sent, and of which a reset is made.
package enum ResetBase: Sendable {
  /// The state of this record is the one.
  case same(SequenceNumber)
  /// The state of this record is another, and may be much like it.
  case similar(SequenceNumber, Content)
}

/// What became of a reset.
package typealias ResetAnswer = SurfReceiving.ResetAnswer
