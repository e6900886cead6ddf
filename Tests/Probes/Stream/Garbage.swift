import SurfNetwork
import SurfSockets
import SurfThreads
import SurfTransport
import SurfWire
import TestSupport

/// Sends `--count` damaged datagrams to viewers and apps alike: bits flipped, cut, lengthened, made
/// up, all from real ones of the session that it overhears.
struct Garbage {
  let arguments: Arguments

  init(_ arguments: Arguments) { self.arguments = arguments }

  func run() -> Int32 {
    do {
      try send()
      return 0
    } catch {
      print("error=\(error)")
      return 1
    }
  }

  private func send() throws {
    let interface = try NetworkInterface.named(arguments.text("--interface", "lo"))
    let port = UInt16(arguments.number("--port", Int(NetworkDefaults.port)))
    let overheard = try overhear(on: interface, port: port)
    let socket = try UDPSocket.sender(on: interface)
    var random = SeededGenerator(seed: UInt64(arguments.number("--seed", 1)))
    let group = IPv4Endpoint(address: NetworkDefaults.group, port: port)
    let probes = IPv4Endpoint(address: NetworkDefaults.group, port: port + 1)
    let targets = [group, probes] + Set(overheard.map(\.1)).sorted { $0.port < $1.port }
    var sent = 0
    while sent < arguments.number("--count", 1_000) {
      let batch = (0..<32).map { _ in mutant(of: overheard, using: &random) }
      let target = targets[Int.random(in: 0..<targets.count, using: &random)]
      // The mutants differ in size; what the socket has no room for is tried again.
      var rest = batch[...]
      while !rest.isEmpty {
        let outcome = socket.send(Array(rest), to: target)
        rest = rest.dropFirst(max(outcome.accepted, 0))
        if case .failed = outcome { rest = rest.dropFirst() }
      }
      sent += batch.count
    }
    print("sent=\(sent) overheard=\(overheard.count)")
  }

  /// Real datagrams and where they came from.
  private func overhear(on interface: NetworkInterface, port: UInt16) throws
    -> [([UInt8], IPv4Endpoint)]
  {
    let member = try UDPSocket.groupMember(
      group: NetworkDefaults.group, port: port, on: interface)
    let poller = try Poller()
    var heard: [([UInt8], IPv4Endpoint)] = []
    let end = monotonicNow() + .seconds(10)
    while heard.count < 50, monotonicNow() < end {
      _ = try poller.wait(reading: [member.fileDescriptor], until: end)
      _ = try member.receive { bytes, sender in heard.append(([UInt8](bytes), sender)) }
    }
    return heard
  }

  private func mutant(of originals: [([UInt8], IPv4Endpoint)], using random: inout SeededGenerator)
    -> [UInt8]
  {
    guard var bytes = originals.randomElement(using: &random)?.0, bytes.count > 16 else {
      return (0..<64).map { _ in UInt8.random(in: 0...255, using: &random) }
    }
    switch Int.random(in: 0..<5, using: &random) {
    case 0:
      bytes[Int.random(in: 0..<bytes.count, using: &random)] ^=
        1 << UInt8.random(in: 0..<8, using: &random)
    case 1: bytes.removeLast(Int.random(in: 1..<bytes.count, using: &random))
    case 2: bytes[3] = UInt8.random(in: 0...16, using: &random)
    case 3:
      for index in bytes.indices.dropFirst(16).prefix(40) {
        bytes[index] = UInt8.random(in: 0...255, using: &random)
      }
    default:
      for _ in 0..<8 {
        bytes[Int.random(in: 0..<bytes.count, using: &random)] =
          [0, 0xff, 0x80].randomElement(using: &random) ?? 0
      }
    }
    return bytes
  }
}
