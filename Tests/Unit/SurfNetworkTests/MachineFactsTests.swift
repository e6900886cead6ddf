import SurfNetwork
import Testing

@Suite struct MachineFactsTests {
  @Test(
    arguments: [
      (
        "NAME=Debian\nPRETTY_NAME=\"Debian GNU/Linux 12 (bookworm)\"\n",
        "Debian GNU/Linux 12 (bookworm)"
      ),
      ("PRETTY_NAME='Ubuntu 24.04.1 LTS'", "Ubuntu 24.04.1 LTS"),
      ("PRETTY_NAME=Alpine\r\nID=alpine", "Alpine"),
      // The last counts, as in a shell, which is what os-release(5) lets read the file.
      ("PRETTY_NAME=One\nPRETTY_NAME=Two", "Two"),
      ("PRETTY_NAME=\"Bob\\'s \u{7}Linux\"", "Bobs Linux"),
      ("PRETTY_NAME=\"\"", nil), ("ID=void", nil), ("", nil), (nil, nil),
    ] as [(String?, String?)])
  func `the name of a system is the pretty one`(text: String?, name: String?) {
    #expect(MachineFacts.system(osRelease: text) == name)
  }

  @Test(
    arguments: [
      ("Raspberry Pi 5 Model B Rev 1.0\0", "Raspberry Pi 5 Model B Rev 1.0"),
      ("ThinkPad  X1 \n", "ThinkPad X1"), ("To Be Filled By O.E.M.\n", nil), ("\n", nil),
    ] as [(String, String?)])
  func `the model is what the firmware says, if it says something`(text: String, model: String?) {
    #expect(MachineFacts.model(text) == model)
  }

  @Test func `this machine says what it is, and the app what the app is`() {
    let introduction = HostFacts.introduction(version: "1.4.2", identifier: "com.example.todo")
    #expect(introduction.version == "1.4.2")
    #expect(introduction.identifier == "com.example.todo")
    #expect(!introduction.system.isEmpty)
    #expect(!introduction.machine.isEmpty)
  }
}
