import JSONTree

/// Why a call failed, as the member `error` of an answer tells it:
/// `{"rid":5,"error":{"message":"…","name":"InvalidActionError"}}`.
package struct SocketClusterError: Error, Hashable, Sendable {
  /// The kind of error, for programs: `InvalidActionError`.
  package let name: String
  /// What went wrong, for people.
  package let message: String
  /// Whether the offered token is of no use and should be forgotten.
  package let isBadToken: Bool

  /// An error with these parts.
  package init(name: String, message: String, isBadToken: Bool = false) {
    self.name = name
    self.message = message
    self.isBadToken = isBadToken
  }

  /// Reads whatever a peer calls an error: an object, or in version 1 possibly a string.
  init(_ value: JSON) {
    guard let object = value.object else {
      self.init(name: "Error", message: value.string ?? value.text())
      return
    }
    self.init(
      name: object["name"]?.string ?? "Error", message: object["message"]?.string ?? "",
      isBadToken: object["isBadToken"] == true)
  }

  /// The object that is sent.
  var json: JSON {
    var object = JSONObject([
      .init(key: "message", value: .string(message)), .init(key: "name", value: .string(name)),
    ])
    if isBadToken { object["isBadToken"] = true }
    return .object(object)
  }
}

extension SocketClusterError {
  /// A client may not publish: it transmits to the relay instead.
  static let publishDisabled = SocketClusterError(
    name: "InvalidActionError", message: "Client publish feature is disabled")

  /// No token is ever issued here, so none can be good.
  static let badToken = SocketClusterError(
    name: "AuthTokenInvalidError", message: "jwt malformed", isBadToken: true)

  /// A client's call that the server did not answer in time.
  static func timedOut(_ event: String) -> SocketClusterError {
    SocketClusterError(
      name: "TimeoutError", message: "Event response for \"\(event)\" event timed out")
  }

  /// A client's call that gets no answer, because there is no connection.
  static func badConnection(_ event: String) -> SocketClusterError {
    SocketClusterError(
      name: "BadConnectionError",
      message: "Event \"\(event)\" was aborted due to a bad connection")
  }

  /// A client's call beyond `SocketClusterClient.callsMax`.
  static func tooManyCalls(_ event: String) -> SocketClusterError {
    SocketClusterError(
      name: "InvalidActionError", message: "Too many calls await an answer for \"\(event)\"")
  }

  /// A `#subscribe` that was refused for `reason`.
  static func subscribe(_ channel: String, _ reason: String) -> SocketClusterError {
    broker("Failed to subscribe socket to the \(channel) channel", reason)
  }

  /// An `#unsubscribe` that was refused for `reason`.
  static func unsubscribe(_ channel: String, _ reason: String) -> SocketClusterError {
    broker("Failed to unsubscribe socket from the \(channel) channel", reason)
  }

  private static func broker(_ what: String, _ reason: String) -> SocketClusterError {
    SocketClusterError(name: "BrokerError", message: "\(what) - InvalidActionError: \(reason)")
  }
}
