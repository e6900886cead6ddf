import FoundationEssentials
import SurfValues

/// Encodes values as the same octets as `JSONEncoder` with sorted keys, in less time.
///
/// It differs from `JSONEncoder` on purpose:
///
/// 1. A value nested deeper than `ValueCoder.depthMax` is an error, and does not crash the program.
/// 2. A value that is encoded twice, in forms that exclude each other, is an error.
/// 3. Keys with different octets stay two members, even if Unicode considers them equal.
/// 4. If encoding a value fails and other code swallows the error, nothing of the value is left.
/// 5. A `Decimal` that is not a number is an error, instead of invalid JSON.
/// 6. An error's path includes nested containers, and the elements of arrays of numbers.
/// 7. A superclass's encoder takes its place when it is requested, not when it is released.
/// 8. Sets, and dictionaries written as arrays, are sorted by their octets, so that equal values
///    give equal octets.
///
/// A value that interleaves its containers is encoded a second time, by `TreeEncoder`.
package struct ValueEncoder: Sendable {
  private let form: WritingForm
  private let spare = SpareWriter()

  init(form: WritingForm) { self.form = form }

  /// An encoder that formats dates with `dates`, and writes marks for `Redacted` values. It may be
  /// shared between threads.
  package init(escapesSlashes: Bool, dates: @escaping @Sendable (Date) -> String) {
    form = WritingForm(dates: .text(dates), escapesSlashes: escapesSlashes, marksRedacted: true)
  }

  /// The same encoder with null for numbers that JSON cannot express.
  var withNullNumbers: ValueEncoder {
    var form = form
    form.hasNullNumbers = true
    return ValueEncoder(form: form)
  }

  /// JSON with sorted keys.
  ///
  /// - Parameters:
  ///   - shortEnums: whether enums are written as people write them: `"clear"`, `{"add":"milk"}`.
  ///   - depthMax: at most `ValueCoder.depthMax`.
  ///   - sizeMax: the octets after which to stop. The text may be longer nevertheless.
  /// - Throws: `EncodingError`, `TooDeep`, `TooLong`, `ValueEncodedTwice`, and the value's own.
  package func bytes(
    of value: some Encodable, shortEnums: Bool = false, depthMax: Int = ValueCoder.depthMax,
    sizeMax: Int = .max
  ) throws -> [UInt8] {
    var form = form
    form.hasShortEnums = shortEnums
    (form.depthMax, form.sizeMax) = (depthMax, sizeMax)
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

/// How to write values.
struct WritingForm: Sendable {
  enum Dates: Sendable {
    /// Seconds since 2001.
    case seconds
    case readable
    case text(@Sendable (Date) -> String)
  }

  var dates = Dates.seconds
  var escapesSlashes = true
  /// Whether `Redacted` values write marks.
  var marksRedacted = false
  /// Whether dictionaries whose keys have a text form are objects.
  var hasTextKeys = false
  /// Whether enums are written as people write them.
  var hasShortEnums = false
  /// Whether a number that JSON cannot express, such as infinity, is null instead of an error.
  var hasNullNumbers = false
  /// How deep values and containers may be nested. An array of texts or numbers does not count.
  var depthMax = ValueCoder.depthMax
  /// No value, element or member begins after this many octets, and no text that would end there.
  var sizeMax = Int.max

  /// What values can see of this form in their encoder.
  var userInfo: [CodingUserInfoKey: Any] {
    guard marksRedacted else { return [:] }
    return RedactionMark.userInfo
  }
}
