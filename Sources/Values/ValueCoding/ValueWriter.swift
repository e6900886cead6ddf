import Synchronization

/// Writes values as JSON, straight into one text.
///
/// Its containers must be written one after the other, each until it is complete, as nearly all
/// are. For others it has no text, and `TreeEncoder` must write the value.
final class ValueWriter {
  /// Why there will be no text, whatever the values do with the errors that they get.
  enum Obstacle {
    case tooDeep
    /// A container was written after another, or in two ways.
    case outOfOrder
  }

  // Checks at run time that nobody else changes a property meanwhile took half of the time. Nobody
  // does: a writer belongs to one call, and no value's code runs while one is being changed.
  @exclusivity(unchecked) var form = WritingForm()
  @exclusivity(unchecked) var text = TextBuffer()
  @exclusivity(unchecked) var scratch = TextBuffer()
  @exclusivity(unchecked) var members = MemberSpans()
  @exclusivity(unchecked) var ways = TypeMemory<WritingStrategy>()
  @exclusivity(unchecked) var openers = TypeMemory<AnyObject>()
  @exclusivity(unchecked) private(set) var obstacle: Obstacle?

  private let open = UnsafeMutablePointer<OpenValue>.allocate(capacity: ValueCoder.depthMax + 2)
  /// Of the open values that have a key; elements know their place.
  private let keys = UnsafeMutablePointer<any CodingKey>.allocate(
    capacity: ValueCoder.depthMax + 2)
  @exclusivity(unchecked) private var openCount = 0
  @exclusivity(unchecked) private var lastNumber = 0
  /// The innermost open value; none is -1, and so is each if there is an obstacle.
  @exclusivity(unchecked) private var top = -1

  deinit {
    forgetKeys(from: 0)
    open.deallocate()
    keys.deallocate()
  }

  /// Forgets everything but its memory.
  func clear() {
    text.truncate(to: 0)
    members.truncate(to: 0)
    forgetKeys(from: 0)
    (openCount, top, obstacle) = (0, -1, nil)
  }

  /// Of the memory that grows.
  var byteCount: Int { text.capacity + scratch.capacity + members.byteCount }

  private func forgetKeys(from index: Int) {
    for index in index..<max(index, openCount) { forgetKey(at: index) }
  }

  @inline(__always) private func forgetKey(at index: Int) {
    if open[index].hasKey { (keys + index).deinitialize(count: 1) }
  }

  /// Why nothing goes on; thrown through the values' own code.
  func stop(_ obstacle: Obstacle) -> any Error {
    self.obstacle = self.obstacle ?? obstacle
    top = -1
    return self.obstacle == .tooDeep ? TooDeep() : OutOfOrder()
  }

  subscript(id: Int) -> OpenValue {
    @inline(__always) get { open[OpenValue.index(of: id)] }
    @inline(__always) _modify { yield &open[OpenValue.index(of: id)] }
  }

  @inline(__always) func pointer(_ id: Int) -> UnsafeMutablePointer<OpenValue> {
    open + OpenValue.index(of: id)
  }

  /// Begins a value inside of the innermost one; its id.
  @inline(__always)
  func begin(_ key: (any CodingKey)?, isNested: Bool) throws -> Int {
    let depth = openCount == 0 ? 0 : open[openCount &- 1].depth &+ 1
    guard depth <= ValueCoder.depthMax else { throw stop(.tooDeep) }
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

  /// Makes the value the innermost one: containers inside of it are complete.
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

  /// Ends a value, and all inside of it.
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

  /// How much there was before a member or an element.
  struct Mark {
    fileprivate let length: Int
    fileprivate let memberCount: Int
  }

  @inline(__always) var mark: Mark { Mark(length: text.count, memberCount: members.count) }

  /// Takes back what was written since, and makes of the value what it was then.
  func takeBack(to mark: Mark, _ value: OpenValue) {
    guard obstacle == nil, isOpen(value.id) else { return }
    forgetKeys(from: OpenValue.index(of: value.id) + 1)
    openCount = OpenValue.index(of: value.id) + 1
    open[openCount - 1] = value
    top = value.id
    text.truncate(to: mark.length)
    members.truncate(to: mark.memberCount)
  }

  /// How many elements a value has; of one that has ended this is not known any more.
  func count(of id: Int) -> Int {
    if isOpen(id) { return self[id].count }
    _ = stop(.outOfOrder)
    return 0
  }

  /// The keys that lead to a value, as long as it is open.
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

/// Ends the way through a value that must be written in another way.
struct OutOfOrder: Error {}

/// What was found out about the types met last, because to find it takes longer than to write most
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
    // Types are some words apart from one another.
    let index = Int(truncatingIfNeeded: UInt(bitPattern: id) >> 4) & (Self.count - 1)
    if let entry = entries[index], entry.type == id { return entry.finding }
    let finding = find()
    entries[index] = Entry(type: id, finding: finding)
    return finding
  }
}

/// How values of a type are written.
enum WritingStrategy {
  /// Without its `encode(to:)`.
  case direct(any DirectValue.Type)
  /// An array, or a dictionary that is an object.
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
  mutating func way<Value>(of type: Value.Type) -> WritingStrategy {
    finding(for: type) { WritingStrategy(of: type) }
  }
}

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

/// A writer that nobody is using, so that its memory is used again.
final class SpareWriter: Sendable {
  /// More memory than this in a spare would be kept for few values.
  private static let byteCountMax = 8 << 20

  /// The address of a writer that is held for it; 0 is none.
  private let slot = Atomic<UInt>(0)

  deinit { _ = writer(slot.exchange(0, ordering: .acquiring)) }

  /// The spare, or another if somebody has it: values may encode others meanwhile.
  func take() -> ValueWriter {
    writer(slot.exchange(0, ordering: .acquiring)) ?? ValueWriter()
  }

  /// Not one that a container still refers to, which a value may have kept.
  func put(_ writer: inout ValueWriter) {
    guard isKnownUniquelyReferenced(&writer), writer.byteCount <= Self.byteCountMax else { return }
    let address = UInt(bitPattern: Unmanaged.passRetained(writer).toOpaque())
    _ = self.writer(slot.exchange(address, ordering: .acquiringAndReleasing))
  }

  /// The writer that was held at an address, now held by the caller.
  private func writer(_ address: UInt) -> ValueWriter? {
    UnsafeRawPointer(bitPattern: address).map {
      Unmanaged<ValueWriter>.fromOpaque($0).takeRetainedValue()
    }
  }
}
