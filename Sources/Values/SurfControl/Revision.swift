import JSONTree

/// The payload of a revision record: what any command of a viewer did, so that all viewers show the
/// same (Protocol.md §11.6). Apps write it, and the gateway for its guests. Viewers parse it when
/// they look at the record.
package struct Revision: Equatable, Sendable {
  /// A row that is still part of history.
  package struct Item: Equatable, Sendable {
    package var row: UInt64
    package var isSkipped: Bool
    /// The state after the row; nil if viewers have it already.
    package var state: JSON?

    package init(row: UInt64, isSkipped: Bool = false, state: JSON? = nil) {
      self.row = row
      self.isSkipped = isSkipped
      self.state = state
    }
  }

  /// The rows after the command.
  package struct Staging: Equatable, Sendable {
    /// Rows before this one are unchanged.
    package var oldest: UInt64
    /// The state before the first row; nil unless `oldest` is 0.
    package var committed: JSON?
    /// In order. A row from `oldest` on that is missing here is no longer part of history.
    package var items: [Item]
    /// The row whose state the app is in; nil if it is in none of these states.
    package var current: UInt64?

    package init(oldest: UInt64, committed: JSON?, items: [Item], current: UInt64?) {
      self.oldest = oldest
      self.committed = committed
      self.items = items
      self.current = current
    }
  }

  /// Whether the states after a rewrite are the ones that the actions would have led to.
  package enum Replay: Equatable, Sendable {
    /// The app cannot run its actions again. Later rows keep their states.
    case approximate
    /// Every action that ran again gave the same result as before from the same state.
    case exact
    /// The first row whose action gave a different result from the same state. It depends on more
    /// than the state and the action.
    case differs(UInt64)
    /// The first row whose action cannot run again. It kept its state.
    case kept(UInt64)
    /// How many rows the app did not check, because that would have taken too long.
    case unchecked(Int)
  }

  /// The viewer that has exclusive control of the app (Protocol.md §11.9).
  package struct AtWheel: Equatable, Sendable {
    package let viewer: UInt64
    package let name: String

    package init(viewer: UInt64, name: String) {
      self.viewer = viewer
      self.name = name
    }
  }

  /// The command's name on the wire.
  package var command: String
  /// The viewer that sent the command.
  package var viewerName: String
  /// If the command rewrote nothing: `exact` if the app can run its actions again.
  package var replay: Replay
  package var isLocked: Bool
  package var isPaused: Bool
  /// Nil if the rows are unchanged.
  package var staging: Staging?
  /// The app's initial state, in the answer to `describe`.
  package var initial: JSON?
  /// The actions offered for dispatch, in the answer to `describe`.
  package var creators: [ActionSignature]
  /// The viewer in control after a `drive` command, if any.
  package var driver: AtWheel?

  package init(
    command: String, viewerName: String, replay: Replay, isLocked: Bool, isPaused: Bool,
    staging: Staging? = nil, initial: JSON? = nil, creators: [ActionSignature] = [],
    driver: AtWheel? = nil
  ) {
    self.command = command
    self.viewerName = viewerName
    self.replay = replay
    self.isLocked = isLocked
    self.isPaused = isPaused
    self.staging = staging
    self.initial = initial
    self.creators = creators
    self.driver = driver
  }
}

extension Revision {
  /// Parses the payload of a revision record. Unknown members are ignored.
  package init(parsing bytes: [UInt8]) throws(ControlError) {
    let members = Members(of: "revision", try ControlError.parse(bytes))
    command = try members.text("command")
    viewerName = try members.text("viewer")
    replay = try Replay(members)
    isLocked = members.flag("locked") ?? false
    isPaused = members.flag("paused") ?? false
    staging = members["staged"] == nil ? nil : try Staging(members)
    initial = members["initial"]
    creators = try ActionSignature.list(members["creators"])
    if let json = members["driver"] { driver = try AtWheel(Members(of: "driver", json)) }
  }

  package var json: JSON {
    var object = JSONObject([
      .init(key: "command", value: .string(command)),
      .init(key: "viewer", value: .string(viewerName)),
    ])
    replay.write(into: &object)
    object["locked"] = .bool(isLocked)
    object["paused"] = .bool(isPaused)
    if let staging {
      object["oldest"] = .number(staging.oldest)
      object["committed"] = staging.committed
      object["staged"] = .array(staging.items.map(\.json))
      object["current"] = staging.current.map { .number($0) }
    }
    object["initial"] = initial
    if !creators.isEmpty { object["creators"] = .array(creators.map(\.json)) }
    object["driver"] = driver?.json
    return .object(object)
  }
}

