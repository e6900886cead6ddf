import ReduxDevTools
import SurfControl
import SurfWire

/// A history in a file, as Redux DevTools exports it.
enum LiftedStateFile {
  /// Reads it from a path, or from standard input for nil.
  static func read(_ path: String?) throws(Failure) -> ForeignHistory {
    let bytes = try StateFile.bytes(of: path)
    do throws(LiftedFileError) {
      return try ForeignHistory(liftedText: String(decoding: bytes, as: UTF8.self))
    } catch {
      throw Failure(
        "\(path.map { "'\($0)'" } ?? "standard input") is not an exported history: \(error)",
        advice: "statesurf export session.json, or the panel's Export")
    }
  }
}
