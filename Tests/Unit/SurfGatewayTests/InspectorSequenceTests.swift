import SurfGateway
import SurfStreams
import SurfWire
import TestSupport
import Testing

/// A client, and all that it must have heard.
private final class ModelClient {
  let peer: InspectorPeer
  var isFrontEnd = false
  var values: [(id: String, text: String, arrival: Int)] = []
  var expected: [String] = []

  init(_ peer: InspectorPeer) { self.peer = peer }

  func keep(_ id: String, _ text: String, _ arrival: Int) {
    values.removeAll { $0.id == id }
    values.append((id, text, arrival))
  }
}

/// The rules in their simplest form (Relay.md, RemoteInspector messages).
private final class InspectorModel {
  let bench = Bench.inspecting
  var clients: [ModelClient] = []
  /// An app of the network, as long as it is there.
  var app: ModelClient?
  var row: SequenceNumber = 0
  var sessions: UInt64 = 0
  var arrivals = 0

  var session: SessionID { SessionID(rawValue: sessions) }

  func publish(_ text: String) {
    for client in clients where client.isFrontEnd { client.expected.append(text) }
  }

  func subscribe(_ client: ModelClient) {
    client.peer.subscribe()
    guard !client.isFrontEnd else { return }
    client.isFrontEnd = true
    let values = (clients + [app].compactMap(\.self)).flatMap(\.values)
    client.expected += values.sorted { $0.arrival < $1.arrival }.map(\.text)
  }

  func update(_ client: ModelClient, _ id: String, isBinary: Bool) {
    arrivals += 1
    let text = updated(id, "\(arrivals)")
    client.peer.send(" \(text) ", isBinary: isBinary)
    client.keep(id, text, arrivals)
    publish(text)
  }

  func observe(_ id: String) {
    guard let app else { return }
    arrivals += 1
    row = row.next
    let text = updated("Todo/\(id)", "\(arrivals)")
    bench.value(row, id, "\(arrivals)", of: session)
    app.keep(id, text, arrivals)
    publish(text)
  }

  func remove(_ id: String) {
    guard let app else { return }
    row = row.next
    bench.value(row, id, nil, of: session)
    let removed = app.values.map(\.id).filter { $0 == id || $0.hasPrefix("\(id)/") }
    app.values.removeAll { removed.contains($0.id) }
    for id in removed.sorted() { publish(updated("Todo/\(id)", "null")) }
  }

  func toggleApp() {
    if app != nil {
      bench.observe(.gone(session, saidGoodbye: true))
      app = nil
    } else {
      (sessions, row) = (sessions + 1, 0)
      bench.appear(session)
      app = ModelClient(InspectorPeer(bench))
    }
  }
}

@Suite struct InspectorSequenceTests {
  private static let ids = ["a", "a/b", "c"]

  @Test(arguments: 0..<40)
  func `clients and apps that come, speak and go leave each front end with what it must know`(
    seed: Int
  ) {
    var generator = SeededGenerator(seed: UInt64(seed))
    let model = InspectorModel()
    for step in 0..<120 {
      act(model, &generator)
      for client in model.clients {
        #expect(client.peer.heard == client.expected, "seed \(seed), step \(step)")
      }
    }
  }

  private func act(_ model: InspectorModel, _ generator: inout SeededGenerator) {
    let id = Self.ids.randomElement(using: &generator) ?? "a"
    let isBinary = Bool.random(using: &generator)
    let choice = Int.random(in: 0..<12, using: &generator)
    if choice == 0 { return model.toggleApp() }
    if choice < 3 { return model.observe(id) }
    if choice == 3 { return model.remove(id) }
    guard let client = model.clients.randomElement(using: &generator), choice != 4 else {
      return model.clients.append(ModelClient(InspectorPeer(model.bench)))
    }
    switch choice {
    case 5:
      client.peer.leave()
      model.clients.removeAll { $0 === client }
    case 6: model.subscribe(client)
    case 7:
      let rubbish = ["", "{", "[]", #"{"type":"x"}"#, #"{"type":"update"}"#, "\u{0}"]
      client.peer.send(rubbish.randomElement(using: &generator) ?? "", isBinary: isBinary)
    case 8:
      let line = #"{"type":"log","message":"\#(id)","level":"info"}"#
      client.peer.send(line, isBinary: isBinary)
      model.publish(line)
    default: model.update(client, id, isBinary: isBinary)
    }
  }
}
