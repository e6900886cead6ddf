import JSONTree
import SurfWire

extension JSON {
  package static func number(_ sequence: SequenceNumber) -> JSON { number(sequence.rawValue) }

  package static func number(_ count: WireCount) -> JSON { number(count.rawValue) }
}
