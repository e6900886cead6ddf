import SurfBasics
import Testing

@Suite struct EditDistanceTests {
  @Test(arguments: [
    ("watch", "watch", 0), ("wtach", "watch", 1), ("wach", "watch", 1), ("WATCH", "watch", 0),
    ("", "abc", 3), ("list", "watch", 5),
  ])
  func countsSlips(_ first: String, _ second: String, _ distance: Int) {
    #expect(editDistance(first, second) == distance)
  }

  @Test func onlyASlipIsASuggestion() {
    #expect(nearest(to: "jmp", in: ["jump", "reset", "back"]) == ["jump"])
    #expect(nearest(to: "frobnicate", in: ["jump", "reset"]) == [])
  }
}
