import SurfTransport
import SurfWire

// The live values of the app (Protocol.md §10.10).
extension Receiver {
  /// Requests the app's live values and reports them. Call `follow` first: values that change from
  /// now on arrive only as records.
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

  /// When to request values; nil without a cookie.
  var valuesDue: Duration? { cookie == nil ? nil : values.due }

  mutating func askForValues(at now: Duration) {
    guard let cookie, let (span, offset) = values.ask(at: now) else { return }
    // The cookie may prove an old address of this viewer.
    if values.isUnheard { hello?.hasten(at: now) }
    let request = ValueRequest(
      viewer: viewer, cookie: cookie, after: span.after, through: span.through, offset: offset)
    requests.append(datagram(.valueRequest(request)))
  }
}

extension Receiver {
  /// What `ObserverMachine` keeps of a receiver between two calls, so that it need not ask each
  /// one.
  package struct Summary: Sendable {
    var deadline: Duration?
    var holdsPackets = false
    /// Whether the app has answered us.
    var isProven = false
    var isPresent = true
    var unfinishedSize = 0
    /// Since when requests have gone unanswered.
    var unansweredSince: Duration?
    var counters = Counters()
  }

  /// First passes on to the values what was lost, because the deadline depends on it.
  package mutating func summarize() -> Summary {
    if let lost = reader?.takeNewestLost() { values.note(lost: lost) }
    return Summary(
      deadline: deadline, holdsPackets: holdsPackets, isProven: isProven, isPresent: isPresent,
      unfinishedSize: unfinishedSize, unansweredSince: unansweredSince, counters: counters)
  }
}
