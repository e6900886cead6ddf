extension String {
  /// The longest prefix of at most `byteCountMax` UTF-8 bytes that ends between two characters.
  ///
  /// A single character may be longer than the limit (a letter under a hundred combining marks).
  /// The cut then falls between two Unicode scalars, because nothing at all would serve worse.
  package func prefix(byteCountMax: Int) -> String {
    let characters = Self.fitting(self, byteCountMax) { $0.utf8.count }
    if !characters.isEmpty || isEmpty { return String(characters) }
    return String(Self.fitting(unicodeScalars, byteCountMax) { UTF8.width($0) })
  }

  private static func fitting<Units: Collection>(
    _ units: Units, _ byteCountMax: Int, size: (Units.Element) -> Int
  ) -> Units.SubSequence {
    var byteCount = 0
    return units.prefix { unit in
      byteCount += size(unit)
      return byteCount <= byteCountMax
    }
  }
}
