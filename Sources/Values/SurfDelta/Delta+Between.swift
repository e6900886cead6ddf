extension Delta {
  /// The delta that makes the target of the base; nil as soon as its operations would have more
  /// than `sizeMax` octets.
  ///
  /// Nearly equal octets cost a comparison of them all; octets with little in common a small
  /// multiple, and memory in proportion to the base.
  ///
  /// - Parameter baseRecord: the record that carries the base.
  package static func between(
    _ base: [UInt8], _ target: [UInt8], baseRecord: UInt64, sizeMax: Int
  ) -> Delta? {
    var stepCount = 0
    return between(
      base, target, baseRecord: baseRecord, sizeMax: sizeMax, countingSteps: &stepCount)
  }

  /// The same, and adds its cost: words compared, and blocks looked up.
  package static func between(
    _ base: [UInt8], _ target: [UInt8], baseRecord: UInt64, sizeMax: Int,
    countingSteps stepCount: inout Int
  ) -> Delta? {
    guard base.count <= UInt32.max, target.count <= UInt32.max, sizeMax >= 0 else { return nil }
    // Operations are never longer: to copy one run of the base, and to insert the octets before it,
    // takes 15 octets at most, and a run has four at least. So no sum overflows.
    let operationsSizeMax = min(sizeMax, 4 * (base.count + target.count) + 64)
    guard
      let operations = operations(
        from: base, to: target, sizeMax: operationsSizeMax, countingSteps: &stepCount)
    else { return nil }
    return Delta(
      unchecked: operations, base: baseRecord, baseSize: base.count, targetSize: target.count)
  }

  private static func operations(
    from base: [UInt8], to target: [UInt8], sizeMax: Int, countingSteps stepCount: inout Int
  ) -> [UInt8]? {
    base.withUnsafeBytes { base in
      target.withUnsafeBytes { target in
        // An empty array may have no address.
        guard let baseStart = base.baseAddress, let targetStart = target.baseAddress else {
          return Matcher.insertion(of: target, sizeMax: sizeMax)
        }
        var matcher = Matcher(
          Octets(start: baseStart, count: base.count),
          Octets(start: targetStart, count: target.count), sizeMax: sizeMax)
        defer { stepCount += matcher.stepCount }
        return matcher.operations()
      }
    }
  }
}
