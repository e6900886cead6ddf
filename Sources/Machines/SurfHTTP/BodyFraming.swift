/// How the parser finds the end of a body (RFC 9112 §6.3).
enum BodyFraming: Equatable {
  case length(Int)
  case chunked
  case untilClose

  /// The framing that the fields name; nil if they name none.
  /// - Throws: For every head that two readers could understand differently.
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
    // An empty list member next to it is legal, but no client sends one.
    guard headers.values(of: "Transfer-Encoding").map({ $0.utf8.count }) == [7] else {
      throw .badTransferEncoding
    }
  }

  private static func length(_ text: String) -> Int? {
    guard !text.isEmpty, text.utf8.allSatisfy(Octet.isDigit) else { return nil }
    // A number beyond any limit is too large rather than malformed.
    return Int(text) ?? .max
  }
}
