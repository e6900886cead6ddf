import SurfWire

extension Numbers {
  mutating func packet() -> DataPacket {
    let newest = sequence()
    var frames: [UInt8] = []
    for _ in 0..<below(4) { frame().append(to: &frames) }
    let flags: [DatagramFlags] = [[], .repair, [.repair, .history]]
    return DataPacket(
      sequence: newest, oldestPacket: isChance(oneIn: 2) ? newest : min(sequence(), newest),
      flags: one(of: flags), frames: frames)
  }

  private mutating func frame() -> Frame {
    switch below(5) {
    case 0:
      return .fragment(
        Fragment(record: sequence(), total: count32(), offset: count32(), bytes: [1, 2, 3]))
    case 1:
      return .restored(
        Restored(
          request: number(), viewer: ViewerID(rawValue: number()), viewerName: "v",
          position: position(), newestRecord: sequence(), moveCount: count(), outcome: outcome()))
    default: return .record(record().encoded())
    }
  }

  mutating func record() -> Record {
    let kinds: [Record.Kind] = [
      .action, .update, .remove, .mark, .log(.error), .revision, .other(200),
    ]
    let kind = isChance(oneIn: 3) ? .revision : one(of: kinds)
    let payload =
      kind == .revision ? revision() : Content(type: "application/json", bytes: Array("{}".utf8))
    return Record(
      sequence: sequence(), kind: kind, wallTime: Int64(bitPattern: number()), uptime: number(),
      parent: sequence(), name: "add", payload: payload, payloadIsDelta: isChance(oneIn: 8),
      state: state())
  }

  private mutating func state() -> RecordState {
    let content = Content(type: "application/json", bytes: Array("{\"n\":1}".utf8))
    switch below(6) {
    case 0: return .none
    case 1: return .givenUp
    case 2:
      // A delta that begins with the number of what it differs from.
      var bytes: [UInt8] = []
      var rest = number()
      while rest >= 0x80 {
        bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
        rest >>= 7
      }
      return .delta(Content(type: "application/json", bytes: bytes + [UInt8(rest), 7, 7]))
    case 3: return .reserved(form: 9, content)
    default: return .keyframe(content)
    }
  }

  /// How history stands, told with any rows (Protocol.md §11.6).
  private mutating func revision() -> Content {
    let rows = (0..<below(4)).map { _ in "{\"row\":\(number()),\"state\":\(below(9))}" }
    let current = isChance(oneIn: 2) ? "" : ",\"current\":\(number())"
    let text =
      "{\"command\":\"toggle\",\"viewer\":\"v\",\"oldest\":\(number()),\"initial\":{},"
      + "\"staged\":[\(rows.joined(separator: ","))]\(current)}"
    return Content(type: "application/json", bytes: Array(text.utf8))
  }
}
