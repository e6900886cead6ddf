import SurfNetwork
import SurfWire

extension HostFacts {
  /// This machine's name, as its apps tell it; nil on loopback, where every app is on this machine.
  static func own(on interface: String) -> String? {
    interface == "lo" ? nil : current.name.clipped(toUTF8: Limits.labelSizeMax)
  }
}
