import SurfTerminal
import Testing

@Suite struct HistorianMessageTests {
  private func state(_ text: String) -> String? {
    HistorianMessage(Array(text.utf8)).map { String(decoding: $0.state, as: UTF8.self) }
  }

  @Test func `a message that Historian's transceiver sent holds a state`() {
    let text = #"""
      {"payload":{"action":"a\/b","command":"record","state":"eyJuIjoxfQ=="},"type":"Message"}
      """#
    #expect(state(text) == #"{"n":1}"#)
    #expect(state(" \n" + text) == #"{"n":1}"#)
    #expect(state(#"{"type":"Message","payload":{"command":"reset","state":""}}"#) == "")
  }

  @Test(arguments: [
    "", "{", "[]", "{}", #"{"n":1}"#, #"{"type":"Message"}"#,
    #"{"type":"Other","payload":{"command":"record","state":"eyJuIjoxfQ=="}}"#,
    #"{"type":"Message","payload":{"command":"record","state":"%"}}"#,
    #"{"type":"Message","payload":{"state":"eyJuIjoxfQ=="}}"#,
    #"{"type":"Message","payload":{"command":"record","state":"eyJuIjoxfQ=="},"n":1}"#,
    #"{"type":"Message","payload":[]}"#,
  ])
  func `everything else is a state as it is`(text: String) { #expect(state(text) == nil) }
}
