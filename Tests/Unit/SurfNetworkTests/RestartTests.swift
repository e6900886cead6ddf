import Testing

/// A viewer that outlives many apps.
@Suite(.serialized, .timeLimit(.minutes(10)))
struct RestartTests {
  /// More than it keeps track of.
  @Test func afterHundredsOfRunsTheNextIsFollowedLikeTheFirst() throws {
    let port = Ports.take()
    let (viewer, log) = try observe(port: port)
    defer { viewer.stop() }
    for number in 1...300 {
      let app = TestApp("run \(number)", port: port)
      defer { app.end() }
      let session = try #require(log.waitForSession(of: "run \(number)"))
      viewer.follow(session, since: .newestState)
    }
    #expect(viewer.counters.drops["too many instances"] == nil)
  }
}
