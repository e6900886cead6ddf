/// Opens objects with keys of one type.
///
/// A `KeyedEncodingContainer` is made of a type that depends on the keys', and the runtime takes as
/// long to find such a type as we take to write two members. An opener has it in its own class.
class ObjectOpener<Key: CodingKey> {
  func open(_ writer: ValueWriter, _ id: Int) -> KeyedEncodingContainer<Key> {
    KeyedEncodingContainer(WrittenObject(writer: writer, id: id))
  }
}

/// What an opener must know of the type of a container.
protocol OpenedObject: KeyedEncodingContainerProtocol {
  init(writer: ValueWriter, id: Int)
}

private final class KnowingOpener<Object: OpenedObject>: ObjectOpener<Object.Key> {
  override func open(_ writer: ValueWriter, _ id: Int) -> KeyedEncodingContainer<Object.Key> {
    KeyedEncodingContainer(Object(writer: writer, id: id))
  }
}

extension TypeMemory<AnyObject> {
  @inline(__always)
  mutating func opener<Key: CodingKey>(of keys: Key.Type) -> ObjectOpener<Key> {
    let opener = finding(for: keys) { KnowingOpener<WrittenObject<Key>>() }
    // Only this function finds them, and for these keys this one.
    return unsafeDowncast(opener, to: ObjectOpener<Key>.self)
  }
}
