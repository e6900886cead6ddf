import StateSurf
import SurfStore

/// The items that a customer wants to buy. One case of the reducer is wrong on purpose: README
/// shows how to find it.
enum Basket: StateSurfable {
  struct State: StateInitializable {
    var prices: [Int] = []
    var total = 0
  }

  enum Action: Codable {
    case add(Int)
    /// Everything at half its price.
    case coupon
    case remove(Int)
  }

  static let reducer = Reducer<Action, State>.reduce { action, basket in
    switch action {
    case .add(let price):
      basket.prices.append(price)
      basket.total &+= price
    case .coupon:
      basket.total /= 2
    case .remove(let price):
      guard let index = basket.prices.firstIndex(of: price) else { return }
      basket.prices.remove(at: index)
      basket.total &-= price
    }
  }
}
