import SurfWire

/// Record number `sequence` of every test stream; a viewer can make it too, and compare.
func sample(_ sequence: UInt64, size: Int) -> Record {
  // Cheap and different in each record and place: 64-bit words of a Weyl sequence.
  var word = sequence &* 0x9e37_79b9_7f4a_7c15
  var bytes = [UInt8](repeating: 0, count: size)
  bytes.withUnsafeMutableBytes { buffer in
    for index in stride(from: 0, to: size - size % 8, by: 8) {
      word &+= 0xbf58_476d_1ce4_e5b9
      buffer.storeBytes(of: word ^ (word >> 29), toByteOffset: index, as: UInt64.self)
    }
  }
  return Record(
    sequence: SequenceNumber(sequence), kind: .action, name: "step \(sequence)",
    state: .keyframe(Content(type: "application/octet-stream", bytes: bytes)))
}

/// As `sample`, with a JSON text of about `size` octets for a state.
func textSample(_ sequence: UInt64, size: Int) -> Record {
  let text =
    "{\"count\":\(sequence),\"text\":\"\(String(repeating: "x", count: max(0, size - 30)))\"}"
  return Record(
    sequence: SequenceNumber(sequence), kind: .action, name: "step \(sequence)",
    state: .keyframe(Content(type: "application/json", bytes: Array(text.utf8))))
}
