import Foundation
import StateSurf

/// A transceiver on loopback that nobody else hears: each has a port of its own.
struct LoopbackApp: ~Copyable {
  let transceiver: Transceiver
  let port: UInt16

  init(
    historySizeMax: Int = 64 << 20, whenFull: Transceiver.Configuration.WhenFull = .giveUpStates,
    redacted: [String] = [],
    whenUnwatched: Transceiver.Configuration.Thinning.WhenUnwatched = .everything,
    coalesced: [String] = [], sampled: [String] = []
  ) {
    Self.forgetSurroundings()
    // A pair: probes go to the port after it.
    port = UInt16.random(in: 10_000..<30_000) * 2
    var configuration = Transceiver.Configuration()
    configuration.port = port
    configuration.registersDNSSD = false
    configuration.historySizeMax = historySizeMax
    configuration.whenFull = whenFull
    configuration.redacted = redacted
    configuration.thinning.whenUnwatched = whenUnwatched
    configuration.thinning.coalesced = coalesced
    configuration.thinning.sampled = sampled
    transceiver = Transceiver(name: "statesurf-bench", configuration: configuration)
  }

  deinit { transceiver.suspend() }

  /// The environment counts before the configuration, and may name a port of others, or keys.
  private static func forgetSurroundings() {
    for name in ["INTERFACE", "GROUP", "PORT", "REALM"] { unsetenv("STATESURF_\(name)") }
    unsetenv("STATESURF")
    setenv("STATESURF_KEY_FILE", "none", 1)
  }

  /// Waits until all records are on the wire.
  func settle() throws {
    guard transceiver.flush(timeout: .seconds(60)) else {
      throw BenchmarkFailure("the records were not sent within a minute")
    }
  }
}
