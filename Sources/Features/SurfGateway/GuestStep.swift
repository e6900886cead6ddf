import SurfWire

/// An app that speaks RemoteInspector, as the network hears of it: the gateway announces it in its
/// own name.
package struct GuestAnnouncement: Equatable, Sendable {
  package let instance: InstanceID
  package let app: String
  /// The address that it connected from, nil for the gateway's own machine; and the port there in
  /// place of a process id.
  package let host: String?
  package let port: UInt16
}

/// What a guest said.
package enum GuestStep: Equatable, Sendable {
  /// A new value under an id, in JSON.
  case update(id: String, data: [UInt8])
  /// A line of its log; JSON that came in the place of a text.
  case log(LogLevel, String, details: [UInt8]?)
}
