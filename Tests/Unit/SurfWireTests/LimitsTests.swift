import SurfWire
import TestSupport
import Testing

@Suite struct LimitsTests {
  @Test func `the limits are those of the document`() {
    let limits = declaredNumbers(in: "Sources/Values/SurfWire/Limits.swift")
    #expect(limits == ProtocolDocument.shared.numbers(section: "13"))
  }

  @Test func `every reason has a row in the document`() {
    let rows = Set(ProtocolDocument.shared.rows(section: "15").map { $0[0] })
    let errors: [WireError] = [
      .truncated(field: "", needed: 0, available: 0), .foreign, .unsupportedVersion(0),
      .unknownType(0), .unknownKey(id: 1), .beyondLimit(field: "", value: 0, limit: 0),
      .invalid(field: ""), .malformedText(field: ""),
    ]
    for error in errors { #expect(rows.contains(error.reason)) }
  }

  @Test func `a probe is as long as the longest heartbeat`() {
    let longest = expectedDatagrams["heartbeat-longest"]!.encoded()
    #expect(longest.count == Limits.probeSize)
    #expect(expectedDatagrams["probe"]!.encoded().count == Limits.probeSize)
  }

  @Test func `an introduction gives up its last fields before a heartbeat outgrows a probe`() throws
  {
    var random = SeededGenerator(seed: 30)
    for _ in 0..<2_000 {
      func text() -> String { String(repeating: "a", count: .random(in: 0...70, using: &random)) }
      var heartbeat = Heartbeat.sample()
      (heartbeat.app, heartbeat.host, heartbeat.contentType) = (text(), text(), text())
      heartbeat.realm = try? Realm(text())
      heartbeat.introduction = Introduction(
        version: text(), identifier: text(), system: text(), machine: text(), library: text())
      let bytes = Sample.datagram(.heartbeat(heartbeat)).encoded()
      guard case .heartbeat(let told) = try Datagram(decoding: bytes).body else {
        Issue.record("not a heartbeat")
        return
      }
      #expect(bytes.count <= Limits.probeSize)
      #expect(told.realm == heartbeat.realm)
      let wanted = labels(heartbeat.introduction).map { $0.prefix(Limits.labelSizeMax) }
      let fitting = labels(told.introduction)
      let kept = zip(wanted, fitting).prefix { $0 == $1 }.count
      let rest = fitting.dropFirst(kept).joined()
      #expect(rest.isEmpty)
      // What is left out did not fit.
      if kept < wanted.count {
        #expect(bytes.count + 1 + wanted[kept].utf8.count > Limits.probeSize)
      }
    }
  }

  private func labels(_ introduction: Introduction) -> [String] {
    [introduction.version, introduction.identifier, introduction.system, introduction.machine]
      + [introduction.library]
  }

  @Test func `a hello is longer than the welcome that answers it`() {
    let hello = expectedDatagrams["hello"]!.encoded()
    #expect(hello.count == Limits.helloSizeMin)
    #expect(hello.count > expectedDatagrams["welcome"]!.encoded().count)
  }

  @Test func `a seek is as long as an offer, and every proof is shorter than its check`() {
    let seek = expectedDatagrams["seek"]!.encoded()
    #expect(seek.count == Limits.seekSize)
    #expect(seek.count == expectedDatagrams["offer"]!.encoded().count)
    for count in 1...Limits.checkRangeCountMax {
      let check = Sample.check(Array(repeating: (1, 1), count: count)).encoded()
      let proof = Sample.proof(Array(repeating: 0, count: count)).encoded()
      #expect(proof.count < check.count)
    }
  }

  @Test func `the longest control datagrams fit one datagram`() {
    #expect(expectedDatagrams["limit-ranges"]!.encoded().count <= Limits.datagramSizeMin)
    #expect(expectedDatagrams["limit-reason"]!.encoded().count <= Limits.datagramSizeMax)
    let reason = String(repeating: "a", count: Limits.reasonSizeMax)
    let name = String(repeating: "a", count: Limits.labelSizeMax)
    let restored = Sample.restored(.initial, newest: 1, .rejected(reason: reason), name: name)
    #expect(Sample.data(1, oldest: 1, [], [restored]).encoded().count <= Limits.datagramSizeMax)
  }
}
