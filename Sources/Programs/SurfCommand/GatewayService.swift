import SurfGateway
import SurfObserver
import SurfRelay
import SurfStreams
import SurfTerminal

/// The gateway as `statesurf gateway` runs it. Turns command-line options into its configuration,
/// and its notes into lines to print.
struct GatewayService: ServiceCommand {
  private let gateway: Gateway
  private let relays: [RelayAddress]
  /// The gateway's first addresses are for panels. The index is that of RemoteInspector's address.
  private let panelAddressCount: Int
  private let inspectorIndex: Int?
  private let json: Bool
  private let access: GatewayAccess

  /// The gateway's memory limits over all apps and clients, for `statesurf doctor`.
  static let bounds = GatewayLimits.sums.map { MemoryCheck.Bound($0.name, $0.size) }

  init(
    _ options: GatewayOptions, _ network: Observer.Configuration, _ queue: EventQueue
  ) throws(Failure) {
    var configuration = GatewayConfiguration()
    let dials = !options.relays.isEmpty || options.dialsAll || options.relayName != nil
    let listen = options.listen.isEmpty && !dials ? ["127.0.0.1:8000"] : options.listen
    for text in listen { configuration.listen.append(try Self.address(text)) }
    panelAddressCount = configuration.listen.count
    inspectorIndex = try options.inspector.map { text throws(Failure) in
      try Self.serveInspectors(at: text, &configuration)
    }
    for text in options.relays { configuration.relays.append(try Self.relay(text)) }
    configuration.search =
      options.relayName.map { .named($0) } ?? (options.dialsAll ? .all : .none)
    configuration.holdsKey = network.sealing != nil
    access = try GatewayAccess(options, &configuration)
    configuration.hosts = Set(options.hosts.map { $0.lowercased() })
    configuration.origins = Set(options.origins)
    configuration.rowCountMax = options.rowCountMax
    if let type = options.serviceType { configuration.serviceType = type }
    configuration.viewerName = "redux-devtools/\(network.viewerName)"
    relays = configuration.relays
    json = options.json
    do throws(GatewayError) {
      gateway = try Gateway(configuration: configuration, network: network) { [json] note in
        if json { return queue.push(.line(Line(note.json))) }
        if case .unreadable = note { return queue.push(.complaint(note.text)) }
        queue.push(.line(Line(note.text, note.isTrouble ? .caution : .plain)))
      }
    } catch {
      throw Self.failure(error)
    }
  }

  func stop() { gateway.stop() }

  var greeting: [Line] {
    if json { return notes.map { Line($0.json) } }
    var lines: [Line] = []
    for note in notes {
      lines.append(Line(note.text, .good))
      guard case .serving(let address, let token) = note else { continue }
      lines += Self.advice(address, token).map { Line($0) }
    }
    lines += access.warnings(of: gateway.addresses).map { Line($0, .caution) }
    return lines + relays.map { Line("dialling \($0) for each app") }
      + [Line("Ctrl-C ends it.", .dim)]
  }

  private var notes: [GatewayNote] {
    let addresses = gateway.addresses
    return addresses.prefix(panelAddressCount).map { .serving($0, token: access.token(at: $0)) }
      + (inspectorIndex.map { index in
        [.inspecting(addresses[index], token: access.token(at: addresses[index]))]
      } ?? [])
  }

  private static func advice(_ address: TCPAddress, _ token: String?) -> [String] {
    if let token {
      return ["  http://\(address)/#token=\(token) says what to enter in Redux DevTools."]
    }
    return [
      "  In Redux DevTools: Settings, Connection, \"use local (custom) server\",",
      "  host \(address.hostText), port \(address.port), Connect.",
    ]
  }

  /// - Returns: the index of RemoteInspector's address, which may be one of the panels' as well.
  private static func serveInspectors(
    at text: String, _ configuration: inout GatewayConfiguration
  ) throws(Failure) -> Int {
    let isPort = text.utf8.allSatisfy { (0x30...0x39).contains($0) }
    let place = try address(isPort ? "127.0.0.1:\(text)" : text, defaultPort: 8_080)
    configuration.servesInspectors = true
    if let index = configuration.listen.firstIndex(of: place), place.port > 0 { return index }
    configuration.listen.append(place)
    return configuration.listen.count - 1
  }

  private static func address(
    _ text: String, defaultPort: UInt16 = 8_000
  ) throws(Failure) -> TCPAddress {
    if let address = TCPAddress(endpoint: text, defaultPort: defaultPort) { return address }
    throw Failure(
      "'\(text)' is not an address to listen on", meaning: "It must be an address and a port.",
      advice: "127.0.0.1:8000, [::1]:8000, or port 0 for any free one", exitCode: ExitCode.misuse)
  }

  private static func relay(_ text: String) throws(Failure) -> RelayAddress {
    if let relay = RelayAddress(parsing: text) { return relay }
    throw Failure(
      "'\(text)' is not a relay's address", meaning: "The gateway does not speak TLS (wss://).",
      advice: "ws://localhost:8000/socketcluster/ or socketio://localhost:8000",
      exitCode: ExitCode.misuse)
  }

  private static func failure(_ error: GatewayError) -> Failure {
    switch error {
    case .listen(let reason):
      Failure(
        "the gateway cannot listen: \(reason)",
        meaning: "Perhaps another gateway or relay already listens there.",
        advice: "--listen 127.0.0.1:8001, or --connect ws://127.0.0.1:8000 to use that one")
    case .hazard(let hazard): GatewayAccess.failure(hazard)
    case .network(let error): Failure(error)
    }
  }
}
