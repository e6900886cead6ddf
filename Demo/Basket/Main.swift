import DemoSupport
import StateSurf

@main
enum Main {
  static let help = """
    Basket: a basket whose total goes wrong; README.md finds out where.

    Usage: Basket [--help]

    Reads commands, from a person or from a pipe:
      add PRICE       put something into it     coupon    everything at half its price
      remove PRICE    take it out again         quit      leave
    """

  static func main() {
    do {
      let arguments = try Arguments(Array(CommandLine.arguments.dropFirst()))
      if arguments.isHelpWanted { return Terminal.say(help) }
    } catch {
      Terminal.misused("Basket", error.message)
    }
    let history = HistoryTransceiver<Basket>(name: "Basket")
    history.resume()
    let signals = Signals { history.suspend() }
    let subscription = history.store.subscribe { Terminal.say("total \($0.total)") }
    Terminal.forEachLine(prompt: "basket> ") { line in
      if line == "quit" { return false }
      guard let action = Basket.Action(line) else {
        Terminal.say(help)
        return true
      }
      history.store.dispatch(action)
      return true
    }
    subscription.cancel()
    history.suspend()
    withExtendedLifetime(signals) {}
  }
}

extension Basket.Action {
  /// Reads a line such as `add 40`; prices are whole, and at most a million.
  fileprivate init?(_ line: String) {
    let words = line.split(separator: " ")
    let price = words.count == 2 ? Int(words[1]).flatMap { 1...1_000_000 ~= $0 ? $0 : nil } : nil
    switch (words.first, price) {
    case ("coupon", nil) where words.count == 1: self = .coupon
    case ("add", let price?): self = .add(price)
    case ("remove", let price?): self = .remove(price)
    default: return nil
    }
  }
}
