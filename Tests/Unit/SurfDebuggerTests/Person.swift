import JSONTree
import SurfDebugger
import SurfTimeline
import SurfViewer
import SurfWire
import TerminalScreen
import TestSupport

/// A person at a debugger, the apps that it shows, and a driver that answers without delay.
struct Person {
  var catalog = Catalog()
  var debugger: Debugger
  private(set) var effects: [DebuggerEffect] = []
  /// The apps that were asked for their initial state.
  private(set) var described: [SessionID] = []
  /// The rows whose watched places were read.
  private(set) var readRows: [SequenceNumber] = []
  private var now = Duration.zero
  /// Whether rows that must be read wait for `endReading`.
  private var readsSlowly = false
  private var unread: [InspectionRequest] = []

  init(
    width: Int = 100, height: Int = 30, wanted: String? = nil, isASCII: Bool = false,
    host: String? = nil, textWidth: TextWidth = TextWidth(), observes: Bool = false
  ) {
    var setting = Debugger.Setting()
    setting.textWidth = textWidth
    setting.isASCII = isASCII || Terminal.current == .ascii
    setting.isLight = Terminal.current == .light
    setting.viewerName = "ada@desk"
    setting.viewer = ViewerID(rawValue: 1)
    setting.wanted = wanted
    setting.host = host
    setting.observes = observes
    debugger = Debugger(setting, size: ScreenSize(width: width, height: height))
  }

  /// The terminal of everybody who is made meanwhile.
  enum Terminal: String, CaseIterable {
    case dark, light, colourless, ascii

    @TaskLocal static var current = Terminal.dark
  }

  // MARK: Doing

  mutating func press(_ keys: CommandKey...) { for key in keys { send(.key(key)) } }

  mutating func type(_ text: String) { for letter in text { send(.key(CommandKey("\(letter)"))) } }

  mutating func send(_ event: DebuggerEvent) {
    var events = [event]
    while !events.isEmpty {
      for effect in debugger.receive(events.removeFirst(), in: catalog, at: now) {
        switch effect {
        case .inspect(let request) where readsSlowly: unread.append(request)
        case .inspect(let request): events.append(.inspected(inspect(request)))
        case .watch(let request):
          readRows += request.rows
          events.append(.watched(read(request)))
        case .hide(let app, let row):
          catalog.hide(row, of: app)
          events.append(.news)
        case .showHidden(let app, let row):
          catalog.showHidden(row, of: app)
          events.append(.news)
        case .describe(let app): described.append(app)
        default: effects.append(effect)
        }
      }
    }
  }

  mutating func beginReading() { readsSlowly = true }

  mutating func endReading() {
    readsSlowly = false
    for request in unread { send(.inspected(inspect(request))) }
    unread = []
  }

  /// Lets this much time go by, and whatever was due.
  mutating func wait(_ duration: Duration) {
    now += duration
    for _ in 0..<1_000 {
      guard let deadline = debugger.deadline, deadline <= now else { return }
      send(.time)
    }
  }

  mutating func takeEffects() -> [DebuggerEffect] {
    defer { effects = [] }
    return effects
  }

  private func read(_ request: WatchRequest) -> [WatchedRow] {
    request.rows.map { row in
      let state = catalog[request.session]?.timeline.state(at: Position(wire: row))
      return WatchedRow(request, row, state: state.flatMap { JSON(ifValid: $0.bytes) })
    }
  }

  private func inspect(_ request: InspectionRequest) -> Inspection {
    let timeline = catalog[request.session]?.timeline
    return Inspection(
      request, state: request.state.flatMap { timeline?.state(at: $0) },
      base: request.base.flatMap { catalog[request.baseSession]?.timeline.state(at: $0) },
      payload: timeline?.row(request.row)?.record.payload)
  }

  // MARK: Seeing

  var screen: Screen { DebuggerPicture.screen(of: debugger, in: catalog) }
  var lines: [String] { screen.lines }
  var text: String { lines.joined(separator: "\n") }

  /// The number of the row with the cursor, read off the list.
  var shownRow: String? {
    lines.first { $0.hasPrefix("▸") }.flatMap { line in
      line.dropFirst(17).split(separator: " ").first.map(String.init)
    }
  }

