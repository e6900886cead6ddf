import FoundationEssentials
import ValueCoding

private let encoder = ValueEncoder(escapesSlashes: false) { Leaf.text($0) }

/// Writes one value as JSON for `MirrorJSON`.
struct MirrorWriter {
  let byteCountMax: Int
  var output: [UInt8] = []
  /// Bytes of set elements and dictionary members that are waiting to be sorted.
  var heldByteCount = 0
  /// Whether something did not fit. From then on, only `"<truncated>"` and closing
  /// brackets are written.
  var isFull = false
  /// Whether a container was nested too deep, and only its type is written.
  private(set) var isTooDeep = false
  var depth = 0
  /// The objects being written.
  private var open: Set<ObjectIdentifier> = []
  /// Types known to be neither leaves nor optionals. A conformance check is slow, so it runs once
  /// per type and not once per value.
  private var compoundTypes: Set<ObjectIdentifier> = []

  init(byteCountMax: Int) {
    self.byteCountMax = byteCountMax
  }

  var bytesLeft: Int { byteCountMax - output.count - heldByteCount }

  mutating func write(_ value: Any) {
    if isFull {
      append([])
    } else if compoundTypes.contains(ObjectIdentifier(type(of: value))) {
      writeInner(value)
    } else {
      let value = unwrapped(value)
      if isNone(value) {
        append(Array("null".utf8))
      } else if let leaf = Leaf.bytes(value) {
        append(leaf)
      } else {
        compoundTypes.insert(ObjectIdentifier(type(of: value)))
        writeInner(value)
      }
    }
  }

  private mutating func writeInner(_ value: Any) {
    guard depth < MirrorJSON.depthMax else {
      isTooDeep = true
      return append(Leaf.quoted("<\(type(of: value))>"))
    }
    depth += 1
    writeOnce(value)
    depth -= 1
  }

  /// Writes an object inside itself as `"<cycle>"`.
  private mutating func writeOnce(_ value: Any) {
    guard type(of: value) is AnyClass else { return writeContainer(value) }
    let identifier = ObjectIdentifier(value as AnyObject)
    guard open.insert(identifier).inserted else { return append(Leaf.quoted("<cycle>")) }
    writeContainer(value)
    open.remove(identifier)
  }

  private mutating func writeContainer(_ value: Any) {
    if let collection = value as? any PlainCollection {
      return collection.write(to: &self)
    }
    let enumeration = EnumCase(value)
    if let encodable = value as? any Encodable,
      !(enumeration.map { encodable.isSynthesized(as: $0) } ?? false),
      writeEncoded(encodable)
    {
      return
    }
    if let enumeration { return write(enumeration) }
    reflect(value)
  }

  /// Writes `bytes` if they fit, otherwise `"<truncated>"`; after that, always `"<truncated>"`.
  mutating func append(_ bytes: [UInt8]) {
    if bytes.count > bytesLeft { isFull = true }
    output.append(contentsOf: isFull ? truncated : bytes)
  }

  var truncated: [UInt8] { Array("\"<truncated>\"".utf8) }
}

extension MirrorWriter {
  private mutating func write(_ enumeration: EnumCase) {
    let name = Leaf.quoted(enumeration.name)
    guard !enumeration.payloads.isEmpty else { return append(name) }
    list("{", "}") { $0.member(name) { $0.write(tuple: enumeration.payloads) } }
  }

  /// A single element without a label alone, several as an array, labelled ones as an object.
  private mutating func write(tuple elements: [EnumCase.Payload]) {
    if elements.allSatisfy({ $0.label == nil }) {
      guard elements.count != 1 else { return write(elements[0].value) }
      list("[", "]") { list in
        for element in elements { list.element { $0.write(element.value) } }
      }
    } else {
      list("{", "}") { list in
        for element in elements {
          list.member(Leaf.quoted(element.key)) { $0.write(element.value) }
        }
      }
    }
  }

  private mutating func reflect(_ value: Any) {
    let mirror = Mirror(reflecting: value)
    switch mirror.displayStyle {
    case .tuple where mirror.children.isEmpty, .optional where mirror.children.isEmpty:
      append(Array("null".utf8))
    case .optional:
      // A wrapper that mirrors as its optional, such as one with `@Presents`.
      mirror.children.first.map { write($0.value) }
    case .tuple:
      write(tuple: EnumCase.members(of: mirror))
    case .collection, .set, .dictionary:
      list("[", "]") { list in
        for child in mirror.children { list.element { $0.write(child.value) } }
      }
    case nil where mirror.children.isEmpty:
      append(Leaf.quoted(String(describing: value)))
    default:
      write(members: Member.all(of: mirror))
    }
  }

  private mutating func write(members: [Member]) {
    list("{", "}") { list in
      for member in members {
        list.member(Leaf.quoted(member.name)) { $0.write(member.value) }
      }
    }
  }

  /// Writes the JSON that `JSONEncoder` makes of `value`, with dates and control characters spelled
  /// as everywhere in this module. Writes nothing and returns false if `encode(to:)` throws, or
  /// nests too deeply, as an object inside itself does.
  private mutating func writeEncoded(_ value: any Encodable) -> Bool {
    do {
      let bytes = try encoder.bytes(
        of: value, shortEnums: true, depthMax: MirrorJSON.depthMax - depth, sizeMax: bytesLeft)
      append(Leaf.withoutControls(bytes))
    } catch is TooLong {
      isFull = true
      append([])
    } catch {
      return false
    }
    return true
  }
}

/// A stored property of a struct or class.
struct Member {
  /// The declared name, without the prefixes that property wrappers and `lazy` add.
  let name: String
  let value: Any

  /// All stored properties in the order of declaration, the superclass's first.
  ///
  /// Leaves out the `@Observable` macro's registrar.
  static func all(of mirror: Mirror) -> [Member] {
    var mirrors = [mirror]
    while let superclass = mirrors.last?.superclassMirror { mirrors.append(superclass) }
    let children = mirrors.reversed().flatMap { mirror in
      mirror.children.enumerated().map { ($0.element.label ?? "\($0.offset)", $0.element.value) }
    }.filter { $0.0 != "_$observationRegistrar" }
    let labels = Set(children.map(\.0))
    return children.map { label, value in
      let plain = plain(label)
      // If the type declares `x` as well, `_x` is a property of its own.
      return Member(name: labels.contains(plain) ? label : plain, value: value)
    }
  }

  /// `x` for `_x`, a property wrapper's storage, and for `$__lazy_storage_$_x`.
  private static func plain(_ label: String) -> String {
    let lazy = "$__lazy_storage_$_"
    if label.hasPrefix(lazy) { return String(label.dropFirst(lazy.count)) }
    guard label.hasPrefix("_"), let second = label.dropFirst().first, second.isLetter else {
      return label
    }
    return String(label.dropFirst())
  }
}
