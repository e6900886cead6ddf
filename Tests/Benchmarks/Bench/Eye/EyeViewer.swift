/// The kind of viewer on an app.
enum EyeViewer: String, CaseIterable {
  /// `watch` for a program that reads its lines.
  case pipe
  /// `watch` on a terminal, with its line of counters.
  case watch
  /// `surf`, which draws what is newest, at most 30 times a second.
  case debugger

  var words: [String] { self == .debugger ? ["surf"] : ["watch"] }
  var output: ViewerProcess.Output { self == .pipe ? .pipe : .terminal }

  /// Whether each row is written, and not only those that a frame shows.
  var showsAll: Bool { self != .debugger }
}
