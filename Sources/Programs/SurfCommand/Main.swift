import Glibc
import SurfTerminal

@main
enum Main {
  static func main() {
    exit(
      Program.run(
        Array(CommandLine.arguments.dropFirst()), gatewayBounds: GatewayService.bounds
      ) { options, network, onWord throws(Failure) in
        try GatewayService(options, network, onWord)
      })
  }
}
