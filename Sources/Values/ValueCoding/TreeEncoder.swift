import JSONTree

/// Encodes values that `ValueWriter` cannot: those that interleave containers, reopen them, or keep
/// them for later. It collects everything in a tree until the value is complete.
struct TreeEncoder: Encoder {
  let node: ValueNode
  let codingPath: [any CodingKey]
  let depth: Int
  let tree: ValueTreeWriter

  var userInfo: [CodingUserInfoKey: Any] { tree.form.userInfo }

  func container<Key>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
    switch node.content {
    case .object: break
    case .nothing: node.content = .object([:])
    default: return tree.refuse(ValueEncodedTwice(codingPath: codingPath)).container(keyedBy: type)
    }
    return KeyedEncodingContainer(TreeObject(encoder: self))
  }

  func unkeyedContainer() -> any UnkeyedEncodingContainer {
    switch node.content {
    case .array: break
    case .nothing: node.content = .array([])
    default: return tree.refuse(ValueEncodedTwice(codingPath: codingPath))
    }
    return TreeArray(encoder: self)
  }

  func singleValueContainer() -> any SingleValueEncodingContainer { TreePlace(encoder: self) }

  /// An encoder for the value at `key`; nil if that is too deep.
  fileprivate func inner(_ node: ValueNode, _ key: any CodingKey) -> TreeEncoder? {
    guard depth < tree.form.depthMax else { return nil }
    return TreeEncoder(node: node, codingPath: codingPath + [key], depth: depth + 1, tree: tree)
  }

  /// Encodes a whole value at `key`. Not generic: this is rare, and need not be specialized.
  fileprivate func node(of value: (any Encodable)?, _ key: any CodingKey) throws -> ValueNode {
    let (node, value) = (ValueNode(), value ?? Bool?.none as any Encodable)
    guard let encoder = inner(node, key) else { throw tree.fail(TooDeep()) }
    try tree.count(1)
    try encoder.encode(value)
    return node
  }

  fileprivate func encode(_ value: some Encodable) throws {
    if let direct = value as? any DirectValue {
      node.content = .text(try tree.text(of: direct, at: codingPath))
    } else if let values = value as? any UnorderedValues {
      try encode(unordered: values)
    } else {
      try tree.form.encode(value, to: self)
    }
  }

  private func encode(unordered values: some UnorderedValues) throws {
    if let object = try tree.form.withTextKeys(values) { return try object.encode(to: self) }
    guard let groups = values.groups, case .nothing = node.content else {
      return try values.encode(to: self)
    }
    var index = 0
    let nodes = try groups.map { group in
      try group.map { element in
        defer { index += 1 }
        return try node(of: element, ElementKey(index))
      }
    }
    let texts = nodes.map { group in
      var text = TextBuffer()
      for (index, node) in group.enumerated() {
        if index > 0 { text.append(UInt8(ascii: ",")) }
        node.write(to: &text, tree.form)
      }
      return Array(text.bytes)
    }
    let order = texts.indices.sorted { texts[$0].lexicographicallyPrecedes(texts[$1]) }
    node.content = .array(order.flatMap { nodes[$0] })
  }
}

private struct TreeObject<Key: CodingKey>: KeyedEncodingContainerProtocol {
  let encoder: TreeEncoder
  var codingPath: [any CodingKey] { encoder.codingPath }

  private var members: [ExactText: ValueNode] {
    if case .object(let members) = encoder.node.content { members } else { [:] }
  }

  private func set(_ node: ValueNode, _ key: any CodingKey) {
    guard case .object(var members) = encoder.node.content else { return }
    encoder.node.content = .nothing
    members[ExactText(key.stringValue)] = node
    encoder.node.content = .object(members)
  }

  func encodeNil(forKey key: Key) throws { try put(nil, key) }

  // For these two types the standard library's own methods, which throw, win over a generic one.
  func encode(_ value: Int128, forKey key: Key) throws { try put(value, key) }
  func encode(_ value: UInt128, forKey key: Key) throws { try put(value, key) }
  func encode<Value: Encodable>(_ value: Value, forKey key: Key) throws { try put(value, key) }

  private func put(_ value: (any Encodable)?, _ key: Key) throws {
    set(try encoder.node(of: value, key), key)
  }

  func nestedContainer<Other>(
    keyedBy type: Other.Type, forKey key: Key
  ) -> KeyedEncodingContainer<Other> {
    inner(key, members[ExactText(key.stringValue)] ?? ValueNode()).container(keyedBy: type)
  }

  func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
    inner(key, members[ExactText(key.stringValue)] ?? ValueNode()).unkeyedContainer()
  }

  func superEncoder() -> any Encoder { inner(NameKey("super"), ValueNode()) }
  func superEncoder(forKey key: Key) -> any Encoder { inner(key, ValueNode()) }

  private func inner(_ key: any CodingKey, _ node: ValueNode) -> any Encoder {
    guard let inner = encoder.inner(node, key) else { return encoder.tree.refuse(TooDeep()) }
    set(node, key)
    return inner
  }
}

