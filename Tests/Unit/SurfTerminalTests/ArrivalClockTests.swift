import SurfObserver
import SurfTerminal
import SurfTimeline
import SurfWire
import TestSupport
import Testing

/// `--timeout` counts from the last that came.
@Suite struct ArrivalClockTests {
  /// When packets come, and when the app begins to ignore what it is asked.
  struct Course {
    let timeout: Duration
    var arrivals: [Duration] = []
    var isIgnoredFrom: Duration?

    /// Pauses are of up to a timeout, but for the last; an eighth of one is what is left open.
    init(_ generator: inout SeededGenerator, from start: Duration) {
      timeout = .milliseconds(Int.random(in: 8...10_000_000, using: &generator))
      var last = start
      for _ in 0..<Int.random(in: 0...30, using: &generator) {
        last += timeout * Int.random(in: 0...1_000, using: &generator) / 1_000
        arrivals.append(last)
      }
      let quiet = last + timeout * Int.random(in: 1_130...3_000, using: &generator) / 1_000
      for _ in 0..<Int.random(in: 0...3, using: &generator) { arrivals.append(quiet) }
      if Bool.random(using: &generator) {
        isIgnoredFrom = start + timeout * Int.random(in: 0...40, using: &generator)
      }
    }

    /// What the viewer has counted by then.
    func counters(at now: Duration) -> ViewerCounters {
      var counters = ViewerCounters()
      counters.network.arrivals = arrivals.count { $0 <= now }
      if let from = isIgnoredFrom, from <= now {
        counters.network.unansweredTimes = [a: now - from]
      }
      return counters
    }

    /// The earliest end: a timeout after what came last, or after the last answer.
    func end(from start: Duration) -> Duration {
      var last = start
      for arrival in arrivals where arrival <= last + timeout { last = arrival }
      return min(last, isIgnoredFrom ?? last) + timeout
    }
  }

  /// Runs a command beside an app that tells no row; returns when it began to wait, and its end.
  private func run<Session: CommandSession>(
    _ generator: inout SeededGenerator, _ make: (Duration) -> Session?
  ) throws -> (course: Course, start: Duration, end: Duration) {
    let start = Duration.milliseconds(400)
    let course = Course(&generator, from: start)
    var session = Driven(try #require(make(course.timeout)))
    _ = session.receive(.appeared(a, heartbeat(newest: 1, at: .record(1))), at: .zero)
    _ = session.advance(to: start)
    while true {
      let now = try #require(session.deadline)
      let actions = session.advance(to: now, counters: course.counters(at: now))
      if let failure = actions.failure {
        #expect(failure.exitCode == 2)
        return (course, start, now)
      }
    }
  }

  @Test(arguments: UInt64(0)..<300) func `a row is waited for as long as something comes`(
    seed: UInt64
  ) throws {
    var generator = SeededGenerator(seed: seed)
    let (course, start, end) = try run(&generator) {
      TargetSession(.show(ShowOptions(.number(1))), Invocation.Common(timeout: $0))
    }
    #expect(end >= course.end(from: start))
    #expect(end <= course.end(from: start) + course.timeout / 8 + .nanoseconds(1))
  }

  @Test(arguments: UInt64(0)..<300) func `so is a history`(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    let (course, start, end) = try run(&generator) {
      HistorySession(
        ReportOptions(json: false).task(Layout()), Invocation.Common(timeout: $0))
    }
    #expect(end >= course.end(from: start))
    #expect(end <= course.end(from: start) + course.timeout / 8 + .nanoseconds(1))
  }

  @Test(arguments: UInt64(0)..<300) func `and values are`(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    // It is followed as soon as it appears.
    let (course, _, end) = try run(&generator) {
      ValuesSession(ValueOptions(), Invocation.Common(timeout: $0), Layout())
    }
    #expect(end >= course.end(from: .zero))
    #expect(end <= course.end(from: .zero) + course.timeout / 8 + .nanoseconds(1))
  }

  @Test func `an observer waits for its time, whatever comes`() throws {
    var session = Driven(
      TargetSession(
        .show(ShowOptions(.number(1))), Invocation.Common(observes: true)))
    _ = session.receive(.appeared(a, heartbeat(newest: 1, at: .record(1))), at: .zero)
    _ = session.advance(to: .milliseconds(400))
    var counters = ViewerCounters()
    var end = Duration.zero
    while end < .milliseconds(5_400) {
      end = try #require(session.deadline)
      counters.network.arrivals += 1
      let failure = session.advance(to: end, counters: counters).failure
      #expect((failure == nil) == (end < .milliseconds(5_400)))
    }
    #expect(end == .milliseconds(5_400))
  }

  @Test func `a person sees how much has come`() throws {
    var session = Driven(
      TargetSession(
        .show(ShowOptions(.number(1))), Invocation.Common()))
    _ = session.receive(.appeared(a, heartbeat(newest: 1, at: .record(1))), at: .zero)
    _ = session.advance(to: .milliseconds(400))
    var counters = ViewerCounters()
    (counters.network.arrivals, counters.network.bytesReceived) = (900, 1_000_000)
    let first = try #require(session.deadline)
    #expect(value(session.advance(to: first, counters: counters)) == [])
    (counters.network.arrivals, counters.network.bytesReceived) = (2_700, 3_100_000)
    let second = try #require(session.deadline)
    #expect(
      value(session.advance(to: second, counters: counters))
        == [.progress(Line("received 3.1 MB …", .dim))])
  }
}
