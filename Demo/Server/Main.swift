import DemoSupport
import StateSurf

@main
enum Main {
  static let help = """
    Server: a shop over HTTP, with a fault that only requests at the same time show.

    Usage: Server [--port PORT] [--help]

      --port PORT   where to listen on 127.0.0.1 (8080); 0 lets the system choose

    curl -X POST 'http://127.0.0.1:8080/orders?item=milk&count=2'
    curl http://127.0.0.1:8080/stock
    """

  static func main() {
    do {
      let arguments = try Arguments(
        Array(CommandLine.arguments.dropFirst()), numbers: ["--port": 0...65_535])
      if arguments.isHelpWanted { return Terminal.say(help) }
      try run(port: UInt16(arguments.numbers["--port"] ?? 8_080))
    } catch let error as Arguments.Misuse {
      Terminal.misused("Server", error.message)
    } catch {
      Terminal.failed("Server", "\(error)")
    }
  }

  private static func run(port: UInt16) throws {
    let server = try Server(port: port)
    let transceiver = Transceiver(name: "Server")
    let shop = Shop(transceiver)
    let jobs = JobQueue(transceiver)
    transceiver.onReset { reset in
      await shop.set(try reset.state(as: Shop.State.self) ?? Shop.State())
    }
    transceiver.resume()
    let signals = Signals { transceiver.suspend() }
    Terminal.say("http://127.0.0.1:\(server.port)")
    withExtendedLifetime(signals) {
      server.serve { request in
        await transceiver.withRequest(method: request.method, url: request.target) { record in
          let response = await answer(request, shop, jobs)
          record.finished(status: response.status)
          return response
        }
      }
    }
  }

  private static func answer(
    _ request: Server.Request, _ shop: Shop, _ jobs: JobQueue
  ) async -> Server.Response {
    switch (request.method, request.path) {
    case ("GET", "/stock"):
      let stock = await shop.state.stock.sorted { $0.key < $1.key }
      return Server.Response(text: stock.map { "\($0.key) \($0.value)" }.joined(separator: "\n"))
    case ("POST", "/orders"):
      guard let item = request.query["item"], let count = Int(request.query["count"] ?? "1"),
        1...100 ~= count
      else {
        return Server.Response(status: 400, text: "an order needs item=NAME and count=1 to 100")
      }
      switch await shop.order(item, count: count, jobs) {
      case .ordered(let id): return Server.Response(status: 201, text: "order \(id)")
      case .soldOut: return Server.Response(status: 409, text: "\(item) is sold out")
      case .unknownItem: return Server.Response(status: 404, text: "there is no \(item)")
      }
    default:
      return Server.Response(status: 404, text: "there is GET /stock and POST /orders")
    }
  }
}
