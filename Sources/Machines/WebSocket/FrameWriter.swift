/// Writes whole frames; outgoing messages are never fragmented (RFC 6455 §5.2).
enum FrameWriter {
  /// - Parameter key: The masking key, of a client.
  static func append(
    _ opcode: Opcode, _ payload: some Collection<UInt8>, key: UInt32?, to output: inout [UInt8]
  ) {
    output.append(0x80 | opcode.rawValue)
    appendLength(payload.count, flag: key == nil ? 0 : 0x80, to: &output)
    if let key { appendBigEndian(UInt64(key), size: 4, to: &output) }
    let start = output.count
    output.append(contentsOf: payload)
    guard let key else { return }
    var mask = Mask(key)
    mask.apply(to: &output, from: start)
  }

  private static func appendLength(_ length: Int, flag: UInt8, to output: inout [UInt8]) {
    switch length {
    case ...125: output.append(flag | UInt8(length))
    case ...0xffff:
      output.append(flag | 126)
      appendBigEndian(UInt64(length), size: 2, to: &output)
    default:
      output.append(flag | 127)
      appendBigEndian(UInt64(length), size: 8, to: &output)
    }
  }

  private static func appendBigEndian(_ number: UInt64, size: Int, to output: inout [UInt8]) {
    for shift in stride(from: (size - 1) * 8, through: 0, by: -8) {
      output.append(UInt8(truncatingIfNeeded: number >> UInt64(shift)))
    }
  }
}
