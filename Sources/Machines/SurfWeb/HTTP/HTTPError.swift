/// Why a parser refused a message. Later calls throw it again: answer with `status`, and close.
package enum HTTPError: Error, Equatable, Sendable {
  /// The request line is not `method SP target SP version` (RFC 9112 §3).
  case malformedRequestLine
  /// The status line is not `version SP 3DIGIT SP reason` (RFC 9112 §4).
  case malformedStatusLine
  /// A header or trailer field is not `token ":" value`, or is folded (RFC 9112 §5).
  case malformedHeader
  /// A line feed without a carriage return before it, or a carriage return alone (RFC 9112 §2.2).
  case bareLineEnding
  /// A control character other than a tab (RFC 9110 §5.5).
  case controlCharacter
  /// Not exactly one valid `Host` in an HTTP/1.1 request (RFC 9112 §3.2).
  case badHost
  /// `Content-Length` is repeated or not a decimal number (RFC 9112 §6.3).
  case badContentLength
  /// `Transfer-Encoding` leaves the length of the body in doubt (RFC 9112 §6.1).
  case badTransferEncoding
  /// A chunk's size line or end is malformed (RFC 9112 §7.1).
  case malformedChunk
  /// The peer closed the connection in the middle of a message (RFC 9112 §8).
  case truncated
  /// The body, or the unread input, exceeds the limits.
  case bodyTooLarge
  /// The request line exceeds the limits.
  case targetTooLong
  /// The head or the trailer exceeds the limits, in bytes or fields.
  case headTooLarge
  /// A method that this server never serves: `CONNECT` (RFC 9110 §9.3.6).
  case unsupportedMethod
  /// A transfer coding other than `chunked` (RFC 9112 §6.1).
  case unsupportedTransferCoding
  /// A version other than HTTP/1.0 and HTTP/1.1 (RFC 9110 §15.6.6).
  case unsupportedVersion

  /// The status with which a server answers: 400, 413, 414, 431, 501 or 505.
  package var status: Int {
    switch self {
    case .malformedRequestLine, .malformedStatusLine, .malformedHeader, .bareLineEnding,
      .controlCharacter, .badHost, .badContentLength, .badTransferEncoding, .malformedChunk,
      .truncated:
      400
    case .bodyTooLarge: 413
    case .targetTooLong: 414
    case .headTooLarge: 431
    case .unsupportedMethod, .unsupportedTransferCoding: 501
    case .unsupportedVersion: 505
    }
  }
}
