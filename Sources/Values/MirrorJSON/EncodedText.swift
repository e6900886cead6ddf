import FoundationEssentials
import ValueCoding

/// The result of `Encodable.jsonEncoded`, for `MirrorWriter`.
enum EncodedText {
  case text([UInt8])
  case tooLong
  /// `encode(to:)` threw, or nests too deeply, as an object inside itself does.
  case impossible
}

private let encoder = ValueEncoder(escapesSlashes: false) { Leaf.text($0) }

extension Encodable {
  /// Encodes this value with its own `encode(to:)`: the JSON that `JSONEncoder` writes, with dates
  /// and control characters spelled as everywhere in this module.
  ///
  /// A probe runs first. It stops a value that is too long or too deep before any text is made.
  func jsonEncoded(depthMax: Int, byteCountMax: Int) -> EncodedText {
    let probe = ProbeState(depthMax: depthMax, byteCountMax: byteCountMax)
    do {
      try encode(to: ProbingEncoder(state: probe))
      // Ask the probe: the value's own code may have swallowed the error.
      if probe.failed { return probe.isTooLong ? .tooLong : .impossible }
      let bytes = try encoder.bytes(of: self, shortEnums: true)
      return probe.isTooLong ? .tooLong : .text(Leaf.withoutControls(bytes))
    } catch {
      return probe.isTooLong ? .tooLong : .impossible
    }
  }

  /// Whether `encode(to:)` writes the form that the compiler synthesizes (SE-0295):
  /// `{"case":{"label":…,"_1":…}}`. `enumeration` is this value, taken apart.
  func isSynthesized(as enumeration: EnumCase) -> Bool {
    guard let shape = EnumShape(self), shape.name == enumeration.name else { return false }
    return shape.fields.map(\.key) == enumeration.payloads.map(\.key)
  }
}
