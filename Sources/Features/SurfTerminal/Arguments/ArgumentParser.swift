import SurfBasics
import SurfObserver
import SurfSockets
import SurfTimeline
import SurfViewer
import SurfWire

/// Parses the command line of `statesurf`, without the program's name, for `Program`. Uses neither
/// files nor the network.
package struct ArgumentParser {
  private var rest: ArraySlice<String>
  private var subcommand: Subcommand?
  private var positionals: [String] = []
  private var options: [OptionName: OptionValue] = [:]
  private var endsOptions = false
  private var topic: Help.Topic?

  /// - Parameters:
  ///   - environment: `STATESURF_INTERFACE`, `_GROUP`, `_PORT` and `_REALM` replace the options
  ///     with these names if those are missing, as in apps.
  ///   - settings: the user's defaults, for options that the environment does not set either.
  ///   - bare: what a command line without a subcommand means; nil for the help.
  /// - Throws: a failure with exit code 64.
  package static func parse(
    _ arguments: [String], environment: [String: String] = [:], settings: SettingsFile? = nil,
    bare: Subcommand? = nil
  ) throws(Failure) -> Invocation {
    var parser = ArgumentParser(rest: arguments[...])
    return try parser.parse(Defaults(environment: environment, file: settings), bare: bare)
  }

  private init(rest: ArraySlice<String>) { self.rest = rest }

  private mutating func parse(
    _ defaults: Defaults, bare: Subcommand?
  ) throws(Failure) -> Invocation {
    while let argument = rest.popFirst() {
      if subcommand == nil, argument == "--version" { return Self.page([Help.version]) }
      try take(argument)
      // Asking for help works, whatever else is wrong with the line.
      if options[.help] != nil || rest.prefix(while: { $0 != "--" }).contains("--help") {
        return Self.page(topic?.lines ?? subcommand.map(Help.page) ?? Help.overview)
      }
    }
    subcommand = subcommand ?? bare
    guard let subcommand else { return Self.page(Help.overview) }
    let given = Set(options.keys)
    try take(defaults)
    let words = Words(
      subcommand: subcommand, positionals: positionals, options: options, given: given)
    return try words.invocation(common)
  }

  private static func page(_ lines: [String]) -> Invocation {
    Invocation(command: Page(lines), common: Invocation.Common())
  }

  private mutating func take(_ argument: String) throws(Failure) {
    if !endsOptions, argument == "--" {
      endsOptions = true
    } else if !endsOptions, argument.hasPrefix("-"), argument != "-", !isNumber(argument) {
      try takeOption(argument)
    } else if subcommand == nil {
      try takeSubcommand(argument)
    } else {
      positionals.append(argument)
    }
  }

  /// Whether a word such as `-1` is in a place for a number: a value, or a row. A row below 0 gets
  /// an error of its own, not that of an unknown option.
  private func isNumber(_ argument: String) -> Bool {
    let places = subcommand?.positionals.dropFirst(positionals.count) ?? []
    let takesNumber =
      subcommand?.takesWords == true || [.row, .count].contains(places.first?.kind)
    return takesNumber && argument.dropFirst().decimalNumber != nil
  }

  private mutating func takeSubcommand(_ word: String) throws(Failure) {
    if word == "help" {
      options[.help] = .present
      guard let topic = rest.first, !topic.hasPrefix("-") else { return }
      subcommand = Subcommand.named(topic)
      self.topic = Help.Topic(rawValue: topic)
      guard subcommand == nil, self.topic == nil else { return }
      let names = Subcommand.listed.map(\.name) + Help.Topic.allCases.map(\.rawValue)
      throw Self.misuse("there is no help on '\(topic)'", nearest(to: topic, in: names), nil)
    }
    guard let found = Subcommand.named(word) else {
      let names = nearest(to: word, in: Subcommand.listed.map(\.name))
      throw Self.misuse("there is no subcommand '\(word)'", names, nil)
    }
    subcommand = found
  }

  private static let indices =
    "An index is a part of the path: todos[0]. From the end, `trace` and queries take todos[-1]."

  private mutating func takeOption(_ argument: String) throws(Failure) {
    let parts = argument.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    let word = String(parts[0])
    guard let name = Self.option(word, of: subcommand) else {
      if subcommand?.positionals.last?.kind == .path, word.dropFirst().allSatisfy(\.isNumber) {
        throw Self.misuse("there is no option '\(word)'", meaning: Self.indices, subcommand)
      }
      // Every short option is near every other one, so only its other case counts.
      let spellings = Self.allowed(for: subcommand).flatMap(Self.spellings)
        .filter { $0.count > 2 || $0.lowercased() == word.lowercased() }
      let names = nearest(to: word, in: spellings)
      throw Self.misuse("there is no option '\(word)'", names, subcommand)
    }
    guard let placeholder = name.spec.value.placeholder else {
      if parts.count > 1 { throw Self.misuse("'\(word)' takes no value", [], subcommand) }
      options[name] = .present
      return
    }
    if !name.spec.value.isNeeded, parts.count == 1, !isValue(rest.first, of: name) {
      options[name] = .present
      return
    }
    guard let text = parts.count > 1 ? String(parts[1]) : rest.popFirst() else {
      throw Self.misuse("'\(word)' needs a value: \(placeholder)", [], subcommand)
    }
    if name == .sequel, text == "--" {
      options[name] = .texts(Array(rest))
      rest = []
      return
    }
    guard let value = Self.read(text, as: name.spec.value) else {
      let wanted = Self.wanted(name.spec.value)
      throw Self.misuse("'\(word)' must be \(wanted), not '\(text)'", [], subcommand)
    }
    if case .texts(let earlier) = options[name], case .texts(let more) = value {
      options[name] = .texts(earlier + more)
    } else {
      options[name] = value
    }
  }

  /// Whether the word behind an option that needs no value is its value.
  private func isValue(_ word: String?, of name: OptionName) -> Bool {
    guard let word, !word.hasPrefix("-") else { return false }
    if case .numberIfAny = name.spec.value { return word.allSatisfy(\.isWholeNumber) }
    return true
  }

  private mutating func take(_ defaults: Defaults) throws(Failure) {
    let allowed = Self.allowed(for: subcommand)
    for name in OptionName.settings where options[name] == nil && allowed.contains(name) {
      guard let found = defaults.find(name) else { continue }
      options[name] = try Self.read(found, as: name, subcommand)
    }
    // A RemoteInspector relay and its front end agree on a port by this variable.
    let port = defaults.environment["PORT"] ?? ""
    if options[.inspector] == .present, !port.isEmpty {
      options[.inspector] = .text(port)
    }
  }

  private var common: Invocation.Common {
    var common = Invocation.Common()
    if case .text(let name) = options[.instance] { common.instance = name }
    if subcommand?.namesInstance == true, common.instance == nil, !positionals.isEmpty {
      common.instance = positionals.first
    }
    if case .text(let name) = options[.interface] { common.interface = name }
    if case .address(let group) = options[.group] { common.group = group }
    if case .number(let port) = options[.port] { common.port = UInt16(port) }
    if case .realm(let realms) = options[.realm] { common.realms = realms }
    if case .text(let name) = options[.viewer] { common.viewerName = name }
    if case .duration(let timeout) = options[.timeout] { common.timeout = timeout }
    common.observes = options[.observe] != nil
    common.movesOpenApps = options[.open] != nil
    common.drives = options[.drive] != nil
    common.browsesDNSSD = options[.noDNSSD] == nil && !common.observes
    return common
  }
}