private struct TreeArray: UnkeyedEncodingContainer {
  let encoder: TreeEncoder
  var codingPath: [any CodingKey] { encoder.codingPath }

  var count: Int {
    if case .array(let elements) = encoder.node.content { elements.count } else { 0 }
  }

  private func append(_ node: ValueNode) {
    guard case .array(var elements) = encoder.node.content else { return }
    encoder.node.content = .nothing
    elements.append(node)
    encoder.node.content = .array(elements)
  }

  func encodeNil() throws { try put(nil) }

  func encode(_ value: Int128) throws { try put(value) }
  func encode(_ value: UInt128) throws { try put(value) }
  func encode<Value: Encodable>(_ value: Value) throws { try put(value) }

  private func put(_ value: (any Encodable)?) throws {
    append(try encoder.node(of: value, ElementKey(count)))
  }

  func nestedContainer<Key>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
    superEncoder().container(keyedBy: type)
  }

  func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer {
    superEncoder().unkeyedContainer()
  }

  func superEncoder() -> any Encoder {
    let node = ValueNode()
    guard let inner = encoder.inner(node, ElementKey(count)) else {
      return encoder.tree.refuse(TooDeep())
    }
    append(node)
    return inner
  }
}

/// A value encoded in place of another.
private struct TreePlace: SingleValueEncodingContainer {
  let encoder: TreeEncoder
  var codingPath: [any CodingKey] { encoder.codingPath }

  func encodeNil() throws { try put(nil) }

  func encode(_ value: Int128) throws { try put(value) }
  func encode(_ value: UInt128) throws { try put(value) }
  func encode<Value: Encodable>(_ value: Value) throws { try put(value) }

  private func put(_ value: (any Encodable)?) throws {
    let (node, tree, value) = (encoder.node, encoder.tree, value ?? Bool?.none as any Encodable)
    guard !node.isTaken, encoder.isFree(for: value) else {
      throw tree.fail(ValueEncodedTwice(codingPath: codingPath))
    }
    guard encoder.depth < tree.form.depthMax else { throw tree.fail(TooDeep()) }
    let before = node.content
    do {
      try TreeEncoder(
        node: node, codingPath: codingPath, depth: encoder.depth + 1, tree: tree
      ).encode(value)
    } catch {
      (node.content, node.isTaken) = (before, false)
      throw error
    }
    if case .nothing = node.content { node.content = .object([:]) }
    node.isTaken = true
  }
}

extension TreeEncoder {
  /// Whether the value may be encoded here. One with containers may continue in existing ones.
  fileprivate func isFree(for value: any Encodable) -> Bool {
    if case .nothing = node.content { return true }
    return !(value is any DirectValue)
  }
}

/// The index of an array's element, named as `JSONEncoder` names it.
struct ElementKey: CodingKey {
  let index: Int

  init(_ index: Int) { self.index = index }
  init?(intValue: Int) { self.init(intValue) }
  init?(stringValue: String) { nil }

  var intValue: Int? { index }
  var stringValue: String { "Index \(index)" }
}

/// A key of a dictionary, or `super` for the encoder of a superclass.
struct NameKey: CodingKey {
  let stringValue: String

  init(_ name: String) { stringValue = name }
  init?(stringValue: String) { self.init(stringValue) }
  init?(intValue: Int) { self.init(String(intValue)) }

  /// As for the dictionaries of the standard library.
  var intValue: Int? { Int(stringValue) }
}

/// A value in the tree of a `TreeEncoder`, which can write its text.
final class ValueNode {
  enum Content {
    case nothing
    case text([UInt8])
    case object([ExactText: ValueNode])
    case array([ValueNode])
  }

  var content = Content.nothing
  /// Whether a single value was encoded here; no second one may be.
  var isTaken = false

  func write(to text: inout TextBuffer, _ form: WritingForm) {
    switch content {
    case .nothing: text.append("{}")
    case .text(let octets): text.append(octets)
    case .array(let elements):
      text.append(UInt8(ascii: "["))
      for (index, element) in elements.enumerated() {
        if index > 0 { text.append(UInt8(ascii: ",")) }
        element.write(to: &text, form)
      }
      text.append(UInt8(ascii: "]"))
    case .object(let members):
      text.append(UInt8(ascii: "{"))
      let names = members.keys.sorted { $0.text.utf8.lexicographicallyPrecedes($1.text.utf8) }
      for (index, name) in names.enumerated() {
        if index > 0 { text.append(UInt8(ascii: ",")) }
        text.append(quoted: name.text, escapesSlashes: form.escapesSlashes)
        text.append(UInt8(ascii: ":"))
        members[name]?.write(to: &text, form)
      }
      text.append(UInt8(ascii: "}"))
    }
  }
}
