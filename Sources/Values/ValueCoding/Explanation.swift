import FoundationEssentials

/// Explains in one line why a value was not encoded, decoded or accepted, and where in it the fault
/// is.
///
/// - Parameters:
///   - tellsValues: whether the explanation may quote values. It always quotes an error of a type
///     of the app's own, because the app chose its words.
///   - openCount: how many of the names on the way to the fault may be shown; nil for all.
package func explanation(
  of error: any Error, tellsValues: Bool = true, openCount: ((_ names: [String]) -> Int)? = nil
) -> String {
  let place = FaultPlace(openCount: openCount)
  return switch error {
  case let error as DecodingError: place.explanation(of: error, tellsValues: tellsValues)
  case EncodingError.invalidValue(let value, let context) where !tellsValues:
    place.located(context.codingPath, "this \(type(of: value)) cannot be encoded")
  case EncodingError.invalidValue(let value, let context):
    place.located(context.codingPath, "\(value) cannot be encoded")
  case let error as ValueEncodedTwice:
    place.located(error.codingPath, ValueEncodedTwice.fault)
  case let error as any LocalizedError: error.errorDescription ?? String(describing: error)
  default: String(describing: error)
  }
}

struct FaultPlace {
  var openCount: ((_ names: [String]) -> Int)?

  func explanation(of error: DecodingError, tellsValues: Bool) -> String {
    switch error {
    case .keyNotFound(let key, let context):
      // This key comes from the type, not from the value, so it may be named.
      located(
        context.codingPath,
        key.unlabelledIndex.map { $0 == 0 ? "its value is missing" : "value \($0 + 1) is missing" }
          ?? "no value for \"\(key.stringValue)\"")
    case .valueNotFound(let type, let context):
      located(context.codingPath, "null instead of \(type)")
    // Some of Foundation's own errors, such as that of a `Decimal`, have an empty description.
    case .typeMismatch(let type, let context)
    where !tellsValues || context.debugDescription.isEmpty:
      located(context.codingPath, "it is not \(type)")
    case .dataCorrupted(let context) where !tellsValues || context.debugDescription.isEmpty:
      located(context.codingPath, "it is not what is expected")
    case .typeMismatch(_, let context), .dataCorrupted(let context):
      located(context.codingPath, context.debugDescription)
    @unknown default:
      openCount == nil ? String(describing: error) : "it does not decode"
    }
  }

  /// `todos[2].title: text`, or the text alone if the whole value is at fault.
  func located(_ path: [any CodingKey], _ text: String) -> String {
    let count = openCount?(path.map { $0.intValue.map(String.init) ?? $0.stringValue })
    let place = path.prefix(count ?? path.count).reduce(into: "") { place, key in
      if let index = key.intValue {
        place += "[\(index)]"
      } else if let index = key.unlabelledIndex, !place.isEmpty {
        // The only value of a case needs no number.
        place += index == 0 ? "" : " (value \(index + 1))"
      } else {
        place += place.isEmpty ? key.stringValue : ".\(key.stringValue)"
      }
    }
    return place.isEmpty ? text : "\(place): \(text)"
  }
}

extension CodingKey {
  /// `_1` is Swift's name for the second value of an enum's case if that has no label.
  fileprivate var unlabelledIndex: Int? {
    let digits = stringValue.dropFirst()
    guard stringValue.hasPrefix("_"), digits.allSatisfy(\.isASCII) else { return nil }
    return UInt8(digits).map(Int.init)
  }
}
