/// A service as the daemon names it. The daemon reports one for each interface that it is seen on.
package struct Service: Hashable, Sendable {
  /// The instance name from the daemon (renamed, if it clashed).
  package let name: String
  /// The service type, `_statesurf._udp.`.
  package let type: String
  /// The domain, `local.`.
  package let domain: String
  /// The index of the interface where it was seen.
  package let interface: UInt32

  package init(name: String, type: String, domain: String, interface: UInt32) {
    self.name = name
    self.type = type
    self.domain = domain
    self.interface = interface
  }

  /// The service type of every instance.
  package static let type = "_statesurf._udp"
}

/// A resolved instance: where it is, and its record.
package struct ResolvedService: Hashable, Sendable {
  package let service: Service
  /// The DNS name of its machine, `name.local.`, without an address.
  package let hostTarget: String
  /// The UDP port it was registered with.
  package let port: UInt16
  package let instance: InstanceAdvertisement

  package init(
    service: Service, hostTarget: String, port: UInt16, instance: InstanceAdvertisement
  ) {
    self.service = service
    self.hostTarget = hostTarget
    self.port = port
    self.instance = instance
  }
}

/// A resolved service of another type: where it is, and its record.
package struct LocatedService: Equatable, Sendable {
  package let service: Service
  /// The DNS name of its machine, `name.local.`
  package let hostTarget: String
  package let port: UInt16
  /// An IPv4 address of that machine, such as `10.0.0.7`; nil if the daemon had none in time.
  package let address: String?
  /// The service's record; empty if it is invalid.
  package let record: TXTRecord

  /// What to connect to: the address, or else the name for the system's resolver, without the final
  /// dot.
  package var host: String {
    address ?? (hostTarget.hasSuffix(".") ? String(hostTarget.dropLast()) : hostTarget)
  }
}

/// A service that an app or a gateway registers.
package struct ServiceAdvertisement: Hashable, Sendable {
  /// A DNS label (RFC 6763 §4.1.1).
  static let nameByteCountMax = 63

  /// At most 63 bytes of UTF-8, without control characters, never empty.
  package let name: String
  package let port: UInt16
  /// For example `_statesurf._udp`.
  package let type: String
  package let contents: Contents
  /// The index of the only interface to register on; 0 for all that the daemon serves.
  package let interface: UInt32

  /// The content of the TXT record.
  package indirect enum Contents: Hashable, Sendable {
    case instance(InstanceAdvertisement)
    case sealed(SealedAdvertisement)
    /// For a type without a record.
    case nothing

    /// Encoded for the daemon.
    var octets: [UInt8] {
      get throws(TXTRecordError) {
        switch self {
        case .instance(let instance): try instance.record().encoded
        case .sealed(let sealed): try sealed.record().encoded
        case .nothing: [0]
        }
      }
    }
  }

  /// Advertises a sealed app.
  package init(name: String, port: UInt16, sealed: SealedAdvertisement, interface: UInt32 = 0) {
    self.init(
      name: name, type: Service.type, port: port, contents: .sealed(sealed), interface: interface)
  }

  /// Advertises `instance`. The name loses its control characters, and is clipped between
  /// characters to fit a label (RFC 6763 §4.1.1). An empty one becomes "instance".
  package init(
    name: String, port: UInt16, instance: InstanceAdvertisement, interface: UInt32 = 0
  ) {
    self.init(
      name: name, type: Service.type, port: port, contents: .instance(instance),
      interface: interface)
  }

  /// Advertises a service of another type, with an empty record.
  package init(name: String, type: String, port: UInt16, interface: UInt32 = 0) {
    self.init(name: name, type: type, port: port, contents: .nothing, interface: interface)
  }

  private init(
    name: String, type: String, port: UInt16, contents: Contents, interface: UInt32
  ) {
    let printable = String(
      name.unicodeScalars.prefix(1024).filter { $0.value >= 0x20 && $0.value != 0x7F })
    let label = printable.prefix(byteCountMax: Self.nameByteCountMax)
    self.name = label.isEmpty ? "instance" : label
    self.type = type
    self.port = port
    self.contents = contents
    self.interface = interface
  }
}

extension ServiceAdvertisement {
  /// The name after `clashes` names were in use: "name", "name #2", "name #3" …, as Avahi does it.
  func name(clashes: Int) -> String {
    guard clashes > 0 else { return name }
    let suffix = " #\(clashes + 1)"
    return name.prefix(byteCountMax: Self.nameByteCountMax - suffix.utf8.count) + suffix
  }
}

/// An operation that a `DiscoveryAgent` keeps alive across restarts of the daemon.
package indirect enum DiscoveryGoal: Equatable, Sendable {
  case advertise(ServiceAdvertisement)
  /// Browse on one interface, or on all with 0.
  case browse(interface: UInt32, type: String = Service.type)
}

/// The TXT record of a sealed app: where to listen, and which key it uses. Viewers with the key
/// learn the rest from the app itself.
package struct SealedAdvertisement: Hashable, Sendable {
  /// The version of the wire protocol, `v`.
  package var version: UInt8
  /// The id of the key, `key`: two hexadecimal digits.
  package var keyID: String
  /// The multicast group of the stream, `grp`: a numeric IPv4 or IPv6 address.
  package var group: String
  /// The UDP port of the stream, `port`.
  package var port: UInt16

  package init(version: UInt8, keyID: String, group: String, port: UInt16) {
    (self.version, self.keyID, self.group, self.port) = (version, keyID, group, port)
  }

  /// Viewers that look for instances ignore it, because it describes none.
  package func record() throws(TXTRecordError) -> TXTRecord {
    var record = TXTRecord()
    let values = [
      ("v", String(version)), ("key", keyID), ("grp", group), ("port", String(port)),
    ]
    for (key, value) in values { try record.append(key, value) }
    return record
  }
}
