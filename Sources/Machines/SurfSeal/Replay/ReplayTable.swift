package import SurfWire

/// The replay windows of all senders whose messages an app or a viewer has opened.
///
/// Only messages sealed under the key make entries, even if they are old recordings. An entry may
/// be forgotten after two epochs without a message: the cookies in the messages that it accepted
/// are no longer good then.
package struct ReplayTable: Sendable {
  static let senderCountMax = 1_024
  package static let idleTime: Duration = .seconds(120)

  package enum Verdict: String, Sendable {
    case fresh
    // The other raw values are reasons to drop a message (Protocol.md §15).
    /// Seen before, or too old to tell.
    case replayed
    /// From a new sender, while the table is full of senders that were active recently.
    case busy
  }

  private struct Entry {
    var window = ReplayWindow()
    var newest: Duration
  }

  private struct Place: Hashable {
    let session: SessionID
    let sender: SenderID
  }

  private var entries: [Place: Entry] = [:]
  /// Until then no entry is idle long enough to evict, so there is no need to look.
  private var fullUntil: Duration = .zero

  package init() {}

  /// Judges a message that opened, and remembers its number.
  package mutating func judge(
    _ number: SequenceNumber, of sender: SenderID, in session: SessionID, now: Duration
  ) -> Verdict {
    let place = Place(session: session, sender: sender)
    guard entries[place] != nil || evictIfFull(now) else { return .busy }
    var window = entries[place]?.window ?? ReplayWindow()
    guard window.accept(number) else { return .replayed }
    entries[place] = Entry(window: window, newest: now)
    return .fresh
  }

  private mutating func evictIfFull(_ now: Duration) -> Bool {
    guard entries.count >= Self.senderCountMax else { return true }
    guard now >= fullUntil else { return false }
    entries = entries.filter { now - $0.value.newest < Self.idleTime }
    guard entries.count >= Self.senderCountMax else { return true }
    fullUntil = (entries.values.map(\.newest).min() ?? now) + Self.idleTime
    return false
  }
}

/// Which numbers of one sender have been seen. It accepts each number once, and none that is 256 or
/// more below the greatest.
package struct ReplayWindow: Sendable {
  package static let length = 256

  private var greatest: SequenceNumber = 0
  /// A ring of bits, one for each of the last 256 numbers.
  private var seen = SIMD4<UInt64>.zero

  package init() {}

  /// Accepts the number of a datagram that opened.
  ///
  /// - Returns: false if it was seen, or may have been, or is not valid: 0 or the last number.
  package mutating func accept(_ number: SequenceNumber) -> Bool {
    guard number > 0, number < .max else { return false }
    if greatest < number {
      advance(to: number)
    } else if number.distance(to: greatest) >= WireCount(Self.length) {
      return false
    }
    let (word, bit) = place(of: number)
    guard seen[word] & bit == 0 else { return false }
    seen[word] |= bit
    return true
  }

  /// Clears the bits of the skipped numbers, which so far belong to numbers that are now too old.
  private mutating func advance(to number: SequenceNumber) {
    if greatest.distance(to: number) >= WireCount(Self.length) {
      seen = .zero
    } else {
      for skipped in (greatest.next...number).halfOpen.numbers {
        let (word, bit) = place(of: skipped)
        seen[word] &= ~bit
      }
    }
    greatest = number
  }

  private func place(of number: SequenceNumber) -> (word: Int, bit: UInt64) {
    let place = number.place(inRingOf: Self.length)
    return (place / 64, 1 << UInt64(place % 64))
  }
}

/// The greatest number among an app's heartbeats and goodbyes. An older one arrived late, and no
/// longer matters.
package struct NewestNumber: Sendable {
  private var number: SequenceNumber = 0

  package init() {}

  /// - Returns: whether the number is valid and greater than all before it.
  package mutating func accept(_ next: SequenceNumber) -> Bool {
    guard next > number, next < .max else { return false }
    number = next
    return true
  }
}
