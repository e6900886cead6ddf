import JSONTree
import RemoteInspector
import SurfDelta
import SurfWire

/// Makes a guest's records of what it says. The state after each value is the object of all values
/// by their ids.
package struct GuestRecords {
  private var sequence: SequenceNumber = 0
  private var values = LiveValues<[UInt8]>()
  private var states = StateEncoder()
  /// When the states that were made are paid for, in nanoseconds of uptime.
  private var paidAt: UInt64 = 0
  /// What found no time, and no room on the network.
  package private(set) var givenUp = Heartbeat.GivenUp()

  /// Octets of states for each second: so many pass at any time (Protocol.md §12), and more would
  /// keep the gateway from its panels.
  private static let rate: UInt64 = 8 * 1_024 * 1_024
  /// Nanoseconds by which a guest may be ahead of that.
  private static let burst: UInt64 = 1_000_000_000

  package init() {}

  /// - Parameters:
  ///   - wallTime: nanoseconds since 1970.
  ///   - uptime: nanoseconds since the guest was announced.
  package mutating func record(_ step: GuestStep, wallTime: Int64, uptime: UInt64) -> Record {
    sequence = sequence.next
    switch step {
    case .update(let id, let data):
      values.set(id, to: data, size: data.count, sequence: sequence.rawValue)
      return update(id, Self.json(data), state(at: uptime), wallTime, uptime)
    case .log(let level, let message, let details):
      let record = Record(
        sequence: sequence, kind: .log(level), wallTime: wallTime, uptime: uptime, name: message,
        payload: details.map(Self.json))
      note(record)
      return record
    }
  }

  /// A step was not made a record of.
  package mutating func giveUp() { givenUp.records.add(1) }

  private mutating func update(
    _ id: String, _ payload: Content, _ state: RecordState, _ wallTime: Int64, _ uptime: UInt64
  ) -> Record {
    // Whole: an app keeps the record of a value for viewers that have nothing else of it.
    let record = Record(
      sequence: sequence, kind: .update, wallTime: wallTime, uptime: uptime, name: id,
      payload: payload, state: state)
    note(record)
    return record
  }

  private mutating func note(_ record: Record) {
    let size = record.name.utf8.count + (record.payload?.bytes.count ?? 0)
    states.note(detailSize: size, form: record.state)
  }

  private mutating func state(at uptime: UInt64) -> RecordState {
    guard paidAt <= uptime + Self.burst else {
      givenUp.states.add(1)
      return .givenUp
    }
    let merged = merged
    paidAt = max(paidAt, uptime) + UInt64(merged.count) * 1_000_000_000 / Self.rate
    return states.form(Self.json(merged), of: sequence)
  }

  /// With sorted keys, so that equal states are equal octets.
  private var merged: [UInt8] {
    var bytes = [ASCII.openBrace]
    for (id, value) in values.byID {
      if bytes.count > 1 { bytes.append(ASCII.comma) }
      bytes += JSON.string(id).bytes() + [ASCII.colon] + value
    }
    return bytes + [ASCII.closeBrace]
  }

  private static func json(_ bytes: [UInt8]) -> Content {
    Content(type: "application/json", bytes: bytes)
  }
}
