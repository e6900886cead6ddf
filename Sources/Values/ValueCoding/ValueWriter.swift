import Synchronization

/// Writes values as JSON straight into one text, for `ValueEncoder`.
///
/// It requires that each container is complete before the one around it continues, as in nearly all
/// values. Otherwise it fails, and `TreeEncoder` must encode the value.
final class ValueWriter {
  /// Why there will be no text, even if values swallow the errors that they get.
  enum Obstacle {
    case tooDeep
    case tooLong
    /// A container was continued after another one, or was opened as both an object and an array.
    case outOfOrder
  }

  // Exclusivity checks at run time took half of the time. They are not needed: a writer belongs to
  // one call, and no code of a value runs while a property is being modified.
  @exclusivity(unchecked) var form = WritingForm()
  @exclusivity(unchecked) var text = TextBuffer()
  @exclusivity(unchecked) var scratch = TextBuffer()
  @exclusivity(unchecked) var members = MemberSpans()
  @exclusivity(unchecked) var strategies = TypeMemory<WritingStrategy>()
  @exclusivity(unchecked) var openers = TypeMemory<AnyObject>()
  @exclusivity(unchecked) private(set) var obstacle: Obstacle?

  private let open = UnsafeMutablePointer<OpenValue>.allocate(capacity: ValueCoder.depthMax + 2)
  /// The keys of open values. Elements have none; their index is their key.
  private let keys = UnsafeMutablePointer<any CodingKey>.allocate(
    capacity: ValueCoder.depthMax + 2)
  @exclusivity(unchecked) private var openCount = 0
  @exclusivity(unchecked) private var lastNumber = 0
  /// The id of the innermost open value; -1 if no value is open, or after an obstacle.
  @exclusivity(unchecked) private var top = -1

  deinit {
    forgetKeys(from: 0)
    open.deallocate()
    keys.deallocate()
  }

  /// Discards everything, and keeps the memory.
  func clear() {
    text.truncate(to: 0)
    members.truncate(to: 0)
    forgetKeys(from: 0)
    (openCount, top, obstacle) = (0, -1, nil)
  }

  /// The size of the memory that grows.
  var byteCount: Int { text.capacity + scratch.capacity + members.byteCount }

  private func forgetKeys(from index: Int) {
    for index in index..<max(index, openCount) { forgetKey(at: index) }
  }

  @inline(__always) private func forgetKey(at index: Int) {
    if open[index].hasKey { (keys + index).deinitialize(count: 1) }
  }

  /// Records the obstacle, and returns the error to throw through the values' own code.
  func stop(_ obstacle: Obstacle) -> any Error {
    self.obstacle = self.obstacle ?? obstacle
    top = -1
    return switch self.obstacle {
    case .tooDeep: TooDeep()
    case .tooLong: TooLong()
    case .outOfOrder, nil: OutOfOrder()
    }
  }

  /// Whether this many more octets may be written. If not, no more values begin: a `DirectValue`
  /// cannot throw `TooLong` itself.
  @inline(__always)
  func fits(_ length: Int) -> Bool {
    if length <= form.sizeMax &- text.count { return true }
    _ = stop(.tooLong)
    return false
  }

  subscript(id: Int) -> OpenValue {
    @inline(__always) get { open[OpenValue.index(of: id)] }
    @inline(__always) _modify { yield &open[OpenValue.index(of: id)] }
  }

  @inline(__always) func pointer(_ id: Int) -> UnsafeMutablePointer<OpenValue> {
    open + OpenValue.index(of: id)
  }

  /// Begins a value inside of the innermost one, and returns its id.
  @inline(__always)
  func begin(_ key: (any CodingKey)?, isNested: Bool) throws -> Int {
    let depth = openCount == 0 ? 0 : open[openCount &- 1].depth &+ 1
    guard depth <= form.depthMax else { throw stop(.tooDeep) }
    guard fits(0) else { throw TooLong() }
    lastNumber &+= 1
    top = lastNumber << OpenValue.indexBits | openCount
    (open + openCount).initialize(
      to: OpenValue(
        id: top, isNested: isNested, hasKey: key != nil, depth: depth, firstMember: members.count,
        start: text.count))
    if let key { (keys + openCount).initialize(to: key) }
    openCount &+= 1
    return top
  }

  /// Makes `id` the innermost open value, by ending nested containers. Throws if that is
  /// impossible.
  @inline(__always)
  func settle(_ id: Int) throws {
    if id != top { try closeDown(to: id) }
  }

  @inline(never)
  private func closeDown(to id: Int) throws {
    let index = OpenValue.index(of: id)
    guard obstacle == nil, isOpen(id),
      (index + 1..<openCount).allSatisfy({ open[$0].isNested })
    else { throw stop(.outOfOrder) }
    while openCount > index + 1 { close() }
  }

  func isOpen(_ id: Int) -> Bool {
    let index = OpenValue.index(of: id)
    return id >= 0 && index < openCount && open[index].id == id
  }

  /// Ends a value and everything inside of it.
  @inline(__always)
  func end(_ id: Int) throws {
    try settle(id)
    close()
  }

