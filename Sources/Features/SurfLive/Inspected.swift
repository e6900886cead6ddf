/// Shows the value of a property in every viewer, whenever it is assigned.
///
///     @Inspected("recipe") var recipe = Recipe()
///
/// It goes to the transceiver that it names, or else to `Transceiver.shared`. What is assigned
/// while nothing is resumed is not shown.
@propertyWrapper
public struct Inspected<Value: Encodable & Sendable> {
  /// The value; setting it shows it.
  public var wrappedValue: Value { didSet { show() } }

  private let name: String
  private let transceiver: Transceiver?
  private let file: StaticString
  private let line: UInt

  /// Shows the first value as well.
  public init(
    wrappedValue: Value, _ name: String, in transceiver: Transceiver? = nil,
    file: StaticString = #fileID, line: UInt = #line
  ) {
    self.wrappedValue = wrappedValue
    self.name = name
    self.transceiver = transceiver
    self.file = file
    self.line = line
    show()
  }

  private func show() {
    (transceiver ?? .shared)?.inspect(name, wrappedValue, file: file, line: line)
  }
}

extension Inspected: Sendable {}
