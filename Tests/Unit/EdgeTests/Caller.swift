import SurfWeb

/// Somebody at the other end of one of the gateway's streams, who knows the protocols and says what
/// they allow, or nearly.
final class Caller {
  enum Kind {
    /// Connected to the gateway.
    case visitor
    /// Was dialled by it.
    case relay(isEngine: Bool)
  }

  private enum Phase {
    case http
    case frames(isEngine: Bool)
  }

  private let kind: Kind
  private var phase = Phase.http
  /// Which of the two a visitor asked for last.
  private var asksForEngine = false
  /// What the gateway asked of a relay.
  private var request: HTTPRequest?
  /// The session of Engine.IO that it was given.
  private var sid = "none"

  init(_ kind: Kind) { self.kind = kind }

  /// - Returns: whether this began to speak in frames.
  func hear(_ bytes: [UInt8]) -> Bool {
    let text = String(decoding: bytes.prefix(400), as: UTF8.self)
    if let given = text.firstMatch(of: #/"sid":"(\w+)"/#) { sid = String(given.1) }
    switch kind {
    case .relay:
      var parser = HTTPRequestParser()
      do {
        try parser.receive(bytes)
        request = try parser.next() ?? request
      } catch {
        // Frames by now.
      }
      return false
    case .visitor:
      guard case .http = phase, text.hasPrefix("HTTP/1.1 101") else { return false }
      phase = .frames(isEngine: asksForEngine)
      return true
    }
  }

  /// The next thing to say.
  func message(_ numbers: inout Numbers) -> [UInt8] {
    switch (kind, phase) {
    case (.visitor, .http):
      asksForEngine = numbers.isChance(oneIn: 2)
      return numbers.request(isEngine: asksForEngine, sid: sid)
    case (.visitor, .frames(let isEngine)):
      return numbers.frame(numbers.wish(isEngine: isEngine), isMasked: true)
    case (.relay(let isEngine), .http):
      guard !numbers.isChance(oneIn: 4), let answer = response() else {
        return numbers.request(isEngine: isEngine, sid: sid, status: "HTTP/1.1 101 x")
      }
      phase = .frames(isEngine: isEngine)
      return answer
    case (.relay(let isEngine), .frames):
      return numbers.frame(numbers.word(isEngine: isEngine), isMasked: false)
    }
  }

  private func response() -> [UInt8]? {
    guard let request else { return nil }
    do {
      return try WebSocketHandshake.response(to: request).encoded()
    } catch {
      return nil
    }
  }
}
