import JSONTree
import SurfWeb

/// One SocketCluster packet, the content of a WebSocket text message (Relay.md,
/// SocketCluster).
package enum SocketClusterPacket: Hashable, Sendable {
  /// The empty text: ping and pong of version 2.
  case emptyPing
  /// `#1`: ping of version 1.
  case numberedPing
  /// `#2`: pong of version 1.
  case numberedPong
  /// An event; one with a call id (`cid`) expects an answer.
  case event(name: String, data: JSON?, cid: Int?)
  /// The answer to the call `rid`.
  case answer(rid: Int, data: JSON?)
  /// The call `rid` failed.
  case failure(rid: Int, SocketClusterError)
  /// An event whose call id is not a whole number. Only received.
  case misnumbered(name: String)
  /// Anything else. Only received.
  case garbage

  /// The text to send, in the member order of the reference implementation; empty if only received.
  package var text: String {
    switch self {
    case .emptyPing, .misnumbered, .garbage: ""
    case .numberedPing: "#1"
    case .numberedPong: "#2"
    case .event(let name, let data, let cid):
      Self.text(
        ("event", .string(name)), ("data", data), ("cid", cid.map { JSON.number($0) }))
    case .answer(let rid, let data): Self.text(("rid", .number(rid)), ("data", data))
    case .failure(let rid, let error): Self.text(("rid", .number(rid)), ("error", error.json))
    }
  }

  /// A compact object of those members that have a value.
  private static func text(_ members: (key: String, value: JSON?)...) -> String {
    let present = members.compactMap { member in
      member.value.map { JSONObject.Member(key: member.key, value: $0) }
    }
    return JSON.object(JSONObject(present)).text()
  }
}

extension SocketClusterPacket {
  /// Reads the packets of one message, in order. A batch may contain several, or none.
  ///
  /// Never fails: text that is not a packet becomes `garbage`, and does not affect the rest of the
  /// batch. A binary message is read as UTF-8.
  package static func parse(_ message: WebMessage) -> [SocketClusterPacket] {
    switch message {
    case .text(let text): parse(text.utf8)
    case .binary(let bytes): parse(bytes)
    }
  }

  private static func parse(_ bytes: some Collection<UInt8>) -> [SocketClusterPacket] {
    if bytes.isEmpty { return [.emptyPing] }
    if bytes.elementsEqual("#1".utf8) { return [.numberedPing] }
    if bytes.elementsEqual("#2".utf8) { return [.numberedPong] }
    do throws(JSONError) {
      let value = try JSON(parsing: bytes)
      guard let elements = value.array else { return [SocketClusterPacket(value)] }
      return elements.map(SocketClusterPacket.init)
    } catch {
      return [.garbage]
    }
  }

  private init(_ value: JSON) {
    guard let object = value.object else {
      self = .garbage
      return
    }
    if let event = object["event"], event != .null {
      self.init(event: event, in: object)
    } else {
      self.init(answer: object)
    }
  }

  private init(event: JSON, in object: JSONObject) {
    guard let name = event.string else {
      self = .garbage
      return
    }
    switch object["cid"] {
    case nil, .null: self = .event(name: name, data: object["data"], cid: nil)
    case .some(let value):
      self =
        value.wholeNumber.map { .event(name: name, data: object["data"], cid: $0) }
        ?? .misnumbered(name: name)
    }
  }

  private init(answer object: JSONObject) {
    guard let rid = object["rid"]?.wholeNumber else {
      self = .garbage
      return
    }
    switch object["error"] {
    case nil, .null: self = .answer(rid: rid, data: object["data"])
    case .some(let error): self = .failure(rid: rid, SocketClusterError(error))
    }
  }
}
