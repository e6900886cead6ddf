import JSONTree

/// Why a call failed: the member `error` of an answer, such as
/// `{"rid":5,"error":{"message":"…","name":"InvalidActionError"}}`.
package struct SocketClusterError: Error, Hashable, Sendable {
  /// The kind of error, for programs.
  package let name: String
  /// What went wrong, for people.
  package let message: String
  /// Whether the offered token is invalid and should be dropped.
  package let isBadToken: Bool

  package init(name: String, message: String, isBadToken: Bool = false) {
    self.name = name
    self.message = message
    self.isBadToken = isBadToken
  }

  /// Reads what a peer sends as an error: an object, or in version 1 perhaps a string.
  init(_ value: JSON) {
    guard let object = value.object else {
      self.init(name: "Error", message: value.string ?? value.text())
      return
    }
    self.init(
      name: object["name"]?.string ?? "Error", message: object["message"]?.string ?? "",
      isBadToken: object["isBadToken"] == true)
  }

  var json: JSON {
    var object = JSONObject([
      .init(key: "message", value: .string(message)), .init(key: "name", value: .string(name)),
    ])
    if isBadToken { object["isBadToken"] = true }
    return .object(object)
  }
}

extension SocketClusterError {
  /// Clients may not publish; they transmit to the relay.
  static let publishDisabled = SocketClusterError(
    name: "InvalidActionError", message: "Client publish feature is disabled")

  /// This server issues no tokens, so none is valid.
  static let badToken = SocketClusterError(
    name: "AuthTokenInvalidError", message: "jwt malformed", isBadToken: true)

  /// Refuses a `#subscribe`.
  static func subscribe(_ channel: String, _ reason: String) -> SocketClusterError {
    broker("Failed to subscribe socket to the \(channel) channel", reason)
  }

  /// Refuses an `#unsubscribe`.
  static func unsubscribe(_ channel: String, _ reason: String) -> SocketClusterError {
    broker("Failed to unsubscribe socket from the \(channel) channel", reason)
  }

  private static func broker(_ what: String, _ reason: String) -> SocketClusterError {
    SocketClusterError(name: "BrokerError", message: "\(what) - InvalidActionError: \(reason)")
  }
}
