import JSONTree
import SurfBasics

/// HTTP long-polling (Engine.IO protocol v4, "Sending and receiving data").
extension EngineIOServerSession {
  /// Takes a GET, which stays open until there is something to send.
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

  /// Takes the whole body of a POST. A bad packet ends the session, and the whole body is ignored.
  package mutating func post(_ body: [UInt8], at now: Duration) {
    advance(to: now)
    guard admitsPost() else { return }
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

  /// Call when the connection of the open GET has closed, so that it cannot be answered.
  package mutating func pollCancelled(at now: Duration) {
    advance(to: now)
    guard pollHangs else { return }
    pollHangs = false
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
    // Even an empty packet costs memory.
    queueSize += packet.frame.size + MemoryLayout<EngineIOPacket>.stride
    releasePoll()
    if queueSize > configuration.queueSizeMax { finish(.queueTooLarge) }
  }

  /// Answers the open poll with the queued packets. Once the WebSocket has been probed, answers an
  /// empty queue with noop, because the client pauses polling before it upgrades ("Upgrade").
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

/// The body of a request or response (Engine.IO protocol v4, "Packet encoding", long-polling).
package enum EngineIOPayload {
  private static let separator: UInt8 = 0x1e
  private static let binaryMark = UInt8(ascii: "b")

  package static func encode(_ packets: [EngineIOPacket]) -> [UInt8] {
    var body: [UInt8] = []
    for (index, packet) in packets.enumerated() {
      if index > 0 { body.append(separator) }
      switch packet.frame {
      case .text(let text): body.append(contentsOf: text.utf8)
      case .binary(let bytes):
        body.append(binaryMark)
        Base64.append(bytes, to: &body)
      }
    }
    return body
  }

  /// The packets in `body`, at least one. Takes linear time.
  package static func decode(_ body: [UInt8]) throws(EngineIOError) -> [EngineIOPacket] {
    var packets: [EngineIOPacket] = []
    for bytes in body.split(separator: separator, omittingEmptySubsequences: false) {
      packets.append(try packet(bytes))
    }
    return packets
  }

  private static func packet(_ bytes: ArraySlice<UInt8>) throws(EngineIOError) -> EngineIOPacket {
    if bytes.first == binaryMark {
      guard let data = Base64.decode(bytes.dropFirst(), .loose) else { throw .invalidBase64 }
      return .message(.binary(data))
    }
    guard let text = String(validating: bytes, as: UTF8.self) else { throw .invalidUTF8 }
    return try EngineIOPacket(text: text)
  }
}
