import FoundationEssentials
import ValueCoding

/// The result of encoding a value by its own `encode(to:)`.
enum EncodedText {
  case text([UInt8])
  /// More bytes than there is room for.
  case tooLong
  /// An error, too many levels, or an object inside itself.
  case impossible
}

private let encoder = ValueEncoder(escapesSlashes: false) { Leaf.text($0) }

extension Encodable {
  /// The JSON that `JSONEncoder` makes of this, dates and control characters as everywhere here.
  ///
  /// A probe goes first: it ends where the text would be too long, or too deep for its place.
  func jsonEncoded(depthMax: Int, byteCountMax: Int) -> EncodedText {
    let probe = ProbeState(depthMax: depthMax, byteCountMax: byteCountMax)
    do {
      try encode(to: ProbingEncoder(state: probe))
      // The probe decides, not the value's own code.
      if probe.failed { return probe.isOutOfRoom ? .tooLong : .impossible }
      let bytes = try encoder.bytes(of: self, shortEnums: true)
      return probe.isOutOfRoom ? .tooLong : .text(Leaf.withoutControls(bytes))
    } catch {
      return probe.isOutOfRoom ? .tooLong : .impossible
    }
  }

  /// Whether this, taken apart as `enumeration`, encodes in the form that the compiler makes
  /// (SE-0295): `{"case":{"label":…,"_1":…}}`.
  func isSynthesized(as enumeration: EnumCase) -> Bool {
    guard let shape = EnumShape(self), shape.name == enumeration.name else { return false }
    return shape.fields.map(\.key) == enumeration.payloads.map(\.key)
  }
}
