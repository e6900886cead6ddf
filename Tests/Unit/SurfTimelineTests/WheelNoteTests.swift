import SurfControl
import SurfTimeline
import SurfWire
import Testing

@Suite struct WheelNoteTests {
  private static let app = SessionID(rawValue: 1)

  private static func note(
    _ row: SequenceNumber, _ viewer: UInt64?, _ command: String = "drive", padding: Int = 0
  ) -> Record {
    let name = viewer.map { "viewer \($0)" } ?? ""
    let revision = Revision(
      command: command, viewerName: String(repeating: "x", count: padding), replay: .exact,
      isLocked: false, isPaused: false, driver: viewer.map { .init(viewer: $0, name: name) })
    return Record(
      sequence: row, kind: .revision, name: "driven",
      payload: Content(type: "application/json", bytes: revision.json.bytes()))
  }

  private static func driver(_ viewer: UInt64) -> WheelDriver {
    WheelDriver(viewer: ViewerID(rawValue: viewer), name: "viewer \(viewer)")
  }

  @Test func `the newest row of the wheel counts, whenever it comes`() {
    var timeline = Timeline()
    #expect(timeline.wheel == nil)
    for record in [
      Self.note(3, 7), Self.note(9, .max), Self.note(5, 8), Self.note(12, 1, "lock"),
      Self.note(13, 1, padding: 5_000),
    ] { timeline.append(record) }
    #expect(timeline.wheel?.row == 9 && timeline.wheel?.driver == Self.driver(.max))
    timeline.append(Self.note(20, nil))
    #expect(timeline.wheel?.row == 20 && timeline.wheel?.driver == nil)
    timeline.retract(from: 20)
    #expect(timeline.wheel == nil)
  }

  @Test func `an app says whether somebody drives, and its rows say who`() {
    var catalog = Catalog()
    func hear(_ control: Heartbeat.Control) {
      var heartbeat = heartbeat()
      heartbeat.control = control
      catalog.hear(Self.app, heartbeat)
    }
    hear([.hasWheel, .driven])
    // Nobody has told who: the row made room, or is on its way.
    #expect(catalog[Self.app]?.driver?.title == "somebody")
    catalog.append(Self.note(1, 7), to: Self.app)
    #expect(catalog[Self.app]?.driver == Self.driver(7))
    hear(.hasWheel)
    #expect(catalog[Self.app]?.driver == nil)
  }

  @Test func `what an app is known to be stays until it is told anew`() {
    var catalog = Catalog()
    catalog.hear(Self.app, heartbeat(), as: .unproven)
    catalog.hear(Self.app, heartbeat())
    #expect(catalog[Self.app]?.standing == .unproven)
    catalog.hear(Self.app, heartbeat(), as: .sealed)
    #expect(catalog[Self.app]?.standing == .sealed)
  }
}
