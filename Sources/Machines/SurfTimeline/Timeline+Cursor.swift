import SurfWire

/// The row that a viewer shows. It is the viewer's own: moving it moves no app.
package struct Cursor: Equatable, Sendable {
  /// 0 for the initial state.
  package internal(set) var row: SequenceNumber = 0
  /// Whether each new row becomes the one shown.
  package internal(set) var followsTail = true
}

extension Timeline {
  /// Shows a row. Any but the newest also ends following, so that the choice lasts.
  ///
  /// - Returns: false, and nothing happens, if there is no such row to show.
  @discardableResult
  package mutating func select(_ number: SequenceNumber) -> Bool {
    guard number == 0 || row(number)?.isHidden == false else { return false }
    cursor.row = number
    cursor.followsTail = cursor.followsTail && number == newestVisible
    return true
  }

  /// Follows the tail, at once and from now on; or stays at its row.
  package mutating func setFollowsTail(_ followsTail: Bool) {
    cursor.followsTail = followsTail
    moveCursorToTail()
  }

  /// Takes a row out of sight; its number stays taken. The initial state cannot be hidden.
  ///
  /// - Returns: false if there is no such row to hide. A cursor on the row goes to the one before.
  @discardableResult
  package mutating func hide(_ number: SequenceNumber) -> Bool {
    let index = firstIndex(from: number)
    guard index < rows.count, rows[index].number == number, !rows[index].isHidden else {
      return false
    }
    rows[index].isHidden = true
    hiddenCount += 1
    if cursor.row == number {
      cursor.row = rows[..<index].last { !$0.isHidden }?.number ?? 0
    }
    return true
  }

  /// Brings the rows back that were taken out of sight.
  package mutating func showHidden() {
    guard hiddenCount > 0 else { return }
    for index in rows.indices where rows[index].isHidden { rows[index].isHidden = false }
    hiddenCount = 0
    moveCursorToTail()
  }

  mutating func moveCursorToTail() {
    if cursor.followsTail { cursor.row = newestVisible }
  }

  private var newestVisible: SequenceNumber { rows.last { !$0.isHidden }?.number ?? 0 }
}
