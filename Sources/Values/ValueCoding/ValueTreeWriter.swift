/// What all `TreeEncoder`s of one value share.
final class ValueTreeWriter {
  let form: WritingForm
  private let leaf = ValueWriter()
  /// The first error that must not be swallowed. Opening a container cannot throw it.
  private var failure: (any Error)?
  /// Octets and values so far.
  private var size = 0

  init(form: WritingForm) {
    self.form = form
    leaf.form = form
  }

  func write<Value: Encodable>(_ value: Value, to text: inout TextBuffer) throws {
    let node = ValueNode()
    let encoder = TreeEncoder(node: node, codingPath: [], depth: 0, tree: self)
    do { try form.encode(value, to: encoder) } catch { throw failure ?? error }
    if let failure { throw failure }
    if case .nothing = node.content { throw EncodingError.nothingEncoded(by: value) }
    node.write(to: &text, form)
  }

  func fail(_ error: any Error) -> any Error {
    failure = failure ?? error
    return error
  }

  func count(_ more: Int) throws {
    size += more
    if size > form.sizeMax { throw fail(TooLong()) }
  }

  func refuse(_ error: any Error) -> RefusingEncoder { RefusingEncoder(error: fail(error)) }

  func text(of value: some DirectValue, at path: [any CodingKey]) throws -> [UInt8] {
    leaf.clear()
    leaf.form.sizeMax = form.sizeMax - size
    do throws(UnwritableNumber) { try value.write(to: leaf) } catch {
      throw error.located(at: path)
    }
    guard leaf.obstacle == nil else { throw fail(TooLong()) }
    try count(leaf.text.count)
    return Array(leaf.text.bytes)
  }
}

/// A value was encoded twice, in forms that exclude each other.
package struct ValueEncodedTwice: Error, CustomStringConvertible {
  package let codingPath: [any CodingKey]

  static let fault = "encoded twice, in different forms"

  package var description: String { FaultPlace().located(codingPath, Self.fault) }
}
