import Foundation
import SurfNetwork
import SurfObserver
import SurfSeal
import SurfTransport
import SurfWire
import Synchronization
import TestSupport

/// A port of its own for each test, so that tests do not hear each other: pairs, because the
/// probes' port is the next.
enum Ports {
  private static let next = Atomic<UInt16>(UInt16(20_000 + 2 * (getpid() % 10_000)))
  static func take() -> UInt16 { next.add(2, ordering: .relaxed).newValue }
}

/// An app on loopback that keeps its resets, and answers each as `decide` says.
final class TestApp: Sendable {
  let broadcaster: Broadcaster
  private let desk: Desk

  private final class Desk: Sendable {
    let resets = Mutex<[IncomingReset]>([])
    let broadcaster = Mutex<Broadcaster?>(nil)
  }

  init(
    _ name: String, port: UInt16, historySizeMax: Int = 64 << 20, acceptsResets: Bool = true,
    under key: GroupKey? = nil,
    decide: @escaping @Sendable (IncomingReset) -> Outcome.Result? = { _ in .applied }
  ) {
    var configuration = Broadcaster.Configuration(
      instance: InstanceID(high: .random(in: 0 ... .max), low: .random(in: 0 ... .max)), app: name)
    configuration.port = port
    configuration.registersDNSSD = false
    configuration.historySizeMax = historySizeMax
    configuration.acceptsResets = acceptsResets
    configuration.sealing = key.map { Sealing(KeyRing($0), makeCipher: ChaChaPoly.init) }
    let desk = Desk()
    self.desk = desk
    broadcaster = Broadcaster(configuration: configuration) { reset in
      desk.resets.withLock { $0.append(reset) }
      guard let result = decide(reset) else { return }
      desk.broadcaster.withLock { $0 }?.perform(.answer(reset, result))
    }
    desk.broadcaster.withLock { $0 = broadcaster }
    broadcaster.resume()
  }

  var resets: [IncomingReset] { desk.resets.withLock { $0 } }

  /// Leaves the network, and lets the broadcaster go.
  func end() {
    desk.broadcaster.withLock { $0 = nil }
    broadcaster.suspend()
  }

  func send(_ sequences: ClosedRange<SequenceNumber>, size: Int = 100) {
    for sequence in sequences { broadcaster.send([.sample(sequence, size: size)]) }
  }
}

extension Record {
  /// A record whose every byte follows from its sequence.
  static func sample(_ sequence: SequenceNumber, size: Int) -> Record {
    var random = SeededGenerator(seed: sequence.rawValue)
    let bytes = (0..<size).map { _ in UInt8.random(in: 0...255, using: &random) }
    return Record(
      sequence: sequence, kind: .action, name: "step \(sequence)",
      state: .keyframe(Content(type: "application/octet-stream", bytes: bytes)))
  }
}

func observe(
  port: UInt16, as name: String = "ada@test", holding heldSizeMax: Int = 0,
  with ring: KeyRing? = nil, movesOpenApps: Bool = false, isSilent: Bool = false
) throws -> (Observer, EventLog) {
  var configuration = Observer.Configuration()
  configuration.port = port
  configuration.viewerName = name
  configuration.heldSizeMax = heldSizeMax
  configuration.browsesDNSSD = false
  configuration.movesOpenApps = movesOpenApps
  configuration.isSilent = isSilent
  configuration.sealing = ring.map { Sealing($0, makeCipher: ChaChaPoly.init) }
  let log = EventLog()
  return (try Observer(configuration: configuration) { log.add($0) }, log)
}
