internal import SurfBasics
internal import SurfWire

/// The newest record of each live value among the records that were given up. The app may never
/// update such a value again, so `RecordQueue` sends these records after the mark.
///
/// A value that appeared and was removed among them leaves nothing, because no viewer knows it.
struct MissingValues: Sendable {
  /// As many values as an app keeps live (Protocol.md §10.10).
  static let countMax = Limits.valueCountMax
  /// Octets of payloads of known size: half of what may wait in the queue.
  static let sizeMax = Limits.contentSizeMax

  /// The records to send for one name. A removal also removes the names below it, so it stays even
  /// if an update of the same name follows.
  private struct Words: Sendable {
    var removal: Word?
    var update: Word?

    var all: [Word] { [removal, update].compactMap(\.self) }
  }

  /// A class, because the tree and arrays move it around.
  private final class Word: Sendable {
    let place: Int
    let entry: Entry
    var size: Int { entry.facts.payload.size ?? 0 }

    init(_ place: Int, _ entry: consuming Entry) { (self.place, self.entry) = (place, entry) }
  }

  private var names = NameTree<Words>()
  private var size = 0
  private var place = 0

  /// The records to send, in order.
  var newest: [Entry] { words.map(\.entry) }

  private var words: [Word] { names.elements.flatMap(\.all).inOrder { $0.place < $1.place } }

  /// Adds a record that was given up.
  ///
  /// - Parameter told: The values that viewers may know.
  mutating func add(_ entry: consuming Entry, told: borrowing KnownNames) {
    guard let name = entry.valueName, NameTree<Words>.takes(name) else { return }
    place += 1
    keep(Word(place, entry), name, isKnown: told.mayHold(name))
    // Rarely, because it sorts all of them.
    if names.count >= 2 * Self.countMax || size > 2 * Self.sizeMax { forgetOldest() }
  }

  private mutating func keep(_ word: Word, _ name: String, isKnown: Bool) {
    switch word.entry.kind {
    case .update:
      names.update(name) { words in
        size += word.size - (words?.update?.size ?? 0)
        words = Words(removal: words?.removal, update: word)
      }
    default:
      for words in names.cut(name).elements { size -= words.update?.size ?? 0 }
      if isKnown { names.update(name) { $0 = Words(removal: word) } }
    }
  }

  private mutating func forgetOldest() {
    let all = words
    (names, size) = (NameTree(), 0)
    var kept: [Word] = []
    for word in all.reversed() where kept.count < Self.countMax && size <= Self.sizeMax {
      size += word.size
      kept.append(word)
    }
    size = 0
    for word in kept.reversed() {
      guard let name = word.entry.valueName else { continue }
      keep(word, name, isKnown: true)
    }
  }
}

/// The names of values that viewers may know: those queued and not removed since.
struct KnownNames: Sendable {
  /// Octets of names. Beyond this or `countMax`, every name counts as known.
  static let sizeMax = 16 * 1_024 * 1_024
  static let countMax = Limits.valueCountMax

  /// The size of each name.
  private var names = NameTree<Int>()
  private var size = 0
  private var isWhole = true

  /// Every name counts as known.
  static let all = {
    var told = KnownNames()
    told.isWhole = false
    return told
  }()

  /// Whether viewers may know a value with this name, or one below it.
  func mayHold(_ name: String) -> Bool { !isWhole || names.holds(name) }

  mutating func note(_ entry: borrowing Entry) {
    guard isWhole, let name = entry.valueName else { return }
    guard NameTree<Int>.takes(name) else {
      self = .all
      return
    }
    guard entry.kind == .update else {
      size -= names.cut(name).elements.reduce(0, +)
      return
    }
    names.update(name) { known in
      guard known == nil else { return }
      known = name.utf8.count
      size += name.utf8.count
    }
    if names.count > Self.countMax || size > Self.sizeMax { self = .all }
  }
}

extension Entry {
  /// The name of the value that an update or a removal concerns.
  fileprivate var valueName: String? {
    // A comparison would call code of the kind's module, for each record.
    switch kind {
    case .update, .remove: subject.name
    default: nil
    }
  }
}
