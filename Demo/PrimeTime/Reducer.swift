import StateSurf
import SurfStore

extension App {
  /// Actions that a viewer can dispatch: all but those that only an effect can fill in.
  package static let actionCreators: [ActionCreator] = [
    ActionCreator("increment"), ActionCreator("decrement"), ActionCreator("isPrime"),
    ActionCreator("saveFavourite"), ActionCreator("removeFavourite", "_"),
    ActionCreator("nthPrime"),
  ]

  /// Finding the nth prime takes a while, and is therefore an effect with an action of its own.
  package static let reducer = Reducer<Action, State> { action, state in
    switch action {
    case .increment:
      state.count = min(state.count + 1, Primes.countMax)
    case .decrement:
      state.count = max(state.count - 1, 0)
    case .isPrime:
      state.answer = "\(state.count) is \(Primes.contain(state.count) ? "prime" : "not prime")"
    case .saveFavourite:
      save(&state)
    case .removeFavourite(let number):
      state.favourites.removeAll { $0 == number }
    case .nthPrime:
      return findNthPrime(&state)
    case .nthPrimeFound(let n, let prime):
      if state.pending == n { state.pending = nil }
      state.answer = "prime number \(n) is \(prime)"
    }
    return []
  }

  private static func save(_ state: inout State) {
    guard Primes.contain(state.count) else {
      state.answer = "only primes can be favourites, and \(state.count) is not prime"
      return
    }
    guard !state.favourites.contains(state.count) else { return }
    state.favourites.append(state.count)
    state.favourites.sort()
  }

  private static func findNthPrime(_ state: inout State) -> [Effect<Action>] {
    let n = state.count
    guard (1...Primes.indexMax).contains(n) else {
      state.answer = "there is no prime number \(n), or it is too far away"
      return []
    }
    state.pending = n
    return [.run { send in send(.nthPrimeFound(n: n, prime: Primes.prime(at: n))) }]
  }
}
