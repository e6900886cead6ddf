/// The members of a JSON object, in the order they were read.
///
/// It keeps duplicate keys and prints them again, but only the last one counts. Keys are equal if
/// their scalars are.
package struct JSONObject: Sendable {
  package struct Member: Sendable {
    /// Unescaped.
    package let key: String
    package var value: JSON

    package init(key: String, value: JSON) {
      self.key = key
      self.value = value
    }
  }

  /// All members as read, duplicates included.
  package private(set) var members: [Member]

  package init(_ members: [Member] = []) {
    self.members = members
  }

  /// The value that counts for `key`. Setting it replaces the value in place or appends a member.
  /// Setting `nil` removes all members with the key. Linear in the number of members.
  package subscript(key: String) -> JSON? {
    get { index(of: key).map { members[$0].value } }
    set {
      guard let newValue else { return members.removeAll { $0.key.isExactly(key) } }
      if let index = index(of: key) {
        members[index].value = newValue
      } else {
        members.append(Member(key: key, value: newValue))
      }
    }
  }

  /// An index by key of the members that count, for callers that look up many keys.
  package var indexes: MemberIndexes { MemberIndexes(members) }

  /// Appends the members of `other`.
  package func adding(_ other: JSONObject) -> JSONObject {
    JSONObject(members + other.members)
  }

  private func index(of key: String) -> Int? {
    members.lastIndex { $0.key.isExactly(key) }
  }
}

/// The positions of an object's members that count, by key.
package struct MemberIndexes: Sendable {
  private var indexes: [ExactText: Int] = [:]

  package init() {}

  fileprivate init(_ members: [JSONObject.Member]) {
    indexes.reserveCapacity(members.count)
    for (index, member) in members.enumerated() { indexes[ExactText(member.key)] = index }
  }

  package var count: Int { indexes.count }
  /// In no particular order.
  package var all: some Collection<Int> { indexes.values }

  package subscript(key: String) -> Int? { indexes[ExactText(key)] }
}

extension JSONObject: ExpressibleByDictionaryLiteral {
  package init(dictionaryLiteral elements: (String, JSON)...) { self.init(pairs: elements) }

  init(pairs: [(String, JSON)]) {
    self.init(pairs.map { Member(key: $0.0, value: $0.1) })
  }
}

extension JSONObject: Hashable {
  /// Whether both have the same keys with equal values, in any order.
  ///
  /// Compares every value once. Trying the members in order first, and then by key, would double
  /// the work at each level of nesting.
  package static func == (left: JSONObject, right: JSONObject) -> Bool {
    let leftIndexes = left.indexes
    let rightIndexes = right.indexes
    return leftIndexes.count == rightIndexes.count
      && leftIndexes.all.allSatisfy { index in
        let member = left.members[index]
        return rightIndexes[member.key].map { right.members[$0].value == member.value } ?? false
      }
  }

  package func hash(into hasher: inout Hasher) {
    var sum = 0
    for index in indexes.all {
      var member = Hasher()
      member.combine(ExactText(members[index].key))
      member.combine(members[index].value)
      // Addition ignores the order, as equality does. Overflow does not matter in a hash.
      sum &+= member.finalize()
    }
    hasher.combine(sum)
  }
}

/// A text that only equals a text of the same scalars, as a key of dictionaries and sets. `String`
/// also equates canonically equivalent texts, which may be different names or values to an app.
package struct ExactText: Hashable, Sendable {
  package let text: String

  package init(_ text: String) { self.text = text }

  package static func == (one: ExactText, other: ExactText) -> Bool {
    one.text.isExactly(other.text)
  }

  package func hash(into hasher: inout Hasher) {
    let isWhole: Void? = text.utf8.withContiguousStorageIfAvailable {
      hasher.combine(bytes: UnsafeRawBufferPointer($0))
    }
    guard isWhole == nil else { return }
    for octet in text.utf8 { hasher.combine(octet) }
  }
}

extension String {
  /// Whether both have the same scalars.
  package func isExactly(_ other: String) -> Bool {
    guard utf8.count == other.utf8.count else { return false }
    let isEqual = utf8.withContiguousStorageIfAvailable { own in
      other.utf8.withContiguousStorageIfAvailable { own.elementsEqual($0) }
    }
    return (isEqual ?? nil) ?? utf8.elementsEqual(other.utf8)
  }
}
