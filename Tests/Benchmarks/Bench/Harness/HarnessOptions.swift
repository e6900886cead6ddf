import Foundation

/// The options that the harness passes to an end, with the harness's own defaults.
struct HarnessOptions {
  private(set) var directory = "/tmp"
  private(set) var interface = "lo"
  private(set) var group = "239.255.77.7"
  private(set) var port: UInt16 = 17_777
  /// Octets of a message with its header.
  private(set) var size = 5_000
  private(set) var count = 1_000
  /// Messages a second; 0 for as many as the transport takes.
  private(set) var rate = 0.0
  private(set) var subscribers = 1
  private(set) var id = 0
  /// Silence after which a subscriber gives up, once all was sent; seconds.
  private(set) var idle = 1.5
  /// The longest that a run may take; seconds.
  private(set) var limit = 30.0
  private var words: [Substring: Substring] = [:]

  /// Unknown names are passed over: the harness has some for other engines.
  init(_ arguments: some Collection<String>) {
    var arguments = Array(arguments)[...]
    while let name = arguments.popFirst(), let value = arguments.popFirst() { set(name, value) }
    size = max(size, Message.sizeMin)
    count = max(count, 0)
  }

  private mutating func set(_ name: String, _ value: String) {
    switch name {
    case "--dir": directory = value
    case "--ifname": interface = value
    case "--group": group = value
    case "--port": port = UInt16(value) ?? port
    case "--size": size = Int(value) ?? size
    case "--count": count = Int(value) ?? count
    case "--rate": rate = Double(value) ?? rate
    case "--subs": subscribers = Int(value) ?? subscribers
    case "--id": id = Int(value) ?? id
    case "--idle": idle = Double(value) ?? idle
    case "--max": limit = Double(value) ?? limit
    case "--opt": words = Self.words(value)
    default: break
    }
  }

  private static func words(_ text: String) -> [Substring: Substring] {
    let pairs = text.split(separator: ",").map { word in
      let parts = word.split(separator: "=", maxSplits: 1)
      return (parts.first ?? "", parts.count > 1 ? parts[1] : "")
    }
    return Dictionary(pairs) { _, last in last }
  }

  /// Octets that change from state to state; nil if only the header does.
  var editSize: Int? { words["edit"].map { Int($0) ?? 1 } }
  /// A file with one state on each line. The publisher sends them in turn, over and over.
  var statesPath: String? { words["states"].map(String.init) }
  var sendsWhole: Bool { words["whole"] != nil }
  /// A file with keys; nil to seal nothing.
  var keyPath: String? { words["key"].map(String.init) }
  var wantsPast: Bool { words["late"] != nil }
  /// The first message that counts for the latency.
  var firstTimed: UInt64 { words["from"].flatMap { UInt64($0) } ?? 1 }
  var wantsStatistics: Bool { words["stats"] != nil }
  var historySize: Int? { words["history"].flatMap { Int($0) } }
  var checksum: Checksum { editSize == nil ? .whole : .blocks }
}
