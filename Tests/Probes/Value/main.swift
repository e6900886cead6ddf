// An app that shows values, and has no state: `ValueProbe NAME`. Each line that it reads is one of
// the words below.
import StateSurf

struct Recipe: Encodable {
  struct Food: Encodable {
    let name: String
    let grams: Int
  }

  let title = "soup"
  let portions: Int
  let foods = [Food(name: "leek", grams: 200), Food(name: "potato", grams: 300)]
}

struct Cart: Encodable {
  let items: Int
  let total: Double
}

// The lines of Sources/Instrumenting.md, in a file with code at its top level.
struct Shop {
  @Inspected("cart") var cart = Cart(items: 0, total: 0)
}

var configuration = Transceiver.Configuration()
configuration.whenFull = .wait
// So that records are soon forgotten.
configuration.historySizeMax = 1 << 20
let transceiver = Transceiver(
  name: CommandLine.arguments.dropFirst().first ?? "ValueProbe", configuration: configuration)
transceiver.resume()
var shop: Shop?
var scopes: [String: InspectionScope] = [:]
while let line = readLine() {
  let words = line.split(separator: " ").map(String.init)
  let number = words.last.flatMap(Int.init) ?? 0
  switch words.first {
  case "recipe": transceiver.inspect("recipe", Recipe(portions: number))
  case "shop":
    shop = shop ?? Shop()
    shop?.cart = Cart(items: number, total: 12.5)
  case "set": transceiver.inspect(words[1], number)
  case "remove": transceiver.removeValue(words[1])
  case "open": scopes[words[1]] = transceiver.scope(words[1])
  case "in": scopes[words[1]]?.inspect(words[2], number)
  case "close": scopes[words[1]] = nil
  case "many": for value in 0..<number { transceiver.inspect("value \(value)", value) }
  case "again": for value in 0..<number { transceiver.inspect("again", value) }
  case "logs": for line in 0..<number { transceiver.log("line \(line)") }
  case "long": transceiver.inspect("long", String(repeating: "x", count: number))
  case "named": transceiver.inspect(String(repeating: "n", count: number), 1)
  default: transceiver.mark(line)
  }
}
transceiver.suspend()
