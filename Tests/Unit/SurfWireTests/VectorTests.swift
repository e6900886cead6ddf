import SurfWire
import TestSupport
import Testing

private let document = ProtocolDocument.shared

@Suite struct VectorTests {
  @Test func `the files and the code know the same vectors`() {
    let good = TestVector.open.filter { !$0.isRefused }.map(\.name)
    #expect(Set(good) == Set(expected.keys))
    #expect(Set(TestVector.open.map(\.name)).count == TestVector.open.count)
  }

  @Test func `each example in the document is a vector`() {
    let examples = document.examples
    #expect(examples.map(\.name) == ["heartbeat", "record-action"])
    for example in examples {
      let vector = TestVector.open.first { $0.name == example.name }
      #expect(vector?.bytes == example.bytes, "\(example)")
    }
  }

  @Test(arguments: TestVector.open.filter { !$0.isRefused })
  func `a vector decodes to its value`(vector: TestVector) throws {
    let value = try #require(expected[vector.name])
    #expect(try value.decode(vector.bytes) == value)
  }

  @Test(arguments: TestVector.open.filter { !$0.isRefused && !$0.isTolerated })
  func `a value encodes to its vector`(vector: TestVector) throws {
    let value = try #require(expected[vector.name])
    #expect(value.encoded == vector.bytes)
  }

  @Test(arguments: TestVector.open.filter(\.isTolerated))
  func `what is tolerated is not what is sent`(vector: TestVector) throws {
    let value = try #require(expected[vector.name])
    #expect(value.encoded != vector.bytes)
  }

  @Test(arguments: TestVector.open.filter(\.isRefused))
  func `a malformed vector is refused for the reason that it names`(
    vector: TestVector
  ) throws {
    let reason = try #require(try refusal(of: vector))
    #expect(reason == vector.reason)
    #expect(document.rows(section: "15").contains { $0.first == vector.reason })
  }

  /// The row of §15 under which a vector is counted; nil if it decodes.
  private func refusal(of vector: TestVector) throws -> String? {
    do {
      switch vector.sort {
      case .frames: _ = try Frame.decode(vector.bytes)
      case .records: _ = try Record(decoding: vector.bytes)
      case .deltas: _ = try Delta(decoding: vector.bytes, sizeMax: Limits.contentSizeMax)
      default: _ = try Datagram(decoding: vector.bytes)
      }
      return nil
    } catch let error as WireError {
      return error.reason
    } catch let error as DeltaError {
      return switch error {
      case .truncated: "truncated"
      case .beyondLimit: "beyond limit"
      case .invalidBase, .emptyOperation, .numberTooLong, .outsideOfBase, .targetTooLong,
        .targetTooShort, .wrongBase:
        "invalid"
      }
    }
  }

  @Test(arguments: expectedDeltas.keys.sorted())
  func `a delta makes its target of its base`(name: String) throws {
    let sample = try #require(expectedDeltas[name])
    var state = sample.base
    try sample.delta.apply(inPlace: &state)
    #expect(state == sample.target)
    #expect(try sample.delta.apply(to: sample.base) == sample.target)
  }

  @Test(arguments: TestVector.open.filter { !$0.isRefused && !$0.isTolerated })
  func `a cut vector is refused unless its last field runs to the end`(
    vector: TestVector
  ) throws {
    let value = try #require(expected[vector.name])
    let accepted = value.acceptedCuts
    for count in 0..<vector.bytes.count {
      let cut = Array(vector.bytes.prefix(count))
      let decoded = try? value.decode(cut)
      #expect((decoded != nil) == accepted.contains(count), "cut to \(count) octets")
      #expect(decoded == nil || decoded != value)
      // In front of a count stands what says nothing without it.
      let isWithoutCount = value.countCuts.contains(count)
      #expect(decoded == nil || isWithoutCount || decoded?.encoded == cut)
    }
  }
}

extension Expected {
  /// The sizes where a cut leaves the encoded value well-formed. A packet's frames and a reset's
  /// bytes run to the end of their datagram, and a list of frames may end after any.
  fileprivate var acceptedCuts: Set<Int> {
    let size = encoded.count
    switch self {
    case .delta: return []
    case .record(let record): return record.acceptedCuts(of: size)
    case .frames(let frames):
      return Set(frames.indices.map { Array(frames[..<$0]).encoded.count })
    case .datagram(let datagram):
      switch datagram.body {
      case .data: return Set(DataPacket.overhead..<size)
      case .valueReply: return Set(ValueReply.overhead..<size)
      case .reset(let reset):
        guard case .bytes(_, _, _, let bytes) = reset.part else { return [] }
        return Set(size - bytes.count..<size)
      case .heartbeat(let heartbeat):
        return Set(heartbeat.lastLabels.map { size - $0.size })
      // An app that keeps nothing beyond a hole sends no ranges, not even an empty list.
      case .resetProgress(let progress):
        let beforeShare = progress.share == nil ? [] : [size - 2]
        return Set((progress.ahead == nil ? [] : [36]) + beforeShare)
      case .outcome(let outcome): return outcome.digest == nil ? [] : [size - Digest.size]
      default: return []
      }
    }
  }
}

extension Expected {
  /// The cuts within the fields before a record's count and within it, and those behind an empty
  /// label of a heartbeat.
  fileprivate var countCuts: Set<Int> {
    let size = encoded.count
    switch self {
    case .record(let record) where record.count > 1:
      return Set(size - RecordOctets(record).tail.count + 1..<size)
    case .datagram(let datagram):
      guard case .heartbeat(let heartbeat) = datagram.body else { return [] }
      return Set(heartbeat.lastLabels.filter(\.text.isEmpty).map { size - $0.size + 1 })
    default: return []
    }
  }
}

extension Record {
  /// A record may end anywhere in where it grew from and what follows: whatever is cut is missing.
  /// In the vectors, all of that but a count is one octet each.
  fileprivate func acceptedCuts(of size: Int) -> Set<Int> {
    Set(size - RecordOctets(self).tail.count..<size)
  }
}

extension Heartbeat {
  /// The fields that it may end before, each with the octets from there to the end (§7.2).
  fileprivate var lastLabels: [(text: String, size: Int)] {
    let said = introduction
    let own = [realm?.name ?? "", said.version, said.identifier]
    let texts = own + [said.system, said.machine, said.library]
    let last = texts.lastIndex { !$0.isEmpty } ?? -1
    return (0..<last + 1).map { first in
      (texts[first], texts[first...last].reduce(0) { $0 + 1 + $1.utf8.count })
    }
  }
}
