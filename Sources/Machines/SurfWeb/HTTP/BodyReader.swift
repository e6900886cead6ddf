/// Collects the body of a message in any framing, for `MessageParser`.
struct BodyReader {
  private enum Source {
    case length(remaining: Int)
    case chunks(ChunkReader)
    case untilClose
  }

  private(set) var body: [UInt8] = []
  private var source: Source
  private let limit: Int

  /// - Throws: `bodyTooLarge` if the head announces too large a body.
  init(_ framing: BodyFraming, limits: HTTPLimits) throws(HTTPError) {
    limit = limits.bodyBytes
    switch framing {
    case .length(let length):
      guard length <= limits.bodyBytes else { throw .bodyTooLarge }
      source = .length(remaining: length)
    case .chunked: source = .chunks(ChunkReader(limits: limits))
    case .untilClose: source = .untilClose
    }
  }

  /// Reads what has arrived of the body; returns true once it is complete.
  mutating func read(_ input: inout InputBuffer) throws(HTTPError) -> Bool {
    switch source {
    case .length(let remaining):
      let data = input.take(upTo: remaining)
      body += data
      source = .length(remaining: remaining - data.count)
      return data.count == remaining
    case .chunks(var chunks):
      let isComplete = try chunks.read(&input, into: &body, limit: limit)
      source = .chunks(chunks)
      return isComplete
    case .untilClose:
      guard input.count <= limit - body.count else { throw .bodyTooLarge }
      body += input.take(upTo: input.count)
      return false
    }
  }
}

/// How the end of a body is found (RFC 9112 §6.3).
enum BodyFraming: Equatable {
  case length(Int)
  case chunked
  case untilClose

  /// The framing that the header fields specify; nil if they specify none.
  /// - Throws: for every head that two readers could interpret differently.
  static func of(
    _ headers: HTTPHeaders, version: HTTPVersion
  ) throws(HTTPError) -> BodyFraming? {
    let codings = headers.values(of: "Transfer-Encoding")
    let lengths = headers.values(of: "Content-Length")
    guard codings.isEmpty else {
      guard lengths.isEmpty, version == .http11 else { throw .badTransferEncoding }
      try checkIsChunkedAlone(headers)
      return .chunked
    }
    guard let first = lengths.first else { return nil }
    guard lengths.count == 1, let length = length(first) else { throw .badContentLength }
    return .length(length)
  }

  private static func checkIsChunkedAlone(_ headers: HTTPHeaders) throws(HTTPError) {
    let codings = headers.values(of: "Transfer-Encoding", splittingLists: true)
    let chunkedCount = codings.count { $0.utf8.equalsIgnoringCase("chunked".utf8) }
    guard !codings.isEmpty, chunkedCount < 2 else { throw .badTransferEncoding }
    guard chunkedCount == codings.count else { throw .unsupportedTransferCoding }
    // An empty list member next to it would be legal, but no client sends one.
    guard headers.values(of: "Transfer-Encoding").map({ $0.utf8.count }) == [7] else {
      throw .badTransferEncoding
    }
  }

  private static func length(_ text: String) -> Int? {
    guard !text.isEmpty, text.utf8.allSatisfy(Octet.isDigit) else { return nil }
    // A number too large for `Int` exceeds any limit, but is not malformed.
    return Int(text) ?? .max
  }
}

/// Reads a chunked body (RFC 9112 §7.1). Extensions and trailer fields are checked and dropped.
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

  /// Appends data to `body`, which grows to at most `limit` bytes; returns true at the end.
  mutating func read(
    _ input: inout InputBuffer, into body: inout [UInt8], limit: Int
  ) throws(HTTPError) -> Bool {
    while try step(&input, &body, limit: limit) {}
    if case .ended = phase { return true }
    return false
  }

  /// Returns whether there may be more to do.
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
    let digits = line.prefix { $0 != UInt8(ascii: ";") }
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
