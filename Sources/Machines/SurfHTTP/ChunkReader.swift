/// Takes the chunks apart (RFC 9112 §7.1); extensions and trailer fields are checked and dropped.
struct ChunkReader {
  private enum Phase {
    case size
    case data(remaining: Int)
    case dataEnd
    case trailer
    case ended
  }

  private static let sizeLineLimit = 256
  private var phase = Phase.size
  private var trailer: FieldReader

  init(limits: HTTPLimits) {
    trailer = FieldReader(limits: limits)
  }

  /// Appends the data that has come to `body`, to at most `limit` bytes; true at the end.
  mutating func read(
    _ input: inout InputBuffer, into body: inout [UInt8], limit: Int
  ) throws(HTTPError) -> Bool {
    while try step(&input, &body, limit: limit) {}
    if case .ended = phase { return true }
    return false
  }

  /// Whether there may be more to do.
  private mutating func step(
    _ input: inout InputBuffer, _ body: inout [UInt8], limit: Int
  ) throws(HTTPError) -> Bool {
    switch phase {
    case .size:
      let line = try input.takeLine(limit: Self.sizeLineLimit, orThrow: .malformedChunk)
      guard let line else { return false }
      let size = try Self.size(of: line)
      guard size <= limit - body.count else { throw .bodyTooLarge }
      phase = size == 0 ? .trailer : .data(remaining: size)
    case .data(let remaining):
      guard input.count > 0 else { return false }
      let data = input.take(upTo: remaining)
      body += data
      phase = data.count == remaining ? .dataEnd : .data(remaining: remaining - data.count)
    case .dataEnd:
      guard try input.takeLine(limit: 2, orThrow: .malformedChunk) != nil else { return false }
      phase = .size
    case .trailer:
      guard try trailer.read(&input) else { return false }
      phase = .ended
    case .ended: return false
    }
    return true
  }

  private static func size(of line: ArraySlice<UInt8>) throws(HTTPError) -> Int {
    let digits = line.prefix { $0 != Octet.semicolon }
    guard !digits.isEmpty else { throw .malformedChunk }
    var size = 0
    for digit in digits {
      guard let value = Octet.hexValue(digit) else { throw .malformedChunk }
      guard size <= Int.max >> 4 else { throw .bodyTooLarge }
      size = size << 4 | Int(value)
    }
    return size
  }
}
