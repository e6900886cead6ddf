import FoundationEssentials
import Redaction

/// Values as JSON: the octets that `JSONEncoder` with sorted keys writes, in less time.
///
/// It differs from `JSONEncoder` on purpose in these points:
///
/// 1. A value nested deeper than `ValueCoder.depthMax` is an error, and does not end the program.
/// 2. So is a value that is encoded twice in forms that exclude each other.
/// 3. Keys of different octets stay two members, though Unicode may hold them equal.
/// 4. Of a value whose encoding failed, nothing is left in the text if others hide the error.
/// 5. A `Decimal` that is not a number is an error, and not text that is not JSON.
/// 6. The path of an error names nested containers, and the elements of arrays of numbers.
/// 7. An encoder for a superclass has its place from the moment when it is asked for, and not from
///    the moment when nobody holds it.
/// 8. A set, and a dictionary that is written as an array, are in the order of their octets: equal
///    values are equal octets.
///
/// A value that writes its containers by turns is asked to encode itself a second time, and kept
/// in a tree meanwhile.
package struct ValueEncoder: Sendable {
  private let form: WritingForm
  private let spare = SpareWriter()

  init(form: WritingForm) { self.form = form }

  /// An encoder that writes dates as `dates` does, and marks in the place of what is `Redacted`; it
  /// may be shared between threads.
  package init(escapesSlashes: Bool, dates: @escaping @Sendable (Date) -> String) {
    form = WritingForm(dates: .text(dates), escapesSlashes: escapesSlashes, marksRedacted: true)
  }

  /// The same with null in the place of each number that JSON does not have.
  var withNullNumbers: ValueEncoder {
    var form = form
    form.hasNullNumbers = true
    return ValueEncoder(form: form)
  }

  /// JSON with sorted keys.
  ///
  /// - Parameter shortEnums: whether enums are written as people write them: `"clear"`,
  ///   `{"add":"milk"}`.
  /// - Throws: `EncodingError`, `TooDeep`, `ValueEncodedTwice`, and what the value throws.
  package func bytes(of value: some Encodable, shortEnums: Bool = false) throws -> [UInt8] {
    var form = form
    form.hasShortEnums = shortEnums
    var writer = spare.take()
    defer { spare.put(&writer) }
    writer.form = form
    if try !writer.write(whole: value) {
      writer.clear()
      try ValueTreeWriter(form: form).write(value, to: &writer.text)
    }
    return [UInt8](writer.text.bytes)
  }
}

/// What a caller chooses of how values are written.
struct WritingForm: Sendable {
  /// How dates are written.
  enum Dates: Sendable {
    /// Seconds since 2001.
    case seconds
    case readable
    case text(@Sendable (Date) -> String)
  }

  var dates = Dates.seconds
  var escapesSlashes = true
  /// Whether values that are `Redacted` write marks.
  var marksRedacted = false
  /// Whether dictionaries whose keys are written as text are objects.
  var hasTextKeys = false
  /// Whether enums are written as people write them.
  var hasShortEnums = false
  /// Whether a number without JSON, such as infinity, is null, and not an error.
  var hasNullNumbers = false

  /// What values may ask of their encoder.
  var userInfo: [CodingUserInfoKey: Any] {
    guard marksRedacted else { return [:] }
    return RedactionMark.userInfo
  }
}
