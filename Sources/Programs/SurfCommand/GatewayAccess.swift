import SurfGateway
import SurfStreams
import SurfTerminal

/// The access rules of `statesurf gateway`: who needs which token, and what to warn the user of.
struct GatewayAccess {
  private let configuration: GatewayConfiguration

  /// Puts the rules and tokens into `configuration`. Reads or creates the token that clients must
  /// show, if any must, and reads the token for relays.
  ///
  /// - Parameter configuration: already contains addresses, relays, and whether there is a key.
  init(
    _ options: GatewayOptions, _ configuration: inout GatewayConfiguration
  ) throws(Failure) {
    if options.tokenFile != nil { configuration.tokenRule = .everywhere }
    if options.needsNoToken { configuration.tokenRule = .nowhere }
    configuration.servesOthersWithKey = options.isExposed
    // Before a token file is created.
    if let hazard = configuration.hazard { throw Self.failure(hazard) }
    if configuration.listen.contains(where: configuration.needsToken) {
      configuration.token = try Self.token(options.tokenFile)
    }
    if let path = options.relayToken {
      let token = try Self.read(TokenFile(path: path), isMade: false)
      configuration.relayToken = token
      for index in configuration.relays.indices { configuration.relays[index].token = token.text }
    }
    self.configuration = configuration
  }

  /// The token that clients must show at `address`; nil if they need none.
  func token(at address: TCPAddress) -> String? {
    configuration.needsToken(at: address) ? configuration.token?.text : nil
  }

  func warnings(of addresses: [TCPAddress]) -> [String] {
    let open = addresses.filter { !$0.isLoopback }.map {
      "Anybody who can reach \($0) and has the token can see and set every state;"
        + " nothing is encrypted."
    }
    guard configuration.tokenRule == .nowhere else { return open }
    return ["Every user of this machine can see and set every state: no token is asked for."]
  }

  private static func token(_ path: String?) throws(Failure) -> AccessToken {
    guard let path else {
      do {
        return try .random()
      } catch {
        throw Failure("there is no token: \(error)")
      }
    }
    return try read(TokenFile(path: path), isMade: true)
  }

  private static func read(_ file: TokenFile, isMade: Bool) throws(Failure) -> AccessToken {
    do throws(TokenFileError) {
      return try file.token(isMade: isMade)
    } catch {
      throw Failure("\(error)", advice: error.fix)
    }
  }

  private static let inTheClear = "What the key seals would leave this machine in the clear."

  static func failure(_ hazard: GatewayHazard) -> Failure {
    switch hazard {
    case .noToken(let address):
      Failure(
        "'--no-token' is for this machine alone, and \(address) is for others",
        meaning: "Anyone who reaches it could see and set every state.",
        advice: "without --no-token, or --listen 127.0.0.1:\(address.port)",
        exitCode: ExitCode.misuse)
    case .key(let address):
      Failure(
        "a gateway that holds a key serves this machine alone, and \(address) is for others",
        meaning: Self.inTheClear, advice: "--listen \(address) --expose, if it must be so",
        exitCode: ExitCode.misuse)
    case .relay(let relay):
      Failure(
        "a gateway that holds a key serves this machine alone, and \(relay) may be another",
        meaning: Self.inTheClear, advice: "--connect \(relay) --expose, if it must be so",
        exitCode: ExitCode.misuse)
    case .anyRelay:
      Failure(
        "a gateway that holds a key dials no relay that it is told of by DNS-SD",
        meaning: Self.inTheClear, advice: "--connect with its address, or --expose",
        exitCode: ExitCode.misuse)
    }
  }
}
