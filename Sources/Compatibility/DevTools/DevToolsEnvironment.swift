public import Foundation
internal import JSONTree
public import MirrorJSON
// An app has `Redacted` from the module that it imports.
@_exported public import Redaction
internal import ValueCoding

/// How `DevTools` connects, and how it writes actions and states.
public struct DevToolsEnvironment: Sendable {
  /// The usual service type of relays.
  public static let defaultServiceType = "_reduxdevtools._tcp."
  /// The bytes of JSON that the history may hold.
  public static let historySizeMax = 8 << 20

  /// The app's key in the list of the panel.
  public var instanceId: String
  /// What the panel calls the app; nil for `instanceId`.
  public var instanceName: String?
  /// How many actions are kept to travel to, at least one.
  public var maxHistorySize: Int
  /// The service type to browse for.
  public var bonjourServiceType: String
  /// An action as JSON; called on a thread of `DevTools`.
  public var encodeAction: @Sendable (Any) -> String
  /// A state as JSON; called on a thread of `DevTools`.
  public var encodeState: @Sendable (Any?) -> String
  /// A state from JSON, or nil if the JSON is not a state; no time travel without this closure.
  public var decodeState: (@Sendable (String) -> Any?)?
  /// What never leaves the process: paths in states and actions, such as `user.password`,
  /// `users.*.token`, `**.password` at any depth, or `$` for all. A panel shows a mark there, and
  /// what it imports keeps the app's own value.
  ///
  /// If a path cannot be read, or what the closures write is not JSON, all of it is redacted.
  /// `Redacted` does the same for a property, but not in what closures of the app's own write: they
  /// need `markingEncoder`, or a path beside it.
  public var redacted: [String] = [] { didSet { paths = RedactedPaths(redacted) } }
  /// The protocol of the relay.
  public var transport: DevToolsTransport
  /// What `DevToolsAction.activate` does.
  public var connectionMode: ConnectionMode
  /// The token that `statesurf gateway` asks for at an address that others reach. Every relay that
  /// the app connects to is shown it, unencrypted; nil for none.
  public var token: String?

  private var paths = RedactedPaths([])
  /// A state as JSON without marks, for what it keeps; nil to ask `encodeState`.
  private var encodeClearly: (@Sendable (Any?) -> String?)?
  /// The wait after the first failure; it doubles with each, up to 30 s.
  package var retryDelay = Duration.seconds(1)
  /// How long a service may take to be resolved.
  package var resolvePatience = Duration.seconds(5)
  /// The bytes of JSON that the history may hold.
  package var historySizeMax = Self.historySizeMax
  package var browser: any RelayBrowser = SystemRelayBrowser()

  /// The environment of an app whose states need no conformance: they are shown, and there is no
  /// time travel unless `decodeState` is given.
  public static func live(
    instanceId: String = executableName, instanceName: String? = nil, maxHistorySize: Int = 200,
    bonjourServiceType: String = defaultServiceType,
    encodeAction: @escaping @Sendable (Any) -> String = { MirrorJSON.encode($0) },
    encodeState: @escaping @Sendable (Any?) -> String = { MirrorJSON.encode($0) },
    decodeState: (@Sendable (String) -> Any?)? = nil,
    transport: DevToolsTransport = .socketIO, connectionMode: ConnectionMode = .manual
  ) -> DevToolsEnvironment {
    DevToolsEnvironment(
      instanceId: instanceId, instanceName: instanceName, maxHistorySize: max(1, maxHistorySize),
      bonjourServiceType: bonjourServiceType, encodeAction: encodeAction, encodeState: encodeState,
      decodeState: decodeState, transport: transport, connectionMode: connectionMode)
  }

  /// The environment of an app whose state is `Codable`: time travel needs nothing else.
  public static func live<State: Codable & SendableMetatype>(
    for type: State.Type, instanceId: String = executableName, instanceName: String? = nil,
    maxHistorySize: Int = 200, bonjourServiceType: String = defaultServiceType,
    encodeAction: @escaping @Sendable (Any) -> String = { MirrorJSON.encode($0) },
    transport: DevToolsTransport = .socketIO, connectionMode: ConnectionMode = .manual
  ) -> DevToolsEnvironment {
    var environment = live(
      instanceId: instanceId, instanceName: instanceName, maxHistorySize: maxHistorySize,
      bonjourServiceType: bonjourServiceType, encodeAction: encodeAction,
      encodeState: { text(of: $0 as? State, coder) ?? MirrorJSON.encode($0) },
      decodeState: { value(of: $0) as State? }, transport: transport,
      connectionMode: connectionMode)
    environment.encodeClearly = { text(of: $0 as? State, coder.clear) }
    return environment
  }

