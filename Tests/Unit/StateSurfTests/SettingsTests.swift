import Foundation
import StateSurf
import SurfLive
import SurfNetwork
import SurfWire
import Testing

@Suite("The environment comes first")
struct SettingsTests {
  private func make(
    _ environment: [String: String] = [:], _ configuration: Transceiver.Configuration = .init()
  ) -> Settings? {
    Settings(name: "Test", configuration: configuration, environment: environment)
  }

  @Test func theDefaultsAreTheProtocols() throws {
    let settings = try #require(make())
    #expect(settings.broadcaster.interface == "lo")
    #expect(settings.broadcaster.group == NetworkDefaults.group)
    #expect(settings.broadcaster.port == NetworkDefaults.port)
    #expect(settings.warnings.isEmpty)
  }

  @Test(arguments: ["off", "OFF", "Off"])
  func offIsOff(word: String) { #expect(make(["STATESURF": word]) == nil) }

  @Test(arguments: ["on", "", "0ff"])
  func anythingElseIsNot(word: String) { #expect(make(["STATESURF": word]) != nil) }

  @Test func everySettingCanBeOverridden() throws {
    var configuration = Transceiver.Configuration()
    configuration.interface = .lan("eth0")
    let settings = try #require(
      make(
        [
          "STATESURF_INTERFACE": "lo", "STATESURF_GROUP": "239.1.2.3", "STATESURF_PORT": "9",
        ], configuration))
    #expect(settings.broadcaster.interface == "lo")
    #expect(settings.broadcaster.group == 0xEF01_0203)
    #expect(settings.broadcaster.port == 9)
  }

  @Test(arguments: [
    ("STATESURF_PORT", "0"), ("STATESURF_PORT", "65535"), ("STATESURF_PORT", "65536"),
    ("STATESURF_PORT", "x"),
    ("STATESURF_GROUP", "10.0.0.1"), ("STATESURF_GROUP", "239.1.2"),
    ("STATESURF_GROUP", "239.1.2.256"), ("STATESURF_GROUP", "239.1..2"), ("STATESURF_GROUP", ""),
  ])
  func whatMakesNoSenseIsIgnoredWithAWarning(name: String, value: String) throws {
    let settings = try #require(make([name: value]))
    #expect(settings.broadcaster.group == NetworkDefaults.group)
    #expect(settings.broadcaster.port == NetworkDefaults.port)
    #expect(settings.warnings.count == 1)
    #expect(settings.warnings.first?.hasPrefix("\(name) \"\(value)\"") == true)
  }

  @Test func aPortWithoutOneForProbesIsIgnoredWithAWarning() throws {
    var configuration = Transceiver.Configuration()
    configuration.port = 65_535
    let settings = try #require(make([:], configuration))
    #expect(settings.broadcaster.port == NetworkDefaults.port)
    #expect(
      settings.warnings == [#"port "65535" is no UDP port from 1 to 65534 and was ignored"#])
  }

  @Test func `the environment's realm counts before the program's`() throws {
    var configuration = Transceiver.Configuration()
    #expect(make([:], configuration)?.broadcaster.realm == nil)
    configuration.realm = "atelier"
    let (own, other) = (try Realm("atelier"), try Realm("other"))
    #expect(make([:], configuration)?.broadcaster.realm == own)
    #expect(make(["STATESURF_REALM": "other"], configuration)?.broadcaster.realm == other)
    #expect(make(["STATESURF_REALM": ""], configuration)?.broadcaster.realm == own)
  }

  @Test func `the program says which version of what it is`() throws {
    var configuration = Transceiver.Configuration()
    let nothing = try #require(make([:], configuration)?.broadcaster.introduction)
    #expect(nothing.version.isEmpty && nothing.identifier.isEmpty && !nothing.system.isEmpty)
    configuration.version = "1.4.2"
    configuration.identifier = "com.example.todo"
    let something = try #require(make([:], configuration)?.broadcaster.introduction)
    #expect(something.version == "1.4.2" && something.identifier == "com.example.todo")
  }

  @Test(arguments: ["*", "a\nb", String(repeating: "a", count: 64)])
  func `a text that names no realm is ignored with a warning`(text: String) throws {
    let settings = try #require(make(["STATESURF_REALM": text]))
    #expect(settings.broadcaster.realm == nil)
    #expect(settings.warnings.count == 1)
    let prefix =
      "STATESURF_REALM \"\(text)\" is no realm and was ignored: a realm is a name of 1 to 63 octets"
    #expect(settings.warnings.first?.hasPrefix(prefix) == true)
  }

  @Test func twoInstancesOfAProgramAreTwo() {
    #expect(make()?.broadcaster.instance != make()?.broadcaster.instance)
  }

  @Test func warningsStandInTheHistory() {
    let bench = Bench()
    let transceiver = bench.transceiver(environment: ["STATESURF_PORT": "x"])
    transceiver.resume()
    transceiver.flush(timeout: .seconds(10))
    #expect(bench.sink.records.map(\.kind) == [.log(.warning)])
  }

  @Test func `a kept instance id comes again, and never in two processes at a time`() throws {
    let home = NSTemporaryDirectory() + "statesurf-\(UUID().uuidString)"
    defer { try? FileManager.default.removeItem(atPath: home) }
    var configuration = Transceiver.Configuration()
    configuration.keepsInstance = true
    func instance() throws -> (settings: Settings, warnings: [String]) {
      let settings = try #require(make(["HOME": home], configuration))
      return (settings, settings.warnings)
    }
    let id = try instance().settings.broadcaster.instance
    let again = try instance()
    #expect(again.settings.broadcaster.instance == id)
    #expect(again.warnings.isEmpty)
    let second = try instance()
    #expect(second.settings.broadcaster.instance != id)
    #expect(second.warnings.first?.contains("another process") == true)
    withExtendedLifetime(again.settings) {}
  }

  @Test(arguments: ["", "00", "zz", String(repeating: "g", count: 32)])
  func `a file that holds no id is written anew`(content: String) throws {
    let home = NSTemporaryDirectory() + "statesurf-\(UUID().uuidString)"
    defer { try? FileManager.default.removeItem(atPath: home) }
    let fresh = InstanceID(high: 1, low: 2)
    func kept(_ name: String) throws -> InstanceID {
      try KeptInstance(of: name, in: home, or: fresh).instance
    }
    #expect(try kept("a/../b\n") == fresh)
    let files = try FileManager.default.contentsOfDirectory(atPath: home)
    #expect(files == ["a%2f%2e%2e%2fb%a.id"])
    try content.write(toFile: home + "/" + files[0], atomically: false, encoding: .utf8)
    #expect(try kept("a/../b\n") == fresh)
  }

  @Test func `where no file can be written the id is new, and the log says why`() throws {
    var configuration = Transceiver.Configuration()
    configuration.keepsInstance = true
    let settings = try #require(make(["HOME": "/dev/null"], configuration))
    #expect(settings.warnings.count == 1)
    #expect(settings.warnings.first?.contains("Not a directory") == true)
    #expect(make([:], configuration)?.warnings.count == 1)
  }
}
