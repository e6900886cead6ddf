import SurfNetwork

extension HostFacts {
  /// This machine's name, as its apps tell it; nil if it has none, and on loopback, where every app
  /// is on this machine.
  static func own(on interface: String) -> String? {
    let name = current.name
    return interface == "lo" || name.isEmpty ? nil : name
  }
}
