import StateSurf
import SurfStore
import Synchronization

struct Cart: Codable { var items: [String] = [] }
let cart = Mutex(Cart())
let lamp = Store(initial: false, reducer: Reducer<String, Bool>.reduce { $1 = $0 == "on" })

let transceiver = Transceiver(name: "Kiosk")
let cartPart = transceiver.part("cart", initial: Cart()) { state in
  cart.withLock { $0 = state }
}
let token = transceiver.part("lamp", of: lamp)
transceiver.resume()
lamp.dispatch("on")
for item in ["milk", "bread"] {
  let state = cart.withLock { cart in
    cart.items.append(item)
    return cart
  }
  cartPart.record(action: "add \(item)", state: state)
  try await Task.sleep(for: .seconds(2))
}
transceiver.suspend()
