import Glibc
import SurfTerminal

@main
enum Main {
  static func main() {
    let gateway = GatewayProvider(bounds: GatewayService.bounds) {
      options, network, queue throws(Failure) in
      try GatewayService(options, network, queue)
    }
    exit(Program.run(Array(CommandLine.arguments.dropFirst()), gateway: gateway))
  }
}
