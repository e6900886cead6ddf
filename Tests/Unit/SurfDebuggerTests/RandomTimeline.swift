import SurfTimeline
import SurfWire
import TestSupport

func restored(newest: SequenceNumber, request: UInt64, moves: WireCount = 1) -> Restored {
  Restored(
    request: request, viewer: ViewerID(rawValue: 9), viewerName: "ada@host", position: .initial,
    newestRecord: newest, moveCount: moves, outcome: .applied)
}

extension Timeline {
  /// Rows, gaps, hidden rows and markers, in whatever order a viewer may hear of them.
  static func random(using random: inout SeededGenerator) -> Timeline {
    var bounds = Bounds()
    bounds.rowCountMax = 40
    var timeline = Timeline(bounds: bounds)
    for step in 0..<Int.random(in: 0...80, using: &random) {
      let number = SequenceNumber(UInt64.random(in: 1...60, using: &random))
      switch Int.random(in: 0..<10, using: &random) {
      case 0: timeline.lose(number...number.advanced(by: 3))
      case 1: timeline.hide(number)
      case 2:
        timeline.note(
          restored(newest: number, request: UInt64(step), moves: WireCount(step)))
      default: timeline.append(.action(number, "action \(number)"))
      }
    }
    return timeline
  }
}
