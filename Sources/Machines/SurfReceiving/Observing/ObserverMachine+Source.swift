import SurfSeal
import SurfTransport
import SurfWire

extension ObserverMachine {
  /// A session that was heard.
  final class Source {
    let session: SessionID
    var endpoint: Endpoint
    var heartbeat: Heartbeat
    /// When the newest heartbeat arrived.
    var heardAt: Duration
    /// When the first heartbeat arrived.
    let listedAt: Duration
    var receiver: Receiver
    /// The receiver's summary when it was last drained. Its counts are already in the machine's
    /// counters.
    var summary = Receiver.Summary()
    /// The endpoint where it first answered us. No other sender can take the session away from
    /// there.
    var home: Endpoint?
    /// Another sender that claims the session and was sent a hello.
    var claimant: Claimant?
    /// Whether it has not been reported yet.
    var isHidden = false
    /// Whether another viewer has asked this one for packets of the session.
    var isAsked = false
    /// The key that it is sealed under; nil for an unsealed session.
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

  /// Sources by session. They are in an array because every wake walks them all, and a dictionary
  /// may take sixteen times as long.
  struct SourceTable {
    private(set) var values: [Source] = []
    private var indices: [SessionID: Int] = [:]

    subscript(session: SessionID) -> Source? { indices[session].map { values[$0] } }

    mutating func add(_ source: Source) {
      indices[source.session] = values.count
      values.append(source)
    }

    /// The last source takes its place.
    mutating func remove(_ source: Source) {
      guard let index = indices.removeValue(forKey: source.session) else { return }
      values.swapAt(index, values.count - 1)
      values.removeLast()
      if index < values.count { indices[values[index].session] = index }
    }
  }
}
