import SurfBasics
import SurfWire

/// The queue of lost packets that a `Sender` sends again (Protocol.md §10.5).
struct RepairQueue: Sendable {
  /// The state of a requested packet.
  private enum State: Sendable {
    case queued(for: Destination)
    case sent(to: Destination, at: Duration)
  }

  private var states: [SequenceNumber: State] = [:]
  private var queue = Queue<SequenceNumber>()

  /// Beyond this many, the states of packets that were sent long ago are dropped.
  private static let stateCountMax = 8_192

  var isEmpty: Bool { queue.isEmpty }

  /// Queues a packet for the viewer that asks first. If a second one asks before it is sent, or
  /// shortly after, it goes to all. A viewer that asks again too soon gets nothing more.
  mutating func ask(for sequence: SequenceNumber, by endpoint: Endpoint, at now: Duration) {
    let asker = Destination.peer(endpoint)
    switch states[sequence] {
    case nil: enqueue(sequence, for: asker)
    case .queued(let destination):
      if destination != asker { states[sequence] = .queued(for: .group) }
    case .sent(let destination, let sentAt):
      if now - sentAt >= Timers.repairHoldOff {
        enqueue(sequence, for: asker)
      } else if destination != asker, destination != .group {
        enqueue(sequence, for: .group)
      }
    }
  }

  /// The next packet to send, and its destination.
  var next: (sequence: SequenceNumber, destination: Destination)? {
    guard let sequence = queue.first, case .queued(let destination) = states[sequence] else {
      return nil
    }
    return (sequence, destination)
  }

  /// Call it after sending `next`.
  mutating func noteSent(at now: Duration) {
    guard let (sequence, destination) = next else { return }
    _ = queue.popFirst()
    states[sequence] = .sent(to: destination, at: now)
    if states.count > Self.stateCountMax { sweep(at: now) }
  }

  /// Call it if `next` is no longer available.
  mutating func dropNext() {
    if let sequence = queue.popFirst() { states[sequence] = nil }
  }

  private mutating func enqueue(_ sequence: SequenceNumber, for destination: Destination) {
    states[sequence] = .queued(for: destination)
    queue.append(sequence)
  }

  private mutating func sweep(at now: Duration) {
    states = states.filter { entry in
      guard case .sent(_, let sentAt) = entry.value else { return true }
      return now - sentAt < Timers.repairHoldOff
    }
  }
}