extension Revision.Replay {
  fileprivate init(_ members: Members) throws(ControlError) {
    if let row = try members.rowIfPresent("differs") {
      self = .differs(row)
    } else if let row = try members.rowIfPresent("kept") {
      self = .kept(row)
    } else if let count = try members.rowIfPresent("unchecked") {
      self = .unchecked(Int(clamping: count))
    } else {
      self = members.flag("exact") == true ? .exact : .approximate
    }
  }

  package func write(into object: inout JSONObject) {
    object["exact"] = .bool(self == .exact)
    switch self {
    case .approximate, .exact: break
    case .differs(let row): object["differs"] = .number(row)
    case .kept(let row): object["kept"] = .number(row)
    case .unchecked(let count): object["unchecked"] = .number(count)
    }
  }

  /// Why the states may not be the true ones; nil if they are exact.
  package var doubt: String? {
    switch self {
    case .exact: nil
    case .approximate: "approximate: the app cannot run its actions again"
    case .differs(let row): "not exact: row \(row) came out differently when it ran again"
    case .kept(let row): "not exact: row \(row) cannot run again and kept its state"
    case .unchecked(let count):
      "ran again; \(count) \(count == 1 ? "row was" : "rows were") not checked"
    }
  }

  /// The same with its row translated.
  package func map(_ name: (UInt64) -> UInt64) -> Self {
    switch self {
    case .differs(let row): .differs(name(row))
    case .kept(let row): .kept(name(row))
    case .approximate, .exact, .unchecked: self
    }
  }
}

extension Revision.Staging {
  fileprivate init(_ members: Members) throws(ControlError) {
    guard let entries = members["staged"]?.array else {
      throw .member("staged", of: members.word)
    }
    oldest = try members.row("oldest")
    committed = members["committed"]
    current = try members.rowIfPresent("current")
    items = []
    for entry in entries { items.append(try Revision.Item(Members(of: "staged", entry))) }
  }
}

extension Revision.AtWheel {
  fileprivate init(_ members: Members) throws(ControlError) {
    let id = try members.text("viewer")
    guard let viewer = UInt64(id, radix: 16) else { throw .member("viewer", of: members.word) }
    self.init(viewer: viewer, name: try members.text("name"))
  }

  fileprivate var json: JSON {
    let digits = String(viewer, radix: 16)
    let id = String(repeating: "0", count: 16 - digits.count) + digits
    return .object(
      JSONObject([
        .init(key: "viewer", value: .string(id)), .init(key: "name", value: .string(name)),
      ]))
  }
}

extension Revision.Item {
  fileprivate init(_ members: Members) throws(ControlError) {
    self.init(
      row: try members.row("row"), isSkipped: members.flag("skipped") ?? false,
      state: members["state"])
  }

  fileprivate var json: JSON {
    var object = JSONObject([.init(key: "row", value: .number(row))])
    if isSkipped { object["skipped"] = true }
    object["state"] = state
    return .object(object)
  }
}

/// Reads the members of a JSON object by name and type, for commands and revisions.
struct Members {
  /// Names the object in errors.
  let word: String
  let json: JSON

  init(of word: String, _ json: JSON) { (self.word, self.json) = (word, json) }

  subscript(name: String) -> JSON? { json[name] }

  func value(_ name: String) throws(ControlError) -> JSON {
    guard let value = json[name] else { throw .member(name, of: word) }
    return value
  }

  func text(_ name: String) throws(ControlError) -> String {
    guard let text = json[name]?.string else { throw .member(name, of: word) }
    return text
  }

  func flag(_ name: String) -> Bool? { json[name]?.bool }

  /// A row number. Row 0 is the initial state.
  func row(_ name: String) throws(ControlError) -> UInt64 {
    guard let row = try rowIfPresent(name) else { throw .member(name, of: word) }
    return row
  }

  func rowIfPresent(_ name: String) throws(ControlError) -> UInt64? {
    guard let value = json[name] else { return nil }
    guard let row = value.natural else { throw .member(name, of: word) }
    return row
  }
}

extension ControlError {
  static func parse(_ bytes: [UInt8]) throws(ControlError) -> JSON {
    try reading { () throws(JSONError) in try JSON(parsing: bytes) }
  }

  static func reading<Value>(
    _ body: () throws(JSONError) -> Value
  ) throws(ControlError) -> Value {
    do throws(JSONError) {
      return try body()
    } catch {
      throw .syntax(error)
    }
  }
}
