/// The supported versions (RFC 9112 §2.3).
package enum HTTPVersion: String, Equatable, Sendable {
  case http10 = "HTTP/1.0"
  case http11 = "HTTP/1.1"

  /// Reads `HTTP/D.D`; nil if it has another form.
  /// - Throws: `unsupportedVersion` for the form with other digits.
  init?(_ bytes: ArraySlice<UInt8>) throws(HTTPError) {
    let bytes = Array(bytes)
    let isWellFormed =
      bytes.count == 8 && bytes.starts(with: "HTTP/".utf8) && Octet.isDigit(bytes[5])
      && bytes[6] == Octet.period && Octet.isDigit(bytes[7])
    guard isWellFormed else { return nil }
    guard let version = HTTPVersion(rawValue: String(decoding: bytes, as: UTF8.self)) else {
      throw .unsupportedVersion
    }
    self = version
  }
}
