import TerminalScreen

/// Where `DebuggerPicture` draws its parts. Depending on the width, two panes side by side,
/// stacked, or one alone.
struct ScreenLayout: Equatable, Sendable {
  static let widthMin = 40
  static let heightMin = 10
  static let sideBySideMin = 90
  static let stackedMin = 60
  /// Shorter screens have no strip and no status line.
  static let fullHeightMin = 16

  let size: ScreenSize
  private(set) var list: ScreenArea
  private(set) var detail: ScreenArea
  /// The screen rows of the panes' titles; nil for a pane that is not shown.
  private(set) var listTitle: Int?
  private(set) var detailTitle: Int?
  private(set) var divider: Int?
  let strip: Int?
  let status: Int?
  let message: Int
  let footer: Int

  var isTooSmall: Bool { size.width < Self.widthMin || size.height < Self.heightMin }

  init(_ size: ScreenSize, zoom: Zoom, pane: Pane) {
    self.size = size
    footer = size.height - 1
    let isFull = size.height >= Self.fullHeightMin
    message = size.height - 2
    status = isFull ? size.height - 3 : nil
    strip = isFull ? size.height - 4 : nil
    let none = ScreenArea(row: 0, column: 0, width: 0, height: 0)
    (list, detail) = (none, none)
    let body = ScreenArea(
      row: 3, column: 0, width: size.width, height: (isFull ? size.height - 5 : message - 1) - 3)
    guard !isTooSmall else { return }
    switch zoom {
    case .both where size.width >= Self.sideBySideMin: placeSideBySide(body)
    case .both where size.width >= Self.stackedMin && body.height >= 6: placeStacked(body)
    case .both: place(pane, body)
    case .list: place(.list, body)
    case .detail: place(.detail, body)
    }
  }

  var bottomRule: Int { (strip ?? message) - 1 }

  /// The lines of a help or palette that is as high as the screen allows.
  var menuHeight: Int { max(1, bottomRule - 3) }

  private mutating func placeSideBySide(_ body: ScreenArea) {
    let column = body.width * 55 / 100
    divider = column
    list = ScreenArea(row: body.row, column: 0, width: column, height: body.height)
    detail = ScreenArea(
      row: body.row, column: column + 1, width: body.width - column - 1, height: body.height)
    (listTitle, detailTitle) = (1, 1)
  }

  private mutating func placeStacked(_ body: ScreenArea) {
    let height = body.height / 2
    list = ScreenArea(row: body.row, column: 0, width: body.width, height: height)
    detail = ScreenArea(
      row: body.row + height + 1, column: 0, width: body.width, height: body.height - height - 1)
    (listTitle, detailTitle) = (1, body.row + height)
  }

  private mutating func place(_ pane: Pane, _ body: ScreenArea) {
    switch pane {
    case .list: (list, listTitle) = (body, 1)
    case .detail: (detail, detailTitle) = (body, 1)
    }
  }
}

extension ScreenArea {
  func contains(_ place: ScreenPlace) -> Bool {
    place.row >= row && place.row - row < height && place.column >= column
      && place.column - column < width
  }
}
