import SurfObserver
import SurfRelay
import SurfStreams
import SurfWire

/// What reaches the gateway besides bytes.
package enum GatewayInput: Sendable {
  case observer(ObserverEvent)
  /// What became of a request to an app.
  case answer(SessionID, ResetAnswer)
  /// A viewer of the network asks something of a guest.
  case asked(InstanceID, GuestRequest)
  /// A relay was found on the network; it may have been known under another address before.
  case found(RelayAddress, formerly: RelayAddress?)
}

/// What the gateway wants of the network of apps, and of the person running it.
package enum GatewayRequest: Equatable, Sendable {
  case follow(SessionID, HistoryRequest)
  /// The values that are live in a followed app.
  case values(SessionID)
  /// These rows once more: a panel looks at what had to be dropped.
  case refetch(SessionID, ClosedRange<SequenceNumber>)
  case reset(SessionID, Position, Content?)
  case command(SessionID, [UInt8])
  /// A guest: to be announced, heard, and taken leave of.
  case announce(GuestAnnouncement)
  case tell(InstanceID, GuestStep)
  case settle(InstanceID, GuestRequest, GuestAnswer)
  case withdraw(InstanceID)
  /// Memory that is free is given back to the system.
  case giveBack
  /// A line for the person.
  case note(GatewayNote)
}

/// What a person is told of, one line each.
package enum GatewayNote: Equatable, Sendable {
  /// Panels and Socket.IO clients may connect here, with a token if there is one; told once, when
  /// it starts.
  case serving(TCPAddress, token: String? = nil)
  /// The same for apps and front ends of RemoteInspector.
  case inspecting(TCPAddress, token: String? = nil)
  case appeared(app: String, host: String)
  case left(app: String)
  /// Somebody has put it into a state of its history, or into another.
  case moved(app: String, by: String, to: Position)
  case panelConnected(from: String, kind: String)
  case panelLeft(String)
  case relayReady(RelayAddress, app: String)
  case relayLost(RelayAddress, reason: String, retryIn: Duration)
  /// A panel's command that could not be carried out.
  case refused(app: String, reason: String)
  /// A client of RemoteInspector sent what is not a message.
  case unreadable(from: String, reason: String)
  /// Clients that the gateway does not serve: why the last of so many since the last line.
  case turnedAway(String, count: Int)
}
