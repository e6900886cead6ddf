import SurfTransport
import SurfWire
import Testing

@Suite struct ResetDeltaTests {
  @Test(arguments: 0..<40 as Range<UInt64>)
  func `a delta makes the state that is meant, or none`(seed: UInt64) {
    var world = DeltaWorld(seed: seed)
    world.run()
    #expect(world.madeCount > 5)
    #expect(world.unavailableCount > 0)
    #expect(world.mismatchCount > 0)
  }

  /// Protocol.md §11.2.
  @Test(arguments: [.initial, .record(3), .elsewhere] as [Position])
  func `no state means the initial one, and is rejected for another`(target: Position) {
    let empty = Reset.Part.bytes(contentType: "x", total: 0, offset: 0, [])
    for (request, part) in [(1, Reset.Part.initial), (2, empty)] as [(UInt64, Reset.Part)] {
      var intake = ResetIntake(acceptsResets: true)
      let reset = Reset(
        viewer: ViewerID(rawValue: 1), cookie: Cookie(rawValue: 1), request: request,
        viewerName: "v", target: target, part: part)
      switch intake.receive(reset, position: .record(9), at: .zero) {
      case .deliver(let incoming, _):
        #expect(target == .initial && incoming.state == nil && incoming.target == .initial)
      case .answer(.outcome(let outcome)):
        let row = target == .record(3) ? " of row 3" : ""
        #expect(outcome.result == .rejected(reason: "the viewer sent no state\(row)"))
        #expect(target != .initial && outcome.position == .record(9))
      case .answer: Issue.record("neither delivered nor rejected")
      }
    }
  }

  @Test func `few states are made for an app that does not decide`() {
    var intake = ResetIntake(acceptsResets: true)
    let state = Content(type: "x", bytes: Array(repeating: 1, count: 100))
    var busyCount = 0
    for request in 1...10 as ClosedRange<UInt64> {
      let key = DigestKey(viewer: ViewerID(rawValue: 1), request: request)
      let delta = Delta.between(state.bytes, state.bytes, baseRecord: 1, sizeMax: 99)
      let bytes = delta.map { ResetDelta($0, digest: Digest(of: state, key: key)).encoded } ?? []
      let part = Reset.Part.bytes(contentType: "x", total: WireCount(bytes.count), offset: 0, bytes)
      let reset = Reset(
        viewer: ViewerID(rawValue: 1), cookie: Cookie(rawValue: 1), request: request,
        viewerName: "v", target: .record(1), part: part, form: .delta)
      let reaction = intake.receive(reset, position: .initial, at: .zero) { _ in state }
      if case .answer(.outcome(let outcome)) = reaction, outcome.result == .busy { busyCount += 1 }
    }
    #expect(busyCount == 10 - Limits.openResetCountMax)
  }
}
