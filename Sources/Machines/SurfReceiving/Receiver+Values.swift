import SurfTransport
import SurfWire

// The live values of the app (Protocol.md §10.10).
extension Receiver {
  /// Asks for them, and goes on to tell which they are. Follow first: of those that are told from
  /// now on the records come, and nothing else.
  package mutating func followValues(at now: Duration) {
    values.begin(at: now)
    introduce(at: now)
  }

  package mutating func receive(_ reply: ValueReply, at now: Duration) {
    guard reply.viewer == viewer else { return }
    heardInPassing(at: now)
    if values.receive(reply, at: now) { counts.arrivals += 1 }
    advance(to: now)
  }

  /// When values can be asked for; nil without a cookie.
  var valuesDue: Duration? { cookie == nil ? nil : values.due }

  mutating func askForValues(at now: Duration) {
    guard let cookie, let (span, offset) = values.ask(at: now) else { return }
    // The cookie may prove an address that is no longer ours.
    if values.isUnheard { hello?.hasten(at: now) }
    let request = ValueRequest(
      viewer: viewer, cookie: cookie, after: span.after, through: span.through, offset: offset)
    requests.append(Datagram(session: session, body: .valueRequest(request)))
  }

  mutating func drainValues() {
    for news in values.takeNews() { events.append(.values(session, news)) }
  }

  mutating func noteLosses(among events: [ObserverEvent]) {
    guard values.isWanted else { return }
    for case .lost(_, let records) in events { values.note(lost: records) }
  }
}

extension Receiver {
  /// What its driver wants to know of it between two calls.
  package struct Summary: Sendable {
    /// When it wants to advance.
    package fileprivate(set) var deadline: Duration?
    /// Whether packets are held for other viewers.
    package fileprivate(set) var holdsPackets = false
    /// Whether the app has answered us, and whether it is there.
    package fileprivate(set) var isProven = false
    package fileprivate(set) var isPresent = true
    /// Octets of what is unfinished.
    package fileprivate(set) var unfinishedSize = 0
    /// Since when requests stay unanswered.
    package fileprivate(set) var unansweredSince: Duration?
    package fileprivate(set) var counters = Counters()

    /// Of a receiver that nothing has come for.
    package init() {}
  }

  /// Mutating, though nothing changes: to look at a receiver in an array copies it, and this is
  /// done for each datagram or few.
  package mutating func summarize() -> Summary {
    var summary = Summary()
    summary.deadline = deadline
    summary.holdsPackets = holdsPackets
    summary.isProven = isProven
    summary.isPresent = isPresent
    summary.unfinishedSize = unfinishedSize
    summary.unansweredSince = unansweredSince
    summary.counters = counters
    return summary
  }
}
