/// A stored property of a struct or class.
struct Member {
  /// The name as it was declared, without the additions of property wrappers and `lazy`.
  let name: String
  let value: Any

  /// All of them in the order of declaration, those of the superclass first.
  ///
  /// Leaves out the storage of the `@Observable` macro itself.
  static func all(of mirror: Mirror) -> [Member] {
    var mirrors = [mirror]
    while let superclass = mirrors.last?.superclassMirror { mirrors.append(superclass) }
    let children = mirrors.reversed().flatMap { mirror in
      mirror.children.enumerated().map { ($0.element.label ?? "\($0.offset)", $0.element.value) }
    }.filter { $0.0 != "_$observationRegistrar" }
    let labels = Set(children.map(\.0))
    return children.map { label, value in
      let plain = plain(label)
      // `_x` beside a stored `x` is not the storage of `x`.
      return Member(name: labels.contains(plain) ? label : plain, value: value)
    }
  }

  /// `x` for the storage `_x` of a wrapped and `$__lazy_storage_$_x` of a lazy property.
  private static func plain(_ label: String) -> String {
    let lazy = "$__lazy_storage_$_"
    if label.hasPrefix(lazy) { return String(label.dropFirst(lazy.count)) }
    guard label.hasPrefix("_"), let second = label.dropFirst().first, second.isLetter else {
      return label
    }
    return String(label.dropFirst())
  }
}
