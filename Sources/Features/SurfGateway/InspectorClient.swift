import JSONTree
import RemoteInspector
import SurfStreams
import SurfWire

/// One client of `InspectorRelay`: an app, a front end, or both.
struct InspectorClient {
  let name: String
  let peer: TCPAddress?
  /// Whether it has subscribed, and receives every message.
  var isFrontEnd = false
  /// The latest values that it sent, if it is an app.
  var values = LiveValues<InspectorFrame>()
  var standing = Standing.unheard
  /// Kinds of faults that have been reported to a person.
  var toldFaults: Set<String> = []

  /// Whether the network of apps knows it.
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

/// An encoded message, and its place in the order of arrival over all apps.
struct InspectorFrame {
  let bytes: [UInt8]
  let arrival: UInt64
}

extension InspectorMessage.Meaning {
  /// The step to record on the network; nil if the message concerns the relay alone.
  var step: GuestStep? {
    switch self {
    case .subscribe: return nil
    case .update(let id, let data): return .update(id: id, data: data.bytes())
    case .log(let message, let name):
      let level = LogLevel(consoleName: name)
      // As with an app's own logger, an unknown level becomes part of the text.
      let mark = level == nil ? "[\(name)] " : ""
      let text = message.string
      return .log(
        level ?? .info, mark + (text ?? message.text()),
        details: text == nil ? message.bytes() : nil)
    }
  }
}
