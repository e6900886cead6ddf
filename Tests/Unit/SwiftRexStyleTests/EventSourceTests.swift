import Glibc
import SurfStore
import SwiftRexStyle
import Testing

@Suite(.serialized) struct EventSourceTests {
  /// Counts events, and lets a test wait for the next.
  private func count(_ source: EventSource<Void>) -> (events: AsyncStream<Void>, AnyCancellable) {
    let (events, continuation) = AsyncStream.makeStream(of: Void.self)
    return (events, source.sink { continuation.yield(()) })
  }

  @Test func `a signal is an event, and never ends a program that listened to it`() async {
    let (events, token) = count(.signal(SIGUSR1))
    #expect(isHandled(SIGUSR1))
    var iterator = events.makeAsyncIterator()
    for _ in 0..<3 {
      kill(getpid(), SIGUSR1)
      await iterator.next()
    }
    token.cancel()
    kill(getpid(), SIGUSR1)
    #expect(isHandled(SIGUSR1))
  }

  private func isHandled(_ number: Int32) -> Bool {
    var action = sigaction()
    sigaction(number, nil, &action)
    return action.__sigaction_handler.sa_handler != nil
  }

  @Test func `a timer goes on until its token is cancelled`() async {
    let (events, token) = count(.timer(every: .milliseconds(2)))
    var iterator = events.makeAsyncIterator()
    for _ in 0..<5 { await iterator.next() }
    token.cancel()
  }

  @Test(.timeLimit(.minutes(10)), arguments: [Duration.zero, .seconds(-1)])
  func `an interval of nothing or less is as short as can be`(interval: Duration) async {
    let (events, token) = count(.timer(every: interval))
    var iterator = events.makeAsyncIterator()
    for _ in 0..<2 { await iterator.next() }
    token.cancel()
  }

  @Test func `an interval beyond all years ends nothing`() {
    EventSource.timer(every: .seconds(Int64.max)).sink {}.cancel()
  }

  @Test func `two tokens of one signal do not end each other`() async {
    let (first, token) = count(.signal(SIGUSR2))
    let (second, other) = count(.signal(SIGUSR2))
    token.cancel()
    kill(getpid(), SIGUSR2)
    var iterator = second.makeAsyncIterator()
    await iterator.next()
    withExtendedLifetime((first, other)) {}
  }

  @Test func `an event can be passed on as an action, or dropped`() async {
    let (names, continuation) = AsyncStream.makeStream(of: String.self)
    let source = EventSource<Int> { receive in
      for number in 1...4 { receive(number) }
      return EventSource.timer(every: .seconds(1)).sink {}
    }
    let token = source.compactMap { $0.isMultiple(of: 2) ? "\($0)" : nil }
      .sink { continuation.yield($0) }
    continuation.finish()
    var all: [String] = []
    for await name in names { all.append(name) }
    #expect(all == ["2", "4"])
    token.cancel()
  }
}
