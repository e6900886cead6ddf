/// The bytes that wait to be sent.
struct OutputQueue {
  private let role: WebSocketConnection.Role
  private let pongLimit: Int
  private var bytes: [UInt8] = []
  private var pongBytes = 0
  /// The newest ping among those that came when too many pongs waited already.
  private var unansweredPing: [UInt8]?

  init(role: WebSocketConnection.Role, pongLimit: Int) {
    self.role = role
    self.pongLimit = pongLimit
  }

  mutating func add(_ opcode: Opcode, _ payload: some Collection<UInt8>) {
    FrameWriter.append(opcode, payload, key: nextKey, to: &bytes)
  }

  /// A peer that sends pings and reads no pongs must not make the queue grow for ever.
  mutating func answer(ping payload: [UInt8]) {
    let size = payload.count + 6
    guard pongBytes + size <= pongLimit else {
      unansweredPing = payload
      return
    }
    pongBytes += size
    add(.pong, payload)
  }

  /// - Parameter isOpen: Whether frames may still follow what is queued.
  mutating func take(isOpen: Bool) -> [UInt8] {
    if isOpen, let unansweredPing { add(.pong, unansweredPing) }
    let taken = bytes
    bytes = []
    pongBytes = 0
    unansweredPing = nil
    return taken
  }

  private var nextKey: UInt32? {
    switch role {
    case .server: nil
    case .client(let maskingKey): maskingKey()
    }
  }
}
