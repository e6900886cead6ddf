import SurfWire

/// The sender or receiver of a message: names that the machines have used, and unknown ones.
struct Names {
  var viewers = [ViewerID(rawValue: 1)]
  var cookies = [Cookie(rawValue: 1)]
  var requests: [UInt64] = [1]
  var wishes: [SequenceNumber] = [1, .max]

  private static let countMax = 4

  mutating func learn(_ body: Datagram.Body) {
    switch body {
    case .hello(let hello):
      Self.add(hello.viewer, to: &viewers)
      Self.add(hello.since, to: &wishes)
    case .welcome(let welcome): Self.add(welcome.cookie, to: &cookies)
    case .offer(let offer): Self.add(offer.cookie, to: &cookies)
    case .reset(let reset): Self.add(reset.request, to: &requests)
    default: break
    }
  }

  private static func add<Name: Equatable>(_ name: Name, to names: inout [Name]) {
    guard !names.contains(name) else { return }
    if names.count >= countMax { names.removeFirst() }
    names.append(name)
  }
}

extension Numbers {
  private mutating func resetProgress(_ names: Names) -> ResetProgress {
    let received = count32()
    // Ranges that no reader refuses: they rise, and never touch.
    let ends = Set((0..<below(8)).map { _ in min(Int(number32()), Limits.contentSizeMax) }).filter {
      WireCount($0) > received
    }.sorted()
    let ranges = stride(from: 1, to: ends.count, by: 2).map { ends[$0 - 1]..<ends[$0] }
    let ahead = below(4) == 0 ? nil : ranges
    let share = ahead == nil || below(4) == 0 ? nil : ResetProgress.Share(below(101), of: 100)
    return ResetProgress(
      viewer: one(of: names.viewers), request: one(of: names.requests), received: received,
      ahead: ahead, share: share)
  }

  /// A message of each kind that goes to a viewer.
  mutating func messageToViewer(_ names: Names) -> Datagram.Body {
    switch below(13) {
    case 0, 1: .heartbeat(heartbeat())
    case 2: .goodbye(Goodbye(newestPacket: sequence(), newestRecord: sequence()))
    case 3, 4: .welcome(welcome(names))
    case 5:
      .resetProgress(resetProgress(names))
    case 6:
      .outcome(
        Outcome(
          viewer: one(of: names.viewers), request: one(of: names.requests), position: position(),
          result: outcome()))
    case 7: betweenViewers(names)
    case 8:
      .proof(
        Proof(
          viewer: one(of: names.viewers), key: number(), digests: [nil, Digest(rawValue: 1)]))
    case 9: .valueReply(valueReply(names))
    default: .data(packet())
    }
  }

  private mutating func valueReply(_ names: Names) -> ValueReply {
    let span = span()
    return ValueReply(
      viewer: one(of: names.viewers), range: span,
      newestRecord: max(span.through, min(sequence(), .max.previous)), leftOut: count(),
      rest: WireCount(number32()), frames: packet().frames)
  }

  private mutating func span() -> RecordSpan {
    let (one, other) = (sequence(), sequence())
    return RecordSpan(after: min(one, other), through: max(one, other))
      ?? RecordSpan(after: 0, through: 1)!
  }

  mutating func messageToApp(_ names: Names) -> Datagram.Body {
    let (viewer, cookie) = (one(of: names.viewers), one(of: names.cookies))
    switch below(7) {
    case 0: return .probe(Probe(viewer: viewer))
    case 1: return .hello(Hello(viewer: viewer, viewerName: "v", since: sequence()))
    case 2: return .nak(nak(viewer, cookie))
    case 3:
      return .windowUpdate(
        WindowUpdate(viewer: viewer, cookie: cookie, newestPacket: sequence(), window: count32()))
    case 4:
      let key = DigestKey(first: number(), second: number())
      return .check(
        Check(viewer: viewer, cookie: cookie, key: key, ranges: ranges(4, sizeMax: 1_024)))
    case 5:
      let span = span()
      return .valueRequest(
        ValueRequest(
          viewer: viewer, cookie: cookie, after: span.after, through: span.through,
          offset: count32()))
    default: return .reset(reset(viewer, cookie, names))
    }
  }

  private mutating func betweenViewers(_ names: Names) -> Datagram.Body {
    let (viewer, cookie) = (one(of: names.viewers), one(of: names.cookies))
    let (first, last) = (max(sequence(), 1), sequence())
    switch below(3) {
    case 0: return .seek(Seek(viewer: viewer, wanted: first...last))
    case 1: return .offer(Offer(viewer: viewer, cookie: cookie, held: first...last))
    default: return .nak(nak(viewer, cookie))
    }
  }

  private mutating func nak(_ viewer: ViewerID, _ cookie: Cookie) -> NAK {
    NAK(
      viewer: viewer, cookie: cookie, isHistory: isChance(oneIn: 2),
      ranges: ranges(4, sizeMax: 1_024))
  }

  private mutating func reset(_ viewer: ViewerID, _ cookie: Cookie, _ names: Names) -> Reset {
    let part = Reset.Part.bytes(
      contentType: "application/json", total: count32(), offset: count32(), [0x31, 0x32])
    return Reset(
      viewer: viewer, cookie: cookie,
      request: isChance(oneIn: 2) ? number() : one(of: names.requests),
      viewerName: "v", target: position(), part: isChance(oneIn: 3) ? .initial : part,
      form: isChance(oneIn: 3) ? .command : isChance(oneIn: 2) ? .delta : .state)
  }

  mutating func outcome() -> Outcome.Result {
    one(of: [.applied, .forbidden, .busy, .rejected(reason: "no"), .unavailable, .mismatch])
  }

  mutating func heartbeat() -> Heartbeat {
    Heartbeat(
      instance: InstanceID(high: 1, low: number()), app: "app", host: "host",
      processID: number32(), contentType: "application/json", acceptsResets: true,
      control: [.allCommands, .hasValues], datagramSize: UInt16(clamping: number()),
      uptime: number(), progress: progress(), position: position(),
      givenUp: Heartbeat.GivenUp(states: count(), records: count()),
      stamp: PositionStamp(newestRecord: sequence(), moveCount: count()),
      realm: isChance(oneIn: 8) ? try! Realm("other") : nil)
  }

  private mutating func welcome(_ names: Names) -> Welcome {
    // Mostly an answer to what was asked, with a past from the beginning.
    let isUsual = isChance(oneIn: 2)
    return Welcome(
      viewer: names.viewers[names.viewers.count - 1], cookie: one(of: names.cookies),
      progress: progress(), wanted: isChance(oneIn: 4) ? sequence() : one(of: names.wishes),
      since: isUsual ? 1 : sequence(), sincePacket: isUsual ? 1 : sequence())
  }
}
