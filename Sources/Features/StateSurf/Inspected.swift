/// Shows a property's value in every viewer whenever it is assigned.
///
///     @Inspected("recipe") var recipe = Recipe()
///
/// It uses the given transceiver, or else `Transceiver.shared`. A value that is assigned while no
/// transceiver is resumed is not shown.
@propertyWrapper
public struct Inspected<Value: Encodable & Sendable> {
  /// The value. Setting it shows it.
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
