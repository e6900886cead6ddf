/// A call of a `SocketClusterClient` that awaits an answer.
struct PendingCall: Sendable {
  enum Purpose: Equatable {
    case handshake
    case subscribe(channel: String)
    case invoke(event: String)

    /// The event sent for it.
    var event: String {
      switch self {
      case .handshake: "#handshake"
      case .subscribe: "#subscribe"
      case .invoke(let event): event
      }
    }
  }

  let id: Int
  let purpose: Purpose
  let deadline: Duration
}
