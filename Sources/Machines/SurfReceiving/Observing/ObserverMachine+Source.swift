import SurfSeal
import SurfTransport
import SurfWire

extension ObserverMachine {
  /// A session that was heard of.
  final class Source {
    let session: SessionID
    var endpoint: Endpoint
    var heartbeat: Heartbeat
    /// The newest heartbeat.
    var heardAt: Duration
    /// The first.
    let listedAt: Duration
    var receiver: Receiver
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
    let key: GroupKey?

    init(
      session: SessionID, endpoint: Endpoint, heartbeat: Heartbeat, key: GroupKey?,
      heardAt: Duration, receiver: Receiver
    ) {
      self.session = session
      self.endpoint = endpoint
      self.heartbeat = heartbeat
      self.key = key
      self.heardAt = heardAt
      listedAt = heardAt
      self.receiver = receiver
    }
  }

  /// Sources by their session. They stand in an array, because a dictionary may take sixteen times
  /// as long to walk, and every wake walks it.
  struct SourceTable {
    private(set) var values: [Source] = []
    private var indices: [SessionID: Int] = [:]

    subscript(session: SessionID) -> Source? { indices[session].map { values[$0] } }

    mutating func add(_ source: Source) {
      indices[source.session] = values.count
      values.append(source)
    }

    /// The last takes its place.
    mutating func remove(_ source: Source) {
      guard let index = indices.removeValue(forKey: source.session) else { return }
      values.swapAt(index, values.count - 1)
      values.removeLast()
      if index < values.count { indices[values[index].session] = index }
    }
  }
}
