import JSONTree
import SurfRelay
import Testing

@Suite struct ServerSendingTests {
  typealias Output = SocketClusterServerSession.Output

  private func subscribe(_ session: inout SocketClusterServerSession, to channel: String)
    -> [Output]
  {
    let packet = SocketClusterPacket.event(
      name: "#subscribe", data: ["channel": .string(channel)], cid: 9)
    session.receive(.text(packet.text), at: .zero)
    return session.takeOutputs()
  }

  @Test func answersAreWrittenByteForByte() {
    var session = SocketClusterServerSession.opened()
    session.respond(to: 2, data: "respond")
    session.respond(to: 3, data: nil)
    session.respond(to: 4, error: SocketClusterError(name: "N", message: "M"))
    session.emit(event: "respond", data: ["type": "START"])
    #expect(
      session.takeOutputs() == [
        .send(text: ##"{"rid":2,"data":"respond"}"##), .send(text: ##"{"rid":3}"##),
        .send(text: ##"{"rid":4,"error":{"message":"M","name":"N"}}"##),
        .send(text: ##"{"event":"respond","data":{"type":"START"}}"##),
      ])
  }

  @Test func channelsAreLimited() {
    var session = SocketClusterServerSession.opened()
    for number in 0..<SocketClusterServerSession.channelsMax {
      #expect(subscribe(&session, to: "c\(number)").last == .subscribed(channel: "c\(number)"))
    }
    #expect(subscribe(&session, to: "more").count == 1)
    #expect(!session.channels.contains("more"))
    // One that is there already is not one more.
    #expect(subscribe(&session, to: "c0") == [.send(text: ##"{"rid":9}"##)])
  }

  @Test(arguments: [(256, true), (257, false)])
  func namesOfChannelsAreLimited(count: Int, isAccepted: Bool) {
    var session = SocketClusterServerSession.opened()
    let name = String(repeating: "c", count: count)
    _ = subscribe(&session, to: name)
    #expect(session.channels.contains(name) == isAccepted)
  }

  @Test func aClosedSessionIsSilent() {
    var session = SocketClusterServerSession.opened()
    _ = subscribe(&session, to: "log")
    session.close(code: 1000, reason: "bye")
    session.close(code: 4000, reason: "again")
    session.emit(event: "respond", data: 1)
    session.respond(to: 1, data: 1)
    session.receive(.text(handshake), at: .zero)
    session.receive(.text("#1"), at: .zero)
    session.advance(to: .seconds(100))
    #expect(session.takeOutputs() == [.close(code: 1000, reason: "bye")])
    #expect(session.deadline == nil)
  }

  @Test func nothingIsSentBeforeTheHandshake() {
    var session = SocketClusterServerSession.connecting()
    session.emit(event: "respond", data: 1)
    session.respond(to: 1, data: 1)
    session.advance(to: .milliseconds(9_999))
    #expect(session.takeOutputs() == [])
    #expect(session.deadline == .seconds(10))
    session.advance(to: .seconds(10))
    #expect(
      session.takeOutputs() == [
        .close(code: 4005, reason: "Did not receive #handshake from client before timeout")
      ])
  }
}
