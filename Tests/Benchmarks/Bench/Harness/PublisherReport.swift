import Foundation

/// The publisher's own measurements.
struct PublisherReport {
  let isWarm: Bool
  /// When the first message was due.
  let began: UInt64
  /// Nanoseconds that each call took.
  var calls: [UInt32] = []
  private let usageBefore = ProcessorTime.now
  private var sentAt: UInt64 = 0
  private var usageWhenSent = ProcessorTime()

  init(isWarm: Bool, began: UInt64) {
    self.isWarm = isWarm
    self.began = began
  }

  /// All is recorded; what follows is sending and repair.
  mutating func noteSent() {
    sentAt = nanoseconds()
    usageWhenSent = ProcessorTime.now - usageBefore
  }

  /// One JSON object. Processor time until now, repairs included.
  var text: String {
    let usage = ProcessorTime.now - usageBefore
    let calls = calls.sorted()
    let microseconds = { (share: Double) in Double(calls.quantile(share)) / 1_000 }
    return """
      {"warm":\(isWarm ? 1 : 0),"sent":\(calls.count),"t0":\(began),"t_sent":\(sentAt),\
      "cpu_u_sent":\(usageWhenSent.user.text(4)),"cpu_s_sent":\(usageWhenSent.system.text(4)),\
      "cpu_u":\(usage.user.text(4)),"cpu_s":\(usage.system.text(4)),\
      "call_p50":\(microseconds(0.5).text(2)),"call_p99":\(microseconds(0.99).text(2)),\
      "call_max":\(microseconds(1).text(2))}

      """
  }
}

extension Array where Element: BinaryInteger {
  /// Of sorted numbers, the one that this share of them does not exceed; 0 of none.
  func quantile(_ share: Double) -> Element {
    isEmpty ? 0 : self[Int(Double(count - 1) * share)]
  }
}

extension Double {
  /// With `digits` digits after the point.
  func text(_ digits: Int) -> String { String(format: "%.\(digits)f", self) }
}
