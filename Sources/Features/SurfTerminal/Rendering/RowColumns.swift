import SurfTimeline
import TerminalScreen

/// The widths of a row's cells. The name gets its columns first, then the state's size, then the
/// source, and last the change of the size.
package struct RowColumns: Equatable, Sendable {
  var number = 6
  /// For the name and the cause.
  var name = 40
  var size = 9
  /// 0 if it does not fit.
  var change = 11
  /// 0 if it does not fit; nil if it is never cut.
  var source: Int?

  /// For a pipe, where lines may have any length and columns are fixed.
  package init() {}

  /// - Parameter whose: the width of the instance's cell, including its blank.
  package init(terminal columns: Int, whose: Int) {
    number = columns < 100 ? 4 : 6
    var left = columns - Self.clock - whose - (1 + number) - (2 + Self.kind)
    func take(_ wanted: Int, orElse other: Int = 0) -> Int {
      let width = left >= wanted ? wanted : other
      left -= width
      return width
    }
    // Fits an action with a value or two, such as `nthPrimeFound(n: 3, prime: 5)`.
    name = take(29, orElse: max(12, left))
    size = take(9)
    // Fits a file name of ten letters and its line.
    let sourceMin = take(16)
    change = take(11)
    let more = sourceMin == 0 ? left : min(left / 2, 15)
    name += max(0, more)
    source = sourceMin == 0 ? 0 : sourceMin + left - more
  }

  /// `14:03:59.123`
  static let clock = 12
  static let kind = 8
}

/// The cell that names a row's instance.
package struct InstanceColumn: Equatable, Sendable {
  package let width: Int
  /// Whether names alone are ambiguous.
  let namesProcess: Bool

  static let fixed = InstanceColumn(width: widthMax, namesProcess: true)
  private static let widthMax = 18

  /// Smaller on a narrow terminal.
  func width(on terminal: Int?) -> Int { (terminal ?? 100) < 100 ? min(width, 13) : width }

  /// Cuts a long name rather than the process id, which distinguishes instances.
  func text(_ instance: Instance, on terminal: Int?) -> String {
    let width = width(on: terminal)
    guard namesProcess else { return padded(fitted(escaped(instance.name), width), width) }
    let number = "#\(instance.processID)"
    return padded(fitted(escaped(instance.name), max(0, width - columns(number))) + number, width)
  }
}

extension InstanceColumn {
  /// Wide enough for all instances shown so far; nil if there was never more than one.
  init?(of instances: [Instance], before: InstanceColumn?) {
    guard instances.count > 1 || before != nil else { return nil }
    let names = Set(instances.map(\.name))
    let namesProcess = before?.namesProcess == true || names.count < instances.count
    let widest = instances.map { columns(escaped(namesProcess ? $0.label : $0.name)) }.max() ?? 0
    self.init(
      width: min(max(widest, before?.width ?? 0), Self.widthMax), namesProcess: namesProcess)
  }
}
