import SurfWire

private let freshOfVersion1 = Sample.datagram(
  .heartbeat(
    Heartbeat(
      instance: Sample.instance, app: "", host: "", processID: 1, contentType: "",
      acceptsResets: false, datagramSize: 548, introduction: Introduction(version: "1"))))
private let mark = Frame.record(expectedRecords["record-mark"]!.encoded())

/// Protocol.md §6, §7, §11; Tests/Vectors/datagrams.txt.
let expectedDatagrams: [String: Datagram] = [
  "data": Sample.data(5, oldest: 1, [], [mark]),
  "data-two-records": Sample.data(
    5, oldest: 1, [], [.record(expectedRecords["record-action"]!.encoded()), mark]),
  "data-sent-again": Sample.data(5, oldest: 1, .repair, [mark]),
  "data-repair": Sample.data(5, oldest: 3, .repair, [mark]),
  "data-history": Sample.data(5, oldest: 5, [.repair, .history], [mark]),
  "heartbeat": Sample.datagram(.heartbeat(Sample.heartbeat)),
  "heartbeat-fresh": Sample.datagram(
    .heartbeat(
      Heartbeat(
        instance: Sample.instance, app: "", host: "", processID: 1, contentType: "",
        acceptsResets: false, datagramSize: 548))),
  "heartbeat-longest": Sample.datagram(
    .heartbeat(
      Heartbeat(
        instance: Sample.instance, app: a63, host: a63, processID: 4242, contentType: a63,
        acceptsResets: true, datagramSize: 1472, uptime: 1, progress: nothingRetained,
        position: .elsewhere, givenUp: Heartbeat.GivenUp(states: .max, records: .max),
        stamp: PositionStamp(newestRecord: .max.previous, moveCount: .max),
        realm: try! Realm(a63)))),
  "heartbeat-realm": Sample.datagram(
    .heartbeat(
      Heartbeat(
        instance: Sample.instance, app: "Counter", host: "bench", processID: 4242, contentType: "",
        acceptsResets: false, datagramSize: 548, realm: try! Realm("atelier")))),
  "heartbeat-introduction": Sample.datagram(
    .heartbeat(
      Heartbeat(
        instance: Sample.instance, app: "Counter", host: "bench", processID: 4242, contentType: "",
        acceptsResets: false, datagramSize: 548,
        introduction: Introduction(
          version: "1.4.2", identifier: "com.example.todo", system: "Debian 12",
          machine: "x86_64", library: "1.0.0")))),
  "heartbeat-introduction-cut": freshOfVersion1,
  "tolerated-heartbeat-introduction": freshOfVersion1,
  "tolerated-heartbeat-realm": Sample.datagram(
    .heartbeat(
      Heartbeat(
        instance: Sample.instance, app: "", host: "", processID: 1, contentType: "",
        acceptsResets: false, datagramSize: 548))),
  "goodbye": Sample.datagram(goodbye),
  "probe": Datagram(session: .none, body: .probe(Probe(viewer: Sample.viewer))),
  "hello": Sample.hello(since: 3),
  "hello-newest-state": Sample.hello(since: .max, name: ""),
  "welcome": Sample.welcome(Sample.progress, wanted: 3, since: 5, packet: 3),
  "welcome-no-backlog": Sample.welcome(Sample.progress, wanted: .max, since: 0, packet: 0),
  "nak": Sample.nak([(14, 1), (17, 3)]),
  "window-update": Datagram(
    session: Sample.session,
    body: .windowUpdate(
      WindowUpdate(viewer: Sample.viewer, cookie: Sample.cookie, newestPacket: 12, window: 910))),
  "nak-history": Sample.nak([(3, 9)], isHistory: true),
  "reset": Sample.reset(.record(2), Sample.bytes(12, 0, "{\"n\":2")),
  "reset-second": Sample.reset(.record(2), Sample.bytes(12, 6, "2222}\n")),
  "reset-named": Sample.reset(.record(2), Sample.bytes(12, 6, "2222}\n"), fileName: "a.json"),
  "reset-initial": Sample.reset(.initial, .initial),
  "command": Sample.command(#"{"command":"toggle","row":3}"#),
  "command-drive": Sample.command(#"{"command":"drive","on":true,"over":true}"#),
  "reset-progress": Sample.resetProgress(6, ahead: [12..<18, 24..<30]),
  "reset-progress-share": Sample.resetProgress(6, share: ResetProgress.Share(1, of: 4)),
  "limit-progress": Sample.resetProgress(
    0, ahead: (1...31).map { 2 * $0 - 1..<2 * $0 } + [67_108_863..<67_108_864]),
  "outcome-applied": Sample.outcome(.record(2), .applied),
  "outcome-digest": Sample.outcome(.record(2), .applied, digest: Sample.json("{\"n\":2}")),
  "outcome-unavailable": Sample.outcome(.record(9), .unavailable),
  "outcome-mismatch": Sample.outcome(.record(9), .mismatch),
  "reset-by-delta": Sample.delta(
    .record(7), digest: 0x070E_074E_7D39_8097,
    expectedDeltas["delta-replacement"]!.delta),
  "outcome-rejected": Sample.outcome(.record(9), .rejected(reason: "not a counter")),
  "outcome-forbidden": Sample.outcome(.elsewhere, .forbidden),
  "outcome-busy": Sample.outcome(.initial, .busy),
  "seek": Sample.datagram(.seek(Seek(viewer: Sample.viewer, wanted: 3...10))),
  "offer": Sample.datagram(
    .offer(Offer(viewer: Sample.viewer, cookie: Sample.cookie, held: 5...10))),
  "check": Sample.check([(5, 6), (14, 1)]),
  "proof": Sample.proof([0x0B0A_0908_0706_0504, nil]),
  "value-request": Sample.valueRequest(after: 6, through: 11, offset: 1_200),
  "limit-value-request": Sample.valueRequest(
    after: 0, through: .max.previous, offset: WireCount(Limits.recordSizeMax)),
  "value-reply": Sample.datagram(
    .valueReply(
      ValueReply(
        viewer: Sample.viewer, range: RecordSpan(after: 6, through: 9)!, newestRecord: 11,
        leftOut: 2, rest: 1, frames: [Frame.record(Sample.speed.encoded())].encoded))),
  "limit-value-reply": Sample.datagram(
    .valueReply(
      ValueReply(
        viewer: Sample.viewer, range: RecordSpan(after: 0, through: .max.previous)!,
        newestRecord: .max.previous, leftOut: .max, rest: WireCount(UInt32.max), frames: []))),
  "limit-seek": Sample.datagram(
    .seek(Seek(viewer: Sample.viewer, wanted: 1...SequenceNumber.max.previous))),
  "limit-check": Sample.check(Array(repeating: (1, 1024), count: Limits.checkRangeCountMax)),
  "limit-proof": Sample.proof([0, 1 << 61 - 2, nil, nil]),
  "limit-datagram": Sample.data(
    1, oldest: 1, [], [.record([UInt8](repeating: 0, count: 1440))]),
  "limit-sequence": Sample.data(
    .max.previous, oldest: SequenceNumber(.max - 1 - UInt64(UInt32.max))),
  "limit-ranges": Sample.nak(Array(repeating: (1, 1), count: Limits.rangeCountMax)),
  "limit-range-packets": Sample.nak([(1, 4096)]),
  "limit-reason": Sample.outcome(
    .record(9), .rejected(reason: String(repeating: "a", count: 1024))),
  "limit-reset-total": Sample.reset(
    .record(2), Sample.bytes(67_108_864, 67_108_863, "x"), name: ""),
  "tolerated-header-extension": Sample.datagram(goodbye),
  "tolerated-trailing": Sample.datagram(goodbye),
  "tolerated-flags": Sample.datagram(goodbye),
  "reset-progress-short": Sample.resetProgress(6, ahead: nil),
  "tolerated-outcome-digest": Sample.outcome(.elsewhere, .forbidden),
  "tolerated-outcome-reason": Sample.outcome(.record(2), .applied),
]

private let a63 = String(repeating: "a", count: 63)
private let goodbye = Datagram.Body.goodbye(Goodbye(newestPacket: 12, newestRecord: 9))
private let nothingRetained = StreamProgress(
  newestPacket: 12, oldestPacket: 13, newestRecord: 9, newestRecordPacket: 11,
  newestStatePacket: 11, newestStatePacketCount: 2)
