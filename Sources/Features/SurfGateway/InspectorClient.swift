import JSONTree
import RemoteInspector
import SurfStreams
import SurfWire

/// One client of the RemoteInspector relay: an app, a front end, or both.
struct InspectorClient {
  let name: String
  let peer: TCPAddress?
  /// It is passed on everything from now on.
  var isFrontEnd = false
  /// The last values that it sent, if it is an app.
  var values = LiveValues<InspectorFrame>()
  var standing = Standing.unheard
  /// Kinds of faults of which a person has been told.
  var toldFaults: Set<String> = []

  /// Where it stands on the network of apps.
  enum Standing: Equatable {
    case unheard
    case announced(InstanceID)
    case leftOut

    var instance: InstanceID? { if case .announced(let instance) = self { instance } else { nil } }
  }

  init(name: String?, peer: TCPAddress?) {
    self.name = name ?? "RemoteInspector"
    self.peer = peer
  }

  var peerText: String { peer.map { "\($0)" } ?? "" }
}

/// A message as it goes out, and when it came among those of all apps.
struct InspectorFrame {
  let bytes: [UInt8]
  let arrival: UInt64
}

extension InspectorMessage.Meaning {
  /// What the network hears of it; nil for what concerns the relay alone.
  var step: GuestStep? {
    switch self {
    case .subscribe: return nil
    case .update(let id, let data): return .update(id: id, data: data.bytes())
    case .log(let message, let name):
      let level = LogLevel(consoleName: name)
      // As from an app's own logger: a level that nobody knows is told in words.
      let mark = level == nil ? "[\(name)] " : ""
      let text = message.string
      return .log(
        level ?? .info, mark + (text ?? message.text()),
        details: text == nil ? message.bytes() : nil)
    }
  }
}
