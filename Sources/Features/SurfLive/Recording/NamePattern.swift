/// Which names of actions are meant: `*` stands for any text. Without a parenthesis, the values
/// behind a name do not matter: `add` is `add(2)`, too.
package struct NamePattern: Equatable, Sendable {
  private let octets: [UInt8]
  private let seesValues: Bool

  package init(_ text: String) {
    octets = Array(text.utf8)
    seesValues = text.utf8.contains(UInt8(ascii: "("))
  }

  package func matches(_ name: String) -> Bool {
    let name = Array(name.utf8)
    let end = seesValues ? nil : name.firstIndex(of: UInt8(ascii: "("))
    return Self.matches(name[..<(end ?? name.count)], octets[...])
  }

  /// Goes back to the last `*` alone: so the time is bounded by the product of the lengths.
  private static func matches(_ name: ArraySlice<UInt8>, _ pattern: ArraySlice<UInt8>) -> Bool {
    var (at, next) = (name.startIndex, pattern.startIndex)
    var retry: (name: Int, pattern: Int)?
    while at < name.endIndex {
      if next < pattern.endIndex, pattern[next] == UInt8(ascii: "*") {
        next += 1
        retry = (at, next)
      } else if next < pattern.endIndex, pattern[next] == name[at] {
        (at, next) = (at + 1, next + 1)
      } else if let (begin, behind) = retry {
        retry = (begin + 1, behind)
        (at, next) = (begin + 1, behind)
      } else {
        return false
      }
    }
    return pattern[next...].allSatisfy { $0 == UInt8(ascii: "*") }
  }
}
