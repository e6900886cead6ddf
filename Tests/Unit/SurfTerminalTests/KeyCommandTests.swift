import Foundation
import SurfCipher
import SurfNetwork
import SurfObserver
import SurfSeal
import SurfTerminal
import SurfWire
import TestSupport
import Testing

/// `statesurf key`, and what `doctor` and `list` say of keys.
@Suite final class KeyCommandTests {
  private let folder = FileManager.default.temporaryDirectory
    .appending(path: "surf-desk-\(UUID().uuidString)").path
  private var home: [String: String] { ["XDG_CONFIG_HOME": folder] }
  private var desk: KeyCommand { KeyCommand(environment: home) }
  private var path: String { folder + "/statesurf/key" }

  deinit { try? FileManager.default.removeItem(atPath: folder) }

  @Test func `a line says which task it is`() throws {
    let lines: [(String, KeyTask)] = [
      ("key", .list), ("key list", .list), ("key watch", .watch), ("key new", .new(.usualFile)),
      ("key new -", .new(.output)), ("key new our.key", .new(.file("our.key"))),
    ]
    for (line, task) in lines {
      let words = line.split(separator: " ").map(String.init)
      let command = try ArgumentParser.parse(words).command
      #expect(command.equals(KeyOptions(task, json: false)), "\(line)")
    }
    for line in ["key gnu", "key list x", "key watch x"] {
      let failure = #expect(throws: Failure.self) {
        try ArgumentParser.parse(line.split(separator: " ").map(String.init))
      }
      #expect(failure?.exitCode == 64, "\(line)")
    }
  }

  @Test func `a new key is made once, and listed by its fingerprint`() throws {
    let none = #expect(throws: Failure.self) { try desk.actions(.list, json: false) }
    #expect(none?.exitCode == 1 && none?.advice == "statesurf key new")
    let made = try desk.actions(.new(.usualFile), json: false).text
    let key = try #require(try KeyFile(path: path).read()).ring.sealingKey
    #expect(made.first == "made drive key \(key.fingerprint), in \(path)")
    let listed = try desk.actions(.list, json: false).text
    #expect(
      listed == [
        "drive key \(key.fingerprint)  id \(key.id)  seals and opens",
        "in \(path), mode 0600",
      ])
    #expect(!(made + listed).joined().contains(key.text))
    let again = #expect(throws: Failure.self) { try desk.actions(.new(.usualFile), json: false) }
    #expect(again?.exitCode == 1)
  }

  @Test func `the watch key is printed, alone, and drives nothing`() throws {
    let line = try #require(try desk.actions(.new(.output), json: false).text.first)
    let key = try GroupKey(parsing: Array(line.utf8.dropLast())[...])
    #expect(key.drives && line.hasSuffix("\n"))
    try KeyFile(path: path).write(key)
    let text = try desk.actions(.watch, json: false).text
    let watch = key.watchKey
    #expect(text == [watch.text + "\n"] && !watch.drives)
  }

  @Test func `for programs, each key is an object`() throws {
    _ = try desk.actions(.new(.usualFile), json: true)
    let key = try #require(try KeyFile(path: path).read()).ring.sealingKey
    let text = try desk.actions(.list, json: true).text.joined()
    let expected = #"""
      {"file":"\#(path)","fingerprint":"\#(key.fingerprint)","id":"\#(key.id)","kind":"drive",\#
      "seals":true}

      """#
    #expect(text == expected)
  }

  @Test func `the doctor tells whether there is a key, and its kind, place and mode`() throws {
    #expect(KeyCheck.all(home).map(\.finding) == ["none: nothing is sealed"])
    _ = try desk.actions(.new(.usualFile), json: false)
    let fine = KeyCheck.all(home)
    #expect(fine.map(\.isFine) == [true, true] && fine.map(\.fix) == ["", ""])
    #expect(fine.first?.finding.hasSuffix("in \(path), mode 0600") == true)
  }

  @Test func `the doctor says when libcrypto is hidden`() {
    let check = KeyCheck.cipher(Ciphers("libcrypto.so.none"))
    #expect(check.isFine && check.finding.hasPrefix("our own, which is slower: "))
    #expect(check.fix == "apt-get install libssl3")
  }

  @Test func `the doctor counts the apps under each key, and tells when an old one can go`() throws
  {
    let keys = try (1...2).map { _ in try GroupKey.random().fingerprint }
    var counters = ViewerCounters()
    counters.network.sealedUnder[SessionID(rawValue: 1)] = keys[0]
    let appeared = (1...2 as ClosedRange<UInt64>).map {
      ObserverEvent.appeared(SessionID(rawValue: $0), .sample())
    }
    func told(_ keys: [KeyFingerprint]) -> String? {
      var doctor = Driven(DoctorSession(checks: [], json: false, keys: keys))
      _ = doctor.receive(all: appeared)
      return doctor.advance(to: .seconds(2), counters: counters).text
        .first { $0.contains("sealed apps") }
    }
    #expect(told([]) == nil)
    let before = "ok  sealed apps       1 under \(keys[0]), 0 under \(keys[1]), 1 open"
    #expect(told(keys) == before + "  Try: remove the line of \(keys[1]), if no app needs it")
    counters.network.sealedUnder[SessionID(rawValue: 2)] = keys[1]
    let during = "ok  sealed apps       1 under \(keys[0]), 1 under \(keys[1]), 0 open"
    #expect(told(keys) == during)
    // A drive key and its watch key are one.
    let once = "ok  sealed apps       1 under \(keys[0]), 0 open"
    counters.network.sealedUnder[SessionID(rawValue: 2)] = nil
    #expect(told([keys[0], keys[0]]) == once.replacing("0 open", with: "1 open"))
  }

  @Test func `list and doctor tell who is sealed under a key that you do not have`() {
    var counters = ViewerCounters()
    for session in 1...2 as ClosedRange<UInt64> {
      counters.network.strangers.note(
        keyID: 0x9d, session: SessionID(rawValue: session), address: 0x0A00_0007)
    }
    let line = "2 apps sealed under a key that you do not have (id 9d, from 10.0.0.7)"
    var list = Driven(ListSession(json: true, wait: .zero, Invocation.Common()))
    #expect(list.advance(to: .zero, counters: counters).contains(.complain(line)))
    for reason in ["does not open", "replayed", "not sealed"] { counters.network.drop(reason) }
    var doctor = Driven(DoctorSession(checks: [], json: false))
    let text = doctor.advance(to: .seconds(2), counters: counters).text
    for word in [line, "does not open", "replayed", "not sealed"] {
      let isTold = text.contains {
        $0.contains(word) && $0.hasPrefix("ok") && $0.contains("  Try: ")
      }
      #expect(isTold, "\(word): \(text)")
    }
  }
}
