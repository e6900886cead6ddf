import SurfDiscovery

extension InstanceAdvertisement {
  static let sample = InstanceAdvertisement(
    version: 1, id: 0xABCD, app: "Todo", process: 42, host: "desk", group: "239.255.7.7",
    port: 7070, contentType: "application/json")
}

extension ServiceAdvertisement {
  static let sample = ServiceAdvertisement(name: "Todo", port: 7070, instance: .sample)
}

extension Service {
  static func sample(_ name: String = "Todo") -> Service {
    Service(name: name, type: "_statesurf._udp.", domain: "local.", interface: 2)
  }
}

extension ServiceFailure {
  /// What Avahi says without a daemon.
  static let unknown = ServiceFailure.code(-65537)
}