  private func close() {
    openCount &-= 1
    let value = open[openCount]
    switch value.shape {
    case .undecided: text.append("{}")
    case .scalar: break
    case .object:
      if !value.isSorted { sortMembers(of: value) }
      members.truncate(to: value.firstMember)
      text.append(UInt8(ascii: "}"))
    case .array: text.append(UInt8(ascii: "]"))
    }
    forgetKey(at: openCount)
    top = openCount == 0 || obstacle != nil ? -1 : open[openCount &- 1].id
  }

  /// The lengths to return to if a member or an element fails.
  struct Mark {
    fileprivate let length: Int
    fileprivate let memberCount: Int
  }

  @inline(__always) var mark: Mark { Mark(length: text.count, memberCount: members.count) }

  /// Removes everything written since `mark`, and restores the open value `value`.
  func rollBack(to mark: Mark, _ value: OpenValue) {
    guard obstacle == nil, isOpen(value.id) else { return }
    forgetKeys(from: OpenValue.index(of: value.id) + 1)
    openCount = OpenValue.index(of: value.id) + 1
    open[openCount - 1] = value
    top = value.id
    text.truncate(to: mark.length)
    members.truncate(to: mark.memberCount)
  }

  /// How many elements an open value has. Asking for one that has ended is an obstacle.
  func count(of id: Int) -> Int {
    if isOpen(id) { return self[id].count }
    _ = stop(.outOfOrder)
    return 0
  }

  /// The keys on the way to an open value. Asking for one that has ended is an obstacle.
  func path(of id: Int) -> [any CodingKey] {
    guard isOpen(id) else {
      _ = stop(.outOfOrder)
      return []
    }
    return (1..<max(OpenValue.index(of: id) + 1, 1)).map { index in
      open[index].hasKey ? keys[index] : ElementKey(open[index - 1].count - 1)
    }
  }
}

/// Stops a value whose containers are out of order.
struct OutOfOrder: Error {}

/// Caches findings about the types used last, because finding them takes longer than writing most
/// values.
struct TypeMemory<Finding> {
  private struct Entry {
    let type: ObjectIdentifier
    let finding: Finding
  }

  private static var count: Int { 64 }
  private var entries = ContiguousArray<Entry?>(repeating: nil, count: count)

  @inline(__always)
  mutating func finding(for type: Any.Type, find: () -> Finding) -> Finding {
    let id = ObjectIdentifier(type)
    // Types are a few words apart in memory.
    let index = Int(truncatingIfNeeded: UInt(bitPattern: id) >> 4) & (Self.count - 1)
    if let entry = entries[index], entry.type == id { return entry.finding }
    let finding = find()
    entries[index] = Entry(type: id, finding: finding)
    return finding
  }
}

/// How to write the values of a type.
enum WritingStrategy {
  /// Without calling `encode(to:)`.
  case direct(any DirectValue.Type)
  /// As a collection, element by element.
  case many(any ManyValues.Type)
  case own

  @inline(never)
  init(of type: Any.Type) {
    if let direct = type as? any DirectValue.Type {
      self = .direct(direct)
    } else if let many = type as? any ManyValues.Type {
      self = .many(many)
    } else {
      self = .own
    }
  }
}

extension TypeMemory<WritingStrategy> {
  @inline(__always)
  mutating func strategy<Value>(of type: Value.Type) -> WritingStrategy {
    finding(for: type) { WritingStrategy(of: type) }
  }
}

/// Opens objects with one type of keys, for `WritingEncoder`.
///
/// A `KeyedEncodingContainer` needs a type that depends on the key type. The runtime takes as long
/// to look up such a type as it takes to write two members, so an opener keeps it in its own class.
class ObjectOpener<Key: CodingKey> {
  func open(_ writer: ValueWriter, _ id: Int) -> KeyedEncodingContainer<Key> {
    KeyedEncodingContainer(WrittenObject(writer: writer, id: id))
  }
}

/// A container that an opener can make.
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
    // Safe because only this function adds openers, each under its type of keys.
    return unsafeDowncast(opener, to: ObjectOpener<Key>.self)
  }
}

/// Keeps one unused writer, so that its memory is used again.
final class SpareWriter: Sendable {
  /// A larger writer is not worth keeping, because few values need its memory.
  private static let byteCountMax = 8 << 20

  /// The address of the retained writer; 0 if no writer is retained.
  private let slot = Atomic<UInt>(0)

  deinit { _ = writer(slot.exchange(0, ordering: .acquiring)) }

  /// Takes the writer, or makes another if it is in use: encoding a value may encode others.
  func take() -> ValueWriter {
    writer(slot.exchange(0, ordering: .acquiring)) ?? ValueWriter()
  }

  /// Keeps a writer, unless it is too large, or a value has kept a container that still refers to
  /// it.
  func put(_ writer: inout ValueWriter) {
    guard isKnownUniquelyReferenced(&writer), writer.byteCount <= Self.byteCountMax else { return }
    let address = UInt(bitPattern: Unmanaged.passRetained(writer).toOpaque())
    _ = self.writer(slot.exchange(address, ordering: .acquiringAndReleasing))
  }

  /// Returns the writer at an address, and its retain count, to the caller.
  private func writer(_ address: UInt) -> ValueWriter? {
    UnsafeRawPointer(bitPattern: address).map {
      Unmanaged<ValueWriter>.fromOpaque($0).takeRetainedValue()
    }
  }
}
