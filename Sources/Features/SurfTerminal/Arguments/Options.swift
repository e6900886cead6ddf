import SurfNetwork
import SurfSockets
import SurfWire

/// Every option of every subcommand, by its long name.
package enum OptionName: String, CaseIterable, Sendable {
  case instance, interface, group, port, realm
  case viewer = "as"
  case noDNSSD = "no-dnssd"
  case timeout, observe, open, drive
  case json, wait, since
  case duration = "for"
  case untilRecords = "until-records"
  case raw, payload, patch, with
  case level, grep, follow, depth
  case listen, connect, history, auto, browse, inspector
  case serviceType = "type"
  case allowHost = "allow-host"
  case allowOrigin = "allow-origin"
  case tokenFile = "token-file"
  case relayToken = "relay-token"
  case noToken = "no-token"
  case expose
  case first, last, count
  case shown = "show"
  case sequel = "then"
  case filter = "where"
  case states, payloads, columns
  case ambiguousWide = "ambiguous-wide"
  case newestFirst = "newest-first"
  case connectAtLaunch = "connect-at-launch"
  case sources
  case yes
  case help

  package var word: String { rawValue }

  package var spec: OptionSpec {
    switch self {
    case .instance:
      .init(.text("NAME"), "The instance: name, name#pid or id prefix, or @host", short: "i")
    case .interface: .init(.text("NAME"), "Network interface (default: lo)")
    case .group: .init(.address, "Multicast group (default: 239.255.83.83)")
    case .port:
      .init(.number("PORT", Self.ports), "UDP port; probes use the next one (default: 8383)")
    case .realm: .init(.realm, "Only apps of this realm, '*' for all (default: those of none)")
    case .viewer: .init(.text("NAME"), "Your name for other viewers (default: user@host)")
    case .noDNSSD: .init(.none, "Find instances by beacons alone")
    case .timeout: .init(.seconds, "Give up when nothing came for this long (default: 5)")
    case .observe: .init(.none, "Transmit nothing: see only what arrives unasked")
    case .open: .init(.none, "Move open apps, too, although you have a key")
    case .drive:
      .init(.none, "Take the wheel meanwhile, from whoever has it: nobody else can move the app")
    case .json: .init(.none, "One JSON object per line")
    case .wait: .init(.seconds, "Collect instances for this long (default: 1; doctor 1.5)")
    case .since: .init(.number("ROW", 0...UInt64(Int64.max)), "Begin with this row")
    case .first:
      .init(.numberIfAny("COUNT", 1...1_000_000), "Of past rows only the oldest COUNT (default: 1)")
    case .last:
      .init(.numberIfAny("COUNT", 1...1_000_000), "Of past rows only the newest COUNT (default: 1)")
    case .duration: .init(.seconds, "End after this time, whatever comes")
    case .untilRecords: .init(.number("COUNT", 1...UInt64(Int64.max)), "End after COUNT records")
    case .raw: .init(.none, "The unchanged bytes")
    case .payload: .init(.none, "The action's payload, instead of the state")
    case .patch: .init(.none, "An RFC 6902 patch, from the first to the second")
    case .with: .init(.text("NAME"), "Take the second state from this instance")
    case .level: .init(.text("LEVEL"), "Lines of this level and above: \(Self.levelNames)")
    case .grep: .init(.text("TEXT"), "Lines with this text in message or attributes")
    case .follow: .init(.none, "Continue with what is new, until Ctrl-C or --for", short: "f")
    case .depth: .init(.number("LEVELS", 1...100), "How far to open values (default: 2)")
    case .listen:
      .init(.texts("HOST:PORT"), "Serve here; port 0 is any free one (default: 127.0.0.1:8000)")
    case .connect: .init(.texts("URL"), "Dial a relay, ws:// or socketio:// (repeatable)")
    case .history: .init(.number("ROWS", 1...100_000), "Rows to show to a panel (default: 200)")
    case .auto: .init(.none, "Dial every relay that DNS-SD finds")
    case .browse: .init(.text("NAME"), "Dial the relay that DNS-SD knows by this name")
    case .inspector:
      .init(.textIfAny("PORT"), "Serve RemoteInspector too (default: $PORT, else 8080)")
    case .serviceType: .init(.text("TYPE"), "DNS-SD type of relays (default: _reduxdevtools._tcp)")
    case .allowHost: .init(.texts("NAME"), "Answer to this name too (repeatable)")
    case .allowOrigin: .init(.texts("ORIGIN"), "Let in pages of this origin (repeatable)")
    case .tokenFile: .init(.text("FILE"), "Ask all for the token in FILE, which is made if missing")
    case .relayToken: .init(.text("FILE"), "Show the token in FILE to each relay that you name")
    case .noToken: .init(.none, "Ask for no token; for this machine alone")
    case .expose: .init(.none, "Serve and dial other machines even while a key is held")
    case .count: .init(.none, "How many there are, and nothing else")
    case .shown: .init(.text("PATHS"), "With each row what stands at these places: count,user.name")
    case .sequel:
      .init(.text("ACTION"), "Once it is true: back, pause, lock, 'save FILE' or '-- PROGRAM'")
    case .filter: .init(.text("QUERY"), "Only rows that match this query")
    case .states: .init(.none, "With --json: `state`, the state after each row")
    case .columns:
      .init(.text("PATHS"), "A column for each of these places in the state: count,user.name")
    case .payloads: .init(.none, "With --json: `payload`, what came with each row")
    case .ambiguousWide: .init(.none, "Boxes, arrows and Greek letters are two columns wide here")
    case .newestFirst: .init(.none, "List the newest row first")
    case .connectAtLaunch:
      .init(.text("NAME"), "The app to show first; 'none' waits (default: any)")
    case .sources: .init(.text("PATH"), "Folders with sources to open, with colons between them")
    case .yes: .init(.none, "Do not ask whether you are sure")
    case .help: .init(.none, "Show this help", short: "h")
    }
  }

  static let levelNames = LogLevel.allCases.map { "\($0)" }.joined(separator: ", ")

  private static let ports =
    UInt64(NetworkDefaults.ports.lowerBound)...UInt64(NetworkDefaults.ports.upperBound)

  /// Options of commands that move an app.
  static let moving: [OptionName] = [.drive, .open]

  /// Options of every subcommand that uses the network.
  static let network: [OptionName] = [
    .interface, .group, .port, .realm, .viewer, .noDNSSD, .timeout, .help,
  ]

  /// The network options that decide which apps are found.
  static let reach: [OptionName] = [.interface, .group, .port, .realm, .noDNSSD]
}

