import Foundation
import JSONTree
import SurfCipher
import SurfSeal
import SurfTerminal
import Testing

/// What can be wrong with a key file, and what `doctor` says to do about it.
@Suite final class KeyFaultTests {
  private static let drive = GroupKey(.drive, Octets32(0..<32)!)
  private static let watch = drive.watchKey
  /// Has nothing to do with the others, but for its id.
  private static let namesake = (0...4_095).lazy
    .map { number in
      let octets = [UInt8(number / 256), UInt8(number % 256)] + Array(repeating: 7, count: 30)
      return GroupKey(.drive, Octets32(octets)!)
    }
    .first { $0.id == drive.id }

  private let path = FileManager.default.temporaryDirectory
    .appending(path: "surf-fault-\(UUID().uuidString)").path

  deinit { try? FileManager.default.removeItem(atPath: path) }

  /// The object at the path of the key file.
  struct Fault: Sendable, CustomTestStringConvertible {
    let testDescription: String
    /// Nil for a folder.
    var text: String? = ""
    var mode: mode_t = 0o600
    /// Whether its keys can still be used.
    var isFine = false
    let finding: String
    let fix: String
  }

  private static let changed = drive.text.replacing("-1-a", with: "-1-b")

  static let faults: [Fault] = [
    Fault(testDescription: "empty", finding: "there is no key in it", fix: "statesurf key new"),
    Fault(
      testDescription: "a folder", text: nil, finding: "PATH is a folder",
      fix: "STATESURF_KEY_FILE=PATH/key"),
    Fault(
      testDescription: "readable by all", text: drive.text, mode: 0o644, isFine: true,
      finding: "all users of this machine may read it", fix: "chmod 600 PATH"),
    Fault(
      testDescription: "writable by others", text: drive.text, mode: 0o620,
      finding: "others may change it", fix: "chmod 600 PATH"),
    Fault(
      testDescription: "a watch key", text: watch.text, isFine: true,
      finding: "a watch key seals", fix: "make a drive key the first line"),
    Fault(
      testDescription: "another text", text: "Dear Ada\n",
      finding: "line 1: this is not a key", fix: "statesurf key new"),
    Fault(
      testDescription: "a private key of ssh", text: "-----BEGIN OPENSSH PRIVATE KEY-----\nb3Bl\n",
      finding: "a key of another program, such as ssh", fix: "name StateSurf's own file"),
    Fault(
      testDescription: "Windows's line ends", text: "\(drive.text)\r\n", isFine: true,
      finding: "Windows's line ends", fix: "sed -i 's/\\r$//' PATH"),
    Fault(
      testDescription: "a changed letter", text: changed,
      finding: "line 1: the checksum does not match: a letter is wrong",
      fix: "copy the line again"),
    Fault(
      testDescription: "cut off", text: String(drive.text.dropLast(3)),
      finding: "3 letters are missing", fix: "copy the line again"),
    Fault(
      testDescription: "two keys of one id", text: "\(drive.text)\n\(namesake?.text ?? "")\n",
      isFine: true, finding: "more than one key has the id \(drive.id), by chance",
      fix: "statesurf key new -"),
    Fault(
      testDescription: "a drive key with its watch key", text: "\(drive.text)\n\(watch.text)\n",
      isFine: true, finding: "\(watch) opens nothing that its drive key does not open",
      fix: "remove the line of the watch key"),
  ]

  @Test(arguments: faults)
  func `the doctor names it, with its fix`(fault: Fault) throws {
    if let text = fault.text {
      try text.write(toFile: path, atomically: false, encoding: .utf8)
      chmod(path, fault.mode)
    } else {
      try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
    }
    try expect(fault)
    if fault.text?.contains(Self.drive.text) == true { return }
    #expect(!checks.map(\.finding).joined().contains(Self.drive.text))
  }

  @Test func `a file that is not there is named, with its fix`() throws {
    let fix = "create one with statesurf key new, or set STATESURF_KEY_FILE=none to seal nothing"
    try expect(
      Fault(testDescription: "", finding: "the key file PATH: No such file", fix: fix))
  }

  @Test func `a file as it should be has nothing to fix`() throws {
    try "# ours\n\(Self.drive.text)\n".write(toFile: path, atomically: false, encoding: .utf8)
    chmod(path, 0o600)
    #expect(checks.map(\.isFine) == [true, true])
    let mends = checks.filter { $0.name == "key" }.map(\.fix)
    #expect(mends == [""])
  }

  private var checks: [DoctorCheck] { KeyCheck.all([KeyFile.variable: path]) }

  /// In words and as JSON, and by the exit code.
  private func expect(_ fault: Fault) throws {
    let finding = fault.finding.replacing("PATH", with: path)
    let fix = fault.fix.replacing("PATH", with: path)
    for json in [false, true] {
      var doctor = Driven(DoctorSession(checks: checks, json: json))
      let actions = doctor.advance(to: .seconds(2))
      let text = actions.text.filter { $0.contains("key") }
      let isTold = try text.contains { line in
        guard json else {
          return line.contains(finding) && line.contains("  Try: ") && line.contains(fix)
            && line.hasPrefix(fault.isFine ? "ok" : "!!")
        }
        let object = try JSON(parsing: Array(line.utf8))
        return object["finding"]?.string?.contains(finding) == true
          && object["fix"]?.string?.contains(fix) == true
          && object["ok"] == .bool(fault.isFine)
      }
      #expect(isTold, "\(text)")
      #expect(actions.contains(.exit(fault.isFine ? 0 : 1)))
    }
  }
}
