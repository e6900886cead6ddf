/// HTTP long-polling (Engine.IO protocol v4, "Sending and receiving data").
extension EngineIOServerSession {
  /// A GET came. It hangs until there is something to send.
  package mutating func poll(at now: Duration) {
    advance(to: now)
    switch channel {
    case .closed: outputs.append(.refusePoll(.unknownSession))
    case .webSocket: outputs.append(.refusePoll(.badRequest))
    case .polling, .upgrading:
      if pollHangs {
        outputs.append(.refusePoll(.badRequest))
        finish(.overlappingPoll)
      } else {
        pollHangs = true
        releasePoll()
      }
    }
  }

  /// The head of a POST came, its body not yet. Needed only to notice a second POST meanwhile; if
  /// the session refuses it, do not give its body to `post`.
  package mutating func beginPost(at now: Duration) {
    advance(to: now)
    guard admitsPost() else { return }
    if postIsUnderWay {
      outputs.append(.refusePost(.badRequest))
      finish(.overlappingPost)
    } else {
      postIsUnderWay = true
    }
  }

  /// The whole body of a POST came. A bad packet ends the session, and none of the body counts.
  package mutating func post(_ body: [UInt8], at now: Duration) {
    advance(to: now)
    guard admitsPost() else { return }
    postIsUnderWay = false
    guard body.count <= configuration.maxPayload else {
      outputs.append(.refusePost(.payloadTooLarge))
      return finish(.payloadTooLarge)
    }
    do throws(EngineIOError) {
      let packets = try EngineIOPayload.decode(body)
      outputs.append(.respondPost)
      for packet in packets where !isClosed { receive(packet, at: now) }
    } catch {
      outputs.append(.refusePost(.badRequest))
      finish(.invalidPacket(error))
    }
  }

  /// The connection of the hanging GET closed: it can get no answer.
  package mutating func pollCancelled(at now: Duration) {
    advance(to: now)
    guard pollHangs else { return }
    pollHangs = false
    finish(.transportClosed)
  }

  /// The connection of the POST that was begun closed before its whole body came.
  package mutating func postCancelled(at now: Duration) {
    advance(to: now)
    guard postIsUnderWay else { return }
    finish(.transportClosed)
  }

  private mutating func admitsPost() -> Bool {
    switch channel {
    case .closed: outputs.append(.refusePost(.unknownSession))
    case .webSocket: outputs.append(.refusePost(.badRequest))
    case .polling, .upgrading: return true
    }
    return false
  }

  mutating func enqueue(_ packet: EngineIOPacket) {
    queue.append(packet)
    // A packet costs memory even if it is empty.
    queueSize += packet.frame.size + MemoryLayout<EngineIOPacket>.stride
    releasePoll()
    if queueSize > configuration.queueSizeMax { finish(.queueTooLarge) }
  }

  /// Answers the hanging poll with the waiting packets; with noop, once the WebSocket was probed,
  /// for the client pauses polling before it upgrades ("Upgrade").
  mutating func releasePoll() {
    guard pollHangs else { return }
    if !queue.isEmpty {
      respondPoll(queue)
      queue = []
      queueSize = 0
    } else if case .upgrading(isProbed: true, _) = channel {
      respondPoll([.noop])
    }
  }

  mutating func respondPoll(_ packets: [EngineIOPacket]) {
    pollHangs = false
    outputs.append(.respondPoll(EngineIOPayload.encode(packets)))
  }
}