/// How an option is written, for the parser, the help and the completions.
package struct OptionSpec: Sendable {
  package let short: Character?
  package let value: Value
  package let help: String

  init(_ value: Value, _ help: String, short: Character? = nil) {
    (self.short, self.value, self.help) = (short, value, help)
  }

  /// What follows the option.
  package enum Value: Sendable {
    case none
    case text(String)
    /// Optional.
    case textIfAny(String)
    /// May be given several times.
    case texts(String)
    case number(String, ClosedRange<UInt64>)
    /// Optional: digits that follow.
    case numberIfAny(String, ClosedRange<UInt64>)
    case seconds
    case address
    case realm

    /// Whether something must follow.
    package var isNeeded: Bool {
      switch self {
      case .none, .textIfAny, .numberIfAny: false
      case .text, .texts, .number, .seconds, .address, .realm: true
      }
    }

    package var placeholder: String? {
      switch self {
      case .none: nil
      case .text(let name), .texts(let name), .number(let name, _): name
      case .textIfAny(let name), .numberIfAny(let name, _): "[\(name)]"
      case .seconds: "SECONDS"
      case .address: "ADDRESS"
      case .realm: "NAME"
      }
    }
  }
}

/// An option's value, parsed and within its bounds.
package enum OptionValue: Equatable, Sendable {
  case present
  case text(String)
  case texts([String])
  case number(UInt64)
  case duration(Duration)
  case address(UInt32)
  case realm(RealmFilter)

  /// The words that give another command line the same option.
  func words(after name: OptionName) -> [String] {
    switch self {
    case .present: ["--\(name.word)"]
    case .text(let text): ["--\(name.word)", text]
    case .texts(let texts): texts.flatMap { ["--\(name.word)", $0] }
    case .number(let number): ["--\(name.word)", "\(number)"]
    case .duration(let duration): ["--\(name.word)", "\(duration / .seconds(1))"]
    case .address(let address): ["--\(name.word)", IPv4.text(address)]
    case .realm(let realms): ["--\(name.word)", realms.text]
    }
  }
}
