internal import RelayClient
internal import SurfStreams

/// One try to be connected, and what became of it.
struct RelaySession {
  let stream: StreamID
  let address: RelayAddress
  /// When it must be ready.
  let giveUpAt: Duration
  /// Nil until the stream stands.
  var link: RelayLink?
  /// What the relay calls us; nil until frames may be sent.
  var id: String?
  /// Since when.
  var readyAt: Duration?

  var deadline: Duration? {
    let patience = id == nil ? giveUpAt : nil
    return [patience, link?.deadline].compactMap(\.self).min()
  }
}
