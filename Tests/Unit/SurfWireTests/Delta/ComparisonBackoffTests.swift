import SurfWire
import Testing

@Suite struct ComparisonBackoffTests {
  @Test func whatNeverPaysIsSeldomTried() {
    var patience = ComparisonBackoff()
    var trialCount = 0
    for _ in 0..<1_000 where patience.allowsTrial() {
      trialCount += 1
      patience.note(succeeded: false)
    }
    #expect((15...25).contains(trialCount))
    while !patience.allowsTrial() {}
    patience.note(succeeded: true)
    patience.note(succeeded: false)
    // After a success the pauses start over.
    let answers = [patience.allowsTrial(), patience.allowsTrial()]
    #expect(answers == [false, true])
  }
}
