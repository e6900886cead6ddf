/// Rows and columns of a screen, from 1 to 1,000 each: a terminal that says otherwise is not
/// believed.
package struct ScreenSize: Hashable, Sendable {
  static let sideMax = 1_000

  package let height: Int
  package let width: Int

  /// Brought within bounds.
  package init(width: Int, height: Int) {
    self.width = min(max(width, 1), Self.sideMax)
    self.height = min(max(height, 1), Self.sideMax)
  }

  /// All of it.
  package var area: ScreenArea { ScreenArea(row: 0, column: 0, width: width, height: height) }
}

/// A place on a screen; the upper left one is row 0, column 0.
package struct ScreenPlace: Hashable, Sendable {
  package var row: Int
  package var column: Int

  package init(row: Int, column: Int) {
    self.row = row
    self.column = column
  }
}

/// A rectangle of a screen. What lies outside of the screen is drawn nowhere.
package struct ScreenArea: Hashable, Sendable {
  package var row: Int
  package var column: Int
  package var width: Int
  package var height: Int

  /// A negative width or height is none.
  package init(row: Int, column: Int, width: Int, height: Int) {
    self.row = row
    self.column = column
    self.width = max(width, 0)
    self.height = max(height, 0)
  }
}