  /// The number of the row with the cursor in the detail, whatever the list shows.
  var rowText: String? {
    lines.first { $0.contains(" row ") && $0.contains("[Diff]") }.flatMap { line in
      line.firstMatch(of: #/ row (\d+) /#).map { String($0.1) }
    }
  }

  /// The text in the box of a question, in one line; nil without one.
  var question: String? {
    guard let top = lines.firstIndex(where: { $0.contains("┌─ ") }),
      let end = lines.firstIndex(where: { $0.contains("└─") }),
      let start = lines[top].firstIndex(of: "┌"), let stop = lines[top].firstIndex(of: "┐")
    else { return nil }
    let columns = lines[top][..<start].count + 1..<lines[top][..<stop].count
    let texts = lines[top..<end].map { $0.dropFirst(columns.lowerBound).prefix(columns.count) }
    return texts.flatMap { $0.split { " ─".contains($0) } }.joined(separator: " ")
  }

  // MARK: Apps

  mutating func start(
    _ session: SessionID, _ name: String = "PrimeTime", id: UInt32 = 11105,
    control: Heartbeat.Control = .allCommands, acceptsResets: Bool = true,
    host: String = "desk", newest: SequenceNumber = 0
  ) {
    catalog.hear(
      session,
      Heartbeat(
        instance: InstanceID(high: session.rawValue, low: 1), app: name, host: host,
        processID: id, contentType: "application/json", acceptsResets: acceptsResets,
        control: control, datagramSize: 1_344,
        progress: StreamProgress(newestRecord: newest)))
    send(.news)
  }

  mutating func record(_ records: Record..., in session: SessionID = one) {
    for record in records {
      catalog.append(record, to: session)
      send(.rows(session, record.sequence...record.sequence))
    }
  }
}

let one = SessionID(rawValue: 1)
let two = SessionID(rawValue: 2)

func json(_ text: String) -> Content {
  Content(type: "application/json", bytes: Array(text.utf8))
}

/// An action half a second after the one before.
func action(
  _ number: UInt64, _ name: String, _ state: String? = nil, payload: String? = nil,
  parent: UInt64 = 0, source: String = "", from origin: UInt64? = nil
) -> Record {
  Record(
    sequence: SequenceNumber(number), kind: .action,
    wallTime: 22_000_000_000_000 + Int64(number) * 500_000_000, uptime: number * 500_000_000,
    parent: SequenceNumber(parent), name: name, source: source, payload: payload.map(json),
    state: state.map { .keyframe(json($0)) } ?? .none,
    grownFrom: origin.map { GrownFrom(from: Position(wire: SequenceNumber($0))) })
}

func log(_ number: UInt64, _ level: LogLevel, _ text: String) -> Record {
  Record(
    sequence: SequenceNumber(number), kind: .log(level),
    wallTime: 22_000_000_000_000 + Int64(number) * 500_000_000, uptime: number * 500_000_000,
    name: text)
}

extension Person {
  /// PrimeTime as it is in most of these tests: nine rows, the last one a warning.
  static func atPrimeTime(width: Int = 100, height: Int = 30) -> Person {
    var person = Person(width: width, height: height)
    person.start(one)
    for number in 1...8 as ClosedRange<UInt64> {
      let source = number == 7 ? "PrimeTime/Main.swift:73" : ""
      person.record(
        action(
          number, number.isMultiple(of: 3) ? "isPrime" : "increment",
          #"{"count":\#(number),"user":{"name":"Ada","age":36},"theme":"dark"}"#,
          payload: #"{"by":\#(number)}"#, parent: number == 6 ? 5 : 0, source: source))
    }
    person.record(log(9, .warning, "refused: increment"))
    _ = person.takeEffects()
    return person
  }
}

extension DebuggerEffect {
  /// Of the answer that it waits for; -1 for none.
  var serial: Int {
    switch self {
    case .move(_, _, let serial), .load(_, _, let serial), .command(_, _, let serial),
      .put(_, _, let serial, _), .replace(_, _, let serial), .check(_, _, let serial):
      serial
    case .save(_, _, let target), .export(_, let target): target.serial
    default: -1
    }
  }
}
