import SurfBasics
import SurfWire

/// A viewer's request for the app: a state to enter, or a command.
package struct IncomingReset: Equatable, Sendable {
  /// Whether `state` contains a command (Protocol.md §11.5).
  package var isCommand = false
  /// Whether a debugger within the app makes the request, and so waits for no datagram.
  package var isOwn = false
  package var request: UInt64
  package var viewer: ViewerID
  package var viewerName: String
  /// The row that the viewer took the state from.
  package var target: Position
  /// The name of the file that the state is from, if any.
  package var fileName: String?
  /// Nil for the initial state; never empty.
  package var state: Content?

  package init(
    request: UInt64, viewer: ViewerID, viewerName: String, target: Position, state: Content?,
    isCommand: Bool = false
  ) {
    self.isCommand = isCommand
    self.request = request
    self.viewer = viewer
    self.viewerName = viewerName
    self.target = target
    self.state = state?.bytes.isEmpty == true ? nil : state
  }
}

extension IncomingReset {
  /// Where the app is after the reset. Without a state, that is the initial position, whatever row
  /// the viewer named.
  package var position: Position {
    switch (target, state) {
    case (_, nil): .initial
    case (.initial, _?): .elsewhere
    case (let target, _?): target
    }
  }
}

/// The octets of a state whose pieces arrive, with and without a gap before them (Protocol.md
/// §11.2). Memory grows with the octets received, not with those announced.
struct ResetPieces: Sendable {
  private(set) var contiguous: [UInt8] = []
  /// By offset.
  private var ahead: [Int: [UInt8]] = [:]

  var size: Int { ahead.values.reduce(contiguous.count) { $0 + $1.count } }

  /// Ranges beyond a gap, in rising order and never touching.
  var ranges: [Range<Int>] {
    var ranges: [Range<Int>] = []
    for (offset, bytes) in ahead.inOrder({ $0.key < $1.key }) {
      let end = offset + bytes.count
      if let last = ranges.last, offset <= last.upperBound {
        ranges[ranges.count - 1] = last.lowerBound..<max(last.upperBound, end)
      } else {
        ranges.append(offset..<end)
      }
    }
    return ranges
  }

  mutating func keep(_ bytes: [UInt8], at offset: Int) {
    guard offset > contiguous.count else {
      append(bytes, at: offset)
      while let next = ahead.keys.min(), next <= contiguous.count {
        append(ahead.removeValue(forKey: next) ?? [], at: next)
      }
      return
    }
    guard bytes.count > ahead[offset]?.count ?? 0 else { return }
    ahead[offset] = bytes
    // After a restart, a viewer sends from the first gap on. Old pieces far ahead must not keep
    // newer ones out.
    if ahead.count > Limits.aheadPieceCountMax, let farthest = ahead.keys.max() {
      ahead[farthest] = nil
    }
  }

  /// Octets that are here already stay unchanged.
  private mutating func append(_ bytes: [UInt8], at offset: Int) {
    contiguous += bytes.dropFirst(contiguous.count - offset)
  }
}

/// A state as a delta from one that the app has sent (Protocol.md §11.8).
package struct ResetDelta: Equatable, Sendable {
  /// Why the state cannot be made.
  enum Failure: Error {
    case unavailable
    /// The delta or its digest cannot be read, or the result is not the viewer's state.
    case mismatch
  }

  private let delta: Delta
  /// The digest of the viewer's state.
  package let digest: Digest

  package init(_ delta: Delta, digest: Digest) {
    self.delta = delta
    self.digest = digest
  }

  init(decoding bytes: [UInt8]) throws(Failure) {
    do throws(WireError) {
      digest = try Digest(leading: bytes)
    } catch {
      throw .mismatch
    }
    do throws(DeltaError) {
      delta = try Delta(
        decoding: Array(bytes.dropFirst(Digest.size)), sizeMax: Limits.contentSizeMax)
    } catch {
      throw .mismatch
    }
  }

  package var encoded: [UInt8] { digest.encoded + delta.encoded() }

  /// Makes the viewer's state.
  ///
  /// - Parameter stateOf: the state that the app has sent with a record; nil if it no longer has
  ///   it.
  func state(
    of type: String, key: DigestKey, from stateOf: (SequenceNumber) -> Content?
  ) throws(Failure) -> Content {
    guard var state = stateOf(delta.base) else { throw .unavailable }
    do throws(DeltaError) {
      try delta.apply(inPlace: &state.bytes)
    } catch {
      throw .mismatch
    }
    state.type = type
    guard Digest(of: state, key: key) == digest else { throw .mismatch }
    return state
  }
}

/// Reads a state from the app's own packets, for `PacketHistory`. A class, because it is rarely
/// made, and Swift would write code to copy it.
final class StateReader {
  enum Progress {
    case unread
    case found(Content)
    /// The record has no state, or these packets do not suffice to make it.
    case absent
  }

  private let wanted: SequenceNumber
  private var decoder = StateDecoder()
  private var records = OwnRecords()

  /// - Parameter wanted: the record with the state.
  init(_ wanted: SequenceNumber) { self.wanted = wanted }

  /// Takes the next packet. The keyframe begins in the first one.
  func read(_ packet: ArraySlice<UInt8>) -> Progress {
    for case .record(let record) in records.items(in: packet) {
      if let end = take(record) { return end }
    }
    return .unread
  }

  func read(_ fragment: FragmentView) -> Progress {
    do throws(WireError) {
      return try records.record(endingWith: fragment).flatMap { take($0) } ?? .unread
    } catch {
      return .absent
    }
  }

  /// Nil if the wanted record comes later.
  private func take(_ record: consuming Record) -> Progress? {
    let taken = decoder.take(&record, leavesState: false)
    guard record.sequence >= wanted else { return nil }
    guard record.sequence == wanted, let content = decoder.content else { return .absent }
    return taken == .nothing || taken == .unmade ? .absent : .found(content)
  }
}
