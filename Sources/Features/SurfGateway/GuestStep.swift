import JSONTree
import SurfControl
import SurfNetwork
import SurfWire

/// An app that is connected to the gateway in a protocol of its own, as the network hears of it:
/// the gateway announces it in its own name.
package struct GuestAnnouncement: Equatable, Sendable {
  package let instance: InstanceID
  package let app: String
  /// The address that it connected from, nil for the gateway's own machine; and the port there in
  /// place of a process id.
  package let host: String?
  package let port: UInt16
  /// Whether it has a history that viewers can travel in.
  package var travels = false
}

/// What a guest said.
package enum GuestStep: Equatable, Sendable {
  /// A new value under an id, in JSON.
  case update(id: String, data: [UInt8])
  /// A line of its log; JSON that came in the place of a text.
  case log(LogLevel, String, details: [UInt8]?)
  /// Its history begins with this state; what came before is no longer part of it.
  case begin(state: JSON)
  /// An action by the number that the guest has for it, from 1 on, and the state after it.
  case action(id: Int, name: String, payload: JSON, state: JSON)
  /// A viewer asks for what no action tells.
  case describe
  /// It has changed its history, or is elsewhere in it.
  case stand(GuestProgress)
}

/// How the history of a guest stands, by the numbers of its actions.
package struct GuestProgress: Equatable, Sendable {
  package struct Item: Equatable, Sendable {
    package let id: Int
    let isSkipped: Bool
    /// The state after it, if that is another one now.
    package let state: JSON?
  }

  /// What has changed, in the words of commands (Protocol.md §11.5), or `jump`.
  package let word: String
  package let items: [Item]
  /// The action whose state it is in; 0 for the beginning.
  package let current: Int
  let isLocked: Bool
  let isPaused: Bool
}

/// What a viewer of the network asks of a guest.
package struct GuestRequest: Equatable, Sendable {
  package enum Wish: Equatable, Sendable {
    /// To be in the state after an action, or at the beginning for 0; with that state in JSON.
    case jump(Int, state: String?)
    case command(HistoryCommand<Int>)
  }

  package let reset: IncomingReset
  package let wish: Wish

  package init(reset: IncomingReset, wish: Wish) { (self.reset, self.wish) = (reset, wish) }
}

/// What came of it.
package enum GuestAnswer: Equatable, Sendable {
  case done
  case refused(String)
}
