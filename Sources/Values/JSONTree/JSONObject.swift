/// The members of a JSON object, in the order they were read.
///
/// Duplicate keys are kept and printed again, but only the last of them counts. Keys are the same
/// if their scalars are.
package struct JSONObject: Sendable {
  /// One name with its value.
  package struct Member: Sendable {
    /// The name, without escapes.
    package let key: String
    /// The value that it names.
    package var value: JSON

    /// A member `key: value`.
    package init(key: String, value: JSON) {
      self.key = key
      self.value = value
    }
  }

  /// All members as read, duplicates included.
  package private(set) var members: [Member]

  /// An object of these members, of which the last counts if keys repeat.
  package init(_ members: [Member] = []) {
    self.members = members
  }

  /// The value that counts for `key`. Setting replaces it in place or appends; `nil` removes the
  /// key with its duplicates. Linear in the number of members.
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

  /// Where the member that counts for each key is; for when many keys will be looked up.
  package var indexes: MemberIndexes { MemberIndexes(members) }

  /// These members and, after them, those of `other`.
  package func adding(_ other: JSONObject) -> JSONObject {
    JSONObject(members + other.members)
  }

  private func index(of key: String) -> Int? {
    members.lastIndex { $0.key.isExactly(key) }
  }
}

/// Where the members of an object are that count, by their keys.
package struct MemberIndexes: Sendable {
  private var indexes: [ExactText: Int] = [:]

  /// Of no object.
  package init() {}

  fileprivate init(_ members: [JSONObject.Member]) {
    indexes.reserveCapacity(members.count)
    for (index, member) in members.enumerated() { indexes[ExactText(member.key)] = index }
  }

  package var count: Int { indexes.count }
  /// In no order.
  package var all: some Collection<Int> { indexes.values }

  package subscript(key: String) -> Int? { indexes[ExactText(key)] }
}

extension JSONObject: ExpressibleByDictionaryLiteral {
  /// Members in the order written; of duplicate keys the last counts.
  package init(dictionaryLiteral elements: (String, JSON)...) { self.init(pairs: elements) }

  init(pairs: [(String, JSON)]) {
    self.init(pairs.map { Member(key: $0.0, value: $0.1) })
  }
}

extension JSONObject: Hashable {
  /// Whether both have the same keys with equal values, in whatever order.
  ///
  /// Looks at every value once: trying the order of the members first, and then again by key, would
  /// double the work at each level of nesting.
  package static func == (left: JSONObject, right: JSONObject) -> Bool {
    let leftIndexes = left.indexes
    let rightIndexes = right.indexes
    return leftIndexes.count == rightIndexes.count
      && leftIndexes.all.allSatisfy { index in
        let member = left.members[index]
        return rightIndexes[member.key].map { right.members[$0].value == member.value } ?? false
      }
  }

  /// Adds the members without regard to their order.
  package func hash(into hasher: inout Hasher) {
    var sum = 0
    for index in indexes.all {
      var member = Hasher()
      member.combine(ExactText(members[index].key))
      member.combine(members[index].value)
      // Addition, because it is commutative; overflow does no harm to a hash.
      sum &+= member.finalize()
    }
    hasher.combine(sum)
  }
}

/// A text that is equal to one of the same scalars alone: Unicode holds some texts equal that are
/// two names, or two values, to the program that wrote them.
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
