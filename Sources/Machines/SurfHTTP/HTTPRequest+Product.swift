extension HTTPRequest {
  /// The name of the program that sent it: the first product of `User-Agent` (RFC 9110 §10.1.5).
  /// Percent-encoding, by which Apple's systems write names with spaces, is undone. Nil if it names
  /// none.
  package var product: String? {
    let name = (headers["User-Agent"] ?? "").utf8.prefix { $0 != Octet.slash && $0 != Octet.space }
    return name.isEmpty ? nil : RequestTarget.percentDecoded(name) ?? String(Substring(name))
  }
}
