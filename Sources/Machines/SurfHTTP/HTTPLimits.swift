/// How much of a message a parser takes before it refuses the rest.
package struct HTTPLimits: Equatable, Sendable {
  /// Bytes of the request line with its line ending; more is a 414.
  package var requestLineBytes = 8 * 1024
  /// Bytes of the whole head, and of the whole trailer of a chunked body; more is a 431.
  package var headBytes = 16 * 1024
  /// Fields of the head and of the trailer; more is a 431.
  package var headerCount = 100
  /// Bytes of the decoded body; more is a 413.
  package var bodyBytes = 1024 * 1024

  package init() {}

  /// The default limits with another one for the body, in bytes.
  package init(bodyBytes: Int) {
    self.bodyBytes = bodyBytes
  }
}
