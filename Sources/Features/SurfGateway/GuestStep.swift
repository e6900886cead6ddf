import JSONTree
import SurfControl
import SurfNetwork
import SurfWire

/// Announces a guest on the network: an app that is connected to the gateway in another protocol,
/// and that the gateway announces on its behalf.
package struct GuestAnnouncement: Equatable, Sendable {
  package let instance: InstanceID
  package let app: String
  /// The address and port that it connects from. The host is nil for the gateway's own machine; the
  /// port serves as a process id.
  package let host: String?
  package let port: UInt16
  /// Whether viewers can travel in its history.
  package var travels = false
}

/// An action or report of a guest, as its protocol's relay hands it to `GuestRecords`.
package enum GuestStep: Equatable, Sendable {
  /// A new value of an id, in JSON.
  case update(id: String, data: [UInt8])
  /// A log line, with JSON if it had that in place of a text.
  case log(LogLevel, String, details: [UInt8]?)
  /// Its history starts again with this state; earlier actions are no longer in it.
  case begin(state: JSON)
  /// An action, with the number that the guest gives it (from 1 on) and the state after it.
  case action(id: Int, name: String, payload: JSON, state: JSON)
  /// A viewer requests the initial state, which no action carries.
  case describe
  /// It has changed its history, or moved in it.
  case stand(GuestProgress)
}

/// A guest's history and the guest's place in it, by the numbers of actions.
package struct GuestProgress: Equatable, Sendable {
  package struct Item: Equatable, Sendable {
    package let id: Int
    let isSkipped: Bool
    /// The state after it, if it has changed.
    package let state: JSON?
  }

  /// The kind of change: the name of a command (Protocol.md §11.5), or `jump`.
  package let word: String
  package let items: [Item]
  /// The action whose state the app is in; 0 for the initial state.
  package let current: Int
  let isLocked: Bool
  let isPaused: Bool
}

/// A viewer's request to a guest.
package struct GuestRequest: Equatable, Sendable {
  package enum Wish: Equatable, Sendable {
    /// Go to the state after an action, or the initial one for 0; with its JSON if one was sent.
    case jump(Int, state: String?)
    case command(HistoryCommand<Int>)
  }

  package let reset: IncomingReset
  package let wish: Wish

  package init(reset: IncomingReset, wish: Wish) { (self.reset, self.wish) = (reset, wish) }
}

/// The guest's answer to a `GuestRequest`.
package enum GuestAnswer: Equatable, Sendable {
  case done
  case refused(String)
}
