/// Reads the field lines of a head or a trailer up to the empty line (RFC 9112 §5).
struct FieldReader {
  private(set) var headers = HTTPHeaders()
  private var bytesLeft: Int
  private let countLimit: Int

  /// - Parameter bytesUsed: Bytes of the head before the first field.
  init(limits: HTTPLimits, bytesUsed: Int = 0) {
    bytesLeft = limits.headBytes - bytesUsed
    countLimit = limits.headerCount
  }

  /// Whether the empty line was reached.
  mutating func read(_ input: inout InputBuffer) throws(HTTPError) -> Bool {
    while let line = try input.takeLine(limit: bytesLeft, orThrow: .headTooLarge) {
      bytesLeft -= line.count + 2
      if line.isEmpty { return true }
      guard headers.fields.count < countLimit else { throw .headTooLarge }
      try add(line)
    }
    return false
  }

  /// A folded line starts with a blank, which is not a token; nor is a blank before the colon.
  private mutating func add(_ line: ArraySlice<UInt8>) throws(HTTPError) {
    guard let colon = line.firstIndex(of: Octet.colon), line[..<colon].isToken,
      let value = String(validating: line[(colon + 1)...].trimmed, as: UTF8.self)
    else { throw .malformedHeader }
    headers.append(String(decoding: line[..<colon], as: UTF8.self), value)
  }
}
