/// Why the connection failed (RFC 6455 §7.1.7).
struct Failure: Error, Equatable {
  let code: CloseCode
  let reason: String

  static func protocolError(_ reason: String) -> Failure {
    Failure(code: .protocolError, reason: reason)
  }

  static let badText = Failure(code: .invalidPayload, reason: "The text is not UTF-8.")
  static let tooBig = Failure(code: .messageTooBig, reason: "The message is too big.")
}
