import StateSurf

/// A counter, and the user's favourite primes.
package enum App: StateSurfable {
  /// All that the program remembers.
  package struct State: StateInitializable, Equatable {
    package var count = 0
    /// Ascending, each once.
    package var favourites: [Int] = []
    /// The answer to the latest question.
    package var answer = ""
    /// The question that is being worked on: which prime is the `n`th?
    package var pending: Int?

    package init() {}
  }

  /// All that can happen.
  package enum Action: Codable, Equatable, Sendable {
    case increment
    case decrement
    case isPrime
    case saveFavourite
    case removeFavourite(Int)
    case nthPrime
    case nthPrimeFound(n: Int, prime: Int)
  }
}
