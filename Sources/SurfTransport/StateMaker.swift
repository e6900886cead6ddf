import SurfDelta
import SurfWire

/// Makes whole states of differences, for records in the order in which a receiver gives them.
///
/// Called when a record is about to be shown and not before: a thousand differences of a large
/// state may come in one datagram, and whoever made them all at once would need room for as many
/// states.
package struct StateMaker: Sendable {
  fileprivate struct Chain: Sendable {
    var record: UInt64 = 0
    var content = Content(type: "", bytes: [])
  }

  private var live = Chain()
  private var backlog = Chain()
  /// States that could not be made, because a base was lost or a difference was wrong.
  package private(set) var failureCount = 0

  package init() {}

  /// Puts a whole state in the place of a difference; what cannot be made is told as given up.
  ///
  /// If nobody else holds the last state, this costs no more than what changes.
  package mutating func resolve(_ record: inout Record, from origin: RecordOrigin) {
    guard record.carriesState else { return }
    let isMade =
      switch origin {
      case .live: live.advance(to: &record)
      case .backlog: backlog.advance(to: &record)
      }
    if !isMade {
      failureCount += 1
      record.state = .givenUp
    }
  }
}

extension StateMaker.Chain {
  fileprivate mutating func advance(to record: inout Record) -> Bool {
    switch record.state {
    case .whole(let content): self.content = content
    case .difference(let content):
      guard record.base == self.record else { return false }
      do throws(DifferenceError) {
        let difference = try Difference(decoding: content.bytes, sizeMax: Limits.contentSizeMax)
        try difference.apply(inPlace: &self.content.bytes)
      } catch {
        return false
      }
      self.content.type = content.type
      record.state = .whole(self.content)
    case .none, .givenUp, .reserved: return true
    }
    self.record = record.sequence
    return true
  }
}
