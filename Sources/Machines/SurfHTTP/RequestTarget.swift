/// The parts of a request target (RFC 9112 §3.2).
struct RequestTarget {
  /// The host and port of an absolute-form target.
  var authority: Substring?
  var path: String
  var query: [HTTPRequest.QueryItem]

  init(_ target: String) {
    let (authority, rest) = Self.splittingAuthority(target)
    self.authority = authority
    let parts = rest.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
    path = parts.first.map(String.init) ?? ""
    query = parts.count > 1 ? Self.items(of: parts[1]) : []
    if authority != nil && path.isEmpty { path = "/" }
  }

  /// Whether a server takes these bytes as the target of a request with this method: visible ASCII
  /// without a fragment, every percent sign followed by two hexadecimal digits, in origin-form,
  /// absolute-form or, for `OPTIONS`, `*`.
  static func isAcceptable(_ bytes: ArraySlice<UInt8>, method: String) -> Bool {
    guard bytes.allSatisfy({ Octet.isVisible($0) && $0 != Octet.hash }),
      percentDecoded(bytes) != nil
    else { return false }
    if bytes.first == Octet.slash { return true }
    if bytes.count == 1 { return bytes.elementsEqual("*".utf8) && method == "OPTIONS" }
    let target = RequestTarget(String(decoding: bytes, as: UTF8.self))
    return target.authority.map { !$0.isEmpty } ?? false
  }

  /// Nil if a percent sign starts no triplet or the bytes are not UTF-8 (RFC 3986 §2.1).
  static func percentDecoded(_ bytes: some Collection<UInt8>) -> String? {
    var decoded: [UInt8] = []
    var rest = bytes[...]
    while let byte = rest.popFirst() {
      guard byte == Octet.percent else {
        decoded.append(byte)
        continue
      }
      guard let high = rest.popFirst().flatMap(Octet.hexValue),
        let low = rest.popFirst().flatMap(Octet.hexValue)
      else { return nil }
      decoded.append(high << 4 | low)
    }
    return String(validating: decoded, as: UTF8.self)
  }

  private static func splittingAuthority(_ target: String) -> (Substring?, Substring) {
    let scheme = "http://"
    guard target.utf8.prefix(scheme.utf8.count).equalsIgnoringCase(scheme.utf8) else {
      return (nil, target[...])
    }
    let rest = target.dropFirst(scheme.count)
    let authority = rest.prefix { $0 != "/" && $0 != "?" }
    return (authority, rest[authority.endIndex...])
  }

  private static func items(of query: Substring) -> [HTTPRequest.QueryItem] {
    query.utf8.split(separator: Octet.ampersand).map { item in
      let parts = item.split(
        separator: Octet.equals, maxSplits: 1, omittingEmptySubsequences: false)
      return HTTPRequest.QueryItem(
        name: parts.first.map(decoded) ?? "", value: parts.count > 1 ? decoded(parts[1]) : "")
    }
  }

  private static func decoded(_ part: Substring.UTF8View) -> String {
    let spaced = part.map { $0 == Octet.plus ? Octet.space : $0 }
    return percentDecoded(spaced) ?? String(Substring(part))
  }
}
