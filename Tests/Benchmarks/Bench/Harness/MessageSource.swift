import Foundation
import SurfTransport
import TestSupport

/// Makes the publisher's messages: copies of one text, or, with edits, each the one before it with
/// some octets changed, or the states of a session.
struct MessageSource {
  private let editSize: Int?
  private var latest: [UInt8]
  private var payloadSum: UInt64
  /// The same places in every run.
  private var random = SeededGenerator(seed: 42)

  /// Of a session: each with room for a header in front.
  private let states: [[UInt8]]
  private let checksum: Checksum

  init(_ options: HarnessOptions) {
    checksum = options.checksum
    states = (options.statesPath.flatMap(FileManager.default.contents(atPath:)) ?? Data())
      .split(separator: UInt8(ascii: "\n"))
      .map { [UInt8](repeating: 0, count: Message.headerSize) + $0 }
    let latest = states.first ?? Message.template(size: options.size)
    editSize = options.editSize.map { min(max($0, 1), latest.count - Message.headerSize) }
    payloadSum = latest.withUnsafeBytes { [checksum] in checksum.sum(Message.payload(of: $0)) }
    self.latest = latest
  }

  /// The next message: an array of its own, as a program's state would be.
  mutating func next(_ sequence: UInt64, at time: UInt64) -> [UInt8] {
    if !states.isEmpty {
      latest = states[Int(sequence % UInt64(states.count))]
      payloadSum = latest.withUnsafeBytes { checksum.sum(Message.payload(of: $0)) }
    } else if sequence > 0, let editSize {
      edit(editSize)
    }
    let size = latest.count
    let header = Message.Header(
      size: size, sequence: sequence, time: time, payloadSum: payloadSum)
    return [UInt8](unsafeUninitializedCapacity: size) { buffer, count in
      let bytes = UnsafeMutableRawBufferPointer(buffer)
      latest.withUnsafeBytes { bytes.copyMemory(from: $0) }
      header.store(in: bytes)
      count = size
    }
  }

  private mutating func edit(_ count: Int) {
    let start = Int.random(in: 0...(latest.count - Message.headerSize - count), using: &random)
    let blocks = (start / Checksum.blockSize)...((start + count - 1) / Checksum.blockSize)
    payloadSum &-= sum(of: blocks)
    for index in start..<(start + count) {
      // Always another letter: every octet of the change must differ.
      let old = latest[Message.headerSize + index]
      let new = UInt8.random(in: 0x61...0x7a, using: &random)
      latest[Message.headerSize + index] = new == old ? new ^ 1 : new
    }
    payloadSum &+= sum(of: blocks)
  }

  private func sum(of blocks: ClosedRange<Int>) -> UInt64 {
    latest.withUnsafeBytes { bytes in
      let payload = Message.payload(of: bytes)
      return blocks.reduce(0) { $0 &+ Checksum.sum(block: $1, of: payload) }
    }
  }
}
