import JSONTree

/// How history stands after a viewer rewrote it (Protocol.md §11.6): the payload of a revision
/// record, so that all viewers see the same.
package struct Revision: Equatable, Sendable {
  /// A row that is still part of history.
  package struct Item: Equatable, Sendable {
    package var row: UInt64
    package var isSkipped: Bool
    /// The state after it now, if that differs from the one told last.
    package var state: JSON?

    /// A row, with its new state if it has one.
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
    /// The state that history begins with, if `oldest` is 0 and that state has changed.
    package var committed: JSON?
    /// In order; a row from `oldest` on that is missing here is no longer part of history.
    package var items: [Item]
    /// The row whose state the app is in; nil for the state that history begins with.
    package var current: UInt64?

    /// The rows as they stand.
    package init(oldest: UInt64, committed: JSON?, items: [Item], current: UInt64?) {
      self.oldest = oldest
      self.committed = committed
      self.items = items
      self.current = current
    }
  }

  /// The viewer that drives (Protocol.md §11.9).
  package struct AtWheel: Equatable, Sendable {
    package let viewer: UInt64
    package let name: String

    /// Whoever has this id.
    package init(viewer: UInt64, name: String) {
      self.viewer = viewer
      self.name = name
    }
  }

  /// The command's word.
  package var command: String
  /// The viewer that asked for it.
  package var viewerName: String
  /// Whether the app ran its recorded actions again, rather than take the nearest state.
  package var isExact: Bool
  package var isLocked: Bool
  package var isPaused: Bool
  /// Nil if the rows are unchanged.
  package var staging: Staging?
  /// The state that the app started in, for viewers that ask.
  package var initial: JSON?
  /// The actions offered for dispatch, for viewers that ask.
  package var creators: [ActionSignature]
  /// Who drives, if the command is `drive`; nil for nobody.
  package var driver: AtWheel?

  /// A revision for viewers.
  package init(
    command: String, viewerName: String, isExact: Bool, isLocked: Bool, isPaused: Bool,
    staging: Staging? = nil, initial: JSON? = nil, creators: [ActionSignature] = [],
    driver: AtWheel? = nil
  ) {
    self.command = command
    self.viewerName = viewerName
    self.isExact = isExact
    self.isLocked = isLocked
    self.isPaused = isPaused
    self.staging = staging
    self.initial = initial
    self.creators = creators
    self.driver = driver
  }
}

extension Revision {
  /// Reads a revision record's payload; members that it does not know are ignored.
  package init(parsing bytes: [UInt8]) throws(ControlError) {
    let members = Members(of: "revision", try ControlError.parse(bytes))
    command = try members.text("command")
    viewerName = try members.text("viewer")
    isExact = members.flag("exact") ?? false
    isLocked = members.flag("locked") ?? false
    isPaused = members.flag("paused") ?? false
    staging = members["staged"] == nil ? nil : try Staging(members)
    initial = members["initial"]
    creators = try ActionSignature.list(members["creators"])
    if let json = members["driver"] { driver = try AtWheel(Members(of: "driver", json)) }
  }

  /// The payload.
  package var json: JSON {
    var object = JSONObject([
      .init(key: "command", value: .string(command)),
      .init(key: "viewer", value: .string(viewerName)), .init(key: "exact", value: .bool(isExact)),
      .init(key: "locked", value: .bool(isLocked)), .init(key: "paused", value: .bool(isPaused)),
    ])
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
