import Foundation
import StateSurf

// What `record` costs the thread that calls it, without viewers.
extension Benchmark {
  static let record: [Benchmark] =
    [Pace.even, .bursts].flatMap { pace in
      [
        bytes("256", size: 256, pace), bytes("5k", size: 5_000, pace),
        bytes("64k", size: 65_536, pace), bytes("1m", size: 1_048_576, pace),
        Benchmark(
          name: "record\(pace.label)-value-5k",
          summary: "record() of a copy-on-write value, 5 KB as JSON, \(pace.summary)",
          run: { try value(pace) }),
        Benchmark(
          name: "record\(pace.label)-redacted-5k",
          summary: "the same with a redacted path, \(pace.summary)",
          run: { try value(pace, redacted: ["items.*.title"]) }),
      ]
    } + [
      Benchmark(
        name: "wake-thread", summary: "waking a thread that sleeps: in all even figures above",
        run: wake)
    ]

  /// When the calls come.
  private enum Pace {
    /// A thousand a second, or fewer if the wire takes fewer. As in most programs, the encoding
    /// thread sleeps before each record and must be woken.
    case even
    /// One after the other, so that the encoding thread is awake.
    case bursts

    var label: String { self == .even ? "" : "-burst" }
    var summary: String { self == .even ? "evenly" : "in bursts of \(Benchmark.burstCount)" }
  }

  /// Few enough for the queue to hold the largest states.
  private static let burstCount = 100
  /// Octets of states a second, below what the sender sends at most.
  private static let wireRate = 32.0 * 1_024 * 1_024

  private static func bytes(_ label: String, size: Int, _ pace: Pace) -> Benchmark {
    Benchmark(
      name: "record\(pace.label)-bytes-\(label)",
      summary: "record() of a state of \(size) octets, \(pace.summary)"
    ) {
      let app = LoopbackApp()
      app.transceiver.resume()
      let template = Message.template(size: size)
      return try measureCalls(of: app, stateSize: size, pace) { index in
        var state = template
        state[0] = UInt8(truncatingIfNeeded: index)
        return state
      } record: { state in
        app.transceiver.record(
          action: "m", state: state, contentType: Samples.contentType)
      }
    }
  }

  private static func value(_ pace: Pace, redacted: [String] = []) throws -> Measurement {
    let app = LoopbackApp(redacted: redacted)
    app.transceiver.resume()
    var list = TodoList()
    return try measureCalls(of: app, stateSize: 5_000, pace) { index in
      list.toggle(index)
      return list
    } record: { state in
      app.transceiver.record(action: "m", state: state)
    }
  }

  private static func measureCalls<State>(
    of app: borrowing LoopbackApp, stateSize: Int, _ pace: Pace, state: (Int) -> State,
    record: (State) -> Void
  ) throws -> Measurement {
    let rate = min(1_000, wireRate / Double(stateSize))
    let count = rate < 100 ? 2 * burstCount : 20 * burstCount
    var due = nanoseconds()
    let measurement = try measure(warmUps: burstCount, repetitions: count) { index in
      let next = state(index)
      due += UInt64(1e9 / rate)
      if pace == .even { sleep(until: due) }
      if pace == .bursts, index % burstCount == 0 { try app.settle() }
      return next
    } _: { state in
      record(state)
    }
    try app.settle()
    guard app.transceiver.counters.stateGivenUpCount == 0 else {
      throw BenchmarkFailure("states were given up: this machine is too slow, or too busy")
    }
    return measurement
  }

  /// The least that a call can cost that leaves its work to a thread that sleeps.
  private static func wake() -> Measurement {
    let work = DispatchSemaphore(value: 0)
    Thread.detachNewThread {
      // `SCHED_BATCH`, as StateSurf's own threads have it.
      var parameters = sched_param()
      pthread_setschedparam(pthread_self(), 3, &parameters)
      while true { work.wait() }
    }
    var due = nanoseconds()
    return measure(warmUps: 100, repetitions: 2_000) { _ in
      due += 1_000_000
      sleep(until: due)
    } _: { _ in
      work.signal()
    }
  }
}
