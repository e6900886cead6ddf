/// The line of code that dispatched an action.
///
/// Making one is free: its strings are created when somebody reads them. Two are equal if they name
/// the same line with the same `info`.
public struct ActionSource: Sendable {
  @usableFromInline package let fileName: StaticString
  @usableFromInline let functionName: StaticString?
  /// The line, counted from 1.
  public let line: UInt
  /// Anything else about the action's origin, such as the action that it was derived from.
  public let info: String?

  /// The line `line` of `file`, inside `function`.
  @inlinable
  public init(
    file: StaticString, function: StaticString? = nil, line: UInt, info: String? = nil
  ) {
    fileName = file
    functionName = function
    self.line = line
    self.info = info
  }

  /// A viewer that dispatched the action: `by ada@desk`. It has no place in the program.
  package init(viewer name: String) {
    self.init(file: "", line: 0, info: "by \(name)")
  }

  /// Module and file, as `#fileID` gives them: `Todo/Main.swift`; empty for a viewer's action.
  public var file: String { fileName.description }

  package var place: String { "\(file):\(line)" }

  /// The function or property, as `#function` gives it: `buttonTapped(at:)`.
  public var function: String? { functionName?.description }
}

extension ActionSource: Hashable {
  /// Whether both name the same line with the same `info`.
  public static func == (left: ActionSource, right: ActionSource) -> Bool {
    left.line == right.line && left.info == right.info && left.file == right.file
  }

  /// Hashes what `==` compares.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(line)
    hasher.combine(info)
    hasher.combine(file)
  }
}

extension ActionSource: CustomStringConvertible {
  /// `Todo/Main.swift:42`, or with `info`: `Todo/Main.swift:42 (Bridged from add)`; for a viewer
  /// `by ada@desk`.
  public var description: String {
    guard !file.isEmpty else { return info ?? "" }
    return info.map { "\(place) (\($0))" } ?? place
  }
}
