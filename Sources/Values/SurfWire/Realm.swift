/// The name of a group of people who see only each other's apps (Protocol.md §5.2). It hides apps,
/// and protects nothing.
package struct Realm: Hashable, Sendable {
  /// UTF-8. Two spellings of one character name two realms, whatever Unicode a viewer knows.
  private let octets: [UInt8]

  package init(_ name: String) throws(RealmError) {
    guard !name.isEmpty else { throw .empty }
    guard name != RealmFilter.everything else { throw .reserved }
    guard name.utf8.count <= Limits.labelSizeMax else { throw .tooLong(size: name.utf8.count) }
    guard !name.unicodeScalars.contains(where: { $0.properties.generalCategory == .control })
    else { throw .controlCharacter }
    octets = Array(name.utf8)
  }

  /// What a name must be, apart from not being `*`, in words for people: the command complains with
  /// it about an option or a setting, and an app warns with it in its log.
  package static let rule: String =
    "a name of 1 to \(Limits.labelSizeMax) octets without control characters"

  package var name: String { String(decoding: octets, as: UTF8.self) }
}

/// Why a text does not name a realm.
package enum RealmError: Error, Equatable, Sendable {
  case empty
  /// In octets of UTF-8.
  case tooLong(size: Int)
  case controlCharacter
  /// It means all realms.
  case reserved
}

/// Which apps a viewer sees.
package enum RealmFilter: Equatable, Sendable {
  /// The apps of one realm; nil for apps without a realm.
  case only(Realm?)
  case all

  package static let everything = "*"

  /// Parses an option: a name, `*` for all apps, or nothing for apps without a realm.
  package init(_ text: String) throws(RealmError) {
    switch text {
    case "": self = .only(nil)
    case Self.everything: self = .all
    default: self = .only(try Realm(text))
    }
  }

  /// As written in an option.
  package var text: String {
    switch self {
    case .only(let realm): realm?.name ?? ""
    case .all: Self.everything
    }
  }

  /// The realm of all shown apps; nil if they have none, or may differ.
  package var realm: Realm? {
    if case .only(let realm) = self { realm } else { nil }
  }

  package func shows(_ realm: Realm?) -> Bool { self == .all || self == .only(realm) }
}
