import JSONTree
import SurfGateway
import SurfObserver
import SurfStreams
import SurfWeb
import SurfWire

/// An app or a front end of RemoteInspector.
final class InspectorPeer {
  let stream: StreamID
  private unowned let bench: Bench
  private var socket: WebSocketConnection?
  private var parser = HTTPResponseParser()
  private(set) var status: Int?
  /// Text messages.
  private(set) var heard: [String] = []

  init(_ bench: Bench, path: String = "/ws", agent: String? = nil) {
    self.bench = bench
    stream = bench.open()
    bench.inspectorPeers[stream] = self
    let handshake = WebSocketHandshake.ClientHandshake(
      host: "localhost:9", path: path, key: SIMD16(repeating: 1))
    var request = handshake.request
    request.headers["User-Agent"] = agent
    bench.send(request.encoded(), on: stream)
  }

  func takeHeard() -> [String] {
    defer { heard = [] }
    return heard
  }

  func send(_ text: String, isBinary: Bool = false) {
    if isBinary { socket?.send(.binary(Array(text.utf8))) } else { socket?.send(.text(text)) }
    flush()
  }

  func send(binary bytes: [UInt8]) {
    socket?.send(.binary(bytes))
    flush()
  }

  func subscribe() { send(#"{"type":"subscribe"}"#) }

  func update(_ id: String, _ data: String) {
    send(#"{"type":"update","id":"\#(id)","data":\#(data)}"#, isBinary: true)
  }

  func leave() {
    bench.inspectorPeers[stream] = nil
    bench.machine.receive(.closed(stream, .byPeer), at: bench.now)
    bench.drain(stream)
  }

  func receive(_ bytes: [UInt8]) {
    do {
      var bytes = bytes
      if socket == nil {
        try parser.receive(bytes)
        guard let response = try parser.next() else { return }
        status = response.status
        guard response.status == 101 else { return }
        socket = WebSocketConnection(
          role: .client(maskingKey: { 7 }), limits: WebSocketLimits(messageBytes: 1 << 28))
        bytes = parser.takeRemaining()
      }
      for case .text(let text) in socket?.receive(bytes) ?? [] { heard.append(text) }
    } catch {
      fatalError("the gateway's answer: \(error)")
    }
  }

  private func flush() {
    let bytes = socket?.takeOutput() ?? []
    if !bytes.isEmpty { bench.send(bytes, on: stream) }
  }
}

extension Bench {
  static var inspecting: Bench {
    var configuration = GatewayConfiguration()
    configuration.servesInspectors = true
    return Bench(configuration)
  }

  /// A value from an app of the network, or the end of one.
  func value(
    _ row: SequenceNumber, _ id: String, _ json: String?, of session: SessionID,
    from origin: RecordOrigin = .live
  ) {
    let record = Record(
      sequence: row, kind: json == nil ? .remove : .update, name: id,
      payload: json.map { Content(type: "application/json", bytes: Array($0.utf8)) })
    observe(.record(session, ArrivedRecord(record, from: origin)))
  }
}

/// A message as it reaches a front end.
func updated(_ id: String, _ data: String) -> String {
  #"{"type":"update","id":"\#(id)","data":\#(data)}"#
}
