import TestSupport
import Testing

@Suite struct TimersTests {
  @Test func `the timers are those of the document`() {
    let timers = declaredNumbers(in: "Sources/Machines/SurfTransport/Timers.swift")
    #expect(timers == ProtocolDocument.shared.numbers(section: "14"))
  }
}
