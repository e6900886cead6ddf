extension String {
  /// Whether this key says which element of a dictionary is meant, as a UUID does. A short number
  /// is rather a year, a level or a code.
  package var isID: Bool {
    if utf8.count >= 6, utf8.allSatisfy({ 0x30...0x39 ~= $0 }) { return true }
    return utf8.count >= 20 && allSatisfy { $0.isHexDigit || $0 == "-" }
  }
}
