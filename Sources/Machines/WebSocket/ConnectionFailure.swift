/// Why the connection failed (RFC 6455 §7.1.7).
struct ConnectionFailure: Error, Equatable {
  let code: CloseCode
  let reason: String

  static func protocolError(_ reason: String) -> ConnectionFailure {
    ConnectionFailure(code: .protocolError, reason: reason)
  }

  static let badText = ConnectionFailure(code: .invalidPayload, reason: "The text is not UTF-8.")
  static let noMemory = ConnectionFailure(
    code: .messageTooBig, reason: "Unfinished messages take too much memory together.")
  static let tooBig = ConnectionFailure(code: .messageTooBig, reason: "The message is too big.")
}
