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
