import SurfReceiving
import SurfRelay
import SurfStreams
import SurfWire

/// Inputs of `GatewayMachine` other than the events of streams.
package enum GatewayInput: Sendable {
  case observer(ObserverEvent)
  /// An app's answer to a request.
  case answer(SessionID, ResetAnswer)
  /// A viewer on the network sends a request to a guest.
  case asked(InstanceID, GuestRequest)
  /// `Gateway` has carried out everything before a `.report` with this many octets.
  case carried(Int)
  /// DNS-SD found a relay, perhaps one known under another address before.
  case found(RelayAddress, formerly: RelayAddress?)
}

/// Requests of `GatewayMachine` to the observer, the guests and the user, carried out by `Gateway`.
package enum GatewayRequest: Equatable, Sendable {
  case follow(SessionID, HistoryRequest)
  /// Follows the live values of an app that is followed already.
  case values(SessionID)
  /// Fetches rows again that were dropped, because a panel is looking at them.
  case refetch(SessionID, ClosedRange<SequenceNumber>)
  case reset(SessionID, Position, Content?)
  case command(SessionID, [UInt8])
  /// Announces a guest on the network.
  case announce(GuestAnnouncement)
  case tell(InstanceID, GuestStep)
  case settle(InstanceID, GuestRequest, GuestAnswer)
  case withdraw(InstanceID)
  /// Answer with `.carried` once all requests to guests before this one are carried out. They came
  /// in messages with this many octets.
  case report(Int)
  /// Returns free memory to the system.
  case trimMemory
  case note(GatewayNote)
}

/// Events that the gateway reports to a person, one line each.
package enum GatewayNote: Equatable, Sendable {
  /// Reported at the start: panels and Socket.IO clients may connect here, with the token if any.
  case serving(TCPAddress, token: String? = nil)
  /// The same for RemoteInspector apps and front ends.
  case inspecting(TCPAddress, token: String? = nil)
  case appeared(app: String, host: String)
  case left(app: String)
  /// Somebody moved the app to a state in its history, or to another state.
  case moved(app: String, by: String, to: Position)
  case panelConnected(from: String, kind: String)
  case panelLeft(String)
  case relayReady(RelayAddress, app: String)
  case relayLost(RelayAddress, reason: String, retryIn: Duration)
  /// The app or the gateway refused a panel's command.
  case refused(app: String, reason: String)
  /// A RemoteInspector client sent something that is not a message.
  case unreadable(from: String, reason: String)
  /// The number of clients refused since the last such line, and why the last one was.
  case turnedAway(String, count: Int)
}
