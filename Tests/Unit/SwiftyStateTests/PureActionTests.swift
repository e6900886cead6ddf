import SurfStore
import SwiftyState
import Testing

enum Search: Sendable {
  case look(Int)
  case found([Int])
}

struct Searched: Equatable, Sendable {
  var isLooking = false
  var primes: [Int] = []
}

/// What takes its time.
private func primes(below limit: Int) async -> [Int] {
  (2..<max(limit, 2)).filter { number in (2..<number).allSatisfy { number % $0 != 0 } }
}

let searching = Reducer<Search, Searched> { action, state in
  switch action {
  case .look(let limit):
    state.isLooking = true
    return [.run { send in send(.found(await primes(below: limit))) }]
  case .found(let primes):
    (state.primes, state.isLooking) = (primes, false)
    return []
  }
}

private struct Sieve: SwiftyStateStoreProtocol, Equatable {
  var limit = 0
  var primes: [Int] = []
}

private struct Look: SwiftyAction {
  let limit: Int
  func reducer(state: any SwiftyStateStoreProtocol) -> any SwiftyStateStoreProtocol {
    (state as? Sieve).map { Sieve(limit: limit, primes: $0.primes) } ?? state
  }
}

private struct Found: SwiftyAction {
  let primes: [Int]
  func reducer(state: any SwiftyStateStoreProtocol) -> any SwiftyStateStoreProtocol {
    (state as? Sieve).map { Sieve(limit: $0.limit, primes: primes) } ?? state
  }
}

/// The lines of Sources/Stores.md on pure actions.
@Suite struct PureActionTests {
  @Test func `An effect brings the result of heavy work as an action`() async {
    let store = Store(initial: Searched(), reducer: searching)
    let states = AsyncStream<Searched>.makeStream()
    let subscription = store.subscribe { states.continuation.yield($0) }
    store.dispatch(.look(10))
    #expect(store.state.isLooking || store.state.primes == [2, 3, 5, 7])
    for await state in states.stream where !state.primes.isEmpty {
      #expect(state == Searched(isLooking: false, primes: [2, 3, 5, 7]))
      break
    }
    subscription.cancel()
  }

  @Test func `A subscription does so, once for each change that it is about`() async throws {
    let bank = Bank(coins: nil)
    let swifty = bank.swifty
    swifty.setStore(Sieve())
    let found = AsyncStream<[Int]>.makeStream()
    swifty.subscribe { state, previous in
      guard let limit = (state as? Sieve)?.limit, limit != (previous as? Sieve)?.limit else {
        return
      }
      Task { swifty.action(a: Found(primes: await primes(below: limit))) }
    }
    let observation = swifty.observe { row in
      if let sieve = row.state as? Sieve, row.action.hasPrefix("Found") {
        found.continuation.yield(sieve.primes)
      }
    }
    defer { observation.cancel() }
    swifty.action(a: Look(limit: 6))
    var results = found.stream.makeAsyncIterator()
    #expect(await results.next() == [2, 3, 5])
    // Not by the result, and not by a restore to where the limit is the same.
    try swifty.restore(Sieve(limit: 6))
    swifty.action(a: Look(limit: 4))
    #expect(await results.next() == [2, 3])
  }
}
