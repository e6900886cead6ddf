import Foundation
import StateSurf
import SurfLive
import Testing

/// A switch that is kept from run to run.
@Suite struct LaunchFlagTests {
  private let home = FileManager.default.temporaryDirectory
    .appending(path: "launch-\(UUID().uuidString)").path

  private func transceiver(_ bench: Bench) -> Transceiver {
    bench.transceiver(environment: ["XDG_STATE_HOME": home])
  }

  @Test func `A program resumes at its next launch if somebody wants it, until they do not`() throws
  {
    defer { try? FileManager.default.removeItem(atPath: home) }
    for isWanted in [false, true, false] {
      let bench = Bench()
      let before = self.transceiver(bench)
      if isWanted != before.resumesAtLaunch { before.resumesAtLaunch = isWanted }
      #expect(before.resumesAtLaunch == isWanted)
      // The next run.
      let transceiver = self.transceiver(bench)
      transceiver.resumeAtLaunch()
      #expect(transceiver.isResumed == isWanted)
      transceiver.suspend()
    }
  }

  @Test func `A flag that cannot be kept stays as it was, and says why`() throws {
    defer { try? FileManager.default.removeItem(atPath: home) }
    // A file is where the directory would be.
    try Data().write(to: URL(filePath: home))
    let flag = try #require(LaunchFlag(of: "Test", ["XDG_STATE_HOME": home]))
    let fault = try #require(flag.set(true))
    #expect(fault.contains("cannot make") && fault.contains("stays as it was"))
    #expect(!flag.isSet && flag.set(false) != nil)
    #expect(LaunchFlag(of: "Test", [:]) == nil)
  }

  @Test func `Without StateSurf the flag is off, and setting it does nothing`() {
    let transceiver = Bench().transceiver(
      environment: ["STATESURF": "off", "XDG_STATE_HOME": home])
    transceiver.resumesAtLaunch = true
    #expect(!transceiver.resumesAtLaunch)
    #expect(!FileManager.default.fileExists(atPath: home))
  }
}
