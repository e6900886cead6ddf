import SurfBasics
import Testing

@Suite struct BackoffTests {
  private let backoff = Backoff(first: .milliseconds(500), longest: .seconds(30))

  @Test func doublesUpToItsBound() {
    let waits = (1...8).map { backoff.delay(failures: $0) / .seconds(1) }
    #expect(waits == [0.5, 1, 2, 4, 8, 16, 30, 30])
    #expect(backoff.delay(failures: .max) == .seconds(30))
    #expect(backoff.delay(failures: .min) == .milliseconds(500))
  }

  @Test func leavesHalfToChance() {
    #expect(backoff.delay(failures: 2, random: 0) == .milliseconds(500))
    #expect(backoff.delay(failures: 2, random: 1 << 63) == .milliseconds(750))
    #expect(backoff.delay(failures: 2, random: .max) <= .seconds(1))
    #expect(backoff.delay(failures: 2, random: .max) > .milliseconds(999))
  }
}
