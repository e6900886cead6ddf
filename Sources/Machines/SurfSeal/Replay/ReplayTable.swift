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
