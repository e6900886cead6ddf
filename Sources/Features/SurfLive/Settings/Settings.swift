internal import Glibc
internal import Redaction
package import SurfCipher
package import SurfNetwork
internal import SurfSockets
internal import SurfThreads
package import SurfValues
internal import SurfWire
internal import ValueCoding

/// A configuration with the environment's overrides applied, for `Recorder`.
package struct Settings: Sendable {
  package private(set) var broadcaster: Broadcaster.Configuration
  package let whenFull: TransceiverConfiguration.WhenFull
  /// With the paths that can be read.
  private(set) var thinning: TransceiverConfiguration.Thinning
  package let replayCountMax: Int
  let farewell: Duration
  let sendsDeltas: Bool
  let coder: ValueCoder
  let launchFlag: LaunchFlag?
  /// Holds the lock on the instance's id, if the id is kept.
  private var keptInstance: KeptInstance?
  /// Faults in the configuration, for the log.
  package private(set) var warnings: [String] = []

  /// Nil if the environment says `STATESURF=off`, or if a key cannot be read: data meant to be
  /// sealed must not be sent in the clear.
  ///
  /// - Parameter complain: Receives the reason why nothing is sent.
  package init?(
    name: String, configuration: TransceiverConfiguration, environment: [String: String],
    complain: (KeyFileError) -> Void = Self.complain
  ) {
    if environment["STATESURF"]?.lowercased() == "off" { return nil }
    broadcaster = Broadcaster.Configuration(instance: .random(), app: name)
    whenFull = configuration.whenFull
    thinning = configuration.thinning
    let unreadable = RedactedPaths(thinning.sampled).unreadable
    thinning.sampled.removeAll(where: unreadable.contains)
    replayCountMax = configuration.replayCountMax
    farewell = min(max(.zero, configuration.farewell), .seconds(60))
    sendsDeltas = configuration.sendsDeltas
    launchFlag = LaunchFlag(of: name, environment)
    let redacted = RedactedPaths(configuration.redacted)
    coder =
      ValueCoder(
        configuration.coding == .readable ? .readable : .foundation, redacting: redacted
      ).keepingValues
    warnings += redacted.unreadable.map {
      "redacted path \"\($0)\" cannot be read, so that everything is redacted"
    }
    warnings += unreadable.map { "sampled path \"\($0)\" cannot be read and was ignored" }
    broadcaster.introduction = HostFacts.introduction(
      version: configuration.version, identifier: configuration.identifier)
    broadcaster.acceptsResets = configuration.acceptsResets
    broadcaster.registersDNSSD = configuration.registersDNSSD
    broadcaster.historySizeMax = max(0, configuration.historySizeMax)
    broadcaster.historyAgeMax = max(.zero, configuration.historyAgeMax)
    broadcaster.interface = environment["STATESURF_INTERFACE"] ?? configuration.interface.name
    if configuration.keepsInstance { keepInstance(environment) }
    setGroup(configuration.group, "group")
    setPort("\(configuration.port)", "port")
    if let group = environment["STATESURF_GROUP"] { setGroup(group, "STATESURF_GROUP") }
    if let port = environment["STATESURF_PORT"] { setPort(port, "STATESURF_PORT") }
    setRealm(configuration.realm, "realm")
    if let realm = environment["STATESURF_REALM"] { setRealm(realm, "STATESURF_REALM") }
    do throws(KeyFileError) {
      let keys = try configuration.key.file(environment)?.read()
      broadcaster.sealing = keys.map { Sealing($0.ring, makeCipher: Ciphers.maker) }
    } catch {
      complain(error)
      return nil
    }
  }

  /// What this process has reported already: lines about keys, and apps without a network.
  /// Transceivers usually share a key, and so its faults.
  private static let reported = Monitor<Set<String>>([])

  /// The line to print for an error; nil if an earlier call has returned it.
  package static func news(_ error: KeyFileError) -> String? {
    let words = complaint(error)
    return reported.withLock { $0.insert(words).inserted } ? words : nil
  }

  /// Prints the error on standard error, once. There is no viewer yet that could show it.
  package static func complain(_ error: KeyFileError) {
    if let words = news(error) { complain(words) }
  }

  /// Prints that an app has no network, once per app. No viewer can show it.
  static func complain(noNetworkFor app: String, _ problem: String) {
    let words = oneLine(
      "StateSurf: no viewer can see \(app): \(problem); StateSurf tries again every second;"
        + " try: statesurf doctor")
    if reported.withLock({ $0.insert("\(app) without a network").inserted }) { complain(words) }
  }

  static func complain(_ words: String) {
    let line = words + "\n"
    _ = Array(line.utf8).withUnsafeBytes { write(STDERR_FILENO, $0.baseAddress, $0.count) }
  }

  /// One line, whatever characters the file's name contains.
  package static func complaint(_ error: KeyFileError) -> String {
    oneLine("StateSurf sends nothing: \(error); try: \(error.fix)")
  }

  /// The reminder for a program that recorded and never called `resume()`.
  static func reminder(of name: String) -> String {
    oneLine(
      "StateSurf: \(name) recorded, but resume() was never called, so that no viewer saw it;"
        + " try: transceiver.resume()")
  }

  private static func oneLine(_ words: String) -> String {
    let scalars = words.unicodeScalars.map { scalar in
      scalar.properties.generalCategory == .control ? "?" : scalar
    }
    return String(String.UnicodeScalarView(scalars))
  }

  private mutating func keepInstance(_ environment: [String: String]) {
    guard let directory = KeptInstance.directory(environment) else {
      warnings.append("HOME is not set, so that no instance id can be kept")
      return
    }
    do throws(KeptInstance.Fault) {
      let kept = try KeptInstance(
        of: broadcaster.app, in: directory, or: broadcaster.instance)
      broadcaster.instance = kept.instance
      keptInstance = kept
    } catch {
      warnings.append(error.description)
    }
  }

  private mutating func setGroup(_ text: String, _ origin: String) {
    if let group = IPv4.parse(text), IPv4.isMulticast(group) {
      broadcaster.group = group
    } else {
      warnings.append("\(origin) \"\(text)\" is no IPv4 multicast address and was ignored")
    }
  }

  private mutating func setRealm(_ text: String, _ origin: String) {
    guard !text.isEmpty else { return }
    do throws(RealmError) {
      broadcaster.realm = try Realm(text)
    } catch {
      warnings.append(
        "\(origin) \"\(text)\" is no realm and was ignored: a realm is \(Realm.rule), and not"
          + " '\(RealmFilter.everything)', which stands for all")
    }
  }

  private mutating func setPort(_ text: String, _ origin: String) {
    let ports = NetworkDefaults.ports
    if let port = Int(text).flatMap(UInt16.init(exactly:)), ports.contains(port) {
      broadcaster.port = port
    } else {
      warnings.append(
        "\(origin) \"\(text)\" is no UDP port from \(ports.lowerBound) to \(ports.upperBound)"
          + " and was ignored")
    }
  }
}

extension InstanceID {
  static func random() -> InstanceID {
    InstanceID(high: .random(in: 0 ... .max), low: .random(in: 0 ... .max))
  }
}

extension TransceiverConfiguration.Key {
  /// Nil for no key.
  fileprivate func file(_ environment: [String: String]) -> KeyFile? {
    guard environment[KeyFile.variable]?.isEmpty ?? true else {
      return KeyFile(environment: environment)
    }
    return switch self {
    case .usual: KeyFile(environment: environment)
    case .file(let path): KeyFile(path: path)
    case .off: nil
    }
  }
}

extension TransceiverConfiguration.Interface {
  fileprivate var name: String {
    switch self {
    case .loopback: "lo"
    case .lan(let name): name
    }
  }
}
