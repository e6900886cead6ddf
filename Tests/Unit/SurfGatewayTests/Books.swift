import JSONTree
import SurfWire

/// A panel's own books, as its reducers keep them.
struct Books {
  var ids: [SequenceNumber] = []
  /// The row whose state each of these has; nil where no row has it.
  var rows: [UInt64?] = []
  var index = 0

  mutating func apply(_ frames: [JSON]) throws {
    for frame in frames { try apply(frame) }
  }

  private mutating func apply(_ frame: JSON) throws {
    switch frame["type"]?.text {
    case "STATE":
      let lifted = try JSON(parsing: frame["payload"]?.text ?? "")
      ids = Self.numbers(lifted["stagedActionIds"])
      guard case .array(let states) = lifted["computedStates"] else { return }
      rows = states.map { $0["state"]?["n"]?.natural }
      index = Int(Self.numbers(lifted["currentStateIndex"].map { .array([$0]) })[0].rawValue)
    case "ACTION":
      if index == ids.count - 1 { index += 1 }
      rows.append(try JSON(parsing: frame["payload"]?.text ?? "")["n"]?.natural)
      ids.append(Self.numbers(frame["nextActionId"].map { .array([$0]) })[0].previous)
    case "LIFTED":
      let value = frame["liftedState"]?["currentStateIndex"]
      index = Int(Self.numbers(value.map { .array([$0]) })[0].rawValue)
    case "DISCONNECTED": self = Books()
    default: break
    }
  }

  private static func numbers(_ json: JSON?) -> [SequenceNumber] {
    guard case .array(let elements) = json else { return [] }
    return elements.compactMap {
      if case .number(let number) = $0 {
        UInt64(number.literal).map { SequenceNumber($0) }
      } else {
        nil
      }
    }
  }
}
