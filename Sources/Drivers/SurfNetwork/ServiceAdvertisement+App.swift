import SurfDiscovery
import SurfSeal
import SurfSockets
import SurfWire

extension ServiceAdvertisement {
  /// An app's advertisement. Anybody can read it, so that of a sealed app says little.
  ///
  /// - Parameter ownPort: where the app receives unicast datagrams; `configuration.port` is the
  ///   group's.
  package init(configuration: Broadcaster.Configuration, ownPort: UInt16, interface: UInt32) {
    if let sealing = configuration.sealing {
      self.init(sealing, configuration, ownPort: ownPort, interface: interface)
      return
    }
    let host = configuration.process ?? .current
    // Clipped as in heartbeats.
    let app = configuration.app.clipped(toUTF8: Limits.labelSizeMax)
    let instance = InstanceAdvertisement(
      version: Datagram.version,
      id: UInt128(configuration.instance.high) << 64 | UInt128(configuration.instance.low),
      app: app, process: Int32(truncatingIfNeeded: host.processID), host: host.name,
      group: IPv4.text(configuration.group), port: configuration.port,
      contentType: configuration.contentType, realm: configuration.realm?.name ?? "",
      library: Introduction.libraryVersion)
    self.init(
      name: "\(app)#\(host.processID)", port: ownPort, instance: instance, interface: interface)
  }

  /// Protocol.md §5.1: under a meaningless name.
  private init(
    _ sealing: Sealing, _ configuration: Broadcaster.Configuration, ownPort: UInt16,
    interface: UInt32
  ) {
    let sealed = SealedAdvertisement(
      version: Datagram.version, keyID: sealing.ring.sealingKey.id.description,
      group: IPv4.text(configuration.group), port: configuration.port)
    let name = String(UInt64.random(in: UInt64.max / 2...UInt64.max), radix: 16)
    self.init(name: name, port: ownPort, sealed: sealed, interface: interface)
  }
}
