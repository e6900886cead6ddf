import SurfDebugger
import SurfViewer

extension DebuggerRunner {
  /// A terminal does not say whether it took it.
  func copy(_ request: CopyRequest) {
    guard let bytes = source.bytes(of: request.content) else {
      return send(.told("\(request.title) is no longer here", isFailure: true))
    }
    let size = byteText(bytes.count)
    if terminal.copy(bytes) {
      return send(.told("\(request.title) (\(size)) sent to the terminal", isFailure: false))
    }
    do throws(FileFault) {
      let path = try PrivateFile.write(bytes, suffix: ".txt")
      // It was too large, or there is no terminal.
      send(.told("\(request.title) (\(size)) is in \(path)", isFailure: false))
    } catch {
      send(.told(error.text, isFailure: true))
    }
  }
}
