/// The octets that pairs of hexadecimal digits write; all else between them is for people.
///
/// A digit without a partner is a mistake in a test, and ends it.
package func octets(_ text: String) -> [UInt8] {
  let digits = text.compactMap(\.hexDigitValue)
  precondition(digits.count.isMultiple(of: 2), "half an octet: \(text)")
  return stride(from: 0, to: digits.count, by: 2).map { UInt8(digits[$0] * 16 + digits[$0 + 1]) }
}

/// Two hexadecimal digits for each octet.
package func hexadecimal(_ octets: some Sequence<UInt8>) -> String {
  octets.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
}
