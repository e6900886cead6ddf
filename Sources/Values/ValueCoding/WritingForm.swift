import FoundationEssentials
import Redaction

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
