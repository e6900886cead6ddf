import JSONTree
import SurfRelay
import TestSupport
import Testing

@Suite struct SocketClusterFuzzTests {
  private static let messages = [
    handshake, handshakeAnswer, "", "#1", "#2", ##"{"event":"login","data":"master","cid":2}"##,
    ##"{"event":"#subscribe","data":{"channel":"respond"},"cid":3}"##, ##"{"rid":3}"##,
    ##"{"event":"#unsubscribe","data":"respond","cid":4}"##,
    ##"{"event":"#publish","data":{"channel":"respond","data":{"a":[1,null]}}}"##,
    ##"{"event":"#kickOut","data":{"channel":"respond","message":"…"}}"##,
    ##"{"event":"#authenticate","data":"x","cid":6}"##, ##"{"event":"log","data":{}}"##,
    ##"{"rid":5,"error":{"message":"…","name":"InvalidActionError"}}"##,
    ##"[{"event":"a"},{"event":"b","cid":1},7]"##,
    ##"{"event":"#disconnect","data":{"code":1000}}"##,
  ].map { Array($0.utf8) }

  /// Bytes that are nearly, or exactly, a message.
  private func bytes(_ generator: inout SeededGenerator) -> [UInt8] {
    var bytes = Self.messages.randomElement(using: &generator) ?? []
    switch Int.random(in: 0..<6, using: &generator) {
    case 0: bytes = (0..<8).map { _ in UInt8.random(in: 0...255, using: &generator) }
    case 1: bytes = Array(bytes.prefix(Int.random(in: 0...bytes.count, using: &generator)))
    case 2, 3:
      guard let index = bytes.indices.randomElement(using: &generator) else { break }
      bytes[index] =
        Array(##"{}[]":,0123456789eE-.nul#""##.utf8).randomElement(using: &generator) ?? 0
    default: break
    }
    return bytes
  }

  @Test func whatIsReadIsWrittenAsTheSame() {
    var generator = SeededGenerator(seed: 1)
    var accepted = 0
    for _ in 0..<20_000 {
      for packet in SocketClusterPacket.parse(.binary(bytes(&generator))) {
        switch packet {
        case .garbage, .misnumbered: #expect(packet.text.isEmpty)
        default:
          accepted += 1
          #expect(SocketClusterPacket.parse(.text(packet.text)) == [packet])
        }
      }
    }
    #expect((10_000..<25_000).contains(accepted))
  }

  @Test(arguments: 0..<60 as Range<UInt64>)
  func serversBearAnything(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    var session = SocketClusterServerSession.opened()
    var now = Duration.zero
    var hasClosed = false
    for _ in 0..<300 {
      now += .milliseconds(Int.random(in: 0...2_000, using: &generator))
      session.receive(.binary(bytes(&generator)), at: now)
      session.advance(to: now)
      for output in session.takeOutputs() {
        #expect(!hasClosed)
        if case .close = output { hasClosed = true }
        if case .send(let text) = output {
          #expect(!SocketClusterPacket.parse(.text(text)).contains(.garbage))
        }
      }
      #expect(session.channels.count <= SocketClusterServerSession.channelsMax)
      #expect(hasClosed == (session.deadline == nil))
      if let deadline = session.deadline { #expect(deadline > now) }
    }
  }

  @Test(arguments: 0..<60 as Range<UInt64>)
  func clientsBearAnything(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    var client = SocketClusterClient.connected()
    var now = Duration.zero
    var hasClosed = false
    for _ in 0..<300 {
      now += .milliseconds(Int.random(in: 0...2_000, using: &generator))
      client.invoke(event: "a", data: nil, at: now)
      client.receive(.binary(bytes(&generator)), at: now)
      client.advance(to: now)
      for output in client.takeOutputs() {
        // A call after the end fails.
        if case .failed = output { continue }
        #expect(!hasClosed)
        if case .close = output { hasClosed = true }
      }
      #expect(hasClosed == (client.deadline == nil))
      if let deadline = client.deadline { #expect(deadline > now) }
    }
  }
}
