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

/// SplitMix64: the same numbers on every run.
struct SeededGenerator: RandomNumberGenerator {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }
}
