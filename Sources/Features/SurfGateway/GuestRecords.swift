import JSONTree
import SurfControl
import SurfRelay
import SurfWire

/// Turns a guest's steps into records, for `GuestBroadcasts`. The state after an update is an
/// object of all values by their ids. An action brings its own state.
package struct GuestRecords {
  private var sequence: SequenceNumber = 0
  /// Each as a member of the state: `"id":value`.
  private var values = LiveValues<[UInt8]>()
  private var states = StateEncoder()
  /// The current limit, in octets of states per second.
  private var rate = Self.rateMax
  /// When the states made so far are paid for, in nanoseconds of uptime.
  private var paidAt: UInt64 = 0
  package private(set) var history = GuestHistory()
  /// Records dropped because the network was full, and states dropped because of `rate`.
  package private(set) var givenUp = Heartbeat.GivenUp()

  /// Octets of states per second of one guest: the network always takes these (Protocol.md §12).
  private static let rateMax: UInt64 = 8 * 1_024 * 1_024
  /// The same for all guests together; more would keep the gateway from its panels.
  private static let sharedRate: UInt64 = 32 * 1_024 * 1_024
  /// How far ahead of its rate a guest may be, in nanoseconds.
  private static let burst: UInt64 = 1_000_000_000

  package init() {}

  /// - Parameters:
  ///   - wallTime: nanoseconds since 1970.
  ///   - uptime: nanoseconds since the guest was announced.
  ///   - count: the number of guests that share `sharedRate`.
  /// - Returns: nil for the state that history begins with: viewers get it when they ask.
  package mutating func record(
    _ step: GuestStep, wallTime: Int64, uptime: UInt64, among count: Int = 1
  ) -> Record? {
    rate = min(Self.rateMax, Self.sharedRate / UInt64(max(1, count)))
    if case .begin(let state) = step, sequence == 0 {
      history.begin(in: state)
      return nil
    }
    sequence = sequence.next
    switch step {
    case .update(let id, let data):
      let member = JSON.string(id).bytes() + [ASCII.colon] + data
      values.set(id, to: member, size: member.count, sequence: sequence.rawValue)
      return update(.update, id, Self.json(data), state(at: uptime) { $0.merged }, wallTime, uptime)
    case .log(let level, let message, let details):
      let record = Record(
        sequence: sequence, kind: .log(level), wallTime: wallTime, uptime: uptime, name: message,
        payload: details.map(Self.json))
      note(record)
      return record
    case .begin(let state):
      history.begin(in: state)
      return revision(history.beginning, state.bytes(), wallTime, uptime)
    case .action(let id, let name, let payload, let state):
      let bytes = state.bytes()
      history.add(id, as: sequence, state: bytes)
      return update(
        .action, name, Self.json(payload.bytes()), self.state(at: uptime) { _ in bytes }, wallTime,
        uptime)
    case .stand(let standing):
      let revision = history.stand(standing, as: sequence)
      return self.revision(revision, history.state(of: standing.current), wallTime, uptime)
    case .describe: return revision(history.description, nil, wallTime, uptime)
    }
  }

  private mutating func revision(
    _ revision: Revision, _ state: [UInt8]?, _ wallTime: Int64, _ uptime: UInt64
  ) -> Record {
    // Without staging, the app has not moved.
    let isElsewhere = revision.staging != nil
    let form =
      state.map { bytes in self.state(at: uptime) { _ in bytes } }
      ?? (isElsewhere ? .givenUp : .none)
    return update(
      .revision, "\(revision.command) in \(revision.viewerName)", Self.json(revision.json.bytes()),
      form, wallTime, uptime)
  }

  /// Octets kept here: the values, the newest state built from them, and the states of actions.
  package var size: Int { 2 * values.size + history.stateSize }

  /// Drops the oldest, to keep at most half of `size` in states and a quarter in values.
  package mutating func shrink(to size: Int) {
    history.shrink(to: size / 2)
    values.shrink(to: size / 4)
  }

  /// Counts a step that was not made into a record.
  package mutating func giveUp() { givenUp.records.add(1) }

  private mutating func update(
    _ kind: Record.Kind, _ name: String, _ payload: Content, _ state: RecordState,
    _ wallTime: Int64, _ uptime: UInt64
  ) -> Record {
    // A whole payload, not a delta: the record of a value must make sense on its own.
    let record = Record(
      sequence: sequence, kind: kind, wallTime: wallTime, uptime: uptime, name: name,
      payload: payload, state: state)
    note(record)
    return record
  }

  private mutating func note(_ record: Record) {
    let size = record.name.utf8.count + (record.payload?.bytes.count ?? 0)
    states.note(detailSize: size, form: record.state)
  }

  private mutating func state(
    at uptime: UInt64, _ bytes: (GuestRecords) -> [UInt8]
  ) -> RecordState {
    guard paidAt <= uptime + Self.burst else {
      givenUp.states.add(1)
      return .givenUp
    }
    let bytes = bytes(self)
    paidAt = max(paidAt, uptime) + UInt64(bytes.count) * 1_000_000_000 / rate
    return states.form(Self.json(bytes), of: sequence)
  }

  /// Has sorted keys, so that equal states are equal octets.
  private var merged: [UInt8] {
    var bytes = [ASCII.openBrace]
    values.visit { member in
      if bytes.count > 1 { bytes.append(ASCII.comma) }
      bytes += member
    }
    return bytes + [ASCII.closeBrace]
  }

  private static func json(_ bytes: [UInt8]) -> Content {
    Content(type: "application/json", bytes: bytes)
  }
}
