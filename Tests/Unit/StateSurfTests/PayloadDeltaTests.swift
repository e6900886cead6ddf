import StateSurf
import SurfLive
import SurfWire
import Testing

/// Which payloads a transceiver sends whole.
@Suite struct PayloadDeltaTests {
  private var writer = RecordWriter()
  private var queue = RecordQueue()
  private var count = 0

  /// Records one action with a payload; the states differ by an octet.
  private mutating func record(_ payload: String, stateSize: Int = 4_000) -> Record? {
    var state = [UInt8](repeating: UInt8(stateSize / 1_000), count: stateSize)
    count += 1
    state[0] = UInt8(count)
    _ = queue.add(
      Entry(action: "act", payload: Array(payload.utf8), state: state), at: Moment())
    guard case .record(let tickets, let entry)? = queue.take() else { return nil }
    return writer.records(for: entry, of: tickets).first
  }

  private static func processes(_ number: Int) -> String {
    #"{"processes":[\#((0..<20).map { "\($0 * number)" }.joined(separator: ",")),"tail","tail"]}"#
  }

  private static func network(_ number: Int) -> String {
    let items = (0..<20).map { #"{"name":"eth\#($0)","in":\#($0 == 3 ? number : 0)}"# }
    return #"{"network":[\#(items.joined(separator: ","))]}"#
  }

  @Test mutating func `what is said again goes as a delta from the last of its kind`() throws {
    let first = [record(Self.network(1)), record(Self.processes(1))]
    #expect(first.allSatisfy { $0?.payloadIsDelta == false })
    let again = try #require(record(Self.network(2)))
    #expect(again.payloadIsDelta)
    let payload = try #require(again.payload)
    #expect(payload.type == "application/json")
    #expect(payload.bytes.count < 20)
    let delta = try Delta(decoding: payload.bytes, sizeMax: 10_000)
    #expect(delta.base == 1)
    let made = try delta.apply(to: Array(Self.network(1).utf8))
    #expect(made == Array(Self.network(2).utf8))
  }

  @Test mutating func `beside a whole state a payload is whole, and nothing older serves`() {
    _ = record(Self.network(1))
    // Of other octets altogether, so the state goes whole, and for a while nothing else is tried.
    #expect(record(Self.network(2), stateSize: 20_000)?.payloadIsDelta == false)
    _ = record(Self.network(3), stateSize: 20_000)
    let third = record(Self.network(4), stateSize: 20_000)
    #expect(third?.payloadIsDelta == true)
    #expect(third?.payload?.bytes.first == 3)
  }

  @Test mutating func `what is short, or like nothing, goes whole`() {
    for _ in 0..<3 { #expect(record(#"{"by":1}"#)?.payloadIsDelta == false) }
    for number in 0..<4 {
      let other = String(repeating: "\(number)", count: 200)
      #expect(record(other)?.payloadIsDelta == false)
    }
  }

  @Test mutating func `sixteen payloads are kept, and no longer ones than the limit`() {
    _ = record(Self.network(0))
    for number in 0..<15 { _ = record(#"{"other\#(number)":0}"#) }
    // The first is the sixteenth before it; the next one would not find it if it was not kept, too.
    #expect(record(Self.network(1))?.payloadIsDelta == true)
    for number in 0..<16 { _ = record(#"{"other\#(number)":0}"#) }
    #expect(record(Self.network(2))?.payloadIsDelta == false)
    let long = String(repeating: "long", count: Limits.keptPayloadSizeMax / 4 + 1)
    for _ in 0..<2 { #expect(record(long, stateSize: 4_000)?.payloadIsDelta == false) }
  }
}