extension ArgumentParser {
  /// Why `text` is not a valid value of a setting; nil if it is.
  static func complaint(about text: String, as name: OptionName) -> String? {
    if case .none = name.spec.value, Bool(text) != nil { return nil }
    return read(text, as: name.spec.value) == nil ? "must be \(wanted(name.spec.value))" : nil
  }

  static func option(_ word: some StringProtocol, of subcommand: Subcommand?) -> OptionName? {
    allowed(for: subcommand).first { spellings($0).contains(String(word)) }
  }

  /// Before the subcommand, the options that nearly all subcommands share.
  private static func allowed(for subcommand: Subcommand?) -> [OptionName] {
    subcommand?.options ?? [.instance] + OptionName.network
  }

  static func spellings(_ name: OptionName) -> [String] {
    ["--\(name.word)"] + (name.spec.short.map { ["-\($0)"] } ?? [])
  }

  static func misuse(_ what: String, _ meant: [String], _ subcommand: Subcommand?) -> Failure {
    misuse(what, meaning: meant.first.map { "Did you mean '\($0)'?" } ?? "", subcommand)
  }

  static func misuse(_ what: String, meaning: String, _ subcommand: Subcommand?) -> Failure {
    let help = subcommand.map { "statesurf \($0.name) --help" } ?? "statesurf --help"
    return Failure(what, meaning: meaning, advice: help, exitCode: ExitCode.misuse)
  }

  /// Nil if the setting is a flag that is off.
  private static func read(
    _ found: Defaults.Found, as name: OptionName, _ subcommand: Subcommand?
  ) throws(Failure) -> OptionValue? {
    let value = name.spec.value
    if case .none = value, let isOn = Bool(found.text) { return isOn ? .present : nil }
    if let value = read(found.text, as: value) { return value }
    throw misuse("\(found.origin) must be \(wanted(value)), not '\(found.text)'", [], subcommand)
  }

  private static func read(_ text: String, as value: OptionSpec.Value) -> OptionValue? {
    switch value {
    case .none: return nil
    case .text, .textIfAny: return text.isEmpty ? nil : .text(text)
    case .texts: return text.isEmpty ? nil : .texts([text])
    case .number(_, let range), .numberIfAny(_, let range):
      return UInt64(text).flatMap { range.contains($0) ? .number($0) : nil }
    case .seconds:
      // At most a day: a larger number is probably in the wrong unit.
      guard let seconds = text.decimalNumber, (0...86_400).contains(seconds) else { return nil }
      return .duration(.milliseconds(Int64((seconds * 1_000).rounded())))
    case .address:
      return IPv4.parse(text).flatMap { IPv4.isMulticast($0) ? .address($0) : nil }
    case .realm: return realm(text)
    }
  }

  private static func realm(_ text: String) -> OptionValue? {
    do throws(RealmError) {
      return .realm(try RealmFilter(text))
    } catch {
      return nil
    }
  }

  private static func wanted(_ value: OptionSpec.Value) -> String {
    switch value {
    case .none: "true or false"
    case .text("PATHS"): "paths such as count,user.name"
    case .text(let name), .textIfAny(let name): "a \(name.lowercased())"
    case .texts: "a name"
    case .number(_, let range), .numberIfAny(_, let range):
      "a number from \(range.lowerBound) to \(range.upperBound)"
    case .seconds: "a number of seconds"
    case .address: "a multicast address such as 239.255.83.83"
    case .realm: "\(Realm.rule), or '\(RealmFilter.everything)' for all"
    }
  }
}
