package import SurfWire

/// The windows of all senders of which an app or a viewer has opened messages.
///
/// Only what was sealed under the key makes entries, now or long ago. What an entry has accepted
/// carries a cookie that is no longer good once the entry is idle for two epochs: then it may be
/// forgotten.
package struct ReplayTable: Sendable {
  static let senderCountMax = 1_024
  static let idleTime: Duration = .seconds(120)

  package enum Verdict: Equatable, Sendable {
    case fresh
    /// It was here, or is too old to tell.
    case replayed
    /// Of a new sender, and the table is full of others that were active just now.
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
  /// Before this no entry is idle for long enough: nobody need look.
  private var fullUntil: Duration = .zero

  package init() {}

  /// Judges a message that has opened, and remembers its number.
  package mutating func judge(
    _ number: SequenceNumber, of sender: SenderID, in session: SessionID, now: Duration
  ) -> Verdict {
    let place = Place(session: session, sender: sender)
    guard entries[place] != nil || makesRoom(now) else { return .busy }
    var window = entries[place]?.window ?? ReplayWindow()
    guard window.accept(number) else { return .replayed }
    entries[place] = Entry(window: window, newest: now)
    return .fresh
  }

  private mutating func makesRoom(_ now: Duration) -> Bool {
    guard entries.count >= Self.senderCountMax else { return true }
    guard now >= fullUntil else { return false }
    entries = entries.filter { now - $0.value.newest < Self.idleTime }
    guard entries.count >= Self.senderCountMax else { return true }
    fullUntil = (entries.values.map(\.newest).min() ?? now) + Self.idleTime
    return false
  }
}

/// Which of a sender's numbers have been here: each passes once, and none that is 256 behind the
/// greatest.
package struct ReplayWindow: Sendable {
  package static let length = 256

  private var greatest: SequenceNumber = 0
  /// A bit for each of the last numbers, at its place in a ring.
  private var seen = SIMD4<UInt64>.zero

  package init() {}

  /// Takes a number whose datagram has opened.
  ///
  /// - Returns: false if it was here, or may have been. 0 and the last number are no message's.
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

  /// The places of the numbers in between are those of numbers that are too old now.
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

/// The greatest number of an app's heartbeats and goodbyes: an older one is none that was delayed
/// and matters.
package struct NewestNumber: Sendable {
  private var number: SequenceNumber = 0

  package init() {}

  /// - Returns: whether the number is greater than all before it, and a message's at all.
  package mutating func accept(_ next: SequenceNumber) -> Bool {
    guard next > number, next < .max else { return false }
    number = next
    return true
  }
}
