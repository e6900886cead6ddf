extension String {
  /// Whether this key says which element of a dictionary is meant, as a UUID does. A short number
  /// is rather a year, a level or a code.
  package var isID: Bool {
    let isNumber = utf8.allSatisfy { 0x30...0x39 ~= $0 }
    if isNumber { return utf8.count >= 6 }
    return utf8.count >= 20 && contains(where: \.isHexDigit)
      && unicodeScalars.allSatisfy { $0.properties.isASCIIHexDigit || $0 == "-" }
  }
}
