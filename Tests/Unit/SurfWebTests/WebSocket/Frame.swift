import SurfWeb
import Testing

typealias Event = WebSocketConnection.Event

/// A frame as a client sends it, or with a fault.
struct Frame {
  var isFinal = true
  var reserved: UInt8 = 0
  var opcode: UInt8
  var payload: [UInt8] = []
  var key: UInt32? = 0x1234_5678
  /// Bytes of the length beyond the second byte; nil for the shortest form.
  var lengthSize: Int?
  /// What the length says, if not the truth.
  var claimed: UInt64?

  static func text(_ text: String, isFinal: Bool = true) -> Frame {
    Frame(isFinal: isFinal, opcode: 1, payload: Array(text.utf8))
  }

  static func binary(_ bytes: [UInt8], isFinal: Bool = true) -> Frame {
    Frame(isFinal: isFinal, opcode: 2, payload: bytes)
  }

  static func more(_ text: String, isFinal: Bool = true) -> Frame {
    Frame(isFinal: isFinal, opcode: 0, payload: Array(text.utf8))
  }

  static func ping(_ text: String) -> Frame { Frame(opcode: 9, payload: Array(text.utf8)) }

  static func pong(_ text: String) -> Frame { Frame(opcode: 10, payload: Array(text.utf8)) }

  static func close(_ code: UInt16, _ reason: String = "") -> Frame {
    Frame(opcode: 8, payload: [UInt8(code >> 8), UInt8(code & 0xff)] + Array(reason.utf8))
  }

  /// The bytes of the frame; written apart from the code under test.
  var bytes: [UInt8] {
    let length = claimed ?? UInt64(payload.count)
    let size = lengthSize ?? (length < 126 ? 0 : length < 65536 ? 2 : 8)
    let short = size == 0 ? UInt8(length) : size == 2 ? 126 : 127
    let extended = (0..<size).reversed().map { UInt8(length >> (8 * UInt64($0)) & 0xff) }
    let keyBytes = key.map { key -> [UInt8] in
      (0..<4).reversed().map { UInt8(key >> ($0 * 8) & 0xff) }
    }
    let masked = keyBytes.map { bytes -> [UInt8] in
      payload.enumerated().map { $0.element ^ bytes[$0.offset % 4] }
    }
    let first: UInt8 = (isFinal ? 0x80 : 0) | reserved << 4 | opcode
    let second: UInt8 = (key == nil ? 0 : 0x80) | short
    var bytes = [first, second]
    bytes += extended
    bytes += keyBytes ?? []
    bytes += masked ?? payload
    return bytes
  }

  /// The same as a server sends it.
  var unmasked: Frame {
    var frame = self
    frame.key = nil
    return frame
  }
}

/// A named row of a table: the bytes that a server receives, and the result.
struct Row: Sendable, CustomTestStringConvertible {
  let name: String
  let input: [UInt8]
  let events: [Event]
  let output: [UInt8]

  /// - Parameter output: The frames that the server sends, but for the close frame of a failure.
  init(_ name: String, _ input: [Frame], _ events: [Event], output: [Frame] = []) {
    self.name = name
    self.input = input.flatMap(\.bytes)
    self.events = events
    var frames = output.map(\.unmasked)
    if case .failed(let code, let reason)? = events.last {
      frames.append(Frame.close(code.rawValue, reason).unmasked)
    }
    self.output = frames.flatMap(\.bytes)
  }

  var testDescription: String { name }

  /// A server's result for the row, in pieces of at most `cut` bytes.
  func result(cut: Int = .max) -> (events: [Event], output: [UInt8]) {
    var server = WebSocketConnection(role: .server)
    var events: [Event] = []
    var output: [UInt8] = []
    var rest = input[...]
    while !rest.isEmpty {
      let piece = rest.prefix(cut)
      rest = rest[piece.endIndex...]
      events += server.receive(Array(piece))
      output += server.takeOutput()
    }
    return (events, output)
  }

  /// Whether a server does as the row says, however the input is cut.
  var holds: Bool {
    [1, 2, 3, 7, .max].allSatisfy { cut in
      let (events, output) = result(cut: cut)
      return events == self.events && output == self.output
    }
  }
}

extension Event {
  static func broken(_ reason: String) -> Event { .failed(.protocolError, reason: reason) }

  static let badText = Event.failed(.invalidPayload, reason: "The text is not UTF-8.")
  static let tooBig = Event.failed(.messageTooBig, reason: "The message is too big.")
}
