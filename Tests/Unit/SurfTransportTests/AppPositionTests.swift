import SurfTransport
import SurfWire
import Testing

/// Protocol.md §11.7, the app's side.
@Suite struct AppPositionTests {
  private static func record(
    _ sequence: SequenceNumber, _ kind: Record.Kind = .action, _ state: RecordState = .givenUp
  ) -> Record {
    Record(sequence: sequence, kind: kind, name: "", state: state)
  }

  private static func reset(to target: Position, _ state: Content?) -> IncomingReset {
    IncomingReset(
      request: 1, viewer: ViewerID(rawValue: 1), viewerName: "ada", target: target, state: state)
  }

  private static let state = Content(type: "application/json", bytes: [0x31])

  @Test(arguments: [
    (Record.Kind.action, RecordState.givenUp, true), (.action, .none, false),
    (.revision, .keyframe(state), true), (.revision, .none, false), (.mark, .keyframe(state), true),
    (.mark, .none, false), (.update, .keyframe(state), true), (.update, .none, false),
    (.log(.info), .keyframe(state), false),
  ])
  func aRecordOfWhatWasDoneMovesTheApp(_ kind: Record.Kind, _ state: RecordState, _ moves: Bool) {
    var app = AppPosition()
    app.note([Self.record(1), Self.record(2, kind, state), Self.record(3, .log(.info), .none)])
    #expect(app.position == .record(moves ? 2 : 1))
    #expect(app.stamp == PositionStamp(newestRecord: 3))
    app.note([])
    #expect(app.stamp == PositionStamp(newestRecord: 3))
  }

  @Test func everyAnswerToAResetIsAMove() {
    var app = AppPosition()
    app.note([Self.record(1), Self.record(2)])
    app.decide(Self.reset(to: .record(1), Self.state), .applied)
    #expect(app.position == .record(1))
    app.decide(Self.reset(to: .record(2), Self.state), .rejected(reason: "no"))
    #expect(app.position == .record(1))
    app.decide(Self.reset(to: .record(2), nil), .applied)
    #expect(app.position == .initial)
    app.decide(Self.reset(to: .initial, Self.state), .applied)
    #expect(app.position == .elsewhere)
    app.leaveRecords()
    #expect(app.position == .elsewhere)
    #expect(app.stamp == PositionStamp(newestRecord: 2, moveCount: 5))
  }
}
