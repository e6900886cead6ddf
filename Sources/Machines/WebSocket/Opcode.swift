/// The kind of a frame (RFC 6455 §11.8).
enum Opcode: UInt8 {
  case continuation = 0x0
  case text = 0x1
  case binary = 0x2
  case close = 0x8
  case ping = 0x9
  case pong = 0xa

  /// Control frames may stand between the fragments of a message (RFC 6455 §5.5).
  var isControl: Bool { rawValue & 0x8 != 0 }

  /// Bytes of a control frame's payload at most.
  static let controlLimit = 125
}
