import SurfSeal
import SurfWire
import TestSupport
import Testing

/// A repeated number does not pass.
@Suite struct ReplayTests {
  @Test func `a number passes once, in whatever order numbers come`() {
    for seed in 0..<200 as Range<UInt64> {
      var random = SeededGenerator(seed: seed)
      var window = ReplayWindow()
      var model = Model()
      let start = UInt64.random(
        in: 0...(seed.isMultiple(of: 2) ? 10 : .max - 3_000), using: &random)
      for step in 0..<2_000 as Range<UInt64> {
        let spread = UInt64.random(
          in: 0...[2, 40, 300, 900].randomElement(using: &random)!, using: &random)
        let number = start &+ step &+ spread
        #expect(
          window.accept(SequenceNumber(number)) == model.accept(number), "seed \(seed): \(number)")
      }
    }
  }

  @Test func `255 behind passes, 256 behind does not`() {
    var window = ReplayWindow()
    let numbers: [UInt64] = [1_000, 745, 744, 745, 1_000]
    let accepted = numbers.map { window.accept(SequenceNumber($0)) }
    #expect(accepted == [true, true, false, false, false])
  }

  @Test func `numbers that no message has do not pass, nor move anything`() {
    var window = ReplayWindow()
    let numbers: [UInt64] = [0, .max, 1, 0, .max, 2, 1]
    let accepted = numbers.map { window.accept(SequenceNumber($0)) }
    #expect(accepted == [false, false, true, false, false, true, false])
  }

  @Test func `a leap forgets all, and the ends do not trap`() {
    var window = ReplayWindow()
    let numbers: [UInt64] = [
      1, 2, 257, 258, 1 << 63, 3, .max - 1, .max - 1, .max - 256, .max - 257,
    ]
    let accepted = numbers.map { window.accept(SequenceNumber($0)) }
    #expect(accepted == [true, true, true, true, true, false, true, false, true, false])
  }

  @Test func `of heartbeats and goodbyes only a newer one passes`() {
    var newest = NewestNumber()
    let numbers: [UInt64] = [0, 1, 1, 5, 4, .max, 6, .max - 1, 7]
    let accepted = numbers.map { newest.accept(SequenceNumber($0)) }
    #expect(accepted == [false, true, false, true, false, false, true, true, false])
  }

  @Test func `each sender of each session has a window of its own`() {
    var table = ReplayTable()
    for session in 1...3 as ClosedRange<UInt64> {
      for sender in 1...3 as ClosedRange<UInt64> {
        #expect(table.judge(7, session, sender, .zero) == .fresh)
        #expect(table.judge(7, session, sender, .zero) == .replayed)
        #expect(table.judge(6, session, sender, .zero) == .fresh)
      }
    }
  }

  @Test func `a full table takes nobody new until somebody was idle for 120 s`() {
    var table = ReplayTable()
    for sender in 0..<1_024 as Range<UInt64> {
      #expect(table.judge(1, 1, sender, .milliseconds(sender)) == .fresh)
    }
    #expect(table.judge(1, 1, 5_000, .seconds(2)) == .busy)
    // A known sender goes on, and is no longer idle.
    #expect(table.judge(2, 1, 0, .seconds(60)) == .fresh)
    #expect(table.judge(2, 1, 0, .seconds(61)) == .replayed)
    #expect(table.judge(1, 1, 5_000, .seconds(120)) == .busy)
    let whenOneIsIdle: Duration = .milliseconds(120_001)
    #expect(table.judge(1, 1, 5_000, whenOneIsIdle) == .fresh)
    #expect(table.judge(1, 1, 5_001, whenOneIsIdle) == .busy)
    #expect(table.judge(2, 1, 0, whenOneIsIdle) == .replayed)
    #expect(table.judge(2, 1, 1, whenOneIsIdle) == .busy, "that was the idle one")
  }

  @Test func `a flood of new senders forgets nobody who was active`() {
    var table = ReplayTable()
    for sender in 0..<20_000 as Range<UInt64> {
      let verdict = table.judge(1, 1, sender, .milliseconds(sender))
      #expect(verdict == (sender < 1_024 ? .fresh : .busy))
    }
    for sender in 0..<1_024 as Range<UInt64> {
      #expect(table.judge(1, 1, sender, .seconds(21)) == .replayed)
    }
  }

  /// What the window promises, without its bits.
  private struct Model {
    var greatest: UInt64 = 0
    var seen: Set<UInt64> = []

    mutating func accept(_ number: UInt64) -> Bool {
      guard number > 0, number < .max, number > greatest || greatest - number < 256 else {
        return false
      }
      greatest = max(greatest, number)
      return seen.insert(number).inserted
    }
  }
}

extension ReplayTable {
  mutating func judge(
    _ number: SequenceNumber, _ session: UInt64, _ sender: UInt64, _ now: Duration
  ) -> Verdict {
    judge(
      number, of: SenderID(rawValue: sender), in: SessionID(rawValue: session), now: now)
  }
}
