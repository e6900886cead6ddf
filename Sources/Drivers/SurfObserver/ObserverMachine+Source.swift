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
    /// What the receiver said when it was last drained: to ask a hundred of them would cost more
    /// than the datagram that came for one. Its counters are in those of the machine.
    var summary = Receiver.Summary()
    /// Where it first answered us: no other sender's word takes it away from there.
    var home: Endpoint?
    /// Another sender that claims the session, and has been asked.
    var claimant: Claimant?
    /// Not told to the handler yet.
    var isHidden = false
    /// Whether another viewer has asked it for something.
    var isAsked = false
    /// The key under which it is sealed; nil of an open one.
    var key: GroupKey?
  }
}
