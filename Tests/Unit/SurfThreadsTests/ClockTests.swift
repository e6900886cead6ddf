import SurfThreads
import Testing

@Suite struct ClockTests {
  @Test func clocksGoForward() {
    let first = monotonicNow()
    #expect(monotonicNow() >= first)
    let up = uptimeNow()
    #expect(uptimeNow() >= up)
    // 2020-01-01 in nanoseconds; a test host's clock is at least past that.
    #expect(wallNow() > 1_577_836_800_000_000_000)
  }

  @Test(arguments: [Duration.seconds(Int64.max), Duration.seconds(1 << 33)])
  func anAbsurdTimeIsFarOff(_ duration: Duration) {
    #expect(monotonicTime(after: duration) > monotonicNow() + .seconds(86_400 * 365))
  }

  @Test func aTimeThatHasPassedIsNow() {
    let before = monotonicNow()
    let moment = monotonicTime(after: .seconds(Int64.min))
    #expect(moment >= before && moment <= monotonicNow())
  }
}
