import Foundation

/// The files that the processes of one run use to communicate.
struct RunDirectory {
  let path: String

  func has(_ name: String) -> Bool { access("\(path)/\(name)", F_OK) == 0 }

  func hasAll(_ name: String, count: Int) -> Bool {
    (0..<max(count, 0)).allSatisfy { has("\(name).\($0)") }
  }

  func touch(_ name: String) {
    let descriptor = open("\(path)/\(name)", O_CREAT | O_WRONLY, 0o644)
    guard descriptor >= 0 else { return complain("cannot write \(path)/\(name)") }
    close(descriptor)
  }

  /// Gets its name only when it is whole, so that nobody reads half of it.
  func write(_ text: String, to name: String) {
    let temporary = "\(path)/\(name).tmp"
    do { try text.write(toFile: temporary, atomically: false, encoding: .utf8) } catch {
      return complain("cannot write \(temporary): \(error)")
    }
    if rename(temporary, "\(path)/\(name)") != 0 { complain("cannot write \(path)/\(name)") }
  }
}
