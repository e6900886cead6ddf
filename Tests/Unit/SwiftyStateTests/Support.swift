import Foundation
import SurfPersistence
import SwiftyState
import TestSupport

/// A state that can be compared.
struct Purse: SwiftyStateStoreProtocol, Equatable {
  var coins = 0
}

enum Coin: SwiftyAction {
  case add(Int)
  case become(String)

  func reducer(state: any SwiftyStateStoreProtocol) -> any SwiftyStateStoreProtocol {
    guard var purse = state as? Purse else { return state }
    switch self {
    case .add(let count): purse.coins += count
    case .become(let text): return Note(text: text)
    }
    return purse
  }
}

/// A state of another type.
struct Note: SwiftyStateStoreProtocol {
  var text = ""
}

struct NoDebt: SwiftyStateValidiator {
  func validiator(_ state: any SwiftyStateStoreProtocol) -> Bool {
    (state as? Purse).map { $0.coins >= 0 } ?? true
  }
}

/// An engine of a test's own, with a file of its own.
final class Bank: Sendable {
  let swifty: SwiftyState
  let persistence: Persistence
  private let folder: URL

  init(coins: Int? = 0) {
    folder = FileManager.default.temporaryDirectory.appending(path: "swifty-\(UUID().uuidString)")
    persistence = Persistence(path: folder.appending(path: "SwiftyState.json").path)
    swifty = SwiftyState(SwiftyEngine(persistence: persistence))
    if let coins { swifty.setStore(Purse(coins: coins)) }
  }

  deinit { try? FileManager.default.removeItem(at: folder) }

  var coins: Int? { swifty.getState(as: Purse.self)?.coins }

  /// The new coins and the old ones, as a subscriber receives them.
  func listen() -> (Log<[Int?]>, SwiftySubscription) {
    let log = Log<[Int?]>()
    let subscription = swifty.subscribe { new, old in
      log.append([(new as? Purse)?.coins, (old as? Purse)?.coins])
    }
    return (log, subscription)
  }

  func add(_ counts: Int...) {
    for count in counts { swifty.action(a: Coin.add(count)) }
  }
}
