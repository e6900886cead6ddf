/// Bytes that came and were not taken yet; each is looked at a bounded number of times, however the
/// input is cut.
struct InputBuffer {
  private var bytes: [UInt8] = []
  private var taken = 0
  /// The input from `taken` to here is clean and has no line end.
  private var scanned = 0

  var count: Int { bytes.count - taken }

  mutating func append(_ more: [UInt8]) {
    // Moving no more bytes than were taken since the last move keeps the whole linear.
    if taken > bytes.count / 2 {
      bytes.removeFirst(taken)
      scanned -= taken
      taken = 0
    }
    bytes += more
  }

  mutating func takeAll() -> [UInt8] {
    defer { self = InputBuffer() }
    return Array(bytes[taken...])
  }

  mutating func take(upTo limit: Int) -> ArraySlice<UInt8> {
    let end = taken + min(max(limit, 0), count)
    defer {
      taken = end
      scanned = end
    }
    return bytes[taken..<end]
  }

  /// The next line without its CRLF; nil until its end has come.
  /// - Parameter limit: Bytes of the line with its end.
  /// - Throws: `error` beyond the limit, `bareLineEnding`, `controlCharacter`.
  mutating func takeLine(
    limit: Int, orThrow error: HTTPError
  ) throws(HTTPError) -> ArraySlice<UInt8>? {
    while scanned < bytes.count {
      let byte = bytes[scanned]
      if byte == Octet.carriageReturn { return try takeLineEnd(limit: limit, orThrow: error) }
      guard byte != Octet.lineFeed else { throw .bareLineEnding }
      guard !Octet.isForbiddenControl(byte) else { throw .controlCharacter }
      scanned += 1
      // At least two more bytes must come.
      guard scanned - taken + 2 <= limit else { throw error }
    }
    return nil
  }

  private mutating func takeLineEnd(
    limit: Int, orThrow error: HTTPError
  ) throws(HTTPError) -> ArraySlice<UInt8>? {
    guard scanned - taken + 2 <= limit else { throw error }
    guard scanned + 1 < bytes.count else { return nil }
    guard bytes[scanned + 1] == Octet.lineFeed else { throw .bareLineEnding }
    let line = bytes[taken..<scanned]
    scanned += 2
    taken = scanned
    return line
  }
}
