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
