public import Foundation
internal import JSONTree
public import MirrorJSON
internal import Redaction
// So that an app gets `Redacted` by importing this module.
@_exported public import SurfValues
internal import ValueCoding

/// An app's settings for `DevTools`: how it connects, and how it encodes actions and states.
public struct DevToolsEnvironment: Sendable {
  /// The usual service type of relays.
  public static let defaultServiceType = "_reduxdevtools._tcp."
  /// The maximum size of the history, in bytes of JSON.
  public static let historySizeMax = 8 << 20

  /// The app's key in the panel's list.
  public var instanceId: String
  /// What the panel calls the app; nil for `instanceId`.
  public var instanceName: String?
  /// The number of actions to keep for time travel, at least one.
  public var maxHistorySize: Int
  /// The service type to browse for.
  public var bonjourServiceType: String
  /// Encodes an action as JSON, on the thread of `DevTools`.
  public var encodeAction: @Sendable (Any) -> String
  /// Encodes a state as JSON, on the thread of `DevTools`.
  public var encodeState: @Sendable (Any?) -> String
  /// Decodes a state from JSON, or returns nil. Without this closure there is no time travel.
  public var decodeState: (@Sendable (String) -> Any?)?
  /// Paths of values in states and actions that never leave the process, such as `user.password`,
  /// `users.*.token`, `**.password` at any depth, or `$` for everything. A panel shows a mark
  /// instead, and a state that it imports keeps the app's own values there.
  ///
  /// If a path cannot be parsed, or a closure does not return JSON, the whole value is redacted.
  /// `Redacted` does the same for a property, but not in the output of the app's own closures,
  /// which need `markingEncoder` or a path as well.
  public var redacted: [String] = [] { didSet { paths = RedactedPaths(redacted) } }
  /// The protocol of the relay.
  public var transport: DevToolsTransport
  /// What `DevToolsAction.activate` does.
  public var connectionMode: ConnectionMode
  /// The token for a `statesurf gateway` at an address that others can reach. The app sends it
  /// unencrypted to every relay that it connects to. Nil for none.
  public var token: String?

  private var paths = RedactedPaths([])
  /// Encodes a state without marks, to fill in redacted values. Nil to use `encodeState`.
  private var encodeClearly: (@Sendable (Any?) -> String?)?
  /// The delay after the first failure. It doubles with each failure, up to 30 s.
  package var retryDelay = Duration.seconds(1)
  /// The timeout for resolving a service.
  package var resolvePatience = Duration.seconds(5)
  package var historySizeMax = Self.historySizeMax
  package var browser: any RelayBrowser = SystemRelayBrowser()

  /// An environment for states of any type. Panels show them, but time travel needs `decodeState`.
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

  /// An environment for `Codable` states, with time travel.
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

  /// Encodes `Redacted` values as marks, with sorted keys, for an app's own `encodeAction` and
  /// `encodeState`. With it, an import cannot take the app's values in place of such marks, so
  /// `DevTools` refuses an imported state that has any.
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

// Redacts what a panel gets, and fills in what it sends back.
extension DevToolsEnvironment {
  func told(action: Any) -> String { redact(encodeAction(action)) }
  func told(state: Any?) -> String { redact(encodeState(state)) }

  /// The action's title for `DevToolsState.rejection`, which panels see as well. Leaves the values
  /// out if any is redacted.
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

  /// A panel's state, with the values of `live` in place of the marks.
  func filled(_ json: JSON, from live: Any?) throws(UnfilledMark) -> AppValue {
    guard json.hasMark else { return AppValue(clear: json, told: json) }
    let text = encodeClearly?(live) ?? encodeState(live)
    let told = JSON(ifValid: Array(told(state: live).utf8))
    return try json.filled(
      from: JSON(ifValid: Array(text.utf8)).map { AppValue(clear: $0, told: told) })
  }

  /// Throws if encoding the state for a panel would reveal a value that was filled in.
  func check(_ state: Any?, madeOf filled: AppValue) throws(UnfilledMark) {
    guard filled.told?.hasMark == true else { return }
    // Text that is not JSON is reported as a mark.
    try filled.check(in: JSON(ifValid: Array(told(state: state).utf8)) ?? [:])
  }
}

extension DevToolsEnvironment {
  var name: String { instanceName ?? instanceId }

  /// The service type to browse for: the connection mode's, or else the environment's.
  var serviceType: String {
    if case .autoConnect(let type) = connectionMode, !type.isEmpty { return type }
    return bonjourServiceType
  }

  /// Resolves a service unless it is resolved already. Takes five seconds at most.
  public func resolveService(
    _ service: DiscoveredService
  ) async throws(DevToolsError) -> DiscoveredService {
    if service.isResolved { return service }
    guard let found = await Resolution.find(service, with: browser, patience: resolvePatience)
    else { throw .couldNotResolveService(service.name) }
    return found
  }
}

/// What `DevToolsAction.activate` does. The app always connects to a relay, never the reverse.
public enum ConnectionMode: Hashable, Sendable {
  /// Does nothing: a settings screen dispatches `connect` or `startBrowsing`.
  case manual
  /// Browses by DNS-SD for `serviceType`, and connects to the first relay found.
  case autoConnect(serviceType: String)
  /// Connects immediately.
  case connectOnLaunch(host: String, port: UInt16)
  /// Browses, so that the user can pick one of `DevToolsState.discoveredServices`.
  case browseOnLaunch

  /// Browses for the environment's service type.
  public static var autoConnect: ConnectionMode { .autoConnect(serviceType: "") }
}

/// The protocol between the app and its relay.
public enum DevToolsTransport: Hashable, Sendable {
  /// Socket.IO v4 over a WebSocket.
  case socketIO
  /// SocketCluster, which `@redux-devtools/cli` uses.
  case socketCluster
}

/// Resolves one service by DNS-SD, for `DevToolsEnvironment.resolveService`.
enum Resolution {
  /// The service with its host and port. Nil if it did not answer within `patience`.
  static func find(
    _ service: DiscoveredService, with browser: any RelayBrowser, patience: Duration
  ) async -> DiscoveredService? {
    let (sightings, continuation) = AsyncStream.makeStream(of: RelaySighting.self)
    let browse = browser.browse(service.type) { continuation.yield($0) }
    defer { withExtendedLifetime(browse) {} }
    let timer = Task {
      // Only cancellation interrupts the sleep, and then nobody waits any more.
      do { try await Task.sleep(for: patience) } catch {}
      continuation.finish()
    }
    defer { timer.cancel() }
    for await sighting in sightings {
      if case .found(let found) = sighting, found.id == service.id, found.isResolved {
        return found
      }
    }
    return nil
  }
}
