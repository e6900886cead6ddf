import Foundation
import StateSurf

/// An app whose state is whatever bytes its input files hold: `OpaqueProbe DIRECTORY FILE...`.
///
/// Records each file as one state, then writes every state that a viewer sends to
/// `DIRECTORY/reset.N`, N = 1, 2, 3 …, and refuses those that begin with `no`.
@main
enum Main {
  static func main() throws {
    let arguments = CommandLine.arguments.dropFirst()
    guard let directory = arguments.first else {
      FileHandle.standardError.write(Data("usage: OpaqueProbe DIRECTORY FILE...\n".utf8))
      exit(64)
    }
    var configuration = Transceiver.Configuration()
    // For the largest state there may be, and what comes behind it.
    configuration.historySizeMax = 256 << 20
    let transceiver = Transceiver(name: "OpaqueProbe", configuration: configuration)
    let desk = Desk(directory: URL(filePath: directory))
    transceiver.onReset { try desk.take($0) }
    transceiver.resume()
    for path in arguments.dropFirst() {
      let bytes = try Data(contentsOf: URL(filePath: path))
      transceiver.record(
        action: "load \(path)", state: bytes, contentType: "application/octet-stream")
    }
    while readLine() != nil {}
    transceiver.suspend()
  }
}