  /// Writes marks in the place of what is `Redacted`, for closures `encodeAction` and `encodeState`
  /// of the app's own; keys are sorted. What a panel imports cannot have the app's values in the
  /// place of such marks, and is refused there.
  public static var markingEncoder: JSONEncoder {
    let encoder = JSONEncoder()
    encoder.userInfo = RedactionMark.userInfo
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return encoder
  }

  /// The program's name, the default of `instanceId`.
  public static var executableName: String {
    let name = CommandLine.arguments.first.map { URL(fileURLWithPath: $0).lastPathComponent }
    return name.flatMap { $0.isEmpty ? nil : $0 } ?? "app"
  }

  private static let coder = ValueCoder(
    .foundation, escapesSlashes: false, redacting: RedactedPaths([]))

  private static func text(of state: (some Encodable)?, _ coder: ValueCoder) -> String? {
    guard let state else { return nil }
    do {
      return String(decoding: try coder.encode(state), as: UTF8.self)
    } catch {
      return nil
    }
  }

  private static func value<State: Decodable>(of text: String) -> State? {
    do {
      return try coder.decode(State.self, from: Data(text.utf8))
    } catch {
      return nil
    }
  }
}

// What a panel is told, and what the app makes of what it tells.
extension DevToolsEnvironment {
  func told(action: Any) -> String { redact(encodeAction(action)) }
  func told(state: Any?) -> String { redact(encodeState(state)) }

  /// For the app's own state, which a panel is told, too.
  func title(of action: Any) -> String {
    let isTold = paths.isEmpty || JSON(orText: told(action: action)).hasMark == false
    return isTold ? MirrorAction.title(action) : MirrorAction.typePath(action) + "(…)"
  }

  private func redact(_ text: String) -> String {
    guard !paths.isEmpty else { return text }
    do throws(NoJSON) {
      return String(decoding: try paths.redact(foreign: Array(text.utf8)), as: UTF8.self)
    } catch {
      return RedactionMark.text(.string)
    }
  }

  /// A state from a panel with the values of `live` in the place of its marks.
  func filled(_ json: JSON, from live: Any?) throws(UnfilledMark) -> LiveValue {
    guard json.hasMark else { return LiveValue(clear: json, told: json) }
    let text = encodeClearly?(live) ?? encodeState(live)
    let told = JSON(ifValid: Array(told(state: live).utf8))
    return try json.filled(
      from: JSON(ifValid: Array(text.utf8)).map { LiveValue(clear: $0, told: told) })
  }

  /// Refuses a state that tells what was filled in.
  func check(_ state: Any?, madeOf filled: LiveValue) throws(UnfilledMark) {
    guard filled.told?.hasMark == true else { return }
    // What is not JSON is told as a mark.
    try filled.check(in: JSON(ifValid: Array(told(state: state).utf8)) ?? [:])
  }
}

extension DevToolsEnvironment {
  var name: String { instanceName ?? instanceId }

  /// The type to browse for in `mode`: the mode's own, or else the environment's.
  var serviceType: String {
    if case .autoConnect(let type) = connectionMode, !type.isEmpty { return type }
    return bonjourServiceType
  }

  /// Asks the network where a service is, unless that is known already; takes five seconds at most.
  public func resolveService(
    _ service: DiscoveredService
  ) async throws(DevToolsError) -> DiscoveredService {
    if service.host != nil, service.port != nil { return service }
    guard let found = await Resolution.find(service, with: browser, patience: resolvePatience)
    else { throw .couldNotResolveService(service.name) }
    return found
  }
}

/// What `DevToolsAction.activate` does. The app is always the client: it connects to a relay, and a
/// relay never connects to it.
public enum ConnectionMode: Hashable, Sendable {
  /// Nothing: a settings screen dispatches `connect` or `startBrowsing`.
  case manual
  /// Browses by DNS-SD for `serviceType`, and connects to the first relay found.
  case autoConnect(serviceType: String)
  /// Connects at once.
  case connectOnLaunch(host: String, port: UInt16)
  /// Browses; `DevToolsState.discoveredServices` fills, and the user picks one.
  case browseOnLaunch

  /// The usual mode: browses for the environment's own service type.
  public static var autoConnect: ConnectionMode { .autoConnect(serviceType: "") }
}

/// How an app speaks to its relay.
public enum DevToolsTransport: Hashable, Sendable {
  /// Socket.IO v4 over a WebSocket.
  case socketIO
  /// What `@redux-devtools/cli` speaks.
  case socketCluster
}
