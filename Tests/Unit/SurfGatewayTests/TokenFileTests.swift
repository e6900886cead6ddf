import Foundation
import Glibc
import SurfGateway
import Testing

/// A token that stays the same over restarts.
@Suite struct TokenFileTests {
  private func inFolder(_ body: (String) throws -> Void) throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    try body(folder.path)
  }

  private func write(_ text: String, to path: String, mode: mode_t = 0o600) throws {
    try Data(text.utf8).write(to: URL(fileURLWithPath: path))
    #expect(chmod(path, mode) == 0)
  }

  private func fault(at path: String) -> TokenFileError.Fault? {
    do throws(TokenFileError) {
      _ = try TokenFile(path: path).token()
      return nil
    } catch {
      return error.fault
    }
  }

  @Test func `a file is made for its owner alone, and gives the same token again`() throws {
    try inFolder { folder in
      let path = folder + "/token"
      let token = try TokenFile(path: path).token()
      var facts = stat()
      #expect(stat(path, &facts) == 0)
      #expect(facts.st_mode & 0o777 == 0o600)
      #expect(try String(contentsOfFile: path, encoding: .utf8) == token.text + "\n")
      #expect(try TokenFile(path: path).token().text == token.text)
      let other = try TokenFile(path: folder + "/other").token()
      #expect(other.text != token.text)
      let digits = token.text.filter { "0123456789abcdef".contains($0) }
      #expect(digits.count == 32 && digits == token.text)
    }
  }

  @Test(arguments: ["", "\n", "\r\n", " \n\n", "\t"])
  func `white space around a token is none of it`(end: String) throws {
    try inFolder { folder in
      let path = folder + "/token"
      try write(end + AccessPolicyTests.right.uppercased() + end, to: path)
      #expect(try TokenFile(path: path).token().text == AccessPolicyTests.right)
    }
  }

  @Test(arguments: [
    "", "\n", "word", String(AccessPolicyTests.right.dropLast()), AccessPolicyTests.right + "0",
    AccessPolicyTests.right + " " + AccessPolicyTests.right, "\u{feff}" + AccessPolicyTests.right,
    String(repeating: "0", count: 10_000),
  ])
  func `what is no token is refused, and left as it is`(text: String) throws {
    try inFolder { folder in
      let path = folder + "/token"
      try write(text, to: path)
      #expect(fault(at: path) == .noToken)
      #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == Data(text.utf8))
    }
  }

  @Test(arguments: [0o640, 0o604, 0o620, 0o602, 0o666] as [mode_t])
  func `a file that others may use is refused`(mode: mode_t) throws {
    try inFolder { folder in
      let path = folder + "/token"
      try write(AccessPolicyTests.right, to: path, mode: mode)
      #expect(fault(at: path) == .othersMayUseIt(mode))
    }
  }

  @Test func `a file that is only read is not made`() throws {
    try inFolder { folder in
      let path = folder + "/token"
      do throws(TokenFileError) {
        _ = try TokenFile(path: path).token(isMade: false)
        Issue.record("there was a token")
      } catch {
        #expect(error.fault == .system(ENOENT))
      }
      #expect(!FileManager.default.fileExists(atPath: path))
      try write(AccessPolicyTests.right, to: path)
      #expect(try TokenFile(path: path).token(isMade: false).text == AccessPolicyTests.right)
    }
  }

  @Test func `what is no file is refused at once`() throws {
    try inFolder { folder in
      #expect(fault(at: folder) == .noFile)
      #expect(mkfifo(folder + "/pipe", 0o600) == 0)
      #expect(fault(at: folder + "/pipe") == .noFile)
      #expect(fault(at: folder + "/nowhere/token") == .system(ENOENT))
      #expect(fault(at: "/dev/null") == .noFile)
    }
  }
}
