import SurfDelta
import SurfWire

/// Makes whole states and payloads of differences, for records in the order in which a receiver
/// gives them.
///
/// Called when a record is about to be shown and not before: a thousand differences of a large
/// state may come in one datagram, and whoever made them all at once would need room for as many
/// states.
package struct StateMaker: Sendable {
  fileprivate struct Chain: Sendable {
    var record: SequenceNumber = 0
    var content = Content(type: "", bytes: [])
    var payloads = PayloadMemory()
  }

  private var live = Chain()
  private var backlog = Chain()
  /// States and payloads that could not be made: a base was lost, or a difference was wrong.
  package private(set) var failureCount = 0

  package init() {}

  /// Puts a whole state in the place of a difference, and a whole payload; a state that cannot be
  /// made is told as given up, and a payload is left out.
  ///
  /// If nobody else holds the last state, this costs no more than what changes.
  package mutating func resolve(_ record: inout Record, from origin: RecordOrigin) {
    guard record.carriesState else { return }
    let isMade =
      switch origin {
      case .live: live.advance(to: &record)
      case .backlog: backlog.advance(to: &record)
      }
    if !isMade { failureCount += 1 }
  }
}

extension StateMaker.Chain {
  /// - Returns: false if something could not be made.
  fileprivate mutating func advance(to record: inout Record) -> Bool {
    var isMade = true
    switch record.state {
    case .whole(let content):
      self.content = content
      payloads.begin()
    case .difference(let difference):
      guard record.base == self.record, change(by: difference) else {
        // What a payload differs from came with the states that are missed.
        record.replace(payload: record.payloadIsDifference ? nil : record.payload, state: .givenUp)
        return false
      }
      let payload = record.payloadIsDifference ? made(record.payload) : record.payload
      isMade = payload != nil || record.payload == nil
      record.replace(payload: payload, state: .whole(content))
    case .none, .givenUp, .reserved: return true
    }
    self.record = record.sequence
    payloads.keep(record.payload, of: record.sequence)
    return isMade
  }

  private mutating func change(by difference: Content) -> Bool {
    do throws(DifferenceError) {
      let decoded = try Difference(decoding: difference.bytes, sizeMax: Limits.contentSizeMax)
      try decoded.apply(inPlace: &content.bytes)
    } catch {
      return false
    }
    content.type = difference.type
    return true
  }

  private func made(_ difference: Content?) -> Content? {
    guard let difference else { return nil }
    do throws(DifferenceError) {
      let decoded = try Difference(decoding: difference.bytes, sizeMax: Limits.keptPayloadSizeMax)
      guard let base = payloads.payload(of: SequenceNumber(decoded.base)) else { return nil }
      return Content(type: difference.type, bytes: try decoded.apply(to: base.bytes))
    } catch {
      return nil
    }
  }
}
