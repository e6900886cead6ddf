import SurfWire

extension Timeline {
  /// Takes a row out of sight; its number stays taken. The initial state cannot be hidden.
  ///
  /// - Returns: false if there is no such row to hide.
  @discardableResult
  package mutating func hide(_ number: SequenceNumber) -> Bool {
    let index = firstIndex(from: number)
    guard index < rows.count, rows[index].number == number, !rows[index].isHidden else {
      return false
    }
    rows[index].isHidden = true
    hiddenCount += 1
    return true
  }

  /// Brings the rows back that were taken out of sight.
  package mutating func showHidden() {
    guard hiddenCount > 0 else { return }
    for index in rows.indices where rows[index].isHidden { rows[index].isHidden = false }
    hiddenCount = 0
  }
}
