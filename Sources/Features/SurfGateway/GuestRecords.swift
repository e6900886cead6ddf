import SurfWire

/// Makes a guest's records of what it says.
package struct GuestRecords {
  private var sequence: SequenceNumber = 0
  /// Records that found no room on the network.
  package private(set) var givenUp = WireCount(0)

  package init() {}

  package mutating func record(_ step: GuestStep, wallTime: Int64, uptime: UInt64) -> Record {
    sequence = sequence.next
    switch step {
    case .update(let id, let data):
      return Record(
        sequence: sequence, kind: .update, wallTime: wallTime, uptime: uptime, name: id,
        payload: Self.json(data))
    case .log(let level, let message, let details):
      return Record(
        sequence: sequence, kind: .log(level), wallTime: wallTime, uptime: uptime, name: message,
        payload: details.map(Self.json))
    }
  }

  package mutating func giveUp() { givenUp.add(1) }

  private static func json(_ bytes: [UInt8]) -> Content {
    Content(type: "application/json", bytes: bytes)
  }
}
