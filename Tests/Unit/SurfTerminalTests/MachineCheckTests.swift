import SurfDiscovery
import SurfTerminal
import Testing

@Suite struct AvahiCheckTests {
  @Test(arguments: [
    (DaemonState.running, "the daemon answers"),
    (.unavailable(.noLibrary), "library libdns_sd.so.1 is not installed"),
    (.unavailable(.code(-65537)), "no daemon"), (.connecting, "no daemon"),
  ])
  func saysWhatThereIsAndIsNeverAFault(state: DaemonState, words: String) {
    let check = AvahiCheck.check(state)
    #expect(check.isFine)
    #expect(check.finding.hasPrefix(words))
  }
}

@Suite struct PortCheckTests {
  @Test(arguments: [
    ([], "another process"), (["nginx#7"], "nginx#7"),
    (["a#1", "b\u{1B}[2J#2"], "a#1, b\\u{1b}[2J#2"),
  ])
  func aTakenPortNamesItsHolderAndWhatToDo(holders: [String], words: String) {
    let check = PortCheck.taken(8383, by: holders)
    #expect(!check.isFine)
    #expect(check.finding == "UDP port 8383 is held by \(words) and not shared")
    #expect(check.fix.contains("--port") && !check.fix.contains("--interface"))
  }
}
