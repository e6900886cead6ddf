import PrimeTime
import SurfStore
import Testing

@Suite("PrimeTime")
struct PrimeTimeTests {
  private func state(after keys: String, from count: Int = 0) -> App.State {
    var state = App.State()
    state.count = count
    for case .action(let action) in Keys.wishes(in: keys) {
      _ = App.reducer.reduce(action, into: &state)
    }
    return state
  }

  @Test(arguments: [("++-", 1), ("-", 0), (" + + ", 2)])
  func counts(keys: String, count: Int) { #expect(state(after: keys).count == count) }

  @Test(arguments: [
    (0, false), (1, false), (2, true), (3, true), (4, false), (25, false), (49, false),
    (97, true), (104_729, true), (1_000_000_007, true), (.max, false), (-7, false),
  ])
  func knowsPrimes(number: Int, isPrime: Bool) {
    let answer = state(after: "p", from: number).answer
    #expect(answer == "\(number) is \(isPrime ? "prime" : "not prime")")
  }

  @Test func favouritesArePrimesInOrderAndOnce() {
    #expect(state(after: "+++f-ff++f").favourites == [2, 3])
    #expect(state(after: "d 3", from: 0).favourites == [])
  }

  @Test func theNthPrimeComesAsAnActionOfItsOwn() async {
    var initial = App.State()
    initial.count = 10_000
    let store = Store(initial: initial, reducer: App.reducer)
    let answers = AsyncStream<String> { continuation in
      let subscription = store.subscribe { state in
        if !state.answer.isEmpty { continuation.yield(state.answer) }
      }
      continuation.onTermination = { _ in subscription.cancel() }
    }
    store.dispatch(.nthPrime)
    #expect(store.state.pending == 10_000 || store.state.pending == nil)
    var iterator = answers.makeAsyncIterator()
    #expect(await iterator.next() == "prime number 10000 is 104729")
    #expect(store.state.pending == nil)
  }

  @Test(arguments: [0, -1, 10_001, .max])
  func whatIsTooFarIsNotLookedFor(count: Int) {
    let state = state(after: "n", from: count)
    #expect(state.pending == nil)
    #expect(state.answer.hasPrefix("there is no prime number"))
  }

  @Test func keysThatMeanNothingAreSaid() {
    #expect(Keys.wishes(in: "+q") == [.action(.increment), .quit])
    #expect(Keys.wishes(in: "d 7") == [.action(.removeFavourite(7))])
    for line in ["x", "d", "d x", "d 1 2"] {
      guard case .unknown = Keys.wishes(in: line).first else {
        Issue.record("\(line) means something")
        continue
      }
    }
  }

  @Test func theScriptMeansSomethingAllAlong() {
    let wishes = Keys.script.flatMap(Keys.wishes)
    #expect(wishes.count == Keys.script.count)
    #expect(wishes.allSatisfy { if case .action = $0 { true } else { false } })
  }
}
