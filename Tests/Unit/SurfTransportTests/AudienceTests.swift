import SurfTransport
import SurfWire
import Testing

/// Whether anybody watches an app.
@Suite struct AudienceTests {
  @Test func `who says hello watches for a minute, and arrives if nobody did`() {
    var audience = Audience()
    #expect(audience.takeNews() == nil)
    let times = [(1, true), (30, false), (89, false), (149, true), (150, false), (900, true)]
    for (second, isArrival) in times {
      audience.note(ViewerID(rawValue: 1), at: .seconds(second))
      let news = audience.takeNews()
      #expect(news?.end == .seconds(second + 60))
      #expect(news?.isArrival == isArrival, "\(second)")
      #expect(audience.takeNews() == nil)
    }
  }

  @Test func `an arrival that nobody has asked for yet is not forgotten`() {
    var audience = Audience()
    for second in [1, 2, 3] as [UInt64] {
      audience.note(ViewerID(rawValue: second / 2), at: .seconds(second))
    }
    let news = audience.takeNews()
    #expect(news?.isArrival == true && news?.end == .seconds(63) && news?.viewers.count == 2)
  }
}
