/// A response, from `HTTPResponseParser` with its whole body, or to send (RFC 9112 §4).
package struct HTTPResponse: Equatable, Sendable {
  /// The status code, 100 to 599.
  package var status: Int
  /// The reason phrase, for people only.
  package var reason: String
  package var headers: HTTPHeaders
  package var body: [UInt8]

  /// - Parameter reason: the registered phrase of the status, if nil.
  package init(
    status: Int, reason: String? = nil, headers: HTTPHeaders = HTTPHeaders(), body: [UInt8] = []
  ) {
    self.status = status
    self.reason = reason ?? Self.phrases[status] ?? ""
    self.headers = headers
    self.body = body
  }

  /// The answer to a request that a parser refused. The connection closes after it.
  package init(refusing error: HTTPError) {
    self.init(status: error.status, headers: ["Connection": "close"])
  }

  /// The bytes to send, always as HTTP/1.1. Sets `Content-Length` to the length of the body, and
  /// omits it and the body for 1xx, 204 and 304 (RFC 9110 §8.6). Control characters in values
  /// become spaces. Fields whose names are not tokens are omitted. An invalid status becomes 500.
  /// - Parameter isAnswerToHead: whether to omit the body (RFC 9110 §9.3.2).
  package func encoded(isAnswerToHead: Bool = false) -> [UInt8] {
    let hasBody = !Self.isBodiless(status)
    var encoder = HeadEncoder()
    if (100...599).contains(status) {
      encoder.addStatusLine(status: status, reason: reason)
    } else {
      encoder.addStatusLine(status: 500, reason: Self.phrases[500] ?? "")
    }
    encoder.add(headers, contentLength: hasBody ? body.count : nil)
    return encoder.finished(body: hasBody && !isAnswerToHead ? body : [])
  }

  /// Whether responses with the status have no body, whatever their head says (RFC 9112 §6.3).
  static func isBodiless(_ status: Int) -> Bool {
    (100...199).contains(status) || status == 204 || status == 304
  }

  /// Of every status that is sent.
  private static let phrases = [
    101: "Switching Protocols", 200: "OK", 400: "Bad Request", 401: "Unauthorized",
    403: "Forbidden", 404: "Not Found", 405: "Method Not Allowed", 413: "Content Too Large",
    414: "URI Too Long", 426: "Upgrade Required", 431: "Request Header Fields Too Large",
    500: "Internal Server Error", 501: "Not Implemented", 503: "Service Unavailable",
    505: "HTTP Version Not Supported",
  ]
}

/// The supported versions (RFC 9112 §2.3).
package enum HTTPVersion: String, Equatable, Sendable {
  case http10 = "HTTP/1.0"
  case http11 = "HTTP/1.1"

  /// Returns nil unless the bytes have the form `HTTP/D.D`.
  /// - Throws: `unsupportedVersion` if they have other digits than the two versions.
  init?(_ bytes: ArraySlice<UInt8>) throws(HTTPError) {
    let bytes = Array(bytes)
    let isWellFormed =
      bytes.count == 8 && bytes.starts(with: "HTTP/".utf8) && Octet.isDigit(bytes[5])
      && bytes[6] == UInt8(ascii: ".") && Octet.isDigit(bytes[7])
    guard isWellFormed else { return nil }
    guard let version = HTTPVersion(rawValue: String(decoding: bytes, as: UTF8.self)) else {
      throw .unsupportedVersion
    }
    self = version
  }
}

/// Writes a message so that no part can end a line or the head early (RFC 9112 §11.1).
struct HeadEncoder {
  private var bytes: [UInt8] = []

  mutating func addRequestLine(method: String, target: String, version: HTTPVersion) {
    bytes += method.utf8.filter(Octet.isToken)
    bytes.append(UInt8(ascii: " "))
    for byte in target.utf8 { addTargetByte(byte) }
    bytes.append(UInt8(ascii: " "))
    bytes += version.rawValue.utf8
    endLine()
  }

  mutating func addStatusLine(status: Int, reason: String) {
    bytes += "HTTP/1.1 \(status) ".utf8
    addText(reason)
    endLine()
  }

  /// Adds the fields, except those that frame the body, which `contentLength` replaces.
  mutating func add(_ headers: HTTPHeaders, contentLength: Int?) {
    for field in headers.fields where field.name.utf8.isToken {
      if Self.framingNames.contains(where: field.name.utf8.equalsIgnoringCase) { continue }
      add(field.name, field.value)
    }
    if let contentLength { add("Content-Length", String(contentLength)) }
  }

  consuming func finished(body: [UInt8]) -> [UInt8] {
    endLine()
    bytes += body
    return bytes
  }

  private static let framingNames = ["Content-Length".utf8, "Transfer-Encoding".utf8]

  private mutating func add(_ name: String, _ value: String) {
    bytes += name.utf8
    bytes += [UInt8(ascii: ":"), UInt8(ascii: " ")]
    addText(value)
    endLine()
  }

  private mutating func addText(_ text: String) {
    bytes += text.utf8.map { Octet.isForbiddenControl($0) ? UInt8(ascii: " ") : $0 }
  }

  private mutating func addTargetByte(_ byte: UInt8) {
    guard !Octet.isVisible(byte) else { return bytes.append(byte) }
    let digits = Array("0123456789ABCDEF".utf8)
    bytes += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
  }

  private mutating func endLine() {
    bytes += [UInt8(ascii: "\r"), UInt8(ascii: "\n")]
  }
}
