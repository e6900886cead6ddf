import Foundation
import StateSurf
import SurfCipher
import SurfLive
import SurfNetwork
import SurfSeal
import Testing

/// Whether an app seals what it sends.
@Suite final class KeySettingTests {
  private let folder = FileManager.default.temporaryDirectory
    .appending(path: "surf-key-\(UUID().uuidString)").path

  deinit { try? FileManager.default.removeItem(atPath: folder) }

  @Test func `an app seals under the key that it finds, and without one all is open`() throws {
    let home = ["XDG_CONFIG_HOME": folder]
    #expect(try #require(make(home)).broadcaster.sealing == nil)
    let key = try GroupKey.random()
    let file = try #require(KeyFile(environment: home))
    try file.write(key)
    #expect(make(home)?.broadcaster.sealing?.ring.sealingKey == key)
    #expect(make(home, .off)?.broadcaster.sealing == nil)
    #expect(make([:], .file(file.path))?.broadcaster.sealing?.ring.sealingKey == key)
    let none = [KeyFile.variable: "none"]
    #expect(try #require(make(none, .file(file.path))).broadcaster.sealing == nil)
    let named = [KeyFile.variable: file.path]
    #expect(make(named, .off)?.broadcaster.sealing?.ring.sealingKey == key)
  }

  @Test func `an app whose key cannot be read sends nothing, and says why`() throws {
    var faults: [KeyFileError] = []
    let missing = folder + "/missing"
    let named = [KeyFile.variable: missing]
    #expect(make(named) { faults.append($0) } == nil)
    #expect(make([:], .file(missing)) { faults.append($0) } == nil)
    let expected = KeyFileError.Fault.unreadable(ENOENT)
    #expect(faults.map(\.fault) == [expected, expected])
    let transceiver = Transceiver(
      name: "Test", configuration: .init(), environment: named,
      makeSink: { _, _ in fatalError("nothing is to be sent") })
    transceiver.resume()
    #expect(!transceiver.isOn)
  }

  @Test func `many transceivers of a program complain of one key once`() throws {
    let missing = [folder + "/one", folder + "/one", folder + "/other"]
    var faults: [KeyFileError] = []
    for path in missing { #expect(make([:], .file(path)) { faults.append($0) } == nil) }
    let told = faults.map(Settings.news)
    #expect(told == [Settings.complaint(faults[0]), nil, Settings.complaint(faults[2])])
  }

  private func make(
    _ environment: [String: String], _ key: Transceiver.Configuration.Key = .usual,
    complain: (KeyFileError) -> Void = { _ in }
  ) -> Settings? {
    var configuration = Transceiver.Configuration()
    configuration.key = key
    return Settings(
      name: "Test", configuration: configuration, environment: environment, complain: complain)
  }
}
