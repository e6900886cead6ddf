import SurfWire
import TestSupport

/// A subscriber's account of the messages that it receives, kept on the observer's thread.
struct Tally {
  private let options: HarnessOptions
  private let directory: RunDirectory
  private let checksum: Checksum
  private let firstTimed: UInt64
  /// The instance that is followed: the first that appeared.
  private(set) var session: SessionID?
  private(set) var usageWhenWarm: ProcessorTime?
  private(set) var duplicates = 0
  private(set) var bad = 0
  private(set) var unordered = 0
  private(set) var firstAt: UInt64 = 0
  private(set) var lastAt: UInt64 = 0
  private(set) var received = 0
  /// From sending to delivery of each message that counts, in tenths of a microsecond.
  private(set) var latencies: [UInt32] = []
  private var seen: [Bool]
  private var lastSequence: UInt64 = 0
  private var decoders: [SessionID: RecordDecoder] = [:]

  init(_ options: HarnessOptions, _ directory: RunDirectory) {
    self.options = options
    self.directory = directory
    checksum = options.checksum
    firstTimed = options.firstTimed
    seen = [Bool](repeating: false, count: options.count)
    latencies.reserveCapacity(options.count)
  }

  var isComplete: Bool { received >= options.count }

  /// True if this is the instance to follow.
  mutating func appeared(_ session: SessionID) -> Bool {
    guard self.session == nil else { return false }
    self.session = session
    return true
  }

  /// Makes its state, as a viewer does that looks at each.
  mutating func take(_ arrived: ArrivedRecord, of session: SessionID) {
    if let record = decoders[session, default: RecordDecoder()].make(arrived) { take(record) }
  }

  private mutating func take(_ record: borrowing Record) {
    guard case .keyframe(let content) = record.state else { return reject() }
    content.bytes.withUnsafeBytes { take($0) }
  }

  private mutating func take(_ bytes: UnsafeRawBufferPointer) {
    let now = nanoseconds()
    guard let header = Message.Header(bytes) else { return reject() }
    guard header.sequence > 0 else { return warmUp() }
    guard header.matches(payloadSum: checksum.sum(Message.payload(of: bytes))),
      header.sequence <= UInt64(seen.count)
    else { return reject() }
    let index = Int(header.sequence - 1)
    guard !seen[index] else {
      duplicates += 1
      return
    }
    seen[index] = true
    if header.sequence != lastSequence + 1 { unordered += 1 }
    lastSequence = header.sequence
    if firstAt == 0 { firstAt = now }
    lastAt = now
    received += 1
    guard header.sequence >= firstTimed else { return }
    latencies.append(UInt32(clamping: (max(now, header.time) - header.time) / 100))
  }

  private mutating func warmUp() {
    guard usageWhenWarm == nil else { return }
    directory.touch("warm.\(options.id)")
    usageWhenWarm = .now
  }

  private mutating func reject() { bad += 1 }

  /// One JSON object.
  var text: String {
    let usage = usageWhenWarm.map { ProcessorTime.now - $0 } ?? ProcessorTime()
    let sorted = latencies.sorted()
    let microseconds = { (share: Double) in
      (sorted.isEmpty ? -1 : Double(sorted.quantile(share)) / 10).text(1)
    }
    return """
      {"id":\(options.id),"recv":\(received),"missing":\(options.count - received),\
      "dup":\(duplicates),"bad":\(bad),"ooo":\(unordered),"first_ns":\(firstAt),\
      "last_ns":\(lastAt),"p50":\(microseconds(0.5)),"p99":\(microseconds(0.99)),\
      "p999":\(microseconds(0.999)),"max":\(microseconds(1)),\
      "cpu_u":\(usage.user.text(4)),"cpu_s":\(usage.system.text(4))}

      """
  }
}
