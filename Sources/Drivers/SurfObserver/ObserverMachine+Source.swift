import SurfReceiving
import SurfSeal
import SurfTransport
import SurfWire

extension ObserverMachine {
  /// A session that was heard of.
  struct Source {
    let session: SessionID
    var endpoint: Endpoint
    var heartbeat: Heartbeat
    /// The newest heartbeat.
    var heardAt: Duration
    /// The first.
    var listedAt = Duration.zero
    var receiver: Receiver
    var states = RecordDecoder()
    /// What of its counters is in those of the machine.
    var counted = Receiver.Counters()
    // Said by the receiver when it was last drained. Asking the receiver copies it, which for a
    // hundred sessions would cost more than the datagram that came for one of them.
    var due: Duration?
    var holdsPackets = false
    /// Where it first answered us: no other sender's word takes it away from there.
    var home: Endpoint?
    /// Another sender that claims the session, and has been asked.
    var claimant: Claimant?
    /// Not told to the handler yet.
    var isHidden = false
    /// Whether it has answered us, and whether it is there.
    var isProven = false
    var isPresent = true
    /// Octets of what it holds unfinished.
    var unfinishedSize = 0
    /// Since when its receiver's requests stay unanswered.
    var unansweredSince: Duration?
    /// Whether another viewer has asked it for something.
    var isAsked = false
    /// The key under which it is sealed; nil of an open one.
    var key: GroupKey?

    /// Keeps what the receiver says now.
    mutating func noteReceiver() {
      due = receiver.deadline
      holdsPackets = receiver.holdsPackets
      isPresent = receiver.isPresent
      isProven = receiver.isProven
      unfinishedSize = receiver.unfinishedSize
      unansweredSince = receiver.unansweredSince
    }

    /// What the receiver has counted, and what it had the last time.
    mutating func takeCounters() -> (new: Receiver.Counters, old: Receiver.Counters) {
      let old = counted
      counted = receiver.counters
      return (counted, old)
    }
  }
}
